"""Carry a network bot's connections from its sandbox to the arena's listener.

    bot ── 127.0.0.1:4000 (sandbox) ── Relay (here) ── the arena's listener (host)

One thread for each bot. What one side sends faster than the other reads is kept up to a limit, and
then not read any more; a side that has sent its last byte is told on as just that.
"""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.sandbox.endpoint import Target

MOST_CONNECTIONS = 16
CHUNK = 64 * 1024
MOST_BUFFERED = 256 * 1024
CONNECT_SECONDS = 5.0


@dataclass(slots=True)
class Flow:
    """One direction of a connection: what was read from one socket and not yet written."""

    source: socket.socket
    sink: socket.socket
    waiting: bytearray = field(default_factory=bytearray)
    ended: bool = False
    done: bool = False

    def read(self) -> None:
        data = self.source.recv(CHUNK)
        self.waiting += data
        self.ended = not data

    def write(self) -> None:
        """Give what can be given; after the last byte, tell the other side that it was the last."""
        if self.waiting:
            del self.waiting[: self.sink.send(self.waiting[:CHUNK])]
        if self.ended and not self.waiting and not self.done:
            self.done = True
            self.sink.shutdown(socket.SHUT_WR)


@dataclass(slots=True, eq=False)
class Connection:
    """A bot's connection and ours to the arena, with the flows between them."""

    inside: socket.socket
    outside: socket.socket
    up: Flow = field(init=False)
    down: Flow = field(init=False)

    def __post_init__(self) -> None:
        self.up = Flow(self.inside, self.outside)
        self.down = Flow(self.outside, self.inside)

    def events(self, end: socket.socket) -> int:
        """What to wait for at one of the two ends."""
        reading, writing = (self.up, self.down) if end is self.inside else (self.down, self.up)
        wanted = 0
        if not reading.ended and len(reading.waiting) < MOST_BUFFERED:
            wanted |= selectors.EVENT_READ
        if writing.waiting or (writing.ended and not writing.done):
            wanted |= selectors.EVENT_WRITE
        return wanted

    def serve(self, end: socket.socket, mask: int) -> bool:
        """Move bytes at one end; False when the connection is over."""
        reading, writing = (self.up, self.down) if end is self.inside else (self.down, self.up)
        try:
            if mask & selectors.EVENT_READ:
                reading.read()
            if mask & selectors.EVENT_WRITE:
                writing.write()
            if reading.ended and not reading.waiting:
                reading.write()
        except BlockingIOError:
            return True
        except OSError:
            return False
        return not (self.up.done and self.down.done)


class Relay:
    """Serves a listener inside by connections to the arena, on a thread of its own."""

    def __init__(self, listener: socket.socket, target: Target) -> None:
        """Begin; the listener is closed with the relay."""
        self._listener = listener
        self._target = target
        self._selector = selectors.DefaultSelector()
        self._connections: set[Connection] = set()
        self._stop, self._stopper = socket.socketpair()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(self._stop, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all connections and the thread."""
        if self._thread.is_alive():
            self._stopper.send(b".")
            self._thread.join()
        self._stopper.close()

    def _run(self) -> None:
        running = True
        while running:
            for key, mask in self._selector.select():
                if key.fileobj is self._stop:
                    running = False
                elif key.fileobj is self._listener:
                    self._accept()
                else:
                    connection, end = key.data
                    self._serve(connection, end, mask)
        for connection in list(self._connections):
            self._end(connection)
        self._selector.close()
        self._listener.close()
        self._stop.close()

    def _accept(self) -> None:
        try:
            inside, _ = self._listener.accept()
        except OSError:
            return
        if len(self._connections) >= MOST_CONNECTIONS:
            inside.close()
            return
        try:
            outside = connect(self._target)
        except OSError:
            inside.close()
            return
        connection = Connection(inside, outside)
        self._connections.add(connection)
        for end in (inside, outside):
            end.setblocking(False)
            if end.family != socket.AF_UNIX:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._watch(end, connection)

    def _serve(self, connection: Connection, end: socket.socket, mask: int) -> None:
        if connection not in self._connections:
            return  # ended by an event of the same round
        if not connection.serve(end, mask):
            self._end(connection)
            return
        for one in (connection.inside, connection.outside):
            self._watch(one, connection)

    def _watch(self, end: socket.socket, connection: Connection) -> None:
        """Wait at this end for what the connection wants there, which may be nothing."""
        wanted = connection.events(end)
        watched = end in self._selector.get_map()
        if wanted and watched:
            self._selector.modify(end, wanted, (connection, end))
        elif wanted:
            self._selector.register(end, wanted, (connection, end))
        elif watched:
            self._selector.unregister(end)

    def _end(self, connection: Connection) -> None:
        self._connections.discard(connection)
        for end in (connection.inside, connection.outside):
            with suppress(KeyError, ValueError):
                self._selector.unregister(end)
            end.close()


def connect(target: Target) -> socket.socket:
    if isinstance(target, Path):
        made = socket.socket(socket.AF_UNIX)
        try:
            made.settimeout(CONNECT_SECONDS)
            made.connect(str(target))
        except OSError:
            made.close()
            raise
        return made
    return socket.create_connection(target, CONNECT_SECONDS)
