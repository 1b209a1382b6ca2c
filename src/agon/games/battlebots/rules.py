"""The rules of Battlebots, once, for all callers. R1 to R13 are the rules of this game's README.

R1 and R2 are in `field.py`, R13 is in `sight.py`; `notation.py` checks orders (R5).

The orders of all seats are one array, `work.orders`: how many soldiers leave by each lane. A fort
has one owner, so a lane has one, too.

A seat's standing is what R11 compares when the match is over: the turn in which it went out, times
A_TURN; for a seat still in at the end the last turn + 1, times A_TURN, plus its soldiers where they
decide; FAILED for one that has failed. Until the end it is 0 for those still in.
"""

from __future__ import annotations

from agon.games.battlebots.board import (
    MOST_SEATS,
    NEUTRAL,
    SIDES,
    encode_army,
    is_in,
    owner_of,
    soldiers_of,
)
from agon.kernel import IntArray, Record, as_int, bit_count, inlined, kernel

FAILED = -1  # as a standing and as a score
A_TURN = 1 << 32  # in standings; more than a seat's soldiers


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """R3: the position before the first turn: the setup's, with all seats in, and the seed."""
    for fort in range(state.garrison.shape[0]):
        state.garrison[fort] = setup.garrison[fort]
        state.owner[fort] = setup.owner[fort]
    for place in range(state.there.shape[0]):
        state.there[place] = setup.there[place]
        state.back[place] = setup.back[place]
    for seat in range(MOST_SEATS):
        state.standing[seat] = 0
    state.still_in = (1 << as_int(setup.seats)) - 1
    state.turn = 0
    state.failed = 0
    state.over = 0
    state.spare = 0
    state.random = seed


@kernel
def play_turn(setup: Record, state: Record, work: Record) -> None:
    """R4: a turn with the orders in `work.orders`; leaves none behind.

    They must be legal: `notation.py` checks those of players.
    """
    places = as_int(setup.places)
    leave_forts(setup, state, work)
    meet_halfway(state.there, state.back, places)
    step(state.there, state.back, places)
    meet(state.there, state.back, places)
    arrive(setup, state, work)
    decide_sieges(setup, state, work)
    grow(setup, state)
    state.turn += 1
    find_out(setup, state)


@kernel
def leave_forts(setup: Record, state: Record, work: Record) -> None:
    """R5: the armies of the orders stand at the beginning of their roads."""
    orders = work.orders
    for lane in range(2 * as_int(setup.roads)):
        soldiers = as_int(orders[lane])
        if soldiers > 0:
            orders[lane] = 0
            fort = as_int(setup.origin[lane])
            state.garrison[fort] -= soldiers
            army = encode_army(as_int(state.owner[fort]), soldiers)
            place = as_int(setup.departure[lane])
            if lane & 1 == 0:
                state.there[place] = army
            else:
                state.back[place] = army


@kernel
def meet_halfway(there: IntArray, back: IntArray, places: int) -> None:
    """R6, R7: after half a step all stand between two places, and face who comes from the next.

    The arrays still hold the places before the step; where two roads border no armies meet.
    """
    for place in range(places - 1):
        if there[place] != 0 and back[place + 1] != 0:
            fight(there, place, back, place + 1)


@kernel
def step(there: IntArray, back: IntArray, places: int) -> None:
    """R6: every army stands one place further than at the beginning of the turn."""
    for place in range(places - 1, 0, -1):
        there[place] = there[place - 1]
    there[0] = 0
    for place in range(places - 1):
        back[place] = back[place + 1]
    back[places - 1] = 0


@kernel
def meet(there: IntArray, back: IntArray, places: int) -> None:
    """R7: after a whole step. At its ends a road has armies of one direction only."""
    for place in range(places):
        if there[place] != 0 and back[place] != 0:
            fight(there, place, back, place)


@kernel
def fight(there: IntArray, place: int, back: IntArray, opposite: int) -> None:
    """R7: both armies lose as many as the smaller one has, unless they are of one player."""
    one = as_int(there[place])
    other = as_int(back[opposite])
    if owner_of(one) == owner_of(other):
        return
    difference = soldiers_of(one) - soldiers_of(other)
    there[place] = encode_army(owner_of(one), difference) if difference > 0 else 0
    back[opposite] = encode_army(owner_of(other), -difference) if difference < 0 else 0


@inlined
def arrive(setup: Record, state: Record, work: Record) -> None:
    """R6, R8: armies at the end of a lane, where the opposite one begins, come to the fort."""
    there, back, departure = state.there, state.back, setup.departure
    for lane in range(0, 2 * as_int(setup.roads), 2):
        first = as_int(departure[lane])
        last = as_int(departure[lane + 1])
        if there[last] != 0:
            enter_fort(state, work, as_int(setup.origin[lane + 1]), as_int(there[last]))
            there[last] = 0
        if back[first] != 0:
            enter_fort(state, work, as_int(setup.origin[lane]), as_int(back[first]))
            back[first] = 0


@kernel
def enter_fort(state: Record, work: Record, fort: int, army: int) -> None:
    """R8: own soldiers join the garrison, others are added to their side's attackers."""
    side = owner_of(army)
    if as_int(state.owner[fort]) == side:
        state.garrison[fort] += soldiers_of(army)
    else:
        work.attackers[fort, side] += soldiers_of(army)
        work.besieged[fort] = 1


@inlined
def decide_sieges(setup: Record, state: Record, work: Record) -> None:
    """R8: at every fort to which strangers have come."""
    besieged = work.besieged
    for fort in range(as_int(setup.forts)):
        if besieged[fort] != 0:
            besieged[fort] = 0
            decide_siege(state, work, fort)


@kernel
def decide_siege(state: Record, work: Record, fort: int) -> None:
    """R8: what is left is the largest side, of attackers and garrison, less the second largest.

    At a tie that is no side, and the owner keeps the empty fort.
    """
    strongest = as_int(state.owner[fort])
    largest = as_int(state.garrison[fort])
    second = 0
    for side in range(SIDES):
        soldiers = as_int(work.attackers[fort, side])
        work.attackers[fort, side] = 0
        if soldiers > largest:
            second = largest
            largest = soldiers
            strongest = side
        elif soldiers > second:
            second = soldiers
    state.garrison[fort] = largest - second
    if largest > second:
        state.owner[fort] = strongest


@inlined
def grow(setup: Record, state: Record) -> None:
    """R9: one soldier for every fort that is not neutral."""
    owner, garrison = state.owner, state.garrison
    for fort in range(as_int(setup.forts)):
        if as_int(owner[fort]) != NEUTRAL:
            garrison[fort] += 1


@kernel
def find_out(setup: Record, state: Record) -> None:
    """R10, R11: put out who has nothing left, and end the match if that or the limit does."""
    fortless = as_int(state.still_in) & ~owners_of_forts(setup, state)
    if fortless != 0:  # else no need to search the roads
        gone = fortless & ~owners_of_armies(setup, state)
        state.still_in = as_int(state.still_in) & ~gone
        for seat in range(as_int(setup.seats)):
            if (gone >> seat) & 1 == 1:
                state.standing[seat] = as_int(state.turn) * A_TURN
    find_end(setup, state)


@inlined
def owners_of_forts(setup: Record, state: Record) -> int:
    """The sides with a fort, a bit for each."""
    owner = state.owner
    owners = 0
    for fort in range(as_int(setup.forts)):
        owners |= 1 << as_int(owner[fort])
    return owners


@inlined
def owners_of_armies(setup: Record, state: Record) -> int:
    """The seats with an army on a road, a bit for each."""
    there, back = state.there, state.back
    owners = 0
    for place in range(as_int(setup.places)):
        if there[place] != 0:
            owners |= 1 << owner_of(as_int(there[place]))
        if back[place] != 0:
            owners |= 1 << owner_of(as_int(back[place]))
    return owners


@kernel
def find_end(setup: Record, state: Record) -> None:
    """R11: if at most one seat is left, or after the last turn, set `over` and the standings."""
    at_limit = as_int(state.turn) >= as_int(setup.turn_limit)
    if bit_count(as_int(state.still_in)) > 1 and not at_limit:
        return
    state.over = 1
    for seat in range(as_int(setup.seats)):
        if is_in(state, seat):
            state.standing[seat] = (as_int(state.turn) + 1) * A_TURN
            if as_int(setup.most_soldiers) == 1:
                state.standing[seat] += count_soldiers(setup, state, seat)


@inlined
def count_soldiers(setup: Record, state: Record, seat: int) -> int:
    """R11: the soldiers of a seat, in forts and on roads; an empty place is 0 of seat 0."""
    soldiers = 0
    for fort in range(as_int(setup.forts)):
        if as_int(state.owner[fort]) == seat:
            soldiers += as_int(state.garrison[fort])
    for place in range(as_int(setup.places)):
        one, other = as_int(state.there[place]), as_int(state.back[place])
        if owner_of(one) == seat:
            soldiers += soldiers_of(one)
        if owner_of(other) == seat:
            soldiers += soldiers_of(other)
    return soldiers


@kernel
def drop_seat(setup: Record, state: Record, seat: int) -> None:
    """R12: a seat still in has failed, and is out. Between turns; call `find_end` next.

    Its forts and armies stay, and go on without orders.
    """
    state.failed = as_int(state.failed) | 1 << seat
    state.still_in = as_int(state.still_in) & ~(1 << seat)
    state.standing[seat] = FAILED


@kernel
def score(setup: Record, state: Record, seat: int) -> int:
    """R11, R12: how many seats this one has left behind, when the match is over; -1: it failed."""
    if as_int(state.standing[seat]) == FAILED:
        return FAILED
    behind = 0
    for other in range(as_int(setup.seats)):
        if as_int(state.standing[other]) < as_int(state.standing[seat]):
            behind += 1
    return behind
