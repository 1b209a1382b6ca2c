"""Visibility: only organisers see matches of contests that are not published.

A match of a contest is hidden until it is certain that the contest is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from agon.datastore.enums import ContestState
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.live_matches import LiveMatch
    from agon.datastore.store import Store

KEEP_NS = 10**9


def hidden_tournaments(store: Store) -> frozenset[int]:
    """The tournaments that organisers alone may see."""
    contests = store.contests.all(published=False)
    return frozenset(one.tournament_id for one in contests if one.tournament_id is not None)


def is_hidden(store: Store, match_id: int) -> bool:
    """Whether the stored match of that number is for organisers alone."""
    hidden = hidden_tournaments(store)
    if not hidden:
        return False
    try:
        return store.matches.get(match_id).tournament_id in hidden
    except DatastoreError:
        return False


class Visibility:
    """Which matches of contests are hidden while they are played. Threads may share it.

    It is asked for every spectator, so it remembers for a moment which contests are published.
    """

    def __init__(
        self,
        store: Store,
        now_ns: Callable[[], int],
        live: Callable[[int], list[LiveMatch]],
    ) -> None:
        """`live` gives the matches under way of the contest of an id."""
        self._store = store
        self._now_ns = now_ns
        self._live = live
        self._published: tuple[int, ...] = ()
        self._looked_ns: int | None = None
        self._contests: WeakKeyDictionary[LiveMatch, int] = WeakKeyDictionary()
        """Of which contest a match is, once it is known to be public."""
        self.changes = 0
        """Rises when other live matches may be seen."""

    def hides(self, match: LiveMatch) -> bool:
        """Whether the match, one of a contest, is for organisers alone."""
        if match.match_id is not None:
            return is_hidden(self._store, match.match_id)
        published = self._find_published()
        if match not in self._contests:
            for contest in published:
                if match in self._live(contest):
                    self._contests[match] = contest
        return self._contests.get(match) not in published

    def _find_published(self) -> tuple[int, ...]:
        now_ns = self._now_ns()
        if self._looked_ns is None or not 0 <= now_ns - self._looked_ns < KEEP_NS:
            contests = self._store.contests.all(published=True)
            playing = [one.id for one in contests if one.state is not ContestState.DRAFT]
            self._published, self._looked_ns = tuple(playing), now_ns
        return self._published

    def forget(self) -> None:
        """Look again before the next answer: a contest has changed."""
        self._looked_ns = None
        self.changes += 1
        for match in list(self._contests):
            if not match.is_over:
                match.signal.rise()  # its streams check whether they may go on
