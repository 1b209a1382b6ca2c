"""What a campaign is worth: it is played out for some turns, then forts and soldiers are counted.

In a play-out the others follow a campaign of theirs, the reply. What neither settles is decided by
simple rules, those of `marching.py`; the others may also be greedy.
"""

from __future__ import annotations

from agon.games.battlebots.board import NEUTRAL, target_of
from agon.games.battlebots.campaign import MARCHING, is_same
from agon.games.battlebots.greedy import NO_LANE, order_greedily
from agon.games.battlebots.marching import (
    count_coming,
    hostile_coming,
    look_around,
    march_on,
)
from agon.games.battlebots.rules import copy_armies, play_turn
from agon.kernel import IntArray, Record, as_int, inlined, kernel

FORT_WORTH = 6  # soldiers
VICTORY = 10_000  # if no other is left anywhere
LOOKS = 4  # at a play-out: a look alone sees an army just before it arrives, or after
FIRST_LOOK = 8  # turns from now
PAUSE = 3  # turns between two looks
WORSE_THAN_ALL = -(1 << 50)
NO_BAR = WORSE_THAN_ALL >> 8  # for each of some replies
MARGIN = 100  # soldiers, over all looks
HORIZON = FIRST_LOOK + PAUSE * (LOOKS - 1)


@kernel
def rate_campaigns(
    setups: IntArray,
    states: IntArray,
    trials: IntArray,
    works: IntArray,
    plans: IntArray,
    best: IntArray,
    campaigns: IntArray,
    replies: IntArray,
    bars: IntArray,
    scores: IntArray,
    values: IntArray,
    seat: int,
    first: int,
    last: int,
    count: int,
) -> None:
    """What each of these campaigns of a seat is worth, against these replies together.

    One that falls far behind what the best one has after as many replies (`bars`) is given up,
    and what is the same as the best one is not played again.
    """
    is_first = as_int(bars[0]) == NO_BAR
    for i in range(first, last):
        values[i] = WORSE_THAN_ALL
        if not is_first and is_same(setups[0], best[0], campaigns[i]):
            continue
        value = as_int(0)
        bar = as_int(-MARGIN)
        for j in range(count):
            scores[i, j] = play_out(
                setups[0],
                states[0],
                trials[0],
                works[0],
                plans[0],
                campaigns[i],
                replies[j],
                seat,
            )
            value += as_int(scores[i, j])
            bar += as_int(bars[j])
            if value < bar:
                break
        if value >= bar:
            values[i] = value


@kernel
def play_out(
    setup: Record,
    state: Record,
    trial: Record,
    work: Record,
    plan: Record,
    campaign: Record,
    reply: Record,
    seat: int,
) -> int:
    """The sum of what is counted at all looks."""
    copy_state(setup, state, trial)
    value = as_int(0)
    for turn in range(HORIZON):
        if turn == 0:
            order_now(setup, state, work.orders, campaign, reply, seat)
        else:
            look_around(setup, trial, plan)
            order_later(setup, state, trial, plan, work.orders, campaign, reply, seat, turn)
        play_turn(setup, trial, work)
        played = turn + 1
        if played >= FIRST_LOOK and (played - FIRST_LOOK) % PAUSE == 0:
            value += evaluate(setup, trial, plan, seat)
    return value


@inlined
def copy_state(setup: Record, state: Record, copy: Record) -> None:
    """Copy a position; what is beyond the forts of the map stays."""
    for fort in range(as_int(setup.forts)):
        copy.garrison[fort] = state.garrison[fort]
        copy.owner[fort] = state.owner[fort]
    copy_armies(state.armies, state.occupied, copy.armies, copy.occupied)
    copy.random = state.random
    copy.turn = state.turn
    copy.still_in = state.still_in
    copy.over = 0


@kernel
def order_now(
    setup: Record, state: Record, orders: IntArray, campaign: Record, reply: Record, seat: int
) -> None:
    """The orders of the first turn."""
    for lane in range(2 * as_int(setup.roads)):
        if as_int(state.owner[as_int(setup.origin[lane])]) == seat:
            orders[lane] = campaign.orders[lane]
        else:
            orders[lane] = reply.orders[lane]


@inlined
def order_later(
    setup: Record,
    state: Record,
    trial: Record,
    plan: Record,
    orders: IntArray,
    campaign: Record,
    reply: Record,
    seat: int,
    turn: int,
) -> None:
    """The orders of a later turn: by the campaigns, else by the rules."""
    for fort in range(as_int(setup.forts)):
        owner = as_int(trial.owner[fort])
        if owner == NEUTRAL or as_int(trial.garrison[fort]) == 0:
            continue
        wait, lane, rules = as_int(campaign.wait[fort]), as_int(campaign.lane[fort]), MARCHING
        if owner != seat:
            wait, lane = as_int(reply.wait[fort]), as_int(reply.lane[fort])
            rules = as_int(reply.rules)
        if wait >= turn and owner == as_int(state.owner[fort]):
            if wait == turn and lane != NO_LANE:
                orders[lane] = trial.garrison[fort]
                plan.coming[target_of(setup, lane), owner] += as_int(trial.garrison[fort])
        elif rules == MARCHING:
            march_on(setup, trial, plan, orders, fort)
        else:
            order_greedily(setup, trial, orders, fort)


@kernel
def evaluate(setup: Record, state: Record, plan: Record, seat: int) -> int:
    """What the seat has, less what each of the others has on average."""
    count_coming(setup, state, plan)
    own = 0
    hostile = 0
    for fort in range(as_int(setup.forts)):
        owner = as_int(state.owner[fort])
        if owner == seat:
            own += as_int(state.garrison[fort]) + FORT_WORTH
        elif owner != NEUTRAL:
            hostile += as_int(state.garrison[fort]) + FORT_WORTH
        own += as_int(plan.coming[fort, seat])
        hostile += hostile_coming(plan, fort, seat)
    if hostile == 0 and own > 0:
        return own + VICTORY
    return own - hostile // (as_int(setup.seats) - 1)
