"""The ladder: endless play, always the matches from which most can be learned.

What a set of games between i and j is expected to teach is the information in it about the
difference of their strengths. With the covariance C of the ratings so far (in natural units), the
variance v = C[i,i] + C[j,j] - 2 C[i,j] of the difference d, and its games' information
I = games * p (1 - p), p = 1 / (1 + exp(-d)), it lowers the entropy of what is known by

    gain = log(1 + I * v) / 2

which is large for bots that are uncertain (v), close in strength (p near a half) and have few games
(v again). Pairs are drawn by chance with weights gain ** (1 / chance): mostly the best, sometimes
another, so that no pair is shut out for good.
"""

from __future__ import annotations

from itertools import chain, combinations, count
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from agon.errors import RankingError, SettingError
from agon.ranker.pairing import SEED_LIMIT, Fixture, PlayedResults, Schedule, check_positive
from agon.ranker.result import count_results
from agon.ranker.strength import ELO
from agon.ranker.table import rate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from agon.ranker.result import FloatArray, Result

OWN_NUMBERS = 1 << 32
"""A seed that would be of a set with a number beyond this is not one of ours."""


class Ladder(Schedule):
    """Batches of sets without end, or up to `rounds` of them.

    A batch is planned from all results of the batches up to the last but one; so while the last
    matches of a batch are played there is work for idle cores, and yet a restart plans the same.
    Results from outside this ladder count, too, as known from the beginning.
    Bots may come and go: give the new list to a new ladder with the same seed.
    """

    takes_others = True

    def __init__(
        self,
        bots: Sequence[str],
        seed: int,
        seats: int = 2,
        rounds: int | None = None,
        batch: int = 8,
        chance: float = 0.25,
        first: Collection[str] = (),
    ) -> None:
        """`batch`: sets of games in a round. `chance`: 0 for always the best, 1 for much luck.

        `first`: each set that is planned has one of these bots, if there are any.
        """
        super().__init__(sorted(bots), seed, seats)
        self.rounds = None if rounds is None else check_positive("rounds", rounds)
        self.batch = check_positive("batch", batch)
        if not 0 <= chance <= 1:
            raise SettingError(f"chance {chance}: expected a number from 0 to 1")
        self.chance = chance
        self.first = frozenset(first)
        if unknown := self.first - {*self.bots}:
            raise SettingError(f"first {', '.join(sorted(unknown))}: expected bots of the ladder")
        self._plans: dict[int, list[tuple[str, ...]]] = {}
        """The tables of the last batches. They follow from the results; they are kept because that
        is quicker, and because other results that come in meanwhile must not change them."""

    @property
    def total(self) -> int | None:
        return None if self.rounds is None else self.rounds * self.batch * self.seats

    def known(self, played: PlayedResults) -> list[Fixture]:
        """The batches that are not over yet, and those that may begin."""
        history = _History(self, played)
        first = max(0, history.latest - 1)
        self._plans = {batch: plan for batch, plan in self._plans.items() if batch >= first}
        fixtures: list[Fixture] = []
        over: list[bool] = []
        for batch in count(first):
            if batch == self.rounds or (batch - first >= 2 and not over[batch - first - 2]):
                break
            if batch not in self._plans:
                self._plans[batch] = self._plan(batch, history)
            games = [
                game
                for place, table in enumerate(self._plans[batch])
                for game in self._games(batch, batch * self.batch + place, table, history)
            ]
            over.append(played.all(games))
            fixtures += games
        return fixtures

    def number_of(self, result: Result) -> int | None:
        """The number of the set that a result belongs to; None if it is not of this ladder."""
        number = (result.seed - self.set_seed(0)) % SEED_LIMIT
        return number if number < OWN_NUMBERS else None

    def _plan(self, batch: int, history: _History) -> list[tuple[str, ...]]:
        """Who meets in a batch, from what is known of those up to the last but one."""
        planner = _Planner(self, history.before(batch - 1))
        underway = self._plans.get(batch - 1) or history.tables(batch - 1)
        for table in underway:
            planner.expect(table)
        rng = Random(f"{self.seed} {batch}")  # noqa: S311  not a secret
        plan = []
        for _ in range(self.batch):
            plan.append(planner.choose(rng))
            planner.expect(plan[-1])
        return plan

    def _games(
        self, batch: int, number: int, table: tuple[str, ...], history: _History
    ) -> list[Fixture]:
        """The games of a set. A set that has begun keeps its bots, as long as they take part."""
        table = history.seated.get(number, table)
        return self.set_of_games(batch + 1, number, table) if {*table} <= {*self.bots} else []


class _History:
    """The results so far, by the batch they were played in."""

    def __init__(self, ladder: Ladder, played: PlayedResults) -> None:
        self.batches: dict[int, list[Result]] = {}
        self.others: list[Result] = []
        self.seated: dict[int, tuple[str, ...]] = {}
        self._batch = ladder.batch
        for result in played.repeated:
            if ladder.number_of(result) is not None:
                raise RankingError(
                    f"two results of {' - '.join(result.bots)} at seed {result.seed}"
                )
            self.others.append(result)
        for result in played:
            number = ladder.number_of(result)
            if number is None:
                self.others.append(result)
            else:
                self.seated[number] = tuple(sorted(result.bots))
                self.batches.setdefault(number // ladder.batch, []).append(result)

    @property
    def latest(self) -> int:
        """The last batch that has begun; -1 before the first."""
        return max(self.batches, default=-1)

    def before(self, batch: int) -> list[Result]:
        """All results that do not belong to this batch or a later one."""
        own = (results for number, results in self.batches.items() if number < batch)
        return [*self.others, *chain.from_iterable(own)]

    def tables(self, batch: int) -> list[tuple[str, ...]]:
        numbers = range(batch * self._batch, (batch + 1) * self._batch)
        return [self.seated[number] for number in numbers if number in self.seated]


class _Planner:
    """What is known of the bots, and what will be once the planned games have been played."""

    def __init__(self, ladder: Ladder, results: list[Result]) -> None:
        strengths = rate(count_results(results, ladder.bots))
        places = [strengths.bots.index(bot) for bot in ladder.bots]
        self._bots = ladder.bots
        self._seats = ladder.seats
        self._chance = ladder.chance
        self._spread: FloatArray = strengths.covariance[np.ix_(places, places)] / ELO**2
        strength = strengths.ratings[places] / ELO
        win = 1 / (1 + np.exp(strength - strength[:, None]))
        self._information: FloatArray = ladder.seats * win * (1 - win)
        is_first = np.array([bot in ladder.first or not ladder.first for bot in ladder.bots])
        self._pairs = np.triu(is_first[:, None] | is_first, 1)
        """Which pairs a table may begin with."""

    def choose(self, rng: Random) -> tuple[str, ...]:
        """A table, drawn by weights: a pair with a large gain, then the bots that add most."""
        variances = np.diag(self._spread)
        differences = variances[:, None] + variances - 2 * self._spread
        gains = np.log1p(self._information * np.maximum(differences, 0)) / 2
        pair = self._draw((gains * self._pairs).ravel(), rng)
        table = list(divmod(pair, len(self._bots)))
        while len(table) < self._seats:
            more = gains[table].sum(axis=0)
            more[table] = 0
            table.append(self._draw(more, rng))
        return tuple(self._bots[bot] for bot in sorted(table))

    def _draw(self, gains: FloatArray, rng: Random) -> int:
        if not self._chance:
            return int(gains.argmax())
        weights = np.cumsum((gains / gains.max()) ** (1 / self._chance))
        return int(np.searchsorted(weights, rng.random() * weights[-1], side="right"))

    def expect(self, table: Sequence[str]) -> None:
        """Count the planned games of a table as known, so that the next choice looks elsewhere."""
        places = sorted(self._bots.index(bot) for bot in table if bot in self._bots)
        for one, two in combinations(places, 2):
            difference = self._spread[one] - self._spread[two]
            variance = difference[one] - difference[two]
            information = self._information[one, two]
            self._spread = self._spread - np.outer(difference, difference) * (
                information / (1 + information * variance)
            )
