"""Matches with people in the journal: written change by change, and read after a restart.

A guest is known by the hash of a secret: reading the datastore is not enough to take a seat.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.arena.people.context import State
from agon.arena.people.party import BotPlayer, Party, Person
from agon.arena.unfinished import format_head, format_lines, parse_entry
from agon.datastore.enums import JournalKind
from agon.datastore.journal import Page
from agon.errors import AgonError, DatabaseError, DatastoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from agon.arena.people.party import Player
    from agon.arena.people.session import PlaySession
    from agon.datastore.journal import JournalEntry
    from agon.datastore.store import Store
    from agon.match.transcript import Transcript

LOG = logging.getLogger("agon.arena")


@dataclass(frozen=True, slots=True)
class JournalledPlay:
    """A match in the journal."""

    key: str
    party: Party
    transcript: Transcript
    begin_ns: int
    is_interrupted: bool = False
    """As a session has it: one that was interrupted is in no journal."""

    @property
    def state(self) -> State:
        return State.PLAYING if self.party.free is None else State.WAITING


class PlayJournal:
    """The matches with people in a store's journal. Threads may share it."""

    def __init__(self, store: Store) -> None:
        self._journal = store.journal

    def note(self, session: PlaySession) -> None:
        """Write the new events, whole changes at once. A match goes on if that fails."""
        events, first = session.events, session.written
        page = Page(
            session.key,
            JournalKind.PEOPLE,
            session.game.name,
            {} if first else _head(session),
            session.begin_ns,
            first,
            format_lines(session.game, events[first:]),
        )
        if first and not page.lines:
            return
        try:
            self._journal.write([page])
            session.written = first + len(page.lines)
        except (DatabaseError, DatastoreError) as error:
            LOG.warning("play %s is not written down: %s", session.key, error)

    def forget(self, session: PlaySession) -> None:
        try:
            self._journal.remove(session.key)
        except (DatabaseError, DatastoreError) as error:
            LOG.warning("play %s stays in the journal: %s", session.key, error)

    def read(self) -> list[JournalledPlay]:
        """The matches that a server has left under way; one that cannot be read stays there."""
        return _read_all(self._journal.take_left(JournalKind.PEOPLE))

    def of_others(self) -> list[JournalledPlay]:
        """The matches on other servers, without their events."""
        return _read_all(self._journal.heads_of_others(JournalKind.PEOPLE))

    def claim(self, keys: Collection[str]) -> set[str]:
        """Those of these matches that are this server's: no other one has taken them up."""
        return self._journal.claim(keys)


def _read_all(entries: Iterable[JournalEntry]) -> list[JournalledPlay]:
    found = []
    for entry in entries:
        try:
            found.append(_read(entry))
        except AgonError as error:
            LOG.warning("play %s cannot be read: %s", entry.key, error)
    return found


def _head(session: PlaySession) -> dict[str, object]:
    seats = [_format_player(player) for player in session.party.players]
    return format_head(session.match.setup, seats=seats, begin_ns=session.begin_ns)


def _read(entry: JournalEntry) -> JournalledPlay:
    transcript = parse_entry(entry)
    seats = entry.head.get("seats")
    if not isinstance(seats, list) or len(seats) != len(transcript.players):
        raise DatastoreError(f"seats {seats!r:.80}: expected {len(transcript.players)} players")
    players = tuple(_parse_player(one) for one in seats)
    party = Party(transcript.game, transcript.options, players)
    begin_ns = entry.head.get("begin_ns")
    return JournalledPlay(
        entry.key, party, transcript, begin_ns if isinstance(begin_ns, int) else entry.created_ns
    )


def _format_player(player: Player) -> dict[str, Any] | None:
    if player is None:
        return None
    if isinstance(player, Person):
        return {"person": player.name, "user_id": player.user_id, "mark": player.mark}
    return {"bot": player.name, "built_in": player.built_in, "version_id": player.version_id}


def _parse_player(found: Mapping[str, Any] | None) -> Player:
    match found:
        case None:
            return None
        case {"person": str(name), "user_id": int() | None as user_id, "mark": str(mark)}:
            return Person(user_id=user_id, name=name, mark=mark)
        case {"bot": str(name), "built_in": str(own), "version_id": int() | None as version_id}:
            return BotPlayer(name, own, version_id)
    raise DatastoreError(f"seat {found!r:.80}: expected a person, a bot or null")
