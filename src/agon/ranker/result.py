"""What the ranker knows of a match: who sat where, who did better, and the seed.

All ratings are made from counts of equal results (`count_results`), with bots and results in sorted
order: so the order in which matches were played cannot change a table, not even in the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from agon.errors import RankingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

FloatArray: TypeAlias = "NDArray[np.float64]"
IntArray: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True, slots=True)
class Result:
    """One match: bots and scores by seat (more is better), and the seed, which pairs share."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is not a contest."""
        if len(self.bots) != len(self.scores) or len(self.bots) < 2:
            raise RankingError(
                f"bots {self.bots} with scores {self.scores}: "
                "expected one score for each bot, and two bots or more"
            )

    @property
    def half_points(self) -> tuple[int, ...]:
        """For each seat, two for every seat that did worse and one for every equal one.

        >>> Result(("a", "b"), (7, 7)).half_points
        (1, 1)
        >>> Result(("a", "b", "c"), (5, 9, 5)).half_points
        (1, 4, 1)
        """
        scores = self.scores
        return tuple(
            sum(2 * (own > other) + (own == other) for other in scores) - 1 for own in scores
        )


@dataclass(frozen=True, slots=True, eq=False)
class ResultGroup:
    """The distinct results of all matches with the same number of seats, in sorted order."""

    bots: IntArray
    """One row a result: by seat, the place of the bot in `Counted.bots`."""
    ranks: IntArray
    """By seat, how many seats did better."""
    times: IntArray
    """How many matches ended like this."""

    @property
    def seats(self) -> int:
        return int(self.bots.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Results, counted: all bots in sorted order, and a group for each number of seats."""

    bots: tuple[str, ...]
    groups: tuple[ResultGroup, ...]

    @property
    def matches(self) -> int:
        return sum(int(group.times.sum()) for group in self.groups)

    @property
    def most_seats(self) -> int:
        """Seats of the largest match; two if there is none."""
        return max((group.seats for group in self.groups), default=2)

    def connected(self) -> tuple[tuple[str, ...], ...]:
        """The bots in groups that never met each other, even through others; the largest first.

        Ratings compare bots within a group. Between groups there is nothing but the prior.
        """
        leader = list(range(len(self.bots)))

        def find(bot: int) -> int:
            while leader[bot] != bot:
                leader[bot] = leader[leader[bot]]
                bot = leader[bot]
            return bot

        for group in self.groups:
            for seated in np.unique(group.bots, axis=0).tolist():
                for bot in seated[1:]:
                    leader[find(bot)] = find(seated[0])
        members: dict[int, list[str]] = {}
        for place, name in enumerate(self.bots):
            members.setdefault(find(place), []).append(name)
        return tuple(sorted(map(tuple, members.values()), key=lambda names: (-len(names), names)))


def count_results(
    results: Iterable[Result], bots: Iterable[str] = (), times: Iterable[int] | None = None
) -> Counted:
    """Count equal results. `bots` may name bots that have not played.

    `times` says how many matches ended with each result; if it is missing, each is one match. A
    match in which a bot sat at two seats says nothing about its strength and is left out.
    """
    results = list(results)
    numbers = repeat(1, len(results)) if times is None else times
    names = tuple(sorted({*bots, *chain.from_iterable(result.bots for result in results)}))
    place = {name: number for number, name in enumerate(names)}
    by_seats: dict[int, list[tuple[Result, int]]] = {}
    for result, number in zip(results, numbers, strict=True):
        by_seats.setdefault(len(result.bots), []).append((result, number))
    groups = (_count(by_seats[seats], seats, place) for seats in sorted(by_seats))
    return Counted(names, tuple(group for group in groups if len(group.times)))


def _count(counts: list[tuple[Result, int]], seats: int, place: dict[str, int]) -> ResultGroup:
    shape = (len(counts), seats)
    seated = chain.from_iterable(result.bots for result, _ in counts)
    bots = np.array([place[name] for name in seated], dtype=np.int64).reshape(shape)
    scores = np.array([result.scores for result, _ in counts], dtype=np.int64).reshape(shape)
    ranks = (scores[:, :, None] < scores[:, None, :]).sum(axis=2)
    in_order = np.sort(bots, axis=1)
    proper = (in_order[:, 1:] != in_order[:, :-1]).all(axis=1)
    rows, row = np.unique(np.hstack([bots, ranks])[proper], axis=0, return_inverse=True)
    times = np.zeros(len(rows), dtype=np.int64)
    np.add.at(times, row.ravel(), np.array([number for _, number in counts])[proper])
    return ResultGroup(rows[:, :seats], rows[:, seats:], times)
