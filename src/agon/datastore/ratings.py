"""Live ratings: each bot version's history, a step for each rated match. Written with the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from agon.datastore import schema
from agon.datastore.matches import Rating

if TYPE_CHECKING:
    from agon.datastore.database import Database

RATINGS = schema.ratings


class RatingStep(NamedTuple):
    """The rating after a match."""

    match_id: int
    rating: Rating


class Ratings:
    """The ratings of a store."""

    def __init__(self, database: Database) -> None:
        """The ratings in this database."""
        self._database = database

    def current(self, game: str) -> dict[int, Rating]:
        """The last rating of each bot version that has one in this game."""
        last = (
            select(RATINGS.c.version_id, func.max(RATINGS.c.match_id).label("match_id"))
            .where(RATINGS.c.game == game)
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

    def history(self, game: str, version_id: int) -> list[RatingStep]:
        """The version's ratings in this game, the first one first."""
        query = (
            select(RATINGS.c.match_id, RATINGS.c.mu, RATINGS.c.sigma)
            .where(RATINGS.c.game == game, RATINGS.c.version_id == version_id)
            .order_by(RATINGS.c.match_id, RATINGS.c.seat)
        )
        with self._database.read() as connection:
            return [
                RatingStep(match_id, Rating(mu, sigma))
                for match_id, mu, sigma in connection.execute(query)
            ]
