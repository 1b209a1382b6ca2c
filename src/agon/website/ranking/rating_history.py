"""How the live rating of a bot went, match by match, thinned out to what a plot can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agon.ranker.live_ratings import LiveRating

if TYPE_CHECKING:
    from agon.datastore.ratings import RatingStep
    from agon.datastore.store import Store

MOST_POINTS = 120


class Point(NamedTuple):
    """A rating after a match."""

    match_id: int
    elo: float
    error: float
    """Half the width of its 95 % interval."""


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """The history of one version of a bot."""

    version_id: int
    points: tuple[Point, ...]

    def at(self, match_id: int) -> Point | None:
        """What was known after that match of the arena; None before its own first one.

        >>> history = RatingHistory(1, (Point(3, 10.0, 5.0), Point(7, 12.0, 4.0)))
        >>> history.at(2), history.at(6).elo, history.at(9).elo
        (None, 10.0, 12.0)
        """
        known = [point for point in self.points if point.match_id <= match_id]
        return known[-1] if known else None


def load_history(store: Store, game: str, version_id: int, hidden: frozenset[int]) -> RatingHistory:
    """The history of a version as it is stored, without matches of these tournaments."""
    steps = store.ratings.thinned_history(game, version_id, MOST_POINTS, hidden)
    return RatingHistory(version_id, tuple(_point(step) for step in steps))


def _point(step: RatingStep) -> Point:
    live = LiveRating(step.rating.mu, step.rating.sigma)
    return Point(step.match_id, live.elo, live.elo_error)
