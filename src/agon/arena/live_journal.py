"""Live boards of several servers: each writes down what it plays, and shows what the others wrote.

They meet in the journal of the datastore. Matches of network clients stand there anyway; matches of
bots that are shown are written there while there are other servers. Matches that not all may watch
are not.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agon.arena.unfinished import format_head, format_lines, parse_entry
from agon.datastore.enums import JournalKind
from agon.datastore.journal import Page
from agon.datastore.matches import MatchFilter
from agon.errors import AgonError, DatabaseError, DatastoreError
from agon.match.transcript import replay, replay_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.datastore.journal import JournalEntry
    from agon.datastore.store import Store
    from agon.match.transcript import Event, Transcript

LOG = logging.getLogger("agon.arena")
SHOWN = (JournalKind.NETWORK, JournalKind.LIVE)
BOOKING, SHOWN_ID = "booking", "shown"
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
        if len(events) < self._written.get(live.key, 0):  # it was begun anew
            self.forget(live)
        first = self._written.get(live.key, 0)
        lines = format_lines(setup.game, events[first:])
        more = {BOOKING: live.booking_id, SHOWN_ID: live.shown_id}
        head = {} if first else format_head(setup, **more)
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
        if self._written.pop(live.key, None) is not None:
            self._remove(live.key)

    def write_anew(self) -> None:
        """Write all matches from their beginning: what was written belongs to no server now."""
        for key in list(self._written):
            del self._written[key]
            self._remove(key)

    def _remove(self, key: str) -> None:
        try:
            self._journal.remove(key)
        except (DatabaseError, DatastoreError) as error:
            LOG.warning("the other servers still see match %s: %s", key, error)


@dataclass
class _Mirrored:
    """A match of another server, as it is shown here."""

    live: LiveMatch
    entry_id: int
    seed: int
    events: list[Event] = field(default_factory=list)


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
        self._unreadable: set[int] = set()

    def look(self) -> bool:
        """Show what is new; False: that is all for now."""
        is_idle = not (self._has_others() or self._mirrored)
        lengths = {} if is_idle else self._store.journal.lengths_of_others(SHOWN)
        self._unreadable &= {entry_id for entry_id, _ in lengths.values()}
        for key in [key for key in self._mirrored if key not in lengths]:
            self._end(self._mirrored.pop(key))
        for key, (entry_id, length) in lengths.items():
            known = self._mirrored.get(key)
            is_new = known is None or (known.entry_id, len(known.events)) != (entry_id, length)
            if is_new and entry_id not in self._unreadable:
                self._try_to_show(key, entry_id, length)
        return False

    def stop(self) -> None:
        """Take down all of them."""
        while self._mirrored:
            self._mirrored.popitem()[1].live.end(None)

    def _try_to_show(self, key: str, entry_id: int, length: int) -> None:
        try:
            self._show(key, entry_id, length)
        except DatabaseError:
            raise
        except AgonError as error:
            LOG.warning("match %s of another server is not shown: %s", key, error)
            self._unreadable.add(entry_id)

    def _show(self, key: str, entry_id: int, length: int) -> None:
        """Show what is new of a match; one that was begun anew is shown from its start."""
        known = self._mirrored.get(key)
        is_anew = known is None or known.entry_id != entry_id or length < len(known.events)
        entry = self._store.journal.find(key, 0 if known is None or is_anew else len(known.events))
        if entry is None:  # it is over since a moment ago
            return
        part = parse_entry(entry)
        if known is None or is_anew:
            live = self._begin(entry, part) if known is None else known.live
            live.show(next(replay(part))[1])
            live.turns = 0
            known = self._mirrored[key] = _Mirrored(live, entry_id, part.seed)
        for _, position in replay_on(known.live.position, part.events, known.events):
            known.live.show(position)
        known.events += part.events

    def _begin(self, entry: JournalEntry, setup: Transcript) -> LiveMatch:
        """Show the start of a match."""
        names = [str(player["name"]) for player in setup.players]
        start = next(replay(setup))[1]
        key = entry.key if entry.kind is JournalKind.LIVE else None
        live = self._live_matches.begin(
            setup.game, names, start, entry.created_ns, key=key, is_elsewhere=True
        )
        live.booking_id, live.shown_id = entry.head.get(BOOKING), entry.head.get(SHOWN_ID)
        return live

    def _end(self, mirrored: _Mirrored) -> None:
        """Its server has stored it, or given it up."""
        live = mirrored.live
        if live.booking_id is not None:
            live.end(self._store.bookings.get(live.booking_id).match_id)
            return
        wanted = MatchFilter(game=live.game.name)
        stored = (
            match.id
            for match in self._store.matches.find(wanted, LATEST)
            if match.seed == mirrored.seed and match.ended_ns >= live.begin_ns
        )
        live.end(live.shown_id or next(stored, None))
