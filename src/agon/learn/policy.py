"""What was trained plays whole matches: decisions become turns, beside a position.

    bot = PolicyBot("mebipenny", policy)
    agon.play("mebipenny", [bot, "greedy"])

A policy is a function of an observation and of the legal actions, which returns one of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from agon.games.registry import find_game
from agon.kernel import IntArray, as_int, new_array
from agon.learn.checks import legal_action

if TYPE_CHECKING:
    from agon.games.bot import Budget
    from agon.games.game import Game, Outcome, Position
    from agon.games.learning import Learning

Policy: TypeAlias = Callable[[IntArray, IntArray], int]


class TurnByDecisions:
    """A turn of one seat, decision by decision."""

    def __init__(self, learning: Learning, position: Position[Any], seat: int) -> None:
        self._learning, self._position, self.seat = learning, position, seat
        self._state, self._work = new_array(learning.state), new_array(learning.work)
        learning.load(position, seat, self._state)
        self._actions: list[int] = []

    def observe(self) -> IntArray:
        """What the seat knows."""
        row = np.zeros(self._learning.observation_size, self._learning.observed)
        self._call(self._learning.encode, row)
        return row

    def legal_actions(self) -> IntArray:
        row = np.zeros(self._learning.most_actions, np.int32)
        count = self._call(self._learning.list_actions, row)
        return row[:count]

    def decide(self, action: Any) -> Any:
        """Take a decision; the whole turn, if it is complete, else None."""
        action = legal_action(self.seat, action, self.legal_actions())
        self._actions.append(action)
        turn = self._learning.turn_of(self._position, self.seat, self._actions)
        if turn is None:
            self._call(self._learning.play_action, as_int(action))
        return turn

    def _call(self, kernel: Callable[..., Any], argument: Any) -> Any:
        setup, state, work = self._learning.setup[0], self._state[0], self._work[0]
        return kernel(setup, state, work, as_int(self.seat), argument)


class PolicyBot:
    """A bot that plays as a policy says."""

    def __init__(self, game: Game | str, policy: Policy) -> None:
        self._game = find_game(game)
        self._policy = policy

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        draft = TurnByDecisions(self._game.learning_of(position), position, seat)
        turn = None
        while turn is None:
            turn = draft.decide(self._policy(draft.observe(), draft.legal_actions()))
        return turn


def reward_of(outcome: Outcome, seat: int) -> float:
    """From -1, behind all others, to 1, before them; as `BatchEnv.rewards` are.

    >>> from agon.games.game import Outcome
    >>> [reward_of(Outcome((5, 9, 5), "turn limit"), seat) for seat in range(3)]
    [-0.5, 1.0, -0.5]
    """
    own = outcome.scores[seat]
    ahead = sum((own > other) - (own < other) for other in outcome.scores)
    return ahead / (len(outcome.scores) - 1)
