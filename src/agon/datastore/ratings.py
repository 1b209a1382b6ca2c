"""Live ratings: each bot version's history, a step for each rated match. Written with the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import exists, func, select

from agon.datastore import schema
from agon.datastore.matches import Rating, is_none_of

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

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
            .where(RATINGS.c.game == game, *_not_in(but_tournaments))
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
        mine = RATINGS.c.game == game, RATINGS.c.version_id == version_id
        query = (
            select(RATINGS.c.match_id, RATINGS.c.mu, RATINGS.c.sigma)
            .where(*mine, *_not_in(but_tournaments))
            .order_by(RATINGS.c.match_id, RATINGS.c.seat)
        )
        with self._database.read() as connection:
            return [
                RatingStep(match_id, Rating(mu, sigma))
                for match_id, mu, sigma in connection.execute(query)
            ]


def _not_in(tournaments: frozenset[int]) -> tuple[ColumnElement[bool], ...]:
    """That a rating is not of a match of these."""
    if not tournaments:
        return ()
    return (exists().where(MATCHES.c.id == RATINGS.c.match_id, is_none_of(tournaments)),)
