"""One TCP connection: bytes to lines and back, with bounds on everything that a client can do.

A client that sends without pause is read a few lines at a time, so that others are served between
them; one that does not read is dropped when too much waits for it. Neither delays other clients.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from agon.match.result import Failure
from agon.match.transcript import Fault
from agon.servers.skyport.line_splitter import LineSplitter
from agon.servers.skyport.playing import DISCONNECTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.skyport.client import SkyportClient
    from agon.servers.skyport.room import Room

LINES_AT_ONCE = 32
SECOND = 10**9
NOT_READING = Failure(Fault.PROTOCOL, "it does not read what it is sent")


def after_reading(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call this when everything has been read that has arrived by now.

    An event loop polls its sockets once in an iteration. A call that is deferred twice comes after
    a whole iteration, whether the loop polls before its callbacks or after them.
    """
    loop.call_soon(loop.call_soon, call)


class SkyportConnection(asyncio.Protocol):
    """A client's connection: the event loop calls it, and it calls the room."""

    def __init__(self, room: Room, on_lost: Callable[[SkyportConnection], None]) -> None:
        """`on_lost` is called when the connection is closed."""
        self._room = room
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._lines = LineSplitter(room.settings.line_bytes)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._client: SkyportClient | None = None
        self._is_working = False
        """Whether lines are left for the next iteration of the loop."""
        self._has_ended = False
        """Whether the client will send nothing more."""
        self._is_finishing = False
        self._is_clogged = False

    # --- what the event loop calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected; its time for the handshake runs."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's do not derive from it
        self._client = self._room.arrive(self)
        if self._client is not None:
            seconds = self._room.settings.handshake_ns / SECOND
            self._timer = self._loop.call_later(seconds, self._handshake_is_due)

    def data_received(self, data: bytes) -> None:
        """Bytes have come. When the connection is being closed, they are read and discarded.

        If they were left unread, the system would discard what is on its way to the client.
        """
        if not self._is_finishing:
            self._lines.feed(data)
            if not self._is_working:
                self._work()

    def eof_received(self) -> bool:
        """The client sends nothing more; what it sent before counts, and it may go on reading."""
        self._has_ended = True
        if self._is_finishing:
            return False
        if not self._is_working:
            self._leave()
        return True

    def connection_lost(self, reason: Exception | None) -> None:
        self._has_ended = self._is_finishing = True
        if self._timer is not None:
            self._timer.cancel()
        self._leave()
        self._on_lost(self)

    # --- what the room calls ---

    def send(self, data: bytes) -> None:
        transport = self._transport
        if transport is None or self._is_finishing or transport.is_closing():
            return
        transport.write(data)
        waiting = transport.get_write_buffer_size()
        if waiting > self._room.settings.backlog_bytes and not self._is_clogged:
            self._is_clogged = True
            self._loop.call_soon(self._unclog)  # not now: the caller is in the middle of a change

    def finish(self) -> None:
        """Close the connection after all has been sent, or after a time limit."""
        transport = self._transport
        if self._is_finishing or transport is None:
            return
        self._is_finishing = True
        if self._timer is not None:
            self._timer.cancel()
        if transport.is_closing():
            return
        seconds = self._room.settings.farewell_ns / SECOND
        self._timer = self._loop.call_later(seconds, transport.abort)
        if self._has_ended:
            transport.close()
        else:  # the client sees the end, and closes its own side first
            transport.write_eof()
            transport.resume_reading()

    def abort(self) -> None:
        """Close the connection at once; what waits to be sent is lost."""
        if self._transport is not None:
            self._transport.abort()

    # --- inside ---

    def _work(self) -> None:
        """Take some lines; if more are there, other connections are served first."""
        client, self._is_working = self._client, False
        if client is None or self._is_finishing:
            return
        for _ in range(LINES_AT_ONCE):
            line = self._lines.take()
            if line is None:
                break
            self._room.hear(client, line)
        else:
            self._is_working = True
        if self._lines.is_too_long:
            longest = self._room.settings.line_bytes
            failure = Failure(Fault.PROTOCOL, f"a line of more than {longest} bytes")
            self._room.drop(client, failure)
        self._pace()

    def _pace(self) -> None:
        """Read on, or stop reading until the lines that are there have been taken."""
        transport = self._transport
        if transport is None or transport.is_closing() or self._is_finishing:
            return
        if self._is_working:
            transport.pause_reading()
            self._loop.call_soon(self._work)
        elif self._has_ended:
            self._leave()
        else:
            transport.resume_reading()

    def _handshake_is_due(self) -> None:
        after_reading(self._loop, self._handshake_is_over)

    def _handshake_is_over(self) -> None:
        if self._client is not None:
            self._room.handshake_is_over(self._client)

    def _unclog(self) -> None:
        """Too much waits for this client: it is out."""
        self._leave(NOT_READING)
        self.abort()

    def _leave(self, failure: Failure = DISCONNECTED) -> None:
        if self._client is not None:
            self._room.leave(self._client, failure)
