"""Check stored matches: scores and ratings must follow from the transcripts.

Scores, ranks and faults must be those of the transcript; the live ratings are computed again from
nothing, match by match in the order in which they were stored.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agon.arena.version_names import version_titles
from agon.datastore.enums import MatchStatus
from agon.datastore.matches import MatchFilter
from agon.errors import DatastoreError
from agon.games.game import Outcome
from agon.match.transcript import Fault
from agon.ranker.live_ratings import LiveRater, LiveRating
from agon.ranker.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.datastore.matches import Rating, StoredMatch, StoredSeat
    from agon.datastore.store import Store

PAGE = 500
CLOSE = 1e-9
"""How far apart, in proportion, two machines' arithmetic may leave the same rating."""


@dataclass(slots=True)
class Verification:
    """What was checked, and the first difference."""

    game: str
    matches: int = 0
    ratings: int = 0
    difference: str | None = None
    titles: Mapping[int, str] = field(default_factory=dict)
    """The titles of versions by their ids."""
    _ratings: dict[int, LiveRating] = field(default_factory=dict)
    _rater: LiveRater = field(default_factory=LiveRater)

    def check(self, match: StoredMatch, transcript: bytes) -> str | None:
        """Check the next match; what is wrong with it, or None."""
        return self._check_scores(match, transcript) or self._check_ratings(match)

    def _check_scores(self, match: StoredMatch, transcript: bytes) -> str | None:
        try:
            data = json.loads(transcript)
            outcome = Outcome(tuple(data["outcome"]["scores"]), data["outcome"]["reason"])
            faults = _faults(data, len(match.seats))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return f"its transcript cannot be read: {error!r}"
        pairs: tuple[tuple[str, Any, Any], ...] = (
            ("scores", [seat.score for seat in match.seats], list(outcome.scores)),
            ("ranks", [seat.rank for seat in match.seats], list(outcome.ranks)),
            ("faults", [seat.fault for seat in match.seats], faults),
            ("reason", match.reason, outcome.reason),
            ("seed", match.seed, data.get("seed", match.seed)),
        )
        for name, stored, found in pairs:
            if stored != found:
                return f"{name} {stored}: the transcript gives {found}"
        return None

    def _check_ratings(self, match: StoredMatch) -> str | None:
        if any(seat.before is None or seat.after is None for seat in match.seats):
            rated = any(seat.before is not None for seat in match.seats)
            return "some of its seats have ratings and some have none" if rated else None
        versions = [seat.version_id for seat in match.seats]
        before = [self._ratings.get(version, LiveRating()) for version in versions]
        result = Result(
            tuple(map(str, versions)), tuple(seat.score for seat in match.seats), match.seed
        )
        after = self._rater.update(result, before)
        for seat, one, two in zip(match.seats, before, after, strict=True):
            for when, stored, computed in (
                ("before", seat.before, one),
                ("after", seat.after, two),
            ):
                if stored is not None and not _is_close(stored, computed):
                    return (
                        f"rating of {self._title(seat)} {when} it: stored"
                        f" {stored.mu:.6f} ± {stored.sigma:.6f}, computed"
                        f" {computed.mu:.6f} ± {computed.sigma:.6f}"
                    )
        self._ratings.update(zip(versions, after, strict=True))
        self.ratings += len(versions)
        return None

    def _title(self, seat: StoredSeat) -> str:
        return self.titles.get(seat.version_id, f"version {seat.version_id}")


def verify_stored(
    store: Store, game: str, on_match: Callable[[int], None] = lambda done: None
) -> Verification:
    """Check all finished matches of a game in their order, up to the first difference."""
    found = Verification(game, titles=version_titles(store, game))
    wanted = MatchFilter(game=game, status=MatchStatus.FINISHED)
    last = 0
    while page := store.matches.in_order(wanted, PAGE, after_id=last):
        for match in page:
            found.matches += 1
            try:
                wrong = found.check(match, store.matches.transcript(match.id))
            except DatastoreError as error:
                wrong = str(error)
            if wrong is not None:
                found.difference = f"match {match.id}: {wrong}"
                return found
            on_match(found.matches)
        last = page[-1].id
    return found


def _faults(data: Any, seats: int) -> list[Fault | None]:
    """How each seat failed, by the events of a transcript."""
    faults: list[Fault | None] = [None] * seats
    for event in data["events"]:
        if event["type"] == "fault":
            faults[event["player"]] = Fault(event["fault"])
    return faults


def _is_close(stored: Rating, computed: LiveRating) -> bool:
    return math.isclose(stored.mu, computed.mu, rel_tol=CLOSE) and math.isclose(
        stored.sigma, computed.sigma, rel_tol=CLOSE
    )
