"""What `simulate` needs of a game: its records and its compiled random play."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.kernel import IntArray, Record, kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Options


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """How a GPU is filled with threads, each of which plays one game after another."""

    blocks: int = 8
    """Of 64 threads at work on each multiprocessor: eight where the caches hold what these need;
    more where all wait for memory anyway."""
    registers: int = 64
    """Of each thread; what does not fit goes to memory."""
    together: int = 16
    """So many of the 32 threads of a warp begin their games at the same time."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The kernels of one game with its options; all of them run on the CPU and inside CUDA.

    One match is `start(setup, state, seed)`, then `play_random_turn(setup, state, work)` until
    `is_over(setup, state)`; `score(setup, state, seat)` is what a seat has then. `setup` is an
    array of one read-only record: the options and the board's geometry.
    """

    options: Options
    """What is really played: options that only matches have are off."""
    seats: int
    setup: Any
    state: np.dtype[Any]
    work: np.dtype[Any]
    start: Callable[..., None]
    is_over: Callable[..., bool]
    play_random_turn: Callable[..., None]
    score: Callable[..., int]
    on_gpu: LaunchShape = LaunchShape()

    def play_games(
        self, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
    ) -> None:
        """Play a match per seed, to its end or for `cap` turns; `plies` gets how many those are."""
        self.playing_loop(self.setup[0], states, work, seeds, cap, plies)

    @property
    def playing_loop(self) -> Callable[..., None]:
        """The kernel behind `play_games`."""
        return _playing_loop(self.start, self.is_over, self.play_random_turn)

    def score_games(self, states: IntArray) -> IntArray:
        """From final states, points as an array of matches by seats; -1 for a match not over."""
        scores = np.full((len(states), self.seats), -1, np.int64)
        _scoring_loop(self.score_game)(self.setup[0], states, scores)
        return scores

    @property
    def score_game(self) -> Callable[..., None]:
        """A kernel that writes the points of one match, if it is over, into a row."""
        return _score_game(self.is_over, self.score)


@functools.cache
def _playing_loop(
    start: Callable[..., None],
    is_over: Callable[..., bool],
    play_random_turn: Callable[..., None],
) -> Callable[..., None]:
    @kernel
    def play_games(
        setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
    ) -> None:
        for i in range(seeds.shape[0]):
            state = states[i]
            start(setup, state, seeds[i])
            played = 0
            while played < cap and not is_over(setup, state):
                play_random_turn(setup, state, work)
                played += 1
            plies[i] = played

    return play_games


@functools.cache
def _score_game(is_over: Callable[..., bool], score: Callable[..., int]) -> Callable[..., None]:
    @kernel
    def score_game(setup: Record, state: Record, scores: IntArray) -> None:
        if is_over(setup, state):
            for seat in range(scores.shape[0]):
                scores[seat] = score(setup, state, seat)

    return score_game


@functools.cache
def _scoring_loop(score_game: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def score_games(setup: Record, states: IntArray, scores: IntArray) -> None:
        for i in range(states.shape[0]):
            score_game(setup, states[i], scores[i])

    return score_games
