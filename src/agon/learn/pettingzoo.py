"""Agon's games as environments of PettingZoo.

    env = agon.learn.pettingzoo.env("hive")              # agents take turns (AEC)
    env = agon.learn.pettingzoo.parallel_env("battlebots")  # all agents step at once

An observation is a dict of the row of numbers and the mask of legal actions. In the parallel
environment there is one action more, the last one: to wait, for an agent that does not decide now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from agon.games.registry import find_game
from agon.learn.checks import match_limit
from agon.learn.episode import Episode
from agon.learn.spaces import masked_space

if TYPE_CHECKING:
    from agon.games.game import Game, Options
    from agon.kernel import IntArray

Observation: TypeAlias = dict[str, "IntArray"]
LIMIT = 10_000
"""Decisions after which a match is cut off."""


def env(game: Game | str, options: Options | None = None, limit: int = LIMIT) -> SequentialEnv:
    """A match in which agents decide one after the other."""
    return SequentialEnv(game, options, limit)


def parallel_env(
    game: Game | str, options: Options | None = None, limit: int = LIMIT
) -> SimultaneousEnv:
    """A match in which all agents are asked at each step, those who wait too."""
    return SimultaneousEnv(game, options, limit)


class _Table:
    """What both kinds share: a match, its agents and their spaces."""

    def __init__(
        self, game: Game | str, options: Options | None, limit: int, more_actions: int
    ) -> None:
        chosen = find_game(game)
        self.metadata: dict[str, Any] = {
            "name": f"agon_{chosen.name}_v{chosen.rules_version}",
            "render_modes": [],
            "is_parallelizable": False,
        }
        self.render_mode = None
        self._limit = match_limit(limit)
        self._learning = chosen.learning(options)
        self.possible_agents = [f"seat_{seat}" for seat in range(self._learning.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = self._learning.action_count + more_actions
        self._actions = {name: gymnasium.spaces.Discrete(actions) for name in self.possible_agents}
        self._observations = {
            name: masked_space(self._learning, actions) for name in self.possible_agents
        }
        self._seeds = np.random.default_rng()
        self._episode: Episode | None = None
        self._played = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._actions[agent]

    def _begin(self, seed: int | None) -> Episode:
        """A new match; without a seed, one that follows from the seed before."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        chance = int(self._seeds.integers(2**63))
        if self._episode is None:
            self._episode = Episode(self._learning, chance)
        else:
            self._episode.begin(chance)
        self._played = 0
        self.agents = list(self.possible_agents)
        return self._episode

    @property
    def _match(self) -> Episode:
        if self._episode is None:
            raise RuntimeError("reset() needs to be called before anything else")
        return self._episode

    @property
    def _is_cut_off(self) -> bool:
        return self._played >= self._limit and not self._match.is_over

    def render(self) -> None:
        """There is nothing to see here: replays are shown by the website."""

    def close(self) -> None:
        """Nothing is held."""


class SequentialEnv(_Table, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """Agents take turns; where several decide at once, each before any of it happens."""

    def __init__(self, game: Game | str, options: Options | None, limit: int) -> None:
        super().__init__(game, options, limit, more_actions=0)
        self._chosen: dict[int, Any] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        episode = self._begin(seed)
        self._chosen = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[episode.to_act[0]]

    def observe(self, agent: str) -> Observation:
        seat = self._seats[agent]
        return {"observation": self._match.observe(seat), "action_mask": self._match.mask(seat)}

    def step(self, action: int | None) -> None:
        episode, agent = self._match, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        if len(episode.to_act) > 1:  # before others choose, and nothing is played
            episode.check(seat, action)
        self._cumulative_rewards[agent] = 0.0
        self._chosen[seat] = action
        if len(self._chosen) == len(episode.to_act):
            chosen, self._chosen = self._chosen, {}
            episode.play(chosen)
            self._played += 1
            if episode.is_over or self._is_cut_off:
                self._finish(episode)
                return
        waiting = episode.to_act[len(self._chosen)]  # they choose in the order of their seats
        self.agent_selection = self.possible_agents[waiting]

    def _finish(self, episode: Episode) -> None:
        over = episode.is_over
        self.rewards = dict(zip(self.possible_agents, episode.rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over)
        self._accumulate_rewards()
        self._deads_step_first()


class SimultaneousEnv(_Table, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All agents step at once; who does not decide now waits, which is the last action."""

    def __init__(self, game: Game | str, options: Options | None, limit: int) -> None:
        super().__init__(game, options, limit, more_actions=1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._begin(seed)
        return self._look(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        episode = self._match
        if not self.agents:
            return {}, {}, {}, {}, {}
        episode.play({seat: actions.get(self.possible_agents[seat]) for seat in episode.to_act})
        self._played += 1
        agents, over, cut = self.agents, episode.is_over, self._is_cut_off
        seen = self._look()
        if over or cut:
            self.agents = []
        rewards = dict(zip(agents, episode.rewards, strict=True))
        ended, cut_off = dict.fromkeys(agents, over), dict.fromkeys(agents, cut)
        return seen, rewards, ended, cut_off, {agent: {} for agent in agents}

    def _look(self) -> dict[str, Observation]:
        return {agent: self._observe(self._seats[agent]) for agent in self.agents}

    def _observe(self, seat: int) -> Observation:
        mask = np.zeros(self._learning.action_count + 1, np.int8)
        mask[self._match.legal_actions(seat)] = 1
        mask[-1] = seat not in self._match.to_act
        return {"observation": self._match.observe(seat), "action_mask": mask}
