"""Moves as lines of Agon's notation, by number: one kernel call to read or to write a move.

A line is one number: the tile's slot, how it lies to the tile of reference (a direction, or
ON_TOP), and that tile's slot.
"""

from __future__ import annotations

from agon.games.hive.board import NOWHERE, step
from agon.games.hive.report import ON_TOP, choose_reference, is_listed
from agon.games.hive.rules import FROM_HAND, PASS
from agon.kernel import IntArray, Record, as_int, inlined, kernel

SIDE_SHIFT, REFERENCE_SHIFT = 5, 8
LINE_SHIFT = 16  # above a move
PASS_LINE = 1 << 13


@inlined
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
def line_of_move(states: IntArray, move: int) -> int:
    """The line by which a move is written that is not the first of its match."""
    if move == PASS:
        return PASS_LINE
    reference = choose_reference(states[0], move)
    side = reference & 7
    return (reference >> 3) << REFERENCE_SHIFT | side << SIDE_SHIFT | move >> 10 & 31


@kernel
def find_line(states: IntArray, listed: IntArray, line: int) -> int:
    """The listed move that a line stands for, with the line by which it is written; or -1.

    A move may be told by any tile that it ends beside; of these lines just one is written.
    """
    move = move_of_line(states[0], line)
    if move == NOWHERE or not is_listed(listed, move):
        return -1
    return line_of_move(states, move) << LINE_SHIFT | move
