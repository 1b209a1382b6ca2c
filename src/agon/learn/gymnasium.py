"""One seat of a match as an environment of Gymnasium; bots have the others.

    env = agon.learn.gymnasium.OneSeatEnv("skyport", opponent="greedy")
    env = gymnasium.make("agon.learn.gymnasium:agon/OneSeat-v0", game="skyport")

An observation is a dict of the row of numbers and the mask of legal actions. The reward comes at
the end of a match: from -1, behind all others, to 1, before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import gymnasium
import numpy as np

from agon.errors import SettingError
from agon.games.bot import Budget
from agon.games.registry import find_game
from agon.learn.checks import match_limit, whole_number
from agon.learn.policy import TurnByDecisions, reward_of
from agon.learn.spaces import masked_space

if TYPE_CHECKING:
    from agon.games.bot import Bot
    from agon.games.game import Game, Options, Position
    from agon.kernel import IntArray

Observation: TypeAlias = "dict[str, IntArray]"
LIMIT = 1000
"""Turns after which a match is cut off."""


class OneSeatEnv(gymnasium.Env[Any, np.int64]):
    """A match against bots: a built-in one by its name, or any other `Bot`."""

    def __init__(
        self,
        game: Game | str,
        opponent: str | Bot[Any] = "random",
        *,
        seat: int = 0,
        options: Options | None = None,
        limit: int = LIMIT,
    ) -> None:
        self._game = find_game(game)
        if not isinstance(opponent, str) and not hasattr(opponent, "choose"):
            raise SettingError(f"opponent {opponent!r}: expected the name of a bot, or a Bot")
        self._opponent = opponent
        self._limit = match_limit(limit)
        self._learning = self._game.learning(options)
        self._game.check_seats(self._learning.seats)
        self._seat = whole_number("seat", seat, 0, self._learning.seats - 1)
        actions = self._learning.action_count
        self.action_space = gymnasium.spaces.Discrete(actions)
        self.observation_space = masked_space(self._learning, actions)
        self._bots: dict[int, Bot[Any]] = {}
        self._is_under_way = self._has_decided = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        for other in range(self._learning.seats):
            if other != self._seat:
                self._bots[other] = self._make_bot(int(self.np_random.integers(2**31)))
        self._has_decided = False
        match_seed = int(self.np_random.integers(2**63))
        self._go_on(self._game.start(self._learning.options, match_seed, self._learning.seats))
        self._is_under_way = True
        return self._look(), {}

    def _make_bot(self, seed: int) -> Bot[Any]:
        chosen = self._opponent
        return self._game.bot(chosen, seed) if isinstance(chosen, str) else chosen

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._is_under_way:
            raise RuntimeError("there is no match under way: reset() begins one")
        turn = self._draft.decide(action)
        self._has_decided = True
        if turn is not None:
            position = self._position
            turns = {self._seat: turn} | {
                other: self._bots[other].choose(position, other, Budget())
                for other in position.to_act
                if other != self._seat
            }
            self._go_on(position.play(turns))
        outcome = self._position.outcome
        cut = outcome is None and self._is_cut_off(self._position)
        self._is_under_way = outcome is None and not cut
        reward = 0.0 if outcome is None else reward_of(outcome, self._seat)
        return self._look(), reward, outcome is not None, cut, {}

    def _go_on(self, position: Position[Any]) -> None:
        """Have the others play until the seat is to decide, or the match is over."""
        while position.outcome is None and not self._is_cut_off(position):
            if self._seat in position.to_act and self._seat not in position.forced:
                break
            turns = {
                other: position.forced[other]
                if other in position.forced
                else self._bots[other].choose(position, other, Budget())
                for other in position.to_act
            }
            position = position.play(turns)
        self._position = position
        self._draft = TurnByDecisions(self._learning, position, self._seat)

    def _is_cut_off(self, position: Position[Any]) -> bool:
        """At the limit, but not before the seat has decided once: `reset` cannot tell of it."""
        return self._has_decided and position.turn >= self._limit

    def _look(self) -> Observation:
        mask = np.zeros(self._learning.action_count, np.int8)
        if self._position.outcome is None and self._seat in self._position.to_act:
            mask[self._draft.legal_actions()] = 1
        return {"observation": self._draft.observe(), "action_mask": mask}


gymnasium.register("agon/OneSeat-v0", f"{__name__}:OneSeatEnv")
