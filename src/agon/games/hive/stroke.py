"""One turn of a rally: a line is a move, the move is played, and another line tells of it.

A line is one number here, as the seed's notation has it: the tile's slot, how it lies to the tile
of reference (a direction, or ON_TOP), and that tile's slot.
"""

from __future__ import annotations

from agon.games.hive.board import NOWHERE, ON_TORUS, copy_state, height, step
from agon.games.hive.report import ON_TOP, choose_reference
from agon.games.hive.rules import (
    FROM_HAND,
    PASS,
    PLAYING,
    list_moves,
    make,
    position_key,
    result,
)
from agon.kernel import IntArray, Record, as_int, kernel, u64

SIDE_SHIFT, REFERENCE_SHIFT = 5, 8
"""A line: the slot of its tile, the side of the reference, the slot of the reference."""
PASS_LINE = 1 << 13
MOVE_SHIFT, LEFT_SHIFT = 16, 32
"""A stroke: the line by which others hear of it, the move, and LEFT as in a report."""
NO_STROKE = -1


@kernel
def move_of_line(state: Record, line: int) -> int:
    """The move that a line stands for, legal or not; NOWHERE if it refers to nothing."""
    if line == PASS_LINE:
        return PASS
    slot = line & 31
    side = line >> SIDE_SHIFT & 7
    reference = line >> REFERENCE_SHIFT & 31
    if reference == slot or not as_int(state.placed[reference >> 4]) >> (reference & 15) & 1:
        return NOWHERE
    target = as_int(state.cell_of[reference])
    if side != ON_TOP:
        target = step(target, side)
    move = slot << 10 | target
    if not as_int(state.placed[slot >> 4]) >> (slot & 15) & 1:
        move |= FROM_HAND
    return move


@kernel
def line_of_move(state: Record, move: int) -> int:
    """The line by which everybody writes a move of a match that has begun."""
    if move == PASS:
        return PASS_LINE
    reference = choose_reference(state, move)
    side = reference & 7
    return (reference >> 3) << REFERENCE_SHIFT | side << SIDE_SHIFT | move >> 10 & 31


@kernel
def is_third(keys: IntArray, first: int, last: int) -> int:
    """R14: whether the last of these positions was there twice before."""
    times = 0
    for i in range(first, last + 1):
        times += u64(keys[i]) == u64(keys[last])
    return times >= 3


@kernel
def play_line(
    states: IntArray, works: IntArray, keys: IntArray, at: int, line: int, repetition: int
) -> int:
    """Play what a line says, from the state at `at` to the other one; what was played.

    `keys[0]` counts the positions since the last placement, whose keys follow. NO_STROKE, and
    nothing has happened, if the move is not legal, if the match is over with it, or if there is no
    room for another key.
    """
    before, after, work = states[at], states[1 - at], works[0]
    move = move_of_line(before, line)
    is_legal = 0
    for i in range(list_moves(before, work, as_int(0), as_int(0))):
        is_legal |= as_int(work.moves[i]) == move
    count = as_int(keys[0]) + 1
    if not is_legal or count == len(keys):
        return NO_STROKE
    if move & FROM_HAND and move != PASS:
        count = 1
    copy_state(before, after)
    left = make(after, move) & ON_TORUS
    if result(after) != PLAYING:
        return NO_STROKE
    last = u64(keys[count])
    keys[count] = u64(position_key(after))
    if repetition and is_third(keys, as_int(1), count):
        keys[count] = last
        return NO_STROKE
    keys[0] = count
    told = line_of_move(before, move)
    is_empty = height(as_int(after.cells[left])) == 0
    return (left << 1 | is_empty) << LEFT_SHIFT | move << MOVE_SHIFT | told
