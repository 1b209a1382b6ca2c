"""Matches of a batch, and beside each of them the same match as positions play it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.kernel import as_int
from agon.learn import BatchEnv
from agon.learn.policy import reward_of
from agon.learn.stepping import GOES_ON, OVER, seed_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.game import Game, Options, Position


class FollowedMatch:
    """One place in a batch: a match, and those that follow it."""

    def __init__(self, env: BatchEnv, number: int, seed: int) -> None:
        self.env, self.number = env, number
        self._seed: Any = np.uint64(seed)
        self.ended = 0
        self.begin()

    def begin(self) -> None:
        seed = seed_of(self._seed, as_int(self.number), as_int(self.ended))
        options = self.env.learning.options
        self.position = until_asked(self.env.game.start(options, int(seed)))
        self._actions: dict[int, list[int]] = {}
        self._turns: dict[int, Any] = {}

    @property
    def is_turn_begun(self) -> bool:
        return bool(self._actions)

    def take(self, seat: int, action: int) -> None:
        """A decision of a seat; when all turns are made of theirs, they are played."""
        position, actions = self.position, self._actions.setdefault(seat, [])
        actions.append(action)
        turn = self.env.learning.turn_of(position, seat, actions)
        if turn is not None:
            self._turns[seat] = turn

    def settle(self) -> None:
        if set(self._turns) == set(self.position.to_act):
            self.position = until_asked(self.position.play(self._turns))
            self._actions, self._turns = {}, {}

    def follow_end(self) -> list[float] | None:
        """The rewards by the outcome, if the position says that the match has ended."""
        outcome = self.position.outcome
        if outcome is None:
            return None
        self.ended += 1
        self.begin()
        found = [reward_of(outcome, seat) for seat in range(len(outcome.scores))]
        return [reward for reward in found if reward is not None]


class Followed:
    """A batch of such matches."""

    def __init__(self, game: Game, options: Options | None, n: int, seed: int) -> None:
        self.env = BatchEnv(game, n, options=options, seed=seed)
        self.matches = [FollowedMatch(self.env, number, seed) for number in range(n)]
        self._rng = np.random.default_rng(seed)

    def seats_to_act(self, number: int) -> Iterator[tuple[int, Any]]:
        """The seats that decide in that match, each with where the arrays of the batch have it."""
        at_once = self.env.learning.at_once > 1
        for place, seat in enumerate(self.env.to_act[number].reshape(-1).tolist()):
            if seat >= 0:
                yield seat, (number, place) if at_once else number

    def step(self) -> list[list[float]]:
        """A decision by chance of every seat to act; the rewards of matches that have ended.

        Ends, and nothing else, are where the positions have them, with rewards by their outcomes.
        """
        env = self.env
        places = self._rng.integers(0, np.maximum(env.counts, 1))
        chosen = np.take_along_axis(env.actions, places[..., None], axis=-1)[..., 0]
        for match in self.matches:
            for seat, at in self.seats_to_act(match.number):
                match.take(seat, int(chosen[at]))
        env.step_nth(places)
        ended = []
        for match in self.matches:
            match.settle()
            rewards = match.follow_end()
            assert env.ends[match.number] == (GOES_ON if rewards is None else OVER)
            shown = env.rewards[match.number].tolist()
            assert np.allclose(shown, rewards or 0, atol=1e-6)
            if rewards is not None:
                ended.append(rewards)
        return ended


def until_asked(position: Position[Any]) -> Position[Any]:
    """As it is when the turns are played of seats that are not asked."""
    while position.forced:
        position = position.play(position.forced)
    return position
