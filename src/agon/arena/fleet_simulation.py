"""Random games on a fleet: blocks of them are jobs, and tallies come back, not states."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.arena.carry_out import raise_failure
from agon.arena.jobs import FailedJob, SimulateBlock, SimulatedBlock
from agon.simulate.tally import BLOCK, Tally

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from agon.arena.fleet import Fleet
    from agon.games.game import Game, Options

WANTED_NS = 500 * 10**6
"""How long a job should take: at half of it the way there and back is still little."""


def simulate_on_fleet(
    fleet: Fleet,
    game: Game,
    options: Options,
    games: int,
    seed: int,
    cap: int,
    jobs: int,
    checksum: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Tally:
    """Play as `simulate_on_cores` does, `jobs` blocks at a time; the tally is the same."""
    tally = Tally.of_seats(game.simulation(options).seats, checksum)
    waiting: deque[Future[SimulatedBlock]] = deque()
    first, size = 0, BLOCK

    def play(first: int, count: int) -> SimulatedBlock:
        key = f"{game.name} {seed} games {first} to {first + count - 1}"
        job = SimulateBlock(
            key, game.name, game.rules_version, asdict(options), seed, first, count, cap, checksum
        )
        result = fleet.carry_out(job)
        if isinstance(result, FailedJob):
            raise_failure(result)
        assert isinstance(result, SimulatedBlock)  # noqa: S101  games were asked for
        return result

    threads = ThreadPoolExecutor(jobs, thread_name_prefix="block")
    try:
        while first < games or waiting:
            while first < games and len(waiting) < 2 * jobs:
                count = min(size, games - first)
                waiting.append(threads.submit(play, first, count))
                first += count
            block = waiting.popleft().result()
            tally.join(block.tally)
            on_progress(block.tally.games)
            size = _next_size(block)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
    return tally


def _next_size(block: SimulatedBlock) -> int:
    """How many games would take as long as a job should, in whole blocks of a checksum."""
    games = block.tally.games * WANTED_NS // max(1, block.took_ns)
    return max(1, games // BLOCK) * BLOCK
