"""The journal: matches in progress that could not be played again, recorded event by event.

Matches of bots are played again after a crash. Those of people and of network clients are not:
their events are kept here until the match is stored or given up.

    store.journal.write([Page("kx3", JournalKind.PEOPLE, "hive", head, NOON, 0, ['{"type": …}'])])
    store.record_match(replace(match, journal="kx3"))  # and it is gone from the journal

The writer alone decides what the head and the lines contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, or_, select, update

from agon.datastore import schema
from agon.datastore.database import Begin
from agon.datastore.servers import is_left
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection, Select

    from agon.datastore.database import Database
    from agon.datastore.enums import JournalKind

JOURNAL, LINES = schema.journal, schema.journal_lines


@dataclass(frozen=True, slots=True)
class Page:
    """What is to be written of a match: its head as it is now, and the lines that are new."""

    key: str
    kind: JournalKind
    game: str
    head: Mapping[str, Any]
    created_ns: int
    first: int = 0
    """The number of the first new line; those before it were written earlier."""
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A match as it stands in the journal."""

    key: str
    kind: JournalKind
    game: str
    head: Mapping[str, Any]
    created_ns: int
    lines: tuple[str, ...]


class Journal:
    """The matches under way of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, pages: Sequence[Page]) -> None:
        """Write these pages, all or nothing. A match that is not known yet is new.

        A page that was written before may be written again, with more lines; not with others.
        """

        own = self._database.server.id

        def work(connection: Connection) -> None:
            for page in pages:
                _write(connection, page, own)

        self._database.write(work, Begin.QUICK)

    def remove(self, key: str) -> None:
        """Remove the match; nothing happens if it is not in the journal."""
        self._database.write(lambda connection: remove_entries(connection, [key]), Begin.QUICK)

    def entries(self, kind: JournalKind) -> list[JournalEntry]:
        """All matches of that kind, in the order in which they began."""
        with self._database.read() as connection:
            return _load(connection, select(JOURNAL).where(JOURNAL.c.kind == kind))

    def find(self, key: str, first: int = 0) -> JournalEntry | None:
        """The match of that key, with its lines from that number on."""
        with self._database.read() as connection:
            found = _load(connection, select(JOURNAL).where(JOURNAL.c.key == key), first)
        return found[0] if found else None

    def lengths_of_others(self, kinds: Collection[JournalKind]) -> dict[str, tuple[int, int]]:
        """The matches of these kinds that other servers play: their numbers here, and of lines.

        A match that was written anew has another number.
        """
        lines = select(func.count()).where(LINES.c.journal_id == JOURNAL.c.id).scalar_subquery()
        query = select(JOURNAL.c.key, JOURNAL.c.id, lines.label("lines")).where(
            JOURNAL.c.kind.in_(kinds), JOURNAL.c.server_id != self._database.server.id
        )
        with self._database.read() as connection:
            found = connection.execute(query.order_by(JOURNAL.c.id))
            return {row.key: (row.id, int(row.lines)) for row in found}

    def heads_of_others(self, kind: JournalKind) -> list[JournalEntry]:
        """The matches of that kind on other servers that are there, without their lines."""
        own, there = self._database.server.id, select(schema.servers.c.id)
        theirs = JOURNAL.c.server_id.in_(there.where(schema.servers.c.id != own))
        query = select(JOURNAL).where(JOURNAL.c.kind == kind, theirs)
        with self._database.read() as connection:
            return _load(connection, query, None)

    def claim(self, keys: Collection[str]) -> set[str]:
        """Those of these matches that this server has, or has now, as no other one has them."""
        own = self._database.server.id
        theirs = JOURNAL.c.key.in_(keys)
        free = or_(is_left(JOURNAL.c.server_id), JOURNAL.c.server_id == own)
        claimed = update(JOURNAL).where(theirs, free).values(server_id=own)
        return self._database.write(
            lambda connection: set(
                connection.execute(claimed.returning(JOURNAL.c.key)).scalars().all()
            )
        )

    def server_of(self, key: str) -> int | None:
        """The server on which the match is played; None if it is not in the journal."""
        query = select(JOURNAL.c.server_id).where(JOURNAL.c.key == key)
        with self._database.read() as connection:
            found: int | None = connection.execute(query).scalar()
        return found

    def take_left(self, kind: JournalKind) -> list[JournalEntry]:
        """The matches of that kind that belong to no server that is there: now to this one."""
        own = self._database.server.id

        def work(connection: Connection) -> list[JournalEntry]:
            left = select(JOURNAL.c.id).where(JOURNAL.c.kind == kind, is_left(JOURNAL.c.server_id))
            taken = list(connection.execute(left.with_for_update(skip_locked=True)).scalars())
            mine = JOURNAL.c.id.in_(taken)
            connection.execute(update(JOURNAL).where(mine).values(server_id=own))
            return _load(connection, select(JOURNAL).where(mine))

        return self._database.write(work, Begin.QUICK)


def _load(connection: Connection, query: Select[Any], first: int | None = 0) -> list[JournalEntry]:
    """The matches of a query, with their lines from that number on; None: without lines."""
    return [
        JournalEntry(
            row.key,
            row.kind,
            row.game,
            row.head,
            row.created_ns,
            () if first is None else tuple(_lines(connection, row.id, first)),
        )
        for row in connection.execute(query.order_by(JOURNAL.c.id)).all()
    ]


def remove_entries(connection: Connection, keys: Collection[str]) -> None:
    """Remove matches from the journal in the transaction of this connection."""
    theirs = select(JOURNAL.c.id).where(JOURNAL.c.key.in_(keys))
    connection.execute(delete(LINES).where(LINES.c.journal_id.in_(theirs)))
    connection.execute(delete(JOURNAL).where(JOURNAL.c.key.in_(keys)))


def _write(connection: Connection, page: Page, server_id: int | None) -> None:
    known = select(JOURNAL.c.id).where(JOURNAL.c.key == page.key)
    entry_id = connection.execute(known).scalar()
    if entry_id is None:
        values = {
            "key": page.key,
            "kind": page.kind,
            "game": page.game,
            "head": page.head,
            "created_ns": page.created_ns,
            "server_id": server_id,
        }
        new = insert(JOURNAL).values(values).returning(JOURNAL.c.id)
        entry_id = connection.execute(new).scalar_one()
    elif not page.first:  # later pages only add lines
        mine = JOURNAL.c.id == entry_id
        connection.execute(update(JOURNAL).where(mine).values(head=page.head))
    there = _lines(connection, entry_id, page.first)
    if list(there) != list(page.lines[: len(there)]):
        raise DatastoreError(
            f"journal of match {page.key!r}: another line {page.first} is there already;"
            " expected lines that follow those before"
        )
    rows = [
        {"journal_id": entry_id, "number": page.first + place, "line": line}
        for place, line in enumerate(page.lines)
        if place >= len(there)  # a write may have succeeded that seemed to fail
    ]
    if rows:
        connection.execute(insert(LINES), rows)


def _lines(connection: Connection, entry_id: int, first: int = 0) -> Sequence[str]:
    mine = LINES.c.journal_id == entry_id, LINES.c.number >= first
    return (
        connection.execute(select(LINES.c.line).where(*mine).order_by(LINES.c.number))
        .scalars()
        .all()
    )
