"""One turn of greed: the move after which a seat is farthest ahead of the best of the others.

What greed looks at is the board and the seat's own hand, nothing else.
"""

from __future__ import annotations

from agon.games.mebipenny.army import muster
from agon.games.mebipenny.board import SEATS
from agon.games.mebipenny.rules import PASS, encode_move, seat_to_move
from agon.kernel import Record, as_int, bit_count, inlined, kernel, lowest_bit, random_below

CERTAIN = 1 << 24  # more than any lead


@kernel
def find_lead(setup: Record, state: Record, seat: int) -> int:
    """R12: how far the seat is ahead of the best of the others, or behind if less than 0."""
    best = 0
    for other in range(as_int(setup.seats)):
        if other != seat:
            best = max(best, as_int(state.score[other]))
    return as_int(state.score[seat]) - best


@inlined
def lead_after(state: Record, work: Record, seat: int, owner: int) -> int:
    """That lead if the army that was mustered for a tile of the seat becomes this owner's."""
    own = 0
    best = 0
    for other in range(SEATS):
        score = as_int(state.score[other]) - as_int(work.counts[other])
        if other == owner:
            score += as_int(work.total)
        if other == seat:
            own = score + 1  # the new tile was counted, but is not part of the score yet
        else:
            best = max(best, score)
    return own - best


@kernel
def greedy_move(setup: Record, state: Record, work: Record) -> int:
    """The move with the best lead right after it; among equals one by the state's generator."""
    seat = seat_to_move(setup, state)
    value = find_lead(setup, state, seat)
    if as_int(state.passes) + 1 == as_int(setup.seats):  # R11: the match would end
        value = CERTAIN if value > 0 else -CERTAIN
    return best_move(setup, state, work, seat, value, as_int(1))


@inlined
def steady_move(setup: Record, state: Record, work: Record) -> int:
    """The same for who knows that a pass lets the others end the match; without any chance."""
    seat = seat_to_move(setup, state)
    value = find_lead(setup, state, seat)
    if value <= 0:
        value = -CERTAIN
    elif as_int(state.passes) + 1 == as_int(setup.seats):
        value = CERTAIN
    return best_move(setup, state, work, seat, value, as_int(0))


@kernel
def best_move(
    setup: Record, state: Record, work: Record, seat: int, pass_value: int, chance: int
) -> int:
    """The best tile, or the pass if that is better than all tiles."""
    chosen = PASS
    best = pass_value
    equals = 0
    for place in range(as_int(state.hand_size[seat])):
        tile = as_int(state.hands[seat, place])
        largest = muster(setup, state, work, seat, tile)
        tied = bit_count(largest) > 1
        while largest:
            owner = lowest_bit(largest)
            largest &= largest - 1
            lead = lead_after(state, work, seat, owner)
            if lead > best:
                best = lead
                equals = 0
            if lead == best:
                equals += 1
                if equals == 1 or (chance and random_below(state, equals) == 0):
                    chosen = encode_move(tile, owner if tied else seat)
    return chosen
