"""Live ratings: each bot version's history, a step for each rated match. Written with the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import exists, func, literal, select

from agon.datastore import schema
from agon.datastore.columns import Whole
from agon.datastore.matches import Rating, is_none_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import CTE, ColumnElement, FromClause, Row, Select

    from agon.datastore.database import Database

MATCHES, RATINGS = schema.matches, schema.ratings


class RatingStep(NamedTuple):
    """The rating after a match."""

    match_id: int
    rating: Rating


class Ratings:
    """The ratings of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def current(
        self, game: str, but_tournaments: frozenset[int] = frozenset()
    ) -> dict[int, Rating]:
        """The last rating of each bot version that has one in this game, not of these."""
        last = (
            select(RATINGS.c.version_id, func.max(RATINGS.c.match_id).label("match_id"))
            .where(RATINGS.c.game == game, *_not_in(RATINGS, but_tournaments))
            .group_by(RATINGS.c.version_id)
            .subquery()
        )
        query = (
            select(RATINGS.c.version_id, RATINGS.c.mu, RATINGS.c.sigma)
            .join(
                last,
                (last.c.version_id == RATINGS.c.version_id)
                & (last.c.match_id == RATINGS.c.match_id),
            )
            .where(RATINGS.c.game == game)
            .order_by(RATINGS.c.version_id, RATINGS.c.seat)  # who played itself: the last seat's
        )
        with self._database.read() as connection:
            return {
                version_id: Rating(mu, sigma) for version_id, mu, sigma in connection.execute(query)
            }

    def history(
        self, game: str, version_id: int, but_tournaments: frozenset[int] = frozenset()
    ) -> list[RatingStep]:
        """The version's ratings in this game, the first one first; not those of these."""
        query = _steps(_of_version(RATINGS, game, version_id, but_tournaments))
        with self._database.read() as connection:
            return [_step(row) for row in connection.execute(query)]

    def thinned_history(
        self,
        game: str,
        version_id: int,
        most: int,
        but_tournaments: frozenset[int] = frozenset(),
    ) -> list[RatingStep]:
        """At most so many steps of the history, two or more, with the first and the last one.

        Of a longer one, those as of `most` matches of the arena, evenly spread. Each of them is
        looked up by itself: a long history takes no longer.
        """
        mine = _of_version(RATINGS, game, version_id, but_tournaments)
        newest = select(RATINGS.c.match_id).where(*mine).order_by(RATINGS.c.match_id.desc())
        with self._database.read() as connection:
            found = connection.execute(_steps(mine).limit(most + 1)).all()
            if len(found) > most:
                last = connection.execute(newest.limit(1)).scalar_one()
                moments = _moments(found[0].match_id, last, most)
                earlier = RATINGS.alias("earlier")
                theirs = _of_version(earlier, game, version_id, but_tournaments)
                latest = (
                    select(earlier.c.match_id)
                    .where(*theirs, earlier.c.match_id <= moments.c.match_id)
                    .order_by(earlier.c.match_id.desc())
                    .limit(1)
                    .correlate(moments)
                    .scalar_subquery()
                )
                chosen = RATINGS.c.match_id.in_(select(latest).select_from(moments))
                found = connection.execute(_steps((*mine, chosen))).all()
        return [_step(row) for row in found]


def _of_version(
    table: FromClause, game: str, version_id: int, but_tournaments: frozenset[int]
) -> tuple[ColumnElement[bool], ...]:
    """That a rating is the version's in this game, and not of these tournaments."""
    return (
        table.c.game == game,
        table.c.version_id == version_id,
        *_not_in(table, but_tournaments),
    )


def _not_in(table: FromClause, tournaments: frozenset[int]) -> tuple[ColumnElement[bool], ...]:
    """That a rating is not of a match of these."""
    if not tournaments:
        return ()
    return (exists().where(MATCHES.c.id == table.c.match_id, is_none_of(tournaments)),)


def _steps(wanted: Sequence[ColumnElement[bool]]) -> Select[Any]:
    columns = RATINGS.c.match_id, RATINGS.c.mu, RATINGS.c.sigma
    return select(*columns).where(*wanted).order_by(RATINGS.c.match_id, RATINGS.c.seat)


def _step(row: Row[Any]) -> RatingStep:
    return RatingStep(row.match_id, Rating(row.mu, row.sigma))


def _moments(first: int, last: int, number: int) -> CTE:
    """So many numbers of matches from the first to the last, evenly spread."""
    counted = select(literal(0, Whole).label("n")).cte("counted", recursive=True)
    counted = counted.union_all(select(counted.c.n + 1).where(counted.c.n < number - 1))
    spread = literal(last - first, Whole) * counted.c.n // (number - 1)
    return select((literal(first, Whole) + spread).label("match_id")).cte("moments")
