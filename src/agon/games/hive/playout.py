"""Uniformly random play, compiled: what simulations and GPUs run.

R14 (repetition) belongs to matches; like perft, simulations play without it.
"""

from __future__ import annotations

import numpy as np

from agon.games.hive.rules import DRAW, PLAYING, WHITE_WINS, list_moves, make, result
from agon.games.hive.rules import start as start_match
from agon.kernel import Record, as_int, inlined, random_below

SETUP = np.dtype([("expansions", np.int64), ("queen_first", np.int64)], align=True)


@inlined
def start(setup: Record, state: Record, seed: int) -> None:
    start_match(state, as_int(setup.expansions), as_int(setup.queen_first), seed)


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return result(state) != PLAYING


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play one of the legal moves, each with the same chance, by the state's own generator."""
    count = list_moves(state, work, as_int(0), as_int(0))
    make(state, as_int(work.moves[random_below(state, count)]))


@inlined
def score(setup: Record, state: Record, seat: int) -> int:
    """2 for a win, 1 for a draw."""
    ending = result(state)
    if ending == DRAW:
        return 1
    return 2 if (ending == WHITE_WINS) == (seat == 0) else 0
