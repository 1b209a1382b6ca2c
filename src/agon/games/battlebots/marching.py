"""Marching by simple rules: what all players are taken to do when nothing better is known.

Forts at the front keep what they need against armies that come, and take what they can; forts
behind it send all they have to the front.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.games.battlebots.board import (
    MOST_SEATS,
    NEUTRAL,
    NOWHERE,
    SIDES,
    Tier,
    army_at,
    count_words,
    next_place,
    owner_of,
    soldiers_of,
    target_of,
)
from agon.games.battlebots.greedy import NO_LANE
from agon.kernel import IntArray, Record, as_int, inlined, kernel

FAR = 1 << 20


def plan_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of what the play-out knows of a moment."""
    return np.dtype(
        [
            ("coming", np.int32, (tier.forts, SIDES)),  # soldiers on the roads to a fort, by side
            ("far", np.int32, (tier.forts,)),  # steps to the next fort of another side
            ("steps", np.int32, (tier.forts,)),  # steps to one target, by forts of one side
            ("by", np.int32, (tier.forts,)),  # the lane that leads there
        ],
        align=True,
    )


@kernel
def length_of(setup: Record, lane: int) -> int:
    """The steps of a lane's road."""
    even = lane & ~1
    return as_int(setup.departure[even + 1]) - as_int(setup.departure[even])


# --- a look at the field --------------------------------------------------------------------------


@kernel
def look_around(setup: Record, state: Record, plan: Record) -> None:
    """Bring the plan up to date."""
    count_coming(setup, state, plan)
    measure_front(setup, state, plan)


@kernel
def count_coming(setup: Record, state: Record, plan: Record) -> None:
    """Add up the armies on the roads to each fort."""
    for fort in range(as_int(setup.forts)):
        for side in range(SIDES):
            plan.coming[fort, side] = 0
    words = count_words(setup)
    for way in range(2):
        place = next_place(state.occupied[way], words, as_int(0))
        while place != NOWHERE:
            army = army_at(state, way, place)
            target = target_of(setup, 2 * as_int(setup.road_at[place]) + way)
            plan.coming[target, owner_of(army)] += soldiers_of(army)
            place = next_place(state.occupied[way], words, place + 1)


@inlined
def measure_front(setup: Record, state: Record, plan: Record) -> None:
    """How far each fort is from the next one of another side, by forts of its own side."""
    for fort in range(as_int(setup.forts)):
        plan.far[fort] = FAR
    changed = True
    while changed:
        changed = False
        for lane in range(2 * as_int(setup.roads)):
            fort = as_int(setup.origin[lane])
            steps = steps_by(setup, state, plan, lane)
            if steps < as_int(plan.far[fort]):
                plan.far[fort] = steps
                changed = True


@kernel
def steps_by(setup: Record, state: Record, plan: Record, lane: int) -> int:
    """How far the front is, if one goes by this lane."""
    target = target_of(setup, lane)
    steps = length_of(setup, lane)
    if as_int(state.owner[target]) == as_int(state.owner[as_int(setup.origin[lane])]):
        steps += as_int(plan.far[target])
    return steps


@kernel
def hostile_coming(plan: Record, fort: int, side: int) -> int:
    """The soldiers of all others than this side on the roads to a fort."""
    soldiers = 0
    for other in range(MOST_SEATS):
        if other != side:
            soldiers += as_int(plan.coming[fort, other])
    return soldiers


@kernel
def wanted_by(setup: Record, state: Record, plan: Record, lane: int) -> int:
    """How many soldiers more take the fort at the end of a lane, as far as one can see."""
    side = as_int(state.owner[as_int(setup.origin[lane])])
    target = target_of(setup, lane)
    holder = as_int(state.owner[target])
    defenders = as_int(state.garrison[target])
    if holder != NEUTRAL:
        defenders += length_of(setup, lane)
    return defenders + hostile_coming(plan, target, side) - as_int(plan.coming[target, side]) + 1


# --- orders ---------------------------------------------------------------------------------------


@kernel
def march_on(setup: Record, state: Record, plan: Record, orders: IntArray, fort: int) -> None:
    """The orders of one fort, by simple rules."""
    side = as_int(state.owner[fort])
    threat = hostile_coming(plan, fort, side) - as_int(plan.coming[fort, side])
    left = as_int(state.garrison[fort]) - max(threat, 0)
    if left <= 0:
        return
    at_front = False
    while left > 0:
        chosen = as_int(NO_LANE)
        least = left + 1
        for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
            lane = as_int(setup.exits[i])
            if as_int(state.owner[target_of(setup, lane)]) == side:
                continue
            wanted = wanted_by(setup, state, plan, lane)
            at_front = at_front or wanted > 0
            if 0 < wanted < least and as_int(orders[lane]) == 0:
                least = wanted
                chosen = lane
        if chosen == NO_LANE:
            break
        target = target_of(setup, chosen)
        sent = least if as_int(state.owner[target]) == NEUTRAL else left
        orders[chosen] = sent
        plan.coming[target, side] += sent
        left -= sent
    if left > 0 and not at_front:
        go_to_front(setup, state, plan, orders, fort, left)


@inlined
def go_to_front(
    setup: Record, state: Record, plan: Record, orders: IntArray, fort: int, soldiers: int
) -> None:
    """Send them by the shortest way to where they are needed."""
    chosen = as_int(NO_LANE)
    least = as_int(FAR)
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i])
        steps = steps_by(setup, state, plan, lane)
        if steps < least:
            least = steps
            chosen = lane
    if chosen != NO_LANE:
        orders[chosen] += soldiers
