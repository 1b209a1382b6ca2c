"""What the ranker reads: results of many matches at once, and who beat whom.

Only finished and rated matches count here, whatever is asked.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import case, func, select

from agon.datastore import schema
from agon.datastore.enums import MatchStatus
from agon.datastore.matches import is_none_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import Select

    from agon.datastore.database import Database

MATCHES, SEATS = schema.matches, schema.seats


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which results are wanted: of a game, and only these if given."""

    game: str
    rules_version: int | None = None
    options: Mapping[str, Any] | None = None
    tournament_id: int | None = None
    but_tournaments: frozenset[int] = frozenset()
    """Not the results of these."""


class StoredResult(NamedTuple):
    """One match as the ranker sees it; a tuple, for there are many."""

    match_id: int
    seed: int
    versions: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class Encounters(NamedTuple):
    """How one bot version did against another, over all seats that they had against each other."""

    version_id: int
    opponent_id: int
    wins: int
    draws: int
    losses: int


class Results:
    """The results of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stream(self, wanted: ResultFilter) -> Iterator[StoredResult]:
        """All results, in the order in which they were stored, a few thousand rows at a time."""
        columns = (
            MATCHES.c.id,
            MATCHES.c.seed,
            SEATS.c.version_id,
            SEATS.c.score,
            SEATS.c.rank,
        )
        query = _counted(select(*columns), wanted).order_by(MATCHES.c.id, SEATS.c.seat)
        with (
            self._database.snapshot() as connection,
            closing(connection.execute(query)) as found,
        ):
            rows = (row for part in found.partitions() for row in part)
            for match_id, seats in groupby(rows, itemgetter(0)):
                _, seeds, versions, scores, ranks = zip(*seats, strict=True)
                yield StoredResult(match_id, seeds[0], versions, scores, ranks)

    def count(self, wanted: ResultFilter) -> int:
        query = _counted(select(func.count()), wanted).where(SEATS.c.seat == 0)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def head_to_head(self, wanted: ResultFilter) -> list[Encounters]:
        """Who beat whom how often, by rank; every pair from both sides."""
        own, other = SEATS, SEATS.alias("other")
        query = _counted(
            select(
                own.c.version_id,
                other.c.version_id,
                func.sum(case((own.c.rank < other.c.rank, 1), else_=0)),
                func.sum(case((own.c.rank == other.c.rank, 1), else_=0)),
                func.sum(case((own.c.rank > other.c.rank, 1), else_=0)),
            ),
            wanted,
        )
        query = (
            query.join(other, (other.c.match_id == own.c.match_id) & (other.c.seat != own.c.seat))
            .group_by(own.c.version_id, other.c.version_id)
            .order_by(own.c.version_id, other.c.version_id)
        )
        with self._database.read() as connection:
            return [Encounters(*map(int, row)) for row in connection.execute(query)]


def _counted(query: Select[Any], wanted: ResultFilter) -> Select[Any]:
    """The query over the seats of the matches that count."""
    query = (
        query.select_from(SEATS)
        .join(MATCHES, MATCHES.c.id == SEATS.c.match_id)
        .where(
            MATCHES.c.game == wanted.game,
            MATCHES.c.status == MatchStatus.FINISHED,
            MATCHES.c.rated,
        )
    )
    if wanted.rules_version is not None:
        query = query.where(MATCHES.c.rules_version == wanted.rules_version)
    if wanted.options is not None:
        query = query.where(MATCHES.c.options == wanted.options)
    if wanted.tournament_id is not None:
        query = query.where(MATCHES.c.tournament_id == wanted.tournament_id)
    if wanted.but_tournaments:
        query = query.where(is_none_of(wanted.but_tournaments))
    return query
