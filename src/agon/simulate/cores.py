"""Simulation on the cores of this machine: threads that run compiled loops without the GIL."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from agon.kernel import new_records
from agon.simulate.tally import Tally, game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.games.simulation import Simulation
    from agon.kernel import IntArray

BATCH = 128


def simulate_on_cores(
    simulation: Simulation,
    games: int,
    seed: int,
    cap: int,
    threads: int,
    checksum: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
    first: int = 0,
) -> Tally:
    """Play `games` games to their end or `cap` plies each; the same seed gives the same games.

    They are those of the seed from number `first` on. `on_progress` is told how many more games are
    done, from this thread.
    """
    tally = Tally.for_simulation(simulation, checksum)
    pool = ThreadPoolExecutor(threads)
    try:
        batches = _batches(simulation, first, games, seed, cap)
        for states, plies in _in_order(pool, batches, 3 * threads):
            tally.add(simulation.score_games(states), plies, states)
            on_progress(len(plies))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return tally


def _batches(
    simulation: Simulation, begin: int, games: int, seed: int, cap: int
) -> Iterator[Callable[[], tuple[IntArray, IntArray]]]:
    for first in range(begin, begin + games, BATCH):
        count = min(BATCH, begin + games - first)

        def play(first: int = first, count: int = count) -> tuple[IntArray, IntArray]:
            return play_batch(simulation, game_seeds(seed, first, count), cap)

        yield play


def play_batch(simulation: Simulation, seeds: IntArray, cap: int) -> tuple[IntArray, IntArray]:
    """Final states and plies played of one game per seed."""
    states = new_records(simulation.state, len(seeds))
    work = new_records(simulation.work)[0]
    plies = np.zeros(len(seeds), np.int64)
    simulation.play_games(states, work, seeds, cap, plies)
    return states, plies


def _in_order(
    pool: ThreadPoolExecutor,
    jobs: Iterator[Callable[[], tuple[IntArray, IntArray]]],
    ahead: int,
) -> Iterator[tuple[IntArray, IntArray]]:
    """Results in the order of the jobs, with no more than `ahead` of them under way."""
    waiting: deque[Future[tuple[IntArray, IntArray]]] = deque()
    for job in islice(jobs, ahead):
        waiting.append(pool.submit(job))
    while waiting:
        yield waiting.popleft().result()
        for job in islice(jobs, 1):
            waiting.append(pool.submit(job))
