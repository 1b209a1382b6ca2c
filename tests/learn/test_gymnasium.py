"""Held by Gymnasium's own test; a policy as a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import agon
from agon.errors import IllegalMoveError, SettingError
from agon.learn.gymnasium import OneSeatEnv
from agon.learn.policy import PolicyBot
from tests.learn.test_batch import names

if TYPE_CHECKING:
    from agon.games.game import Game


class LegalActions:
    """Chooses as the checker of Gymnasium would, but only what is legal."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, observation: Any, legal: Any) -> int:
        return int(self.rng.choice(legal))


class MaskedEnv(OneSeatEnv):
    """The checker knows no masks: an illegal action is taken for a legal one."""

    def step(self, action: Any) -> Any:
        mask = self._look()["action_mask"]
        return super().step(action if mask[action] else np.flatnonzero(mask)[0])


@names
def test_by_its_own_checker(game: Game) -> None:
    check_env(MaskedEnv(game), skip_render_check=True)


class Watched:
    """A bot that keeps the positions it was asked about."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        self.seats: set[int] = set()

    def choose(self, position: Any, seat: int, budget: Any) -> Any:
        self.seats.add(seat)
        return self.bot.choose(position, seat, budget)


def play(env: OneSeatEnv, seed: int) -> tuple[float, bool, bool]:
    """A match by chance: the reward, and how it ended."""
    seen, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        seen, reward, ended, cut, _ = env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        assert env.observation_space.contains(seen)
        if ended or cut:
            return reward, ended, cut
        assert reward == 0


@names
def test_a_match_against_a_bot_is_cut_off_at_the_limit(game: Game) -> None:
    opponent = Watched(game.bot("greedy", 1))
    env = OneSeatEnv(game, opponent, seat=1, limit=9)
    assert play(env, 3) == (0, False, True)
    assert opponent.seats == {*range(env._learning.seats)} - {1}
    with pytest.raises(RuntimeError, match=r"reset\(\) begins one"):
        env.step(np.int64(0))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_reward_is_that_of_the_seat(seat: int) -> None:
    options = agon.game("mebipenny").options(rows=3, cols=3)
    told = set()
    for seed in range(12):
        env = OneSeatEnv("mebipenny", seat=seat, options=options)
        reward, ended, cut = play(env, seed)
        outcome: Any = env._position.outcome
        own, other = outcome.scores[seat], outcome.scores[1 - seat]
        assert (reward, ended, cut) == ((own > other) - (own < other), True, False)
        told.add(reward)
    assert {1, -1} <= told


@names
def test_a_policy_plays_whole_matches(game: Game) -> None:
    bots = [PolicyBot(game, LegalActions(seed)) for seed in range(min(game.seats))]
    match = agon.play(game, bots, limits=agon.Limits(turns=40))
    assert not any(match.faults)


def test_what_is_not_legal_is_refused() -> None:
    env = OneSeatEnv("hive")
    with pytest.raises(RuntimeError, match=r"reset\(\) begins one"):
        env.step(np.int64(0))
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="action 0: expected one of 209, 615, 1021"):
        env.step(np.int64(0))
    for wrong in ("a", 1.5, None, 2**70):
        with pytest.raises(IllegalMoveError, match=r"action .*: expected one of 209, 615, 1021"):
            env.step(wrong)  # type: ignore[arg-type]
    for opponent in (None, ["greedy"]):
        with pytest.raises(SettingError, match="expected the name of a bot, or a Bot"):
            OneSeatEnv("hive", opponent)  # type: ignore[arg-type]
    for seat in (2, -1):
        with pytest.raises(SettingError, match=f"seat {seat}: expected 0 to 1"):
            OneSeatEnv("hive", seat=seat)
    with pytest.raises(SettingError, match="limit 0: expected 1 to"):
        OneSeatEnv("hive", limit=0)
    with pytest.raises(SettingError, match="bot 'gredy'"):
        OneSeatEnv("hive", "gredy").reset()


def test_a_match_is_not_over_before_the_seat_has_decided() -> None:
    three = agon.game("mebipenny").options(seats=3)
    env = OneSeatEnv("mebipenny", "random", seat=2, limit=1, options=three)
    seen, _ = env.reset(seed=1)
    _, _, ended, cut_off, _ = env.step(np.flatnonzero(seen["action_mask"])[0])
    assert (ended, cut_off) == (False, True)


def test_it_is_found_by_its_id() -> None:
    name = "agon.learn.gymnasium:agon/OneSeat-v0"
    several = gymnasium.make_vec(name, 3, game="mebipenny", opponent="greedy")
    seen, _ = several.reset(seed=1)
    for _ in range(20):
        legal = [np.flatnonzero(mask)[0] for mask in seen["action_mask"]]
        seen, rewards, _, _, _ = several.step(np.array(legal))
    assert rewards.shape == (3,)
    several.close()
