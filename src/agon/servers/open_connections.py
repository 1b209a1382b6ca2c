"""How many connections of HTTP clients are open, and which one is closed if there are too many.

At each moment a connection is one of these:

    unfinished   a request has come in part, or none has come yet
    idle         its requests are answered; it may bring another
    busy         a whole request waits for its answer, perhaps for minutes, or is being answered

Busy connections stay. If there are too many, the oldest unfinished one is closed, of the address
that has most of them, else the oldest idle one. So clients that send half a request and wait, on
purpose or not, keep no other client out.
"""

from __future__ import annotations

import time
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from agon.servers.deadlines import LoopDeadlines
from agon.servers.process import file_limit, spare_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.deadlines import Deadlines

MOST_OF_ADDRESS = 64
"""Unfinished connections of one address, but for those that have only just come."""
JUST_NS = 10**9
LEAST_CONNECTIONS = 16


class ConnectionState(Enum):
    """What a connection is waiting for."""

    UNFINISHED = auto()
    IDLE = auto()
    BUSY = auto()


class DroppableConnection(Protocol):
    """An open connection."""

    def drop(self) -> None:
        """Close it at once."""


class OpenConnections:
    """All connections of the servers that share it."""

    def __init__(self, most: int, clock: Callable[[], int], deadlines: Deadlines) -> None:
        """So many at a time; `clock` counts nanoseconds."""
        self.clock = clock
        self.deadlines = deadlines
        self._most = most
        self._addresses: dict[DroppableConnection, str] = {}
        self._unfinished: dict[str, dict[DroppableConnection, int]] = {}
        """By address, the oldest first, with the time since when they are."""
        self._idle: dict[DroppableConnection, None] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def admit(self, connection: DroppableConnection, address: str) -> bool:
        """Take a new connection, which is unfinished; False: all others are busy."""
        if len(self) >= self._most and not self._make_room():
            return False
        self._addresses[connection] = address
        self.set_state(connection, ConnectionState.UNFINISHED)
        return True

    def set_state(self, connection: DroppableConnection, state: ConnectionState) -> None:
        """Has no effect on a connection that is not open any more."""
        address = self._addresses.get(connection)
        if address is None:
            return
        if state is ConnectionState.UNFINISHED:
            self._idle.pop(connection, None)
            self._add_unfinished(connection, address)
            return
        self._end_unfinished(connection, address)
        if state is ConnectionState.IDLE:
            self._idle.setdefault(connection)
        else:
            self._idle.pop(connection, None)

    def _add_unfinished(self, connection: DroppableConnection, address: str) -> None:
        group = self._unfinished.setdefault(address, {})
        if connection in group:
            return
        now_ns = group[connection] = self.clock()
        oldest, since_ns = next(iter(group.items()))
        if len(group) > MOST_OF_ADDRESS and now_ns - since_ns >= JUST_NS:
            self._drop(oldest)

    def _end_unfinished(self, connection: DroppableConnection, address: str) -> None:
        group = self._unfinished.get(address, {})
        if group.pop(connection, None) is not None and not group:
            del self._unfinished[address]

    def _make_room(self) -> bool:
        if self._unfinished:
            group = max(self._unfinished.values(), key=_size_and_age)
            self._drop(next(iter(group)))
        elif self._idle:
            self._drop(next(iter(self._idle)))
        return len(self) < self._most

    def _drop(self, connection: DroppableConnection) -> None:
        self.forget(connection)
        connection.drop()

    def forget(self, connection: DroppableConnection) -> None:
        """It is closed."""
        address = self._addresses.pop(connection, None)
        if address is not None:
            self._end_unfinished(connection, address)
            self._idle.pop(connection, None)


def _size_and_age(group: dict[DroppableConnection, int]) -> tuple[int, int]:
    return len(group), -next(iter(group.values()))


def count_connections() -> OpenConnections:
    """For a server that runs: as many as this process may have, by the real clock."""
    most = max(LEAST_CONNECTIONS, file_limit() - spare_files())
    return OpenConnections(most, time.monotonic_ns, LoopDeadlines(time.monotonic_ns))
