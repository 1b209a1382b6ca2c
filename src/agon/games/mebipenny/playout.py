"""Uniformly random play, compiled: what simulations and GPUs run."""

from __future__ import annotations

from agon.games.mebipenny.rules import list_moves, play
from agon.games.mebipenny.rules import start as start_match
from agon.kernel import IntArray, Record, as_int, kernel, random_below


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """Begin a match."""
    start_match(setup, state, seed)


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """Whether the match has ended."""
    return as_int(state.over) == 1


@kernel
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play one of the legal moves, each with the same chance, by the state's own generator."""
    count = list_moves(setup, state, work)
    play(setup, state, work, as_int(work.moves[random_below(state, count)]))


@kernel
def play_games(
    setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
) -> None:
    """Play a match per seed, to its end or for `cap` turns; `plies` gets how many were played."""
    for i in range(seeds.shape[0]):
        state = states[i]
        start(setup, state, seeds[i])
        played = 0
        while played < cap and not is_over(setup, state):
            play_random_turn(setup, state, work)
            played += 1
        plies[i] = played
