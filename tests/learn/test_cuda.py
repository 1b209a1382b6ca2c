"""Batches on a GPU: the same bytes as on cores, where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from agon.errors import IllegalMoveError, MissingPartError
from agon.learn import BatchEnv
from agon.learn.self_play import MatchRecorder
from agon.simulate.cuda import load_cuda
from tests.learn.test_batch import MATCHES, choose, names
from tests.simulate.test_cuda import WHY_NOT

if TYPE_CHECKING:
    from agon.games.game import Game

pytestmark = pytest.mark.filterwarnings("ignore")  # numba-cuda's own


@names
def test_a_gpu_steps_as_cores_do(game: Game) -> None:
    """On a machine with a GPU; on others nothing may be played or promised."""
    if WHY_NOT is not None:
        with pytest.raises(MissingPartError, match="device cuda"):
            BatchEnv(game, MATCHES, "cuda")
        return
    here, there = (
        BatchEnv(game, MATCHES, device, seed=7, limit=90, masks=True) for device in ("cpu", "cuda")
    )
    rng = np.random.default_rng(1)
    for _ in range(120):
        places = choose(here, rng)
        here.step_nth(places)
        there.step_nth(places)
        for name in ("to_act", "observations", "counts", "rewards", "ends", "masks"):
            assert np.array_equal(getattr(here, name), getattr(there, name).copy_to_host()), name
        for part in here.learning.observation:
            shown = there.part(part.name).copy_to_host()
            assert np.array_equal(here.part(part.name), shown), part.name
    assert np.asarray(here.states).tobytes() == there.states.copy_to_host().tobytes()


@pytest.mark.gpu
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", ["hive", "battlebots"])
def test_arrays_of_the_caller_in_any_order(name: str, order: Any) -> None:
    here = BatchEnv(name, MATCHES, seed=7, masks=True)
    given = {
        array: load_cuda().to_device(np.zeros_like(getattr(here, array), order=order))
        for array in ("to_act", "observations", "actions", "counts", "rewards", "ends", "masks")
    }
    there = BatchEnv(name, MATCHES, "cuda", seed=7, arrays=given)
    numbers = np.asarray(here.actions[..., 0], order=order)
    here.step(numbers)
    there.step(load_cuda().to_device(numbers))
    for array, ours in given.items():
        if array != "actions":
            assert np.array_equal(ours.copy_to_host(), getattr(here, array)), array
    assert np.asarray(here.states).tobytes() == there.states.copy_to_host().tobytes()


@pytest.mark.gpu
def test_matches_are_recorded() -> None:
    recorders = [MatchRecorder(BatchEnv("mebipenny", 5, d, limit=30)) for d in ("cpu", "cuda")]
    for _ in range(35):
        results = [recorder.step(np.full(5, 24)) for recorder in recorders]  # all pass
        assert results[0] == results[1]


@pytest.mark.gpu
@names
def test_a_copy_goes_on_by_itself_and_goes_back(game: Game) -> None:
    env = BatchEnv(game, MATCHES, "cuda", seed=7, masks=True)
    begun = {name: getattr(env, name).copy_to_host() for name in ("observations", "progress")}
    ahead = env.copy()
    for _ in range(9):
        ahead.step_nth(np.zeros(env.counts.shape, np.int64))
    assert not np.array_equal(ahead.progress.copy_to_host(), begun["progress"])
    ahead.restore(env)
    for name, array in begun.items():
        for one in (env, ahead):
            assert np.array_equal(getattr(one, name).copy_to_host(), array), name


@pytest.mark.gpu
def test_what_is_not_legal_is_refused() -> None:
    env = BatchEnv("hive", MATCHES, "cuda", seed=7)
    with pytest.raises(IllegalMoveError, match="match 0, seat 0: action 0: expected one of 209, "):
        env.step(np.zeros(MATCHES, np.int64))


@pytest.mark.gpu
@pytest.mark.parametrize("library", ["torch", "cupy", "jax.numpy"])
def test_other_libraries_share_the_arrays(library: str) -> None:
    """With JAX it shows whether that release reads arrays in Fortran order rightly."""
    consumer = pytest.importorskip(library)
    env = BatchEnv("hive", MATCHES, "cuda", seed=7)
    for _ in range(3):
        env.step_nth(np.zeros(MATCHES, np.int64))
        for array in (env.observations, env.actions, env.rewards, env.ends, env.part("tiles")):
            taken = consumer.from_dlpack(array)
            numbers = taken.cpu().numpy() if library == "torch" else taken
            numbers = numbers.get() if library == "cupy" else np.asarray(numbers)
            assert np.array_equal(numbers, array.copy_to_host())
