"""Live boards of several servers: each writes down what it plays, and shows what the others wrote.

They meet in the journal of the datastore. Matches of network clients stand there anyway; matches of
bots that are shown as they are played are written there while there are other servers. Matches
that not all may watch are not.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.unfinished import format_head, format_lines, parse_entry
from agon.datastore.enums import JournalKind
from agon.datastore.journal import Page
from agon.datastore.matches import MatchFilter
from agon.errors import AgonError, DatabaseError, DatastoreError
from agon.match.transcript import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.datastore.store import Store
    from agon.match.transcript import Event, Transcript

LOG = logging.getLogger("agon.arena")
SHOWN = (JournalKind.NETWORK, JournalKind.LIVE)
LATEST = 100
"""Among so many matches is one that has just been stored."""


def clear_left(store: Store) -> None:
    """Remove what servers that are gone have left: their matches of bots are played again."""
    for entry in store.journal.take_left(JournalKind.LIVE):
        store.journal.remove(entry.key)


class LiveJournal:
    """Writes down the matches that this server shows. Threads may share it."""

    def __init__(self, store: Store, has_others: Callable[[], bool]) -> None:
        """`has_others`: whether there are other servers now."""
        self._journal = store.journal
        self._has_others = has_others
        self._written: dict[str, int] = {}
        """The matches that stand in the journal, and how many of their events."""

    def note(self, live: LiveMatch, setup: Transcript, events: Sequence[Event]) -> None:
        """A match has come so far. If that cannot be written, only the others' boards lag."""
        if not self._has_others() or live.private:
            self.forget(live)
            return
        first = self._written.get(live.key, 0)
        lines = format_lines(setup.game, events[first:])
        head = {} if first else format_head(setup)
        game = setup.game.name
        page = Page(live.key, JournalKind.LIVE, game, head, live.begin_ns, first, lines)
        try:
            self._journal.write([page])
        except (DatabaseError, DatastoreError) as error:
            LOG.warning("the other servers do not see match %s: %s", live.key, error)
        else:
            self._written[live.key] = len(events)

    def forget(self, live: LiveMatch) -> None:
        """The match is over, or not for all to watch any more."""
        if self._written.pop(live.key, None) is None:
            return
        try:
            self._journal.remove(live.key)
        except (DatabaseError, DatastoreError) as error:
            LOG.warning("the other servers still see match %s: %s", live.key, error)


@dataclass
class _Mirrored:
    """A match of another server, as it is shown here."""

    live: LiveMatch
    setup: Transcript
    lines: int


class LiveMirror:
    """Shows the matches of other servers; call `look` again and again."""

    def __init__(
        self, store: Store, live_matches: LiveMatches, has_others: Callable[[], bool]
    ) -> None:
        """`has_others`: whether there are other servers now."""
        self._store = store
        self._live_matches = live_matches
        self._has_others = has_others
        self._mirrored: dict[str, _Mirrored] = {}
        self._unreadable: set[str] = set()

    def look(self) -> bool:
        """Show what is new; False: that is all for now."""
        is_idle = not (self._has_others() or self._mirrored)
        lengths = {} if is_idle else self._store.journal.lengths_of_others(SHOWN)
        self._unreadable &= lengths.keys()
        for key in [key for key in self._mirrored if key not in lengths]:
            self._end(self._mirrored.pop(key))
        for key, length in lengths.items():
            known = self._mirrored.get(key)
            if key not in self._unreadable and (known is None or known.lines != length):
                self._try_to_show(key)
        return False

    def stop(self) -> None:
        """Take down all of them."""
        while self._mirrored:
            self._mirrored.popitem()[1].live.end(None)

    def _try_to_show(self, key: str) -> None:
        try:
            self._show(key)
        except DatabaseError:
            raise
        except AgonError as error:
            LOG.warning("match %s of another server is not shown: %s", key, error)
            self._unreadable.add(key)

    def _show(self, key: str) -> None:
        entry = self._store.journal.find(key)
        if entry is None:  # it is over since a moment ago
            return
        transcript = parse_entry(entry)
        for _, latest in replay(transcript):
            position = latest
        known = self._mirrored.get(key)
        if known is None:
            names = [str(player["name"]) for player in transcript.players]
            key_here = key if entry.kind is JournalKind.LIVE else None
            live = self._live_matches.begin(
                transcript.game,
                names,
                position,
                entry.created_ns,
                key=key_here,
                is_elsewhere=True,
            )
            self._mirrored[key] = _Mirrored(live, transcript, len(entry.lines))
        else:
            known.live.show(position)
            known.lines = len(entry.lines)

    def _end(self, mirrored: _Mirrored) -> None:
        """Its server has stored it, or given it up."""
        wanted = MatchFilter(game=mirrored.setup.game.name)
        stored = (
            match.id
            for match in self._store.matches.find(wanted, LATEST)
            if match.seed == mirrored.setup.seed and match.ended_ns >= mirrored.live.begin_ns
        )
        mirrored.live.end(next(stored, None))
