"""What a position of the search is worth without searching on, for the side to move.

By the rules, if the match is over there or the position was there before; won, if the other queen
can be surrounded at once; else what the network says, or by hand while a queen is not on the board.
The network's sums are kept for each ply (`network.py`).
"""

from __future__ import annotations

from agon.games.hive.board import (
    BLACK,
    FACES,
    MAX_MOVES,
    NOWHERE,
    ON_TORUS,
    POOL,
    WHITE,
    end_of,
    height,
    occupied_faces,
    slot_in,
    step,
    touches,
)
from agon.games.hive.evaluate import evaluate
from agon.games.hive.network import WIDTH, judge, sum_up, update_sums
from agon.games.hive.rules import FROM_HAND, PASS, PLAYING, list_moves, position_key, result
from agon.kernel import Record, as_int, bit_count, inlined, kernel, lowest_bit, mix64, u64

WIN = 30_000
SURE = WIN - 1_000  # beyond this a value says in how many plies the match ends
MARGIN = 90  # points that a ply seldom costs
CONTEMPT = 25  # a draw is worth this much less than an even position


@inlined
def value_by_rules(state: Record, search: Record) -> bool:
    """R12, R14: whether the match is over here, or the position was there before."""
    ply = as_int(search.ply)
    key = position_key(state)
    search.key[ply] = key
    ending = result(state)
    side = as_int(state.turn) & 1
    if ending != PLAYING:
        own_lost = ending >> side & 1
        other_lost = ending >> (1 - side) & 1
        search.value = (other_lost - own_lost) * (WIN - ply)
        if own_lost == other_lost:
            search.value = draw_value(ply)
        return True
    if ply == 0:
        return False
    for earlier in range(ply - 2, -1, -2):
        if u64(search.key[earlier]) == key:
            search.value = draw_value(ply)
            return True
    for i in range(as_int(search.past_count)):
        if u64(search.past[i]) == key:
            search.value = draw_value(ply)
            return True
    return False


@kernel
def draw_value(ply: int) -> int:
    """The side that searches would rather play on."""
    return -CONTEMPT if ply & 1 == 0 else CONTEMPT


@inlined
def static_value(state: Record, work: Record, search: Record) -> int:
    """What the position looks like; the noise lets matches differ."""
    ply = as_int(search.ply)
    noise = as_int(mix64(u64(search.key[ply]) ^ u64(search.noise)) & u64(7))
    if as_int(state.queen[WHITE]) == NOWHERE or as_int(state.queen[BLACK]) == NOWHERE:
        return evaluate(state, work) + noise
    points = judge(state, work, search.net, search.sums[ply], search.listed)
    return max(-SURE + 1, min(points + noise, SURE - 1))


@kernel
def can_win(state: Record, work: Record, start: int) -> bool:
    """R12: whether a move surrounds the other queen, and not the own one; finds nearly all."""
    side = as_int(state.turn) & 1
    own, queen = as_int(state.queen[side]), as_int(state.queen[1 - side])
    faces = faces_of(state, queen)
    if bit_count(faces) != 5 or start > POOL - MAX_MOVES:
        return False
    gap = step(queen, lowest_bit(FACES & ~faces))
    if bit_count(faces_of(state, own)) == 5 and touches(gap, own):
        return False  # perhaps both queens would be surrounded
    for i in range(start, list_moves(state, work, start, as_int(0))):
        move = as_int(work.moves[i])
        if move != PASS and end_of(move) == gap:
            if move & FROM_HAND:
                return True
            origin = as_int(state.cell_of[slot_in(move)])
            if height(as_int(state.cells[origin])) > 1:
                return True  # what is below fills the place that it leaves
            if origin not in (own, queen) and not touches(origin, queen):
                return True
    return False


@inlined
def faces_of(state: Record, queen: int) -> int:
    """The occupied faces of a queen; none while she is in hand."""
    return 0 if queen == NOWHERE else occupied_faces(as_int(state.cells[queen]))


@inlined
def is_calm(state: Record, search: Record) -> bool:
    """Whether nothing is lost by a look that is not so close."""
    ply = as_int(search.ply)
    beta = as_int(search.beta[ply])
    own = as_int(state.queen[as_int(state.turn) & 1])
    other = as_int(state.queen[1 - (as_int(state.turn) & 1)])
    return (
        ply > 0
        and beta - as_int(search.alpha[ply]) == 1
        and -SURE < beta < SURE
        and own != NOWHERE
        and other != NOWHERE
        and bit_count(faces_of(state, own)) < 5
    )


@inlined
def is_good_enough(search: Record) -> bool:
    """Whether the position is better than it must be, by more than the plies left can cost."""
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    search.value = search.static[ply]
    return depth <= 3 and as_int(search.static[ply]) - MARGIN * depth >= as_int(search.beta[ply])


@inlined
def first_sums(state: Record, search: Record) -> None:
    """The sums of the position at the root."""
    for side in range(2):
        if as_int(state.queen[side]) != NOWHERE:
            sum_up(state, search.net, as_int(side), search.listed, search.sums[0, side])


@inlined
def follow(state: Record, search: Record, move: int) -> None:
    """The sums of the position after a move."""
    ply = as_int(search.ply)
    before, sums = search.sums[ply], search.sums[ply + 1]
    if move == PASS:
        for side in range(2):
            for i in range(WIDTH):
                sums[side, i] = before[side, i]
    else:
        origin = as_int(-1) if move & FROM_HAND else as_int(search.undo[ply]) & ON_TORUS
        update_sums(state, search.net, search.listed, before, sums, slot_in(move), origin)
