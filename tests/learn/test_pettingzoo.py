"""Held by PettingZoo's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import agon
from agon.errors import IllegalMoveError, SettingError
from agon.learn import pettingzoo
from tests.learn.test_batch import names

if TYPE_CHECKING:
    from agon.games.game import Game

# PettingZoo's tests warn of every environment that has masks
pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")


@names
def test_agents_take_turns(game: Game) -> None:
    api_test(pettingzoo.env(game, limit=150), num_cycles=200)


@names
def test_the_same_seed_gives_the_same_match(game: Game) -> None:
    seed_test(lambda: pettingzoo.env(game, limit=60), num_cycles=100)


@names
def test_agents_step_at_once(game: Game) -> None:
    parallel_api_test(pettingzoo.parallel_env(game, limit=150), num_cycles=200)


QUICK = agon.game("mebipenny").options(rows=3, cols=3)


def play_in_turn(env: pettingzoo.SequentialEnv, seed: int) -> list[int]:
    """The actions of a match by chance; at its end the environment tells its rewards."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    actions = []
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        seen, reward, _, _, _ = env.last()
        assert reward == 0
        actions.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        env.step(actions[-1])
    return actions


def test_rewards_are_those_of_the_same_match_elsewhere() -> None:
    told = set()
    for seed in range(12):
        turns = pettingzoo.env("mebipenny", QUICK)
        actions = play_in_turn(turns, seed)
        rewards = [turns.rewards[agent] for agent in turns.possible_agents]
        assert all(turns.terminations.values())
        assert [reward for _, reward in last_rewards(turns)] == rewards
        at_once = pettingzoo.parallel_env("mebipenny", QUICK)
        at_once.reset(seed=seed)
        shown: Any = {}
        for action in actions:
            assert not any(shown.values())
            seen, shown, ended, _, _ = at_once.step(dict.fromkeys(at_once.agents, action))
        assert [*shown.values()] == rewards
        assert all(ended.values())
        assert at_once.agents == []
        scores = [seen[agent]["observation"][2 * 9 + 6 + 4] for agent in at_once.possible_agents]
        assert rewards == [np.sign(scores[0] - scores[1]), np.sign(scores[1] - scores[0])]
        told.add(tuple(rewards))
    assert {(1, -1), (-1, 1)} <= told


def last_rewards(env: pettingzoo.SequentialEnv) -> list[tuple[str, float]]:
    """What each agent is told when it is asked for the last time."""
    found = []
    for agent in env.agent_iter():
        _, reward, _, _, _ = env.last()
        found.append((agent, reward))
        env.step(None)
    return sorted(found)


@names
def test_a_match_is_cut_off_at_the_limit(game: Game) -> None:
    env = pettingzoo.env(game, limit=7)
    actions = play_in_turn(env, 3)
    assert len(actions) == 7 or (game.name == "battlebots" and 7 < len(actions) <= 14)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


def test_an_illegal_action_changes_nothing_where_seats_choose_at_once() -> None:
    env, other = (pettingzoo.env("battlebots") for _ in range(2))
    for one in (env, other):
        one.reset(seed=1)
    for seat in range(2):
        for wrong in (9999, -1, 1.5, None, "a"):
            with pytest.raises(IllegalMoveError, match="action"):
                env.step(wrong)  # type: ignore[arg-type]
            assert env.agent_selection == f"seat_{seat}"
        env.step(240)
        other.step(240)
    for agent in env.agents:
        assert (env.observe(agent)["observation"] == other.observe(agent)["observation"]).all()
    parallel = pettingzoo.parallel_env("battlebots")
    parallel.reset(seed=1)
    for actions in ({"seat_0": 240}, {"seat_0": 240, "seat_1": 9999}):
        with pytest.raises(IllegalMoveError, match="action"):
            parallel.step(actions)


def test_what_comes_before_the_first_match_is_refused() -> None:
    for env in (pettingzoo.env("hive"), pettingzoo.parallel_env("hive")):
        with pytest.raises(RuntimeError, match=r"reset\(\) needs to be called"):
            env.step({})  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="limit 0: expected 1 to"):
        pettingzoo.env("hive", limit=0)
