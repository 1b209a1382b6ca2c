"""Who plays whom: fixtures, what every schedule is, and the two that are known from the start.

A schedule is a function of bots, a seed and the results so far: it keeps nothing. So a tournament
that was stopped is resumed by giving the stored results to a new schedule with the same settings.

Games come in sets: the same bots at the same seed, once for every way round the table (for two
seats: a pair with swapped seats). The seed of a set is its alone, so a result is known by its seed
and its seats, and may come in at any time and in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING

from agon.errors import RankingError, SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agon.ranker.result import Result

SEED_LIMIT = 1 << 53
"""Seeds are below this, so that a browser can hold them as numbers."""

SPREAD = 0xD1342543DE82EF95
"""An odd number that takes schedules with neighbouring seeds far apart."""

MOST_MATCHES = 2_000_000
"""A fixed schedule of more is a mistake: it would not fit into memory, nor into a life."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played. Rounds count from 1; `number` is the match's own in its schedule."""

    round: int
    number: int
    seats: tuple[str, ...]
    seed: int


class PlayedResults:
    """The results so far, by what tells them apart: the seed and the seats."""

    def __init__(self, results: Iterable[Result]) -> None:
        """Results of a match that has one already are kept apart."""
        self._results: dict[tuple[int, tuple[str, ...]], Result] = {}
        self.repeated: list[Result] = []
        for result in results:
            key = (result.seed, result.bots)
            if key in self._results:
                self.repeated.append(result)
            self._results.setdefault(key, result)

    def __contains__(self, fixture: Fixture) -> bool:
        return (fixture.seed, fixture.seats) in self._results

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results.values())

    def all(self, fixtures: Iterable[Fixture]) -> bool:
        """Whether all these matches have been played."""
        return all(fixture in self for fixture in fixtures)

    def half_points(self, fixtures: Iterable[Fixture]) -> dict[str, int]:
        """What each bot got in those of the matches that have been played, in half points."""
        points: dict[str, int] = {}
        for fixture in fixtures:
            result = self._results.get((fixture.seed, fixture.seats))
            if result is not None:
                for bot, more in zip(result.bots, result.half_points, strict=True):
                    points[bot] = points.get(bot, 0) + more
        return points

    def check(self, fixtures: Iterable[Fixture]) -> None:
        """Raise RankingError if a match was played twice, or a result is of none of these."""
        for result in self.repeated:
            raise RankingError(f"two results of {' - '.join(result.bots)} at seed {result.seed}")
        known = {(fixture.seed, fixture.seats) for fixture in fixtures}
        for seed, bots in self._results:
            if (seed, bots) not in known:
                raise RankingError(
                    f"the result of {' - '.join(bots)} at seed {seed} is not of this schedule: "
                    "expected results of the same bots, settings and seed"
                )


class Schedule(ABC):
    """A format with its bots and settings."""

    takes_others = False
    """Whether results of matches that it did not ask for may be among those it is given."""

    def __init__(self, bots: Sequence[str], seed: int, seats: int = 2) -> None:
        """Raise SettingError if these bots cannot fill the seats."""
        if len(set(bots)) < len(bots):
            raise SettingError(f"bots {', '.join(bots)}: expected every bot once")
        if seats < 2:
            raise SettingError(f"{seats} seats: expected two or more")
        if len(bots) < seats:
            raise SettingError(f"{len(bots)} bots: expected {seats} or more, one for each seat")
        self.bots = tuple(bots)
        self.seed = seed
        self.seats = seats

    @property
    @abstractmethod
    def total(self) -> int | None:
        """How many matches there are in all, as far as that can be said; None: without end."""

    @abstractmethod
    def known(self, played: PlayedResults) -> list[Fixture]:
        """All fixtures that are certain by now, played or not, in the order of play."""

    def next(self, results: Iterable[Result]) -> list[Fixture]:
        """All matches that can be played now, in order; none when the schedule is at its end.

        Matches that are being played are among them: the caller knows which those are. A schedule
        may have more to give after every result.
        """
        played = PlayedResults(results)
        fixtures = self.known(played)
        if not self.takes_others:
            played.check(fixtures)
        return [fixture for fixture in fixtures if fixture not in played]

    def set_seed(self, number: int) -> int:
        """The seed of the set of games with this number: no two sets have the same."""
        return (self.seed * SPREAD + number) % SEED_LIMIT

    def set_of_games(self, round_number: int, number: int, table: Sequence[str]) -> list[Fixture]:
        """The set with this number: these bots, once for every way round the table.

        With more than two seats, who follows whom is left to chance, the same on every call.
        """
        seed = self.set_seed(number)
        order = list(table)
        if self.seats > 2:
            Random(seed).shuffle(order)  # noqa: S311  not a secret
        return [
            Fixture(round_number, number * self.seats + turn, (*order[turn:], *order[:turn]), seed)
            for turn in range(self.seats)
        ]


def check_positive(name: str, value: int) -> int:
    """The value, if it is 1 or more; else raise SettingError."""
    if value < 1:
        raise SettingError(f"{name} {value}: expected 1 or more")
    return value


class FixedSchedule(Schedule):
    """A schedule that does not depend on results: cycles of the same tables with new seeds."""

    def __init__(self, bots: Sequence[str], seed: int, seats: int = 2, rounds: int = 1) -> None:
        """`rounds`: how often everything is played, each time with new seeds."""
        super().__init__(bots, seed, seats)
        self.rounds = check_positive("rounds", rounds)
        if self.total > MOST_MATCHES:
            raise SettingError(
                f"{len(bots)} bots at {seats} seats, {rounds} times: {self.total} matches, "
                f"expected at most {MOST_MATCHES}; swiss and ladder play fewer"
            )

    @property
    @abstractmethod
    def table_count(self) -> int:
        """How many tables there are in one cycle."""

    @abstractmethod
    def tables(self) -> list[list[tuple[str, ...]]]:
        """Who meets in one cycle, in rounds."""

    @property
    def total(self) -> int:
        return self.rounds * self.seats * self.table_count

    def known(self, played: PlayedResults) -> list[Fixture]:
        cycle = self.tables()
        fixtures: list[Fixture] = []
        number = 0
        for round_number, tables in enumerate(cycle * self.rounds, start=1):
            for table in tables:
                fixtures += self.set_of_games(round_number, number, table)
                number += 1
        return fixtures


class RoundRobin(FixedSchedule):
    """Every bot meets every other; with more than two seats, every combination of bots plays."""

    @property
    def table_count(self) -> int:
        return comb(len(self.bots), self.seats)

    def tables(self) -> list[list[tuple[str, ...]]]:
        """For two seats by the circle method, so that no bot plays twice in a round."""
        if self.seats > 2:
            return [[table] for table in combinations(self.bots, self.seats)]
        circle: list[str | None] = [*self.bots, *([None] if len(self.bots) % 2 else [])]
        rounds: list[list[tuple[str, ...]]] = []
        for _ in range(len(circle) - 1):
            half = len(circle) // 2
            pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
            rounds.append([(one, two) for one, two in pairs if one is not None and two is not None])
            circle.insert(1, circle.pop())  # the first stays, the others move on by one
        return rounds


class Gauntlet(FixedSchedule):
    """The first bot (or the first few) meets all others; these do not meet each other."""

    def __init__(
        self,
        bots: Sequence[str],
        seed: int,
        seats: int = 2,
        rounds: int = 1,
        challengers: int = 1,
    ) -> None:
        """`challengers`: how many bots, from the first, run the gauntlet."""
        self.challengers = check_positive("challengers", challengers)
        if challengers > 1 and len(bots) - challengers < seats - 1:
            raise SettingError(
                f"{challengers} challengers among {len(bots)} bots: "
                f"expected {seats - 1} others or more"
            )
        super().__init__(bots, seed, seats, rounds)

    @property
    def table_count(self) -> int:
        return self.challengers * comb(len(self.bots) - self.challengers, self.seats - 1)

    def tables(self) -> list[list[tuple[str, ...]]]:
        """One round a choice of opponents."""
        others = self.bots[self.challengers :]
        return [
            [(challenger, *table) for challenger in self.bots[: self.challengers]]
            for table in combinations(others, self.seats - 1)
        ]
