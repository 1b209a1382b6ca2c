"""How a match changes the live ratings of its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.matches import Rating
from agon.ranker.live_ratings import LiveRater, LiveRating
from agon.ranker.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arena.fleet.jobs import PlayedMatch
    from agon.datastore.record import Rate, RatingChange


def result_name(version_id: int) -> str:
    """The name of a version for the ranker: short and unique."""
    return str(version_id)


def rate_result(match: PlayedMatch, versions: Sequence[int]) -> Rate:
    """How the datastore is to rate the match of these versions."""
    names = tuple(result_name(version_id) for version_id in versions)
    result = Result(names, match.scores, match.seed)
    rater = LiveRater()

    def rate(last: Sequence[Rating | None]) -> list[RatingChange]:
        before = [LiveRating() if one is None else LiveRating(one.mu, one.sigma) for one in last]
        after = rater.update(result, before)
        return [
            (Rating(one.mu, one.sigma), Rating(two.mu, two.sigma))
            for one, two in zip(before, after, strict=True)
        ]

    return rate
