"""Shows some of the ladder's matches at a pace that people can follow.

The ladder plays much faster than people watch. So its matches are shown from their stored records,
one of each game at a time: of the latest ones, always the most interesting that was not shown.
Of several servers on one datastore one does so, and the others show what it shows.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.datastore.enums import MatchStatus
from agon.datastore.matches import MatchFilter
from agon.match.transcript import OtherEvent, parse_transcript, replay
from agon.ranker.live_ratings import SIGMA, LiveRating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.arena.pace import Pace
    from agon.datastore.matches import Rating, StoredMatch
    from agon.datastore.store import Store
    from agon.games.game import Game, Position
    from agon.match.transcript import Transcript

LATEST = 20
"""Of so many matches the next one is chosen."""


class ShownMatches:
    """The matches of one game that are shown, one at a time."""

    def __init__(
        self,
        store: Store,
        game: Game,
        live_matches: LiveMatches,
        pace: Pace,
        now_ns: Callable[[], int],
        on_want: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_want` is told when there is nothing more to show."""
        self._store = store
        self._game = game
        self._live_matches = live_matches
        self._pace = pace
        self._now_ns = now_ns
        self._on_want = on_want
        self._since: int | None = None
        """Matches up to this one were played before the site started."""
        self._shown: deque[int] = deque(maxlen=LATEST)
        self.is_wanting = False
        """Whether a match is wanted, as none is left for when the present one is over."""

    def show_next(self) -> bool:
        """Show a match from its beginning to its end; False if there is none."""
        if not self._live_matches.shows_ladder(self._game.name):
            self.is_wanting = False
            return False
        matches = self._find_latest()
        if matches:
            match = max(matches, key=interest)
            self._shown.append(match.id)
        self.is_wanting = len(matches) < 2
        if self.is_wanting:
            self._on_want()
        if not matches:
            return False
        self._show(match)
        return True

    def _find_latest(self) -> list[StoredMatch]:
        """The latest matches of the ladder that were not shown; contests show their own."""
        if self._since is None:
            self._since = self._store.matches.newest(self._game.name)
        wanted = MatchFilter(game=self._game.name, status=MatchStatus.FINISHED)
        return [
            match
            for match in self._store.matches.find(wanted, LATEST)
            if match.rated
            and match.tournament_id is None
            and match.id > self._since
            and match.id not in self._shown
        ]

    def _show(self, match: StoredMatch) -> None:
        transcript = parse_transcript(self._store.matches.transcript(match.id).decode())
        names = [str(player["name"]) for player in transcript.players]
        events = tuple(one for one in transcript.events if not isinstance(one, OtherEvent))
        transcript = replace(transcript, events=events)
        journal = self._live_matches.journal
        live: LiveMatch | None = None
        try:
            for number, position in _positions(transcript):
                self._pace.wait()
                if self._pace.is_stopped:
                    break
                if live is None:
                    live = self._live_matches.begin(self._game, names, position, self._now_ns())
                    live.shown_id = match.id
                else:
                    live.show(position)
                if journal is not None:
                    journal.note(live, transcript, events[:number])
        finally:
            if live is not None:
                live.end(match.id)
                if journal is not None:
                    journal.forget(live)


def _positions(transcript: Transcript) -> Iterator[tuple[int, Position[Any]]]:
    """The positions of a match, each of them once, and how many events have led there."""
    latest: tuple[int, Position[Any]] | None = None
    for number, (_, position) in enumerate(replay(transcript)):
        if latest is not None and position is not latest[1]:
            yield latest
        latest = number, position
    if latest is not None:
        yield latest


def interest(match: StoredMatch) -> float:
    """How much there is to see: a match of equals, a new bot, or a result that was not expected."""
    best = min(match.seats, key=lambda seat: seat.rank)
    others = [seat for seat in match.seats if seat is not best]
    if not others or any(seat.before is None for seat in match.seats):
        return 0.0
    rival = max(others, key=lambda seat: _rating(seat.before).mu)
    expected = _expected_score(_rating(best.before), _rating(rival.before))
    score = 0.5 if rival.rank == best.rank else 1.0
    newness = max(_rating(seat.before).sigma for seat in match.seats) / SIGMA
    return 2 * min(expected, 1 - expected) + newness + abs(score - expected)


def _rating(rating: Rating | None) -> LiveRating:
    return LiveRating() if rating is None else LiveRating(rating.mu, rating.sigma)


def _expected_score(one: LiveRating, two: LiveRating) -> float:
    return 1 / (1 + 10 ** ((two.elo - one.elo) / 400))
