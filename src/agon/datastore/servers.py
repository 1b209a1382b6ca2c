"""Servers: the sites that work on this datastore at this moment, and what belongs to them.

A server says every few seconds that it is there. One that has not done so for LEASE_NS is gone, and
what it had begun is left to the others: bookings, checks, contests, and the matches in the journal.
Each of these has the id of its server; while that server is there, the others keep away from it.

    own = store.servers.join("agon-1", "http://agon-1:8000", "", now_ns)
    store.bookings.take(now_ns)        # from now on this server's
    store.servers.stay(now_ns)         # False: the others have taken it for gone

A store that has joined nothing works alone: what it begins belongs to no server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, or_, select, update

from agon.datastore import schema
from agon.datastore.database import Begin
from agon.datastore.tokens import new_secret

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Column, ColumnElement, Row

    from agon.datastore.database import Database

SERVERS = schema.servers
LEASE_NS = 30 * 10**9
"""How long a server is believed to be there. The clocks of their machines must agree to seconds."""


@dataclass(frozen=True, slots=True)
class Server:
    """A site that works on this datastore."""

    id: int
    name: str
    """For people."""
    address: str
    """Where the others reach its pages."""
    process: str
    """Which process it is, so that others on its machine can tell whether that has ended."""
    secret: str
    """By which it knows requests of the others."""
    joined_ns: int
    seen_ns: int


class Servers:
    """The servers of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def own_id(self) -> int | None:
        """This one's; None if it has not joined."""
        return self._database.server.id

    def join(self, name: str, address: str, process: str, now_ns: int) -> Server:
        """From now on what this store begins belongs to a new server."""
        values = {
            "name": name,
            "address": address,
            "process": process,
            "secret": new_secret(),
            "joined_ns": now_ns,
            "seen_ns": now_ns,
        }
        new = insert(SERVERS).values(values).returning(SERVERS)
        server = self._database.write(lambda connection: _server(connection.execute(new).one()))
        self._database.server.id = server.id
        return server

    def stay(self, now_ns: int) -> bool:
        """Say that this server is there; False if it was taken for gone."""
        mine = SERVERS.c.id == self._database.server.id
        seen = update(SERVERS).where(mine).values(seen_ns=now_ns)
        return bool(
            self._database.write(lambda connection: connection.execute(seen).rowcount, Begin.QUICK)
        )

    def leave(self) -> None:
        """This server ends."""
        if self.own_id is not None:
            self.remove([self.own_id])
            self._database.server.id = None

    def remove(self, ids: Collection[int]) -> None:
        """These servers are gone; what they had begun is left to the others."""
        gone = delete(SERVERS).where(SERVERS.c.id.in_(ids))
        self._database.write(lambda connection: connection.execute(gone))

    def all(self) -> list[Server]:
        """All that have joined and not left, the one that joined first first."""
        with self._database.read() as connection:
            found = connection.execute(select(SERVERS).order_by(SERVERS.c.id))
            return [_server(row) for row in found]


def is_left(server_id: Column[Any]) -> ColumnElement[bool]:
    """Whether what has this server's id in a column belongs to no server that is there."""
    return or_(server_id.is_(None), server_id.not_in(select(SERVERS.c.id)))


def _server(row: Row[Any]) -> Server:
    return Server(**row._mapping)
