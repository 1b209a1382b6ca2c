"""Greed: every fort by itself takes what it can of its neighbours, and shares with its friends.

A fort sends to foreign neighbours just as many soldiers as take them at this moment, the weakest
first, as long as its garrison suffices; what is left stays. A fort among friends keeps no soldiers:
all its neighbours get the same.
"""

from __future__ import annotations

from agon.games.battlebots.board import target_of
from agon.kernel import IntArray, Record, as_int, inlined, kernel, random_below

NO_LANE = -1
MANY = 1 << 40


@kernel
def weakest_foreign(setup: Record, state: Record, orders: IntArray, fort: int) -> int:
    """The lane to the weakest foreign neighbour to which no soldiers are sent yet."""
    chosen = as_int(NO_LANE)
    least = as_int(MANY)
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i])
        target = target_of(setup, lane)
        if as_int(state.owner[target]) == as_int(state.owner[fort]) or as_int(orders[lane]) > 0:
            continue
        if as_int(state.garrison[target]) < least:
            least = as_int(state.garrison[target])
            chosen = lane
    return chosen


@inlined
def share_out(setup: Record, state: Record, orders: IntArray, fort: int) -> None:
    """All neighbours get the same, one of them by chance what remains."""
    first = as_int(setup.first_exit[fort])
    exits = as_int(setup.first_exit[fort + 1]) - first
    if exits == 0:
        return
    garrison = as_int(state.garrison[fort])
    for i in range(first, first + exits):
        orders[as_int(setup.exits[i])] = garrison // exits
    lucky = as_int(setup.exits[first + random_below(state, exits)])
    orders[lucky] += garrison - garrison // exits * exits


@kernel
def order_greedily(setup: Record, state: Record, orders: IntArray, fort: int) -> None:
    """The orders of one fort; the generator is that of the state."""
    lane = weakest_foreign(setup, state, orders, fort)
    if lane == NO_LANE:
        share_out(setup, state, orders, fort)
        return
    left = as_int(state.garrison[fort])
    while lane != NO_LANE:
        wanted = as_int(state.garrison[target_of(setup, lane)]) + 1
        if wanted > left:
            return
        orders[lane] = wanted
        left -= wanted
        lane = weakest_foreign(setup, state, orders, fort)


@kernel
def order_all_greedily(setup: Record, state: Record, orders: IntArray, seat: int) -> None:
    """The orders of all forts of a seat."""
    for fort in range(as_int(setup.forts)):
        if as_int(state.owner[fort]) == seat:
            order_greedily(setup, state, orders, fort)
