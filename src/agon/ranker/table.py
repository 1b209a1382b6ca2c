"""The official table: who is how strong, how sure that is, and who did what against whom.

It follows from the results alone. The same results in any order give the same table, to the last
digit; numbers are rounded so that another machine's arithmetic gives the same one too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agon.ranker.bradley_terry import fit_bradley_terry
from agon.ranker.plackett_luce import fit_plackett_luce
from agon.ranker.result import Counted, IntArray, ResultGroup, count_results

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.ranker.result import Result
    from agon.ranker.strength import Interval, Strengths

ELO_DIGITS = 3
SHARE_DIGITS = 6


class HeadToHead(NamedTuple):
    """How often a bot did better than another one, as well, and worse, in the same match."""

    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating in Elo and its 95 % interval."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RankingRow(Rated):
    """A bot in the table."""

    rank: int
    """From 1; bots with equal ratings share it."""
    bot: str
    games: int
    points: float
    """A match is worth one point; a seat gets its share for every seat that did worse."""
    wins: int
    """Matches in which it did best, alone."""
    draws: int
    """Matches in which it shared the first place."""
    losses: int
    superiority: float | None
    """How likely it is to be stronger than the next one in the table; None for the last."""

    @property
    def score(self) -> float | None:
        """Points per match, from 0 to 1; None if it has not played."""
        return round(self.points / self.games, SHARE_DIGITS) if self.games else None


@dataclass(frozen=True, slots=True)
class RankingTable:
    """Rows from the strongest to the weakest, and what is true of all of them."""

    matches: int
    rows: tuple[RankingRow, ...]
    meetings: tuple[tuple[HeadToHead, ...], ...]
    """`meetings[i][j]`: the bot of row i against the bot of row j."""
    seats: tuple[Rated, ...]
    """By seat, what sitting there is worth, in Elo, against the average seat."""
    draw_rate: float
    """How likely two equal bots are to draw."""
    groups: tuple[tuple[str, ...], ...]
    """Bots that met, also through others. With more than one group, ratings of bots in different
    groups cannot be compared: their intervals are as wide as the prior."""

    def to_json(self) -> dict[str, Any]:
        return {
            "matches": self.matches,
            "draw_rate": self.draw_rate,
            "seats": [asdict(seat) for seat in self.seats],
            "groups": [list(group) for group in self.groups],
            "rows": [asdict(row) | {"score": row.score} for row in self.rows],
            "head_to_head": {
                row.bot: {
                    other.bot: meeting._asdict()
                    for other, meeting in zip(self.rows, against, strict=True)
                    if sum(meeting)
                }
                for row, against in zip(self.rows, self.meetings, strict=True)
            },
        }


def rate(counted: Counted) -> Strengths:
    """Strengths by the model that fits: Bradley-Terry for two seats, else Plackett-Luce."""
    if counted.most_seats == 2:
        return fit_bradley_terry(counted)
    return fit_plackett_luce(counted)


def make_table(
    results: Iterable[Result], bots: Iterable[str] = (), times: Iterable[int] | None = None
) -> RankingTable:
    """The table of all bots that played, and of those named in `bots`, who may not have yet.

    `times` says how many matches ended with each result; if it is missing, each is one match.
    """
    return table_of(count_results(results, bots, times))


def table_of(counted: Counted) -> RankingTable:
    """The table of results that are counted."""
    strengths = rate(counted)
    records = _Records(counted)
    ratings = np.round(strengths.ratings, ELO_DIGITS)
    order = np.argsort(-ratings, kind="stable").tolist()  # equal ratings: in the order of names
    ranks = {bot: 1 + int((ratings > ratings[bot]).sum()) for bot in order}
    rows = tuple(
        RankingRow(
            **asdict(_rated(strengths.interval(bot))),
            rank=ranks[bot],
            bot=counted.bots[bot],
            games=int(records.games[bot]),
            points=round(float(records.points[bot]), SHARE_DIGITS),
            wins=int(records.wins[bot]),
            draws=int(records.draws[bot]),
            losses=int(records.games[bot] - records.wins[bot] - records.draws[bot]),
            superiority=(
                None
                if following is None
                else round(strengths.superiority(bot, following), SHARE_DIGITS)
            ),
        )
        for bot, following in zip(order, [*order[1:], None], strict=False)
    )
    return RankingTable(
        counted.matches,
        rows,
        records.meetings(order),
        tuple(_rated(seat) for seat in strengths.seats),
        round(strengths.draw_rate, SHARE_DIGITS),
        counted.connected(),
    )


def _rated(interval: Interval) -> Rated:
    numbers = (interval.value, interval.low, interval.high)
    return Rated(*(round(number, ELO_DIGITS) + 0.0 for number in numbers))  # no -0.0


class _Records:
    """What the bots did, counted by their place in `Counted.bots`."""

    def __init__(self, counted: Counted) -> None:
        bots = len(counted.bots)
        self.games, self.wins, self.draws = (np.zeros(bots, dtype=np.int64) for _ in range(3))
        self.points = np.zeros(bots)
        self.better, self.equal = (np.zeros((bots, bots), dtype=np.int64) for _ in range(2))
        for group in counted.groups:
            self._add(group)

    def _add(self, group: ResultGroup) -> None:
        ranks, times = group.ranks, group.times[:, None]
        better = ranks[:, :, None] < ranks[:, None, :]
        equal = (ranks[:, :, None] == ranks[:, None, :]) & ~np.eye(group.seats, dtype=bool)
        first, alone = ranks == 0, ~equal.any(axis=2)
        np.add.at(self.games, group.bots, np.broadcast_to(times, ranks.shape))
        np.add.at(self.wins, group.bots, times * (first & alone))
        np.add.at(self.draws, group.bots, times * (first & ~alone))
        half_points = np.zeros(len(self.points), dtype=np.int64)
        np.add.at(half_points, group.bots, times * (2 * better + equal).sum(axis=2))
        self.points += half_points / (2 * (group.seats - 1))
        pair = (group.bots[:, :, None], group.bots[:, None, :])
        np.add.at(self.better, pair, times[:, :, None] * better)
        np.add.at(self.equal, pair, times[:, :, None] * equal)

    def meetings(self, order: list[int]) -> tuple[tuple[HeadToHead, ...], ...]:
        """The head-to-head matrix with the bots in this order."""
        won, drawn = _in_order(self.better, order), _in_order(self.equal, order)
        places = range(len(order))
        return tuple(
            tuple(HeadToHead(won[one][two], drawn[one][two], won[two][one]) for two in places)
            for one in places
        )


def _in_order(matrix: IntArray, order: list[int]) -> list[list[int]]:
    rows: list[list[int]] = matrix[np.ix_(order, order)].tolist()
    return rows
