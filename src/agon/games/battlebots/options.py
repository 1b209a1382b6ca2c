"""Campaigns that differ from the best one so far at one fort.

- A foreign fort: all own neighbours attack it now, with all that they have, or with most of it. Or
  the attack is timed: of the own forts from which it can be reached over own ones in so many steps
  the farthest sends its soldiers now, the others wait, so that all arrive in the same turn.
- An own fort: no soldiers leave it; or all leave by one of its roads, or half of them, or just
  enough to take the fort there. Or it waits for some turns.
"""

from __future__ import annotations

from agon.games.battlebots.board import target_of
from agon.games.battlebots.campaign import (
    GREEDY,
    clear_campaign,
    copy_campaign,
    recall,
    send_all,
)
from agon.games.battlebots.greedy import NO_LANE, order_greedily
from agon.games.battlebots.marching import FAR, length_of, look_around, march_on, wanted_by
from agon.kernel import IntArray, Record, as_int, inlined, kernel

MOST_STEPS = 16  # of a timed attack
MOST_TIMED = 8  # attacks on one fort
LONG = 30  # turns, more than a play-out has
SHORT = 4


# --- to begin with --------------------------------------------------------------------------------


@kernel
def march_now(
    setups: IntArray, states: IntArray, plans: IntArray, campaigns: IntArray, i: int, sides: int
) -> None:
    """A campaign of these sides, a bit for each: all go by the rules, this turn too."""
    setup, state, plan = setups[0], states[0], plans[0]
    clear_campaign(setup, campaigns[i])
    look_around(setup, state, plan)
    for fort in range(as_int(setup.forts)):
        if sides >> as_int(state.owner[fort]) & 1 and as_int(state.garrison[fort]) > 0:
            march_on(setup, state, plan, campaigns[i].orders, fort)
    look_around(setup, state, plan)


@kernel
def greed_now(setups: IntArray, states: IntArray, campaigns: IntArray, i: int, sides: int) -> None:
    """A campaign of these sides: all are greedy. The generator of the position goes on."""
    setup, state = setups[0], states[0]
    clear_campaign(setup, campaigns[i])
    campaigns[i].rules = GREEDY
    for fort in range(as_int(setup.forts)):
        if sides >> as_int(state.owner[fort]) & 1 and as_int(state.garrison[fort]) > 0:
            order_greedily(setup, state, campaigns[i].orders, fort)


@kernel
def carry_on(
    setups: IntArray, states: IntArray, before: IntArray, campaigns: IntArray, i: int, seat: int
) -> None:
    """Go on with what was planned a turn ago."""
    setup, state, campaign = setups[0], states[0], campaigns[i]
    for fort in range(as_int(setup.forts)):
        wait, lane = as_int(before[0].wait[fort]) - 1, as_int(before[0].lane[fort])
        if wait < 0 or as_int(state.owner[fort]) != seat:
            continue
        recall(setup, campaign, fort)
        campaign.wait[fort] = wait
        if lane != NO_LANE:
            send_all(setup, state, campaign, lane, wait)


# --- to change ------------------------------------------------------------------------------------


@kernel
def list_options(
    setups: IntArray,
    states: IntArray,
    plans: IntArray,
    best: IntArray,
    options: IntArray,
    fort: int,
    seat: int,
) -> int:
    """Put campaigns that differ at a fort from the best into `options`; returns how many."""
    setup, state = setups[0], states[0]
    if as_int(state.owner[fort]) == seat:
        return list_departures(setup, state, plans[0], best[0], options, fort)
    count = list_attacks(setup, state, best[0], options, fort, seat)
    return list_timed_attacks(setup, state, plans[0], best[0], options, fort, seat, count)


@inlined
def list_departures(
    setup: Record, state: Record, plan: Record, best: Record, options: IntArray, fort: int
) -> int:
    """The soldiers stay; or all, half or just enough of them leave by a road."""
    garrison = as_int(state.garrison[fort])
    copy_campaign(setup, best, options[0])
    recall(setup, options[0], fort)
    count = as_int(1)
    for wait in (SHORT, LONG):
        copy_campaign(setup, options[0], options[count])
        options[count].wait[fort] = wait
        count += 1
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i])
        enough = as_int(0)
        if as_int(state.owner[target_of(setup, lane)]) != as_int(state.owner[fort]):
            enough = wanted_by(setup, state, plan, lane)
        for soldiers in (garrison, garrison // 2, enough):
            if 0 < soldiers <= garrison and count < options.shape[0]:
                copy_campaign(setup, options[0], options[count])
                options[count].orders[lane] = soldiers
                count += 1
    return count


@inlined
def list_attacks(
    setup: Record, state: Record, best: Record, options: IntArray, fort: int, seat: int
) -> int:
    """All own neighbours attack the fort with all soldiers, or with two thirds of them."""
    for option in range(2):
        copy_campaign(setup, best, options[option])
    count = as_int(0)
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i]) ^ 1
        origin = as_int(setup.origin[lane])
        soldiers = as_int(state.garrison[origin])
        if as_int(state.owner[origin]) == seat and soldiers > 0:
            count = as_int(2)
            for option in range(2):
                recall(setup, options[option], origin)
            options[0].orders[lane] = soldiers
            options[1].orders[lane] = soldiers - soldiers // 3
    return count


@inlined
def list_timed_attacks(
    setup: Record,
    state: Record,
    plan: Record,
    best: Record,
    options: IntArray,
    target: int,
    seat: int,
    count: int,
) -> int:
    """All own forts within so many steps send what they have, to arrive together."""
    find_ways(setup, state, plan, target, seat)
    steps = next_distance(setup, state, plan, seat, as_int(0))
    timed = as_int(0)
    while steps <= MOST_STEPS and timed < MOST_TIMED and count < options.shape[0]:
        copy_campaign(setup, best, options[count])
        for fort in range(as_int(setup.forts)):
            if as_int(state.owner[fort]) == seat and as_int(plan.steps[fort]) <= steps:
                wait = steps - as_int(plan.steps[fort])
                send_all(setup, state, options[count], as_int(plan.by[fort]), wait)
        count += 1
        timed += 1
        steps = next_distance(setup, state, plan, seat, steps)
    return count


@kernel
def find_ways(setup: Record, state: Record, plan: Record, target: int, seat: int) -> None:
    """The shortest ways of a seat to a target, over own forts."""
    for fort in range(as_int(setup.forts)):
        plan.steps[fort] = FAR
        plan.by[fort] = NO_LANE
    plan.steps[target] = 0
    changed = True
    while changed:
        changed = False
        for lane in range(2 * as_int(setup.roads)):
            fort = as_int(setup.origin[lane])
            over = target_of(setup, lane)
            if as_int(state.owner[fort]) != seat:
                continue
            if over != target and as_int(state.owner[over]) != seat:
                continue
            steps = as_int(plan.steps[over]) + length_of(setup, lane)
            if steps < as_int(plan.steps[fort]):
                plan.steps[fort] = steps
                plan.by[fort] = lane
                changed = True


@kernel
def next_distance(setup: Record, state: Record, plan: Record, seat: int, steps: int) -> int:
    """The next larger number of steps after which soldiers of the seat can be there."""
    least = as_int(FAR)
    for fort in range(as_int(setup.forts)):
        if as_int(state.owner[fort]) == seat and as_int(state.garrison[fort]) > 0:
            there = as_int(plan.steps[fort])
            if steps < there < least:
                least = there
    return least
