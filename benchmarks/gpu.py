"""Random games on a GPU: `agon bench gpu` has them beside the cores of the same machine.

    python -m benchmarks.gpu [GAME]...      launch shapes against each other, for these games or all

The second needs no more than NumPy, and Numba with its CUDA target.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from agon.games.registry import find_game
from agon.games.simulation import LaunchShape
from agon.simulate.cores import simulate_on_cores
from agon.simulate.cuda import GpuSimulation
from agon.simulate.threads import available_cores
from benchmarks.measure import Contest, Contestant, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agon.games.simulation import Simulation

CAP = 500
CORES_SHARE = 256
"""On cores one game is played for so many on the GPU."""


@dataclass(frozen=True, slots=True)
class GpuCase:
    """A game with options, and how many games of it keep a GPU busy for about a second."""

    title: str
    game: str
    games: int
    options: Mapping[str, str] = field(default_factory=dict)

    def simulation(self) -> Simulation:
        game = find_game(self.game)
        return game.simulation(game.parse_options(self.options))


CASES = (
    GpuCase("Atlantis, triangle 6", "atlantis", 1 << 20),
    GpuCase("Atlantis, hexagon 5", "atlantis", 1 << 18, {"board": "hexagon", "size": "5"}),
    GpuCase("Battlebots, fair map for two", "battlebots", 1 << 20),
    GpuCase("Hive, Base", "hive", 1 << 20),
    GpuCase("Hive, Base+MLP", "hive", 1 << 19, {"variant": "Base+MLP"}),
    GpuCase("MebiPenny, 15 by 15", "mebipenny", 1 << 21),
    GpuCase("Skyport, map two", "skyport", 1 << 21),
)
SHAPES = tuple(
    LaunchShape(blocks, registers, together)
    for registers, together in ((64, 16), (64, 32), (64, 8), (96, 16), (128, 16))
    for blocks in ((8, 16, 24) if registers == 64 else (8,))
)
"""More threads than 512 a multiprocessor have no room for more than 64 registers each."""


def gpu_contests() -> Iterator[Contest]:
    """Each case on the GPU, against all cores of this machine."""
    cores = available_cores()
    for case in CASES:
        simulation = case.simulation()
        here = Contestant("one GPU", on_gpu(simulation, case.games))
        beside = Contestant(f"{cores} cores", on_cores(simulation, case.games // CORES_SHARE))
        yield Contest(case.title, "turns", (here, beside))


def shape_contests(
    names: Sequence[str], shapes: Sequence[LaunchShape], play: Callable[..., Callable[[], int]]
) -> Iterator[Contest]:
    """Each case of these games as it is launched, against other shapes."""
    for case in CASES:
        if names and case.game not in names:
            continue
        simulation = case.simulation()
        others = [shape for shape in shapes if shape != simulation.on_gpu]
        contestants = [
            Contestant(str(shape), play(replace(simulation, on_gpu=shape), case.games))
            for shape in (simulation.on_gpu, *others)
        ]
        yield Contest(case.title, "turns", tuple(contestants))


def on_gpu(simulation: Simulation, games: int, gpu: Callable[..., Any] = GpuSimulation) -> Any:
    """Games of another seed each time; how many turns they had."""
    compiled, seeds = gpu(simulation), count()

    def work() -> int:
        tally, _ = compiled.play(games, next(seeds), CAP, False, time.perf_counter_ns)
        return int(tally.plies)

    return work


def on_cores(simulation: Simulation, games: int) -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        return simulate_on_cores(
            simulation, games, next(seeds), CAP, available_cores(), checksum=False
        ).plies

    return work


def main(names: Sequence[str]) -> None:
    for contest in shape_contests(names, SHAPES, on_gpu):
        print(contest.title, flush=True)
        for standing in measure(contest, time.perf_counter_ns, rounds=3, round_ns=1):
            print(f"  {standing.per_second / 1e6:8.1f} M turns/s  {standing.name}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
