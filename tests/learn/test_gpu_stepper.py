"""How batches keep their arrays on a GPU, tried on this machine: see `fake_cuda.py`."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import agon
from agon.errors import IllegalMoveError, SettingError
from agon.kernel import JIT
from agon.learn import BatchEnv, cuda, device_array
from agon.learn.self_play import MatchRecorder
from tests.learn.fake_cuda import FakeCuda
from tests.learn.test_batch import choose
from tests.learn.test_self_play import chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not JIT, reason="a GPU has compiled kernels alone")
MATCHES = 5
SHOWN = ("to_act", "observations", "counts", "rewards", "ends", "masks")
games = pytest.mark.parametrize("game", ["hive", "battlebots"])


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCuda]:
    made = FakeCuda()
    for module in (cuda, device_array):
        monkeypatch.setattr(module, "load_cuda", lambda: made)
    yield made
    cuda._kernels.cache_clear()
    cuda._common_kernels.cache_clear()


def both(game: str, **settings: Any) -> tuple[BatchEnv, BatchEnv]:
    here, there = (
        BatchEnv(game, MATCHES, device, seed=7, limit=30, masks=True, **settings)
        for device in ("cpu", "cuda")
    )
    return here, there


@games
def test_all_is_shown_as_on_cores(game: str) -> None:
    here, there = both(game)
    rng = np.random.default_rng(1)
    for _ in range(40):
        places = choose(here, rng)
        here.step_nth(places)
        there.step_nth(places)
        for name in SHOWN:
            assert np.array_equal(getattr(here, name), getattr(there, name).copy_to_host()), name
        for part in here.learning.observation:
            shown = there.part(part.name).copy_to_host()
            assert np.array_equal(here.part(part.name), shown), part.name
    seats = np.zeros(MATCHES, np.int8)
    for env in (here, there):
        env.redeal(seats, 5)
    assert np.asarray(here.states).tobytes() == there.states.copy_to_host().tobytes()


@games
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_the_caller_in_any_order(game: str, order: Any, fake: FakeCuda) -> None:
    here = BatchEnv(game, MATCHES, seed=7, masks=True)
    given = {
        name: fake.to_device(np.zeros_like(getattr(here, name), order=order))
        for name in (*SHOWN, "actions")
    }
    there = BatchEnv(game, MATCHES, "cuda", seed=7, arrays=given)
    numbers = np.asarray(here.actions[..., 0], order=order)
    here.step(numbers)
    there.step(fake.to_device(numbers))
    for name, array in given.items():
        assert np.array_equal(array, getattr(here, name)), name
        assert np.shares_memory(array, fake.as_cuda_array(getattr(there, name)))


def test_what_is_not_legal_is_refused() -> None:
    here, there = both("hive")
    numbers = here.actions[:, 0].copy()
    numbers[3] = 0
    errors = []
    for env in (here, there):
        with pytest.raises(IllegalMoveError) as error:
            env.step(numbers)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    assert errors[0].startswith("match 3, seat 0: action 0: expected one of 209, 615, ")


@games
def test_matches_are_recorded(game: str, fake: FakeCuda) -> None:
    here, there = both(game)
    recorders = MatchRecorder(here), MatchRecorder(there)
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(35):
        actions = chosen(here, rng)
        results = [
            one.step(given)
            for one, given in zip(recorders, (actions, fake.to_device(actions)), strict=True)
        ]
        assert results[0] == results[1]
        ended += len(results[0])
    assert ended >= MATCHES


def test_the_compressed_list_is_for_cores() -> None:
    with pytest.raises(SettingError, match="for device cpu"):
        both("hive")[1].compressed()


def test_actions_of_another_shape_are_refused(fake: FakeCuda) -> None:
    env = BatchEnv(agon.game("battlebots"), MATCHES, "cuda")
    with pytest.raises(SettingError, match=r"int64 \(2, 5\): expected whole numbers of shape"):
        env.step(fake.to_device(np.zeros((2, MATCHES), np.int64)))


@games
def test_a_copy_goes_on_by_itself_and_goes_back(game: str) -> None:
    here, there = both(game)
    for env in (here, there):
        env.step_nth(np.zeros(here.counts.shape, np.int64))
    ahead = there.copy()
    for _ in range(40):
        ahead.step_nth(np.zeros(here.counts.shape, np.int64))
    for env in (there, ahead):
        env.restore(there)
        for name in (*SHOWN, "progress"):
            assert np.array_equal(getattr(env, name).copy_to_host(), getattr(here, name)), name
        assert env.states.copy_to_host().tobytes() == np.asarray(here.states).tobytes()
    with pytest.raises(SettingError, match="a batch with another device"):
        here.restore(there)
    with pytest.raises(TypeError, match="does not pickle"):
        pickle.dumps(there)


@games
def test_seats_that_are_not_there_are_refused(game: str) -> None:
    _, there = both(game)
    with pytest.raises(SettingError, match=r"match 3, seat 2: expected 0 to 1"):
        there.redeal([0, 1, 0, 2, -1], 1)


def test_numbers_that_are_not_whole_are_refused(fake: FakeCuda) -> None:
    env = BatchEnv("hive", MATCHES, "cuda")
    for given in (fake.to_device(np.zeros(MATCHES)), np.zeros(MATCHES)):
        with pytest.raises(SettingError, match=r"float64 \(5,\): expected whole numbers of shape"):
            env.step(given)


def test_arrays_that_are_not_of_the_gpu_are_refused() -> None:
    with pytest.raises(SettingError, match="array ends, a ndarray: expected one of the device"):
        BatchEnv("hive", MATCHES, "cuda", arrays={"ends": np.zeros(MATCHES, np.uint8)})


def test_an_illegal_choice_is_found_wherever_it_is() -> None:
    _, there = both("battlebots")
    for number in range(2 * MATCHES):
        places = np.zeros((MATCHES, 2), np.int64)
        places.flat[number] = 999
        with pytest.raises(IllegalMoveError, match=rf"match {number // 2}, seat {number % 2}: "):
            there.step_nth(places)
