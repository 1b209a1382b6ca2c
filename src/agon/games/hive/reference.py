"""By which tile a move is written, where several would do."""

from __future__ import annotations

from agon.games.hive.board import NO_SLOT, ON_TORUS, height, step
from agon.kernel import Record, as_int, kernel

ON_TOP = 6
WEST = 5


@kernel
def reference_tile(state: Record, move: int) -> int:
    """The tile by which a move is written, and how it lies to it: its slot << 3 | direction.

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
