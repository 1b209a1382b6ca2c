"""Batches of matches: the same matches as everywhere, in arrays."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import agon
from agon.errors import IllegalMoveError, SettingError
from agon.games.registry import all_games
from agon.kernel import new_records
from agon.learn import BatchEnv
from agon.learn.arrays import check_masks
from agon.learn.stepping import GOES_ON

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Game

GAMES = [game for game in all_games() if game.find_file("learning.py")]
MATCHES = 24
names = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def choose(env: BatchEnv, rng: np.random.Generator) -> Any:
    """A place by chance in each row of legal actions."""
    return rng.integers(0, np.maximum(env.counts, 1))


def play_on(env: BatchEnv, steps: int, seed: int = 1) -> int:
    """Play by chance; how many matches end."""
    rng = np.random.default_rng(seed)
    ended = 0
    for _ in range(steps):
        env.step_nth(choose(env, rng))
        ended += int((env.ends != GOES_ON).sum())
    return ended


def everything(env: BatchEnv) -> list[bytes]:
    """All that a batch shows; of rows of actions what is filled."""
    filled = np.arange(env.learning.most_actions) < env.counts[..., None]
    shown = (env.to_act, env.observations, env.counts, env.rewards, env.ends)
    actions = np.where(filled, env.actions, -1)
    return [one.tobytes() for one in (*shown, actions, np.asarray(env.states))]


@names
def test_the_same_seed_gives_the_same_matches(game: Game) -> None:
    one, two = (BatchEnv(game, MATCHES, seed=5, limit=60, threads=n) for n in (1, 3))
    other = BatchEnv(game, MATCHES, seed=6, limit=60)
    for env in (one, two, other):
        play_on(env, 100)
    assert everything(one) == everything(two)
    assert everything(one) != everything(other)
    one.reset(6)
    play_on(one, 100)
    assert everything(one) == everything(other)


@names
def test_by_number_and_by_place_are_the_same(game: Game) -> None:
    one, two = BatchEnv(game, MATCHES, seed=5), BatchEnv(game, MATCHES, seed=5)
    rng = np.random.default_rng(2)
    for _ in range(60):
        places = choose(one, rng)
        numbers = np.take_along_axis(one.actions, places[..., None], axis=-1)[..., 0]
        assert ((numbers >= 0) & (numbers < one.learning.action_count) | (one.counts == 0)).all()
        one.step_nth(places)
        two.step(numbers)
        assert everything(one) == everything(two)


@names
def test_masks_and_the_compressed_list_are_the_legal_actions(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=5, limit=20, threads=3, masks=True)
    for step in range(30):
        offsets, moves = env.compressed()
        rows = env.actions.reshape(-1, env.learning.most_actions)
        masks = env.masks.reshape(len(rows), env.learning.action_count)
        assert len(offsets) == len(rows) + 1
        for k, (row, count) in enumerate(zip(rows, env.counts.ravel(), strict=True)):
            assert np.array_equal(moves[offsets[k] : offsets[k + 1]], row[:count])
            assert np.array_equal(np.flatnonzero(masks[k]), np.sort(row[:count]))
        play_on(env, 1, step)
    assert env.masks.shape == (*env.counts.shape, env.learning.action_count)


def test_masks_follow_what_is_redealt_and_begun_again() -> None:
    mine = np.ones((MATCHES, 25), np.int8)
    env = BatchEnv("mebipenny", MATCHES, seed=5, arrays={"masks": mine})
    assert np.shares_memory(env.masks, mine)
    play_on(env, 20)
    for change in (partial(env.redeal, env.to_act ^ 1, 3), partial(env.reset, 6)):
        before = mine.copy()
        change()
        assert not np.array_equal(mine, before)
        assert np.array_equal(mine.sum(axis=1), env.counts)


def test_masks_only_where_they_are_wanted_and_fit() -> None:
    env = BatchEnv("hive", MATCHES)
    with pytest.raises(SettingError, match="masks are not written: expected BatchEnv"):
        env.masks.sum()
    with pytest.raises(SettingError, match="masks of 21 GiB, 5,489 bytes for each"):
        check_masks(env.learning, 1 << 22)


@names
def test_legal_actions_are_all_different(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=8)
    for step in range(80):
        for row, count in zip(
            env.actions.reshape(-1, env.learning.most_actions), env.counts.ravel(), strict=True
        ):
            assert len(set(row[:count].tolist())) == count
        play_on(env, 1, step)


@names
def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=5)
    play_on(env, 9)
    before = everything(env)
    numbers = env.actions[..., 0].copy()
    match = int(np.argmax(env.counts.reshape(MATCHES, -1).max(axis=1) > 0))
    numbers[match] = env.learning.action_count
    with pytest.raises(IllegalMoveError, match=rf"match {match}, seat \d.*expected one of"):
        env.step(numbers)
    with pytest.raises(IllegalMoveError, match=r"seat \d: place -1: expected one below"):
        env.step_nth(np.full(env.counts.shape, -1))
    assert everything(env) == before


@names
def test_observations_are_within_what_is_said(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=4)
    for step in range(100):
        for part in env.learning.observation:
            values = env.part(part.name)
            assert part.low <= values.min()
            assert values.max() <= part.high, part.name
        play_on(env, 1, step)
    assert env.observations.shape[-1] == env.learning.observation_size


def test_observations_of_the_largest_boards_are_within_what_is_said() -> None:
    env = BatchEnv("mebipenny", 2, options=agon.game("mebipenny").options(rows=256, cols=256))
    for _ in range(2):
        for part in env.learning.observation:
            values = env.part(part.name)
            assert part.low <= values.min()
            assert values.max() <= part.high, part.name
        play_on(env, 6)


@names
def test_a_redealt_match_looks_the_same_to_its_seat(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=5)
    for step in range(8):
        play_on(env, 7, step)
        seats = np.maximum(env.to_act.reshape(MATCHES, -1)[:, 0], 0)
        before = observed_by(env, seats)
        env.redeal(seats, seed=step)
        assert observed_by(env, seats) == before


def observed_by(env: BatchEnv, seats: Any) -> list[bytes]:
    """What these seats know of their matches."""
    learning = env.learning
    work = new_records(learning.work)[0]
    found = []
    for state, seat in zip(env.states, seats.tolist(), strict=True):
        row = np.zeros(learning.observation_size, learning.observed)
        learning.encode(learning.setup[0], state, work, seat, row)
        found.append(row.tobytes())
    return found


def test_arrays_of_the_caller_are_filled() -> None:
    rewards = np.full((MATCHES, 2), 7, np.float32)
    observations = np.zeros((MATCHES, 172), np.int8)
    env = BatchEnv("hive", MATCHES, arrays={"rewards": rewards, "observations": observations})
    assert np.shares_memory(env.rewards, rewards)
    assert not rewards.any()
    assert np.shares_memory(env.observations, observations)
    assert observations.any()


def read_only(size: int) -> Any:
    array = np.zeros(size, np.uint8)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"device": "tpu"}, "device 'tpu': expected cpu or cuda"),
        ({"n": 0}, "n 0: expected 1 to"),
        ({"limit": 0}, "limit 0: expected 1 to"),
        ({"arrays": {"observation": np.zeros(3)}}, "array 'observation': expected one of to_act"),
        ({"n": 2.5}, "n 2.5: expected 1 to"),
        ({"seed": 1.5}, "seed 1.5: expected a whole number"),
        ({"seed": "a"}, "seed 'a': expected a whole number"),
        ({"arrays": {"ends": np.zeros(3)}}, "array ends of float64 (3,): expected uint8 (5,)"),
        ({"arrays": {"ends": np.zeros(5, np.int8)}}, "array ends of int8 (5,): expected uint8"),
        ({"arrays": {"ends": np.zeros(4, np.uint8)}}, "array ends of uint8 (4,): expected uint8"),
        ({"arrays": {"ends": [0] * 5}}, "array ends, a list: expected one of the device"),
        ({"arrays": {"ends": read_only(5)}}, "array ends, a ndarray: expected one of the device"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingError) as error:
        BatchEnv("hive", **({"n": 5} | settings))
    assert told in str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        np.zeros((2, 5), np.int64),
        np.zeros((5, 2), np.float64),
        np.zeros((5, 2), bool),
        np.zeros(10, np.int64),
        [["a", "b"]] * 5,
        [[0], [0]],
        3,
        None,
    ],
    ids=repr,
)
def test_decisions_of_another_form_are_refused(given: Any) -> None:
    env = BatchEnv("battlebots", 5)
    before = everything(env)
    for step in (env.step, env.step_nth):
        with pytest.raises(SettingError, match=r"expected whole numbers of shape \(5, 2\)"):
            step(given)
    assert everything(env) == before


def test_decisions_of_any_whole_numbers_are_taken() -> None:
    """With the axis of seats, where one decides, or without."""
    seed: Any = np.int64(-1)
    envs = [BatchEnv("hive", MATCHES, seed=seed) for _ in range(3)]
    row = envs[0].actions[:, 0].copy()
    for env, given in zip(envs, (row.tolist(), row[:, None], np.uint16(row)), strict=True):
        env.step(given)
    assert len({tuple(everything(env)) for env in envs}) == 1


@pytest.mark.parametrize(
    ("seats", "seed", "told"),
    [
        ([0, 1, 2, 0, 0], 1, "match 2, seat 2: expected 0 to 1"),
        ([0, 0, 0, 0, -1], 1, "match 4, seat -1: expected 0 to 1"),
        ([0, 0, 0, 0], 1, "expected whole numbers of shape (5,)"),
        ([0.0] * 5, 1, "expected whole numbers of shape (5,)"),
        ([0] * 5, None, "seed None: expected a whole number"),
    ],
)
def test_redeals_of_seats_that_are_not_there_are_refused(seats: Any, seed: Any, told: str) -> None:
    env = BatchEnv("mebipenny", 5)
    before = everything(env)
    with pytest.raises(SettingError) as error:
        env.redeal(seats, seed)
    assert told in str(error.value)
    assert everything(env) == before


def repickled(env: BatchEnv) -> BatchEnv:
    again: BatchEnv = pickle.loads(pickle.dumps(env))  # noqa: S301
    return again


@names
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, repickled], ids=lambda way: way.__name__)
def test_a_copy_goes_on_by_itself(game: Game, way: Callable[[BatchEnv], BatchEnv]) -> None:
    env = BatchEnv(game, MATCHES, seed=5, limit=40, threads=2, masks=True)
    play_on(env, 30)
    copied = way(env)
    before = everything(env)
    assert everything(copied) == before
    assert np.array_equal(copied.masks, env.masks)
    ended = play_on(copied, 30)
    assert everything(env) == before != everything(copied)
    assert play_on(env, 30) == ended > 0
    assert everything(env) == everything(copied)


@names
def test_a_search_looks_ahead_and_goes_back(game: Game) -> None:
    env = BatchEnv(game, MATCHES, seed=5)
    play_on(env, 20)
    before = everything(env)
    ahead = env.copy()
    for nth in range(3):
        ahead.redeal(np.maximum(env.to_act.reshape(MATCHES, -1)[:, 0], 0), nth)
        play_on(ahead, 15)
        ahead.restore(env)
        assert everything(ahead) == everything(env) == before


def test_a_batch_of_another_kind_is_no_moment_to_go_to() -> None:
    env = BatchEnv("hive", MATCHES)
    for other in (BatchEnv("hive", 3), BatchEnv("mebipenny", MATCHES)):
        with pytest.raises(SettingError, match=r"a batch with another \w+: expected a copy"):
            env.restore(other)


def test_states_of_the_caller_are_looked_at() -> None:
    env, later = BatchEnv("hive", MATCHES, masks=True), BatchEnv("hive", MATCHES, masks=True)
    play_on(later, 9)
    env.states[:] = later.states
    env.look()
    assert np.array_equal(env.observations, later.observations)
    assert np.array_equal(env.masks, later.masks)
