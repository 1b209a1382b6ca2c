"""All that Python wants to know of a state, in one call.

For Python the call of a kernel costs as much as its work, and a record costs most to hand over:
that is why states come as arrays of one here, and what there is to say goes into one array.
"""

from __future__ import annotations

from agon.games.hive.board import (
    MAX_MOVES,
    NO_SLOT,
    ON_TORUS,
    copy_state,
    height,
    step,
)
from agon.games.hive.rules import make, position_key, survey
from agon.kernel import IntArray, Record, as_int, kernel, u64

RESULT, TURN, PLACED, KEY, LEFT, COUNT, MOVES = range(7)
"""Where it stands in a report: PLACED has a bit for each slot, COUNT moves are from MOVES on.

LEFT is of the move that was played, if it was of a tile on the board: the cell that it left, times
two, and 1 if nothing is there any more.
"""
REPORT_SIZE = MOVES + MAX_MOVES
NO_MOVE = -1

ON_TOP = 6
WEST = 5


@kernel
def report(
    before: IntArray, listed: IntArray, move: int, after: IntArray, works: IntArray, to: IntArray
) -> bool:
    """Have `after` be the state after a move, and say it of that; False: the move is not listed.

    With NO_MOVE it is said of `after` as it is: one kernel for both, as each that Python calls is
    compiled with all of the rules.
    """
    state, work = after[0], works[0]
    if move != NO_MOVE:
        if not is_listed(listed, move):
            return False
        copy_state(before[0], state)
        left = make(state, move) & ON_TORUS
        to[LEFT] = left << 1 | (height(as_int(state.cells[left])) == 0)
    found = survey(state, work)
    count = found >> 2
    to[RESULT] = found & 3
    to[TURN] = as_int(state.turn)
    to[PLACED] = as_int(state.placed[0]) | as_int(state.placed[1]) << 16
    to[KEY] = u64(position_key(state))
    to[COUNT] = count
    for i in range(count):
        to[MOVES + i] = as_int(work.moves[i])
    return True


@kernel
def is_listed(moves: IntArray, move: int) -> bool:
    found = 0
    for listed in moves:
        found |= as_int(listed) == move
    return found != 0


@kernel
def reference_tile(states: IntArray, move: int) -> int:
    """The tile by which a move is written, and how it lies to it: its slot << 3 | direction."""
    return choose_reference(states[0], move)


@kernel
def choose_reference(state: Record, move: int) -> int:
    """The same for one state.

    The one below, with ON_TOP for a direction; else of the tiles around the target the one in the
    west, or the next one clockwise. The mover itself does not count; NO_SLOT << 3 if there is none.
    """
    target = move & ON_TORUS
    mover = move >> 10 & 31
    if height(as_int(state.cells[target])):
        return as_int(state.top[target]) << 3 | ON_TOP
    for turn in range(6):
        face = (WEST + turn) % 6
        beside = step(target, face)
        levels = height(as_int(state.cells[beside]))
        slot = as_int(state.top[beside])
        if levels > 1 and slot == mover:
            slot = as_int(state.under[slot])
        if levels and slot != mover:
            return slot << 3 | (face + 3) % 6
    return NO_SLOT << 3
