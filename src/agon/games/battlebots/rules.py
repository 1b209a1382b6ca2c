"""The rules of Battlebots, once, for all callers. R1 to R13 are the rules of this game's README.

R1 and R2 are in `field.py`, R13 is in `sight.py`; `notation.py` checks orders (R5): none is
negative, those of one fort add up to its garrison at most, and its owner is in and gives them.

The orders of all seats are one array, `work.orders`: how many soldiers leave by each lane. A fort
has one owner, so a lane has one, too.

A seat's standing is what R11 compares when the match is over: the turn in which it went out, times
TURN_WEIGHT; for a seat still in at the end the last turn + 1, times TURN_WEIGHT, plus its soldiers
where they decide; FAILED for one that has failed. Until the end it is 0 for those still in.
"""

from __future__ import annotations

from agon.games.battlebots.board import (
    BACK,
    MOST_SEATS,
    NEUTRAL,
    NOWHERE,
    THERE,
    WORD_BITS,
    army_at,
    count_words,
    encode_army,
    is_in,
    next_place,
    owner_of,
    put_army,
    soldiers_of,
    take_army,
    target_of,
)
from agon.kernel import IntArray, Record, as_int, bit_count, inlined, kernel, lowest_bit

FAILED = -1  # as a standing and as a score
TURN_WEIGHT = 1 << 32  # in standings; more than a seat's soldiers


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """R3: the position before the first turn: the setup's, with all seats in, and the seed."""
    for fort in range(state.garrison.shape[0]):
        state.garrison[fort] = setup.garrison[fort]
        state.owner[fort] = setup.owner[fort]
    copy_armies(setup.armies, setup.occupied, state.armies, state.occupied)
    for seat in range(MOST_SEATS):
        state.standing[seat] = 0
    state.still_in = (1 << as_int(setup.seats)) - 1
    state.turn = 0
    state.failed = 0
    state.over = 0
    state.spare = 0
    state.random = seed


@kernel
def copy_armies(
    armies: IntArray, occupied: IntArray, to_armies: IntArray, to_occupied: IntArray
) -> None:
    for way in range(2):
        for slot in range(armies.shape[1]):
            to_armies[way, slot] = armies[way, slot]
        for word in range(occupied.shape[1]):
            to_occupied[way, word] = occupied[way, word]


@kernel
def play_turn(setup: Record, state: Record, work: Record) -> None:
    """R4: a turn with the orders in `work.orders`, which must be legal."""
    leave_forts(setup, state, work.orders)
    finish_turn(setup, state, work)


@kernel
def finish_turn(setup: Record, state: Record, work: Record) -> None:
    """R4: the rest of a turn, stage by stage, once its armies have left.

    `step` raises `state.turn`; from there on that is the number of this turn, counted from 1.
    """
    meet_halfway(setup, state, work)
    step(setup, state)
    meet(setup, state, work)
    decide_sieges(setup, state, work)
    grow(setup, state)
    put_out_seats(setup, state)


@kernel
def leave_forts(setup: Record, state: Record, orders: IntArray) -> None:
    """R5: the armies of the orders stand at the beginning of their roads; no orders are left."""
    for lane in range(2 * as_int(setup.roads)):
        soldiers = as_int(orders[lane])
        if soldiers > 0:
            orders[lane] = 0
            leave_fort(setup, state, lane, soldiers)


@kernel
def leave_fort(setup: Record, state: Record, lane: int, soldiers: int) -> None:
    """R5: so many soldiers leave the garrison by a lane."""
    fort = as_int(setup.origin[lane])
    state.garrison[fort] -= soldiers
    army = encode_army(as_int(state.owner[fort]), soldiers)
    put_army(state, lane & 1, as_int(setup.departure[lane]), army)


@kernel
def meet_halfway(setup: Record, state: Record, work: Record) -> None:
    """R6, R7: after half a step who goes THERE from a place meets who goes BACK from the next.

    The records still have the places before the step. Where two roads border none meet: nobody goes
    on from the end of a road.
    """
    occupied = state.occupied
    carry = as_int(0)  # the first bit of the next word
    for word in range(count_words(setup) - 1, -1, -1):
        back = as_int(occupied[BACK, word])
        facing = (back >> 1) | (carry << (WORD_BITS - 1))
        carry = back & 1
        work.marks[word] = as_int(occupied[THERE, word]) & facing
    fight_all(setup, state, work, as_int(1))  # place apart


@kernel
def step(setup: Record, state: Record) -> None:
    """R6: every army stands one place further; with the turn its slot means that place.

    What leaves a word of bits is carried into the next one.
    """
    occupied = state.occupied
    carry = as_int(0)
    for word in range(count_words(setup)):
        there = as_int(occupied[THERE, word])
        occupied[THERE, word] = ((there << 1) | carry) & ((1 << WORD_BITS) - 1)
        carry = there >> (WORD_BITS - 1)
    carry = as_int(0)
    for word in range(count_words(setup) - 1, -1, -1):
        back = as_int(occupied[BACK, word])
        occupied[BACK, word] = (back >> 1) | (carry << (WORD_BITS - 1))
        carry = back & 1
    state.turn += 1


@kernel
def meet(setup: Record, state: Record, work: Record) -> None:
    """R7: after a whole step. At its ends a road has armies of one direction only."""
    occupied = state.occupied
    for word in range(count_words(setup)):
        work.marks[word] = as_int(occupied[THERE, word]) & as_int(occupied[BACK, word])
    fight_all(setup, state, work, as_int(0))  # places apart


@kernel
def fight_all(setup: Record, state: Record, work: Record, apart: int) -> None:
    """R7: who goes THERE at the marked places, with who goes BACK so far ahead."""
    words = count_words(setup)
    place = next_place(work.marks, words, as_int(0))
    while place != NOWHERE:
        fight(state, place, place + apart)
        place = next_place(work.marks, words, place + 1)


@kernel
def fight(state: Record, place: int, opposite: int) -> None:
    """R7: both armies lose as many as the smaller one has, unless they are of one player."""
    one = army_at(state, as_int(THERE), place)
    other = army_at(state, as_int(BACK), opposite)
    if owner_of(one) == owner_of(other):
        return
    left = soldiers_of(one) - soldiers_of(other)
    put_army(state, as_int(THERE), place, encode_army(owner_of(one), left) if left > 0 else 0)
    put_army(state, as_int(BACK), opposite, encode_army(owner_of(other), -left) if left < 0 else 0)


@inlined
def decide_sieges(setup: Record, state: Record, work: Record) -> None:
    """R8: at every fort to which armies have come."""
    for way in range(2):
        arrive(setup, state, work, way)
    for fort in range(as_int(setup.forts)):
        if as_int(work.arrived[fort]) != 0:
            decide_siege(state, work, fort)


@kernel
def arrive(setup: Record, state: Record, work: Record, way: int) -> None:
    """R6, R8: armies at the ends of their roads come to the forts; `work` adds them up there."""
    occupied, words = state.occupied, count_words(setup)
    for word in range(words):
        places, ends = as_int(occupied[way, word]), as_int(setup.ends[way, word])
        work.marks[word] = places & ends
        occupied[way, word] = places & ~ends
    place = next_place(work.marks, words, as_int(0))
    while place != NOWHERE:
        army = take_army(state, way, place)
        fort = target_of(setup, 2 * as_int(setup.road_at[place]) + way)
        work.strength[fort, owner_of(army)] += soldiers_of(army)
        work.arrived[fort] = as_int(work.arrived[fort]) | 1 << owner_of(army)
        place = next_place(work.marks, words, place + 1)


@kernel
def decide_siege(state: Record, work: Record, fort: int) -> None:
    """R8: the garrison is one of the sides; the largest one stays, less the second largest.

    If these two are equal, nothing is left, and the owner stays.
    """
    strength, owner = work.strength[fort], as_int(state.owner[fort])
    strength[owner] += as_int(state.garrison[fort])
    present = as_int(work.arrived[fort]) | 1 << owner
    work.arrived[fort] = 0
    strongest, largest, second = owner, as_int(0), as_int(0)
    while present != 0:
        side = lowest_bit(present)
        present &= present - 1
        soldiers = as_int(strength[side])
        strength[side] = 0
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
    """R9: one soldier for every fort that is not neutral, empty ones and captured ones too."""
    owner, garrison = state.owner, state.garrison
    for fort in range(as_int(setup.forts)):
        if as_int(owner[fort]) != NEUTRAL:
            garrison[fort] += 1


@kernel
def put_out_seats(setup: Record, state: Record) -> None:
    """R10, R11: who has nothing left is out; the match ends if too few remain, or at the limit."""
    fortless = as_int(state.still_in) & ~owners_of_forts(setup, state)
    if fortless != 0:  # else no need to search the roads
        gone = fortless & ~owners_of_armies(setup, state)
        state.still_in = as_int(state.still_in) & ~gone
        for seat in range(as_int(setup.seats)):
            if (gone >> seat) & 1 == 1:
                state.standing[seat] = as_int(state.turn) * TURN_WEIGHT
    end_if_decided(setup, state)


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
    owners, words = as_int(0), count_words(setup)
    for way in range(2):
        place = next_place(state.occupied[way], words, as_int(0))
        while place != NOWHERE:
            owners |= 1 << owner_of(army_at(state, way, place))
            place = next_place(state.occupied[way], words, place + 1)
    return owners


@kernel
def end_if_decided(setup: Record, state: Record) -> None:
    """R11: if at most one seat is left, or after the last turn, set `over` and the standings."""
    at_limit = as_int(state.turn) >= as_int(setup.turn_limit)
    if bit_count(as_int(state.still_in)) > 1 and not at_limit:
        return
    state.over = 1
    for seat in range(as_int(setup.seats)):
        if is_in(state, seat):
            state.standing[seat] = (as_int(state.turn) + 1) * TURN_WEIGHT
            if as_int(setup.soldiers_decide) == 1:
                state.standing[seat] += count_soldiers(setup, state, seat)


@inlined
def count_soldiers(setup: Record, state: Record, seat: int) -> int:
    """R11: the soldiers of a seat, in forts and on roads."""
    soldiers, words = as_int(0), count_words(setup)
    for fort in range(as_int(setup.forts)):
        if as_int(state.owner[fort]) == seat:
            soldiers += as_int(state.garrison[fort])
    for way in range(2):
        place = next_place(state.occupied[way], words, as_int(0))
        while place != NOWHERE:
            army = army_at(state, way, place)
            if owner_of(army) == seat:
                soldiers += soldiers_of(army)
            place = next_place(state.occupied[way], words, place + 1)
    return soldiers


@kernel
def drop_seat(setup: Record, state: Record, seat: int) -> None:
    """R12: a seat has failed and is out, even if it was out already; it has lost its score.

    Its forts and armies stay, and go on without orders. Between turns, so that it takes no part in
    the next one: drop all that failed, then call `end_if_decided` once.
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
