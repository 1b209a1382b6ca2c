"""Perft: count the lines of play of a given length, the standard proof of a move generator."""

from __future__ import annotations

import numpy as np

from agon.games.hive.board import MAX_MOVES, POOL
from agon.games.hive.rules import PLAYING, list_moves, make, result, unmake
from agon.kernel import Record, as_int, inlined, kernel

MAX_DEPTH = POOL // MAX_MOVES

FRAMES = np.dtype(
    [
        ("next", np.int32, (MAX_DEPTH,)),  # per ply: index of the move that is looked at
        ("end", np.int32, (MAX_DEPTH,)),
        ("undo", np.int32, (MAX_DEPTH,)),  # what `unmake` needs
    ],
    align=True,
)


@inlined
def count_moves(state: Record, work: Record, first: int) -> int:
    """Number of legal moves; a finished match has none."""
    end = list_moves(state, work, first, as_int(1))
    return end - first + as_int(work.counted)


@kernel
def perft(state: Record, work: Record, frames: Record, depth: int) -> int:
    """Number of lines of `depth` plies from this state, which is the same again afterwards."""
    if depth == 0:
        return 1
    if result(state) != PLAYING:
        return 0
    if depth == 1:
        return count_moves(state, work, as_int(0))
    total = 0
    ply = 0
    frames.next[0] = 0
    frames.end[0] = list_moves(state, work, as_int(0), as_int(0))
    while True:
        index = as_int(frames.next[ply])
        end = as_int(frames.end[ply])
        if index == end:
            if ply == 0:
                return total
            ply -= 1
            index = as_int(frames.next[ply])
            unmake(state, as_int(work.moves[index]), as_int(frames.undo[ply]))
            frames.next[ply] = index + 1
            continue
        move = as_int(work.moves[index])
        undo = make(state, move)
        deeper = result(state) == PLAYING
        if deeper and ply < depth - 2:
            frames.undo[ply] = undo
            ply += 1
            frames.next[ply] = end
            frames.end[ply] = list_moves(state, work, end, as_int(0))
            continue
        if deeper:
            total += count_moves(state, work, end)
        unmake(state, move, undo)
        frames.next[ply] = index + 1
