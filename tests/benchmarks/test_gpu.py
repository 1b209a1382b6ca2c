"""What the bench of GPUs plays, tried on cores: only a machine with a GPU can run it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.simulation import LaunchShape
from agon.simulate.cores import simulate_on_cores
from agon.simulate.cuda import count_gpus
from benchmarks.command import bench_gpu
from benchmarks.gpu import CASES, SHAPES, gpu_contests, on_cores, on_gpu, shape_contests
from benchmarks.measure import measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.simulation import Simulation
    from agon.simulate.tally import Tally


class OnCores:
    """In place of a GPU."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def play(
        self, games: int, seed: int, cap: int, checksum: bool, clock: Callable[[], int]
    ) -> tuple[Tally, int]:
        return simulate_on_cores(self.simulation, games, seed, cap, 1, checksum), clock()


def test_both_play_the_same_games() -> None:
    for case in CASES:
        simulation = case.simulation()
        there, here = on_gpu(simulation, 2, OnCores), on_cores(simulation, 2)
        assert [there(), there()] == [here(), here()]
        assert there() > 0


def test_shapes_are_measured_against_the_one_that_is_used() -> None:
    shapes: list[LaunchShape] = []

    def play(simulation: Simulation, games: int) -> Any:
        shapes.append(simulation.on_gpu)
        return on_gpu(simulation, 2, OnCores)

    (contest,) = shape_contests(["battlebots"], SHAPES, play)
    assert shapes[0] == LaunchShape(blocks=16)
    assert len(set(shapes)) == len(shapes) == len(SHAPES)
    first, *others = measure(contest, time.perf_counter_ns, 1, 1)
    assert first.name == "LaunchShape(blocks=16, registers=64, together=16)"
    assert all(one.ratio for one in others)


@pytest.mark.skipif(count_gpus() > 0, reason="there is a GPU here")
def test_without_a_gpu_that_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_gpu(1, 1, as_json=True) == []
    assert "gpu is left out: device cuda" in capsys.readouterr().err


@pytest.mark.gpu
def test_each_case_runs() -> None:
    for contest in gpu_contests():
        assert all(one.work() > 0 for one in contest.contestants)
