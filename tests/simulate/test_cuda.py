"""Simulation on a GPU: a clear word where there is none, the same games where there is one."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from agon.errors import MissingPartError
from agon.games.registry import all_games
from agon.simulate.cores import simulate_on_cores
from agon.simulate.cuda import GpuSimulation, count_gpus, load_cuda
from tests import toy_game
from tests.cli.process import run_agon

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agon.games.game import Game


def why_not() -> str | None:
    """Why this machine cannot play on a GPU, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba-cuda's own, when it is loaded
        try:
            load_cuda()
        except MissingPartError as missing:
            return str(missing)
    return None


WHY_NOT = why_not()


def told_without_gpu() -> str:
    """The one line that `agon` says, after what it may have said about compilation."""
    done = run_agon("simulate", "hive", "--games", "1", "--device", "cuda")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


@pytest.mark.system
@pytest.mark.filterwarnings("ignore")  # numba-cuda's own
def test_what_is_missing_here_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_JIT", "1")
    if WHY_NOT is None:
        assert load_cuda().is_available()
    else:
        assert told_without_gpu() == f"agon: {WHY_NOT}"


@pytest.mark.system
def test_a_missing_device_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    if find_spec("numba_cuda") is None:  # Numba's own CUDA part then looks for the device
        (tmp_path / "numba_cuda").mkdir()
        (tmp_path / "numba_cuda" / "__init__.py").touch()
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("AGON_JIT", "1")
    expected = "agon: device cuda: no CUDA device or driver was found here; use device cpu"
    assert told_without_gpu() == expected


@pytest.mark.system
def test_the_gpu_needs_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_JIT", "0")
    assert told_without_gpu() == "agon: device cuda needs the compiler: unset AGON_JIT=0"


def clock_of_steps() -> Callable[[], int]:
    readings = iter(range(0, 10**6, 7))
    return lambda: next(readings)


@pytest.mark.filterwarnings("ignore")  # numba-cuda's own: old NumPy calls, a GPU left half idle
@pytest.mark.parametrize("game", [*all_games(), toy_game.GAME], ids=lambda game: game.name)
@pytest.mark.parametrize("games", [1, 5000])
def test_the_final_records_are_those_of_the_cores(game: Game, games: int) -> None:
    """On a machine with a GPU; on others nothing may be played or promised."""
    simulation = game.simulation()
    if WHY_NOT is not None:
        with pytest.raises(MissingPartError, match="device cuda"):
            GpuSimulation(simulation)
        return
    told: list[int] = []
    gpu = GpuSimulation(simulation)
    on_gpu, elapsed = gpu.play(games, 3, 200, True, clock_of_steps(), told.append)
    on_cores = simulate_on_cores(simulation, games, 3, 200, 2, checksum=True)
    assert on_gpu.checksum == on_cores.checksum
    assert (on_gpu.wins, on_gpu.plies) == (on_cores.wins, on_cores.plies)
    assert sum(told) == games
    assert elapsed == 7, "one batch, two looks at the clock"
    later, _ = gpu.play(500, 3, 200, True, clock_of_steps(), first=1024)
    assert later == simulate_on_cores(simulation, 500, 3, 200, 2, checksum=True, first=1024)


def test_gpus_are_counted_only_where_they_can_play() -> None:
    assert bool(count_gpus()) == (WHY_NOT is None)
