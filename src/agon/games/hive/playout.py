"""Uniformly random play, compiled: what simulations and GPUs run.

R14 (repetition) belongs to matches; like perft, simulations play without it.
"""

from __future__ import annotations

import numpy as np

from agon.games.hive.rules import PLAYING, list_moves, make, result
from agon.games.hive.rules import start as start_match
from agon.kernel import IntArray, Record, as_int, kernel, random_below

SETUP = np.dtype([("expansions", np.int64), ("queen_first", np.int64)], align=True)


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """Begin a match."""
    start_match(state, as_int(setup.expansions), as_int(setup.queen_first), seed)


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """Whether the match has ended."""
    return result(state) != PLAYING


@kernel
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play one of the legal moves, each with the same chance, by the state's own generator."""
    count = list_moves(state, work, as_int(0), as_int(0))
    make(state, as_int(work.moves[random_below(state, count)]))


@kernel
def play_games(
    setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
) -> None:
    """Play a match per seed, to its end or for `cap` plies; `plies` gets how many were played."""
    for i in range(seeds.shape[0]):
        state = states[i]
        start(setup, state, seeds[i])
        played = 0
        while played < cap and not is_over(setup, state):
            play_random_turn(setup, state, work)
            played += 1
        plies[i] = played


@kernel
def list_results(states: IntArray, results: IntArray) -> None:
    """The result of each match."""
    for i in range(states.shape[0]):
        results[i] = result(states[i])
