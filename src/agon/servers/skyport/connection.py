"""One TCP connection: bytes to lines and back, with bounds on everything that a client can do.

A client that sends without pause is heard a few lines at a time, so that the others have their
turn; one that does not read is dropped when too much waits for it. Neither holds anybody up.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from agon.match.transcript import Fault
from agon.servers.skyport.line_splitter import LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.skyport.client import Client
    from agon.servers.skyport.room import Room

LINES_AT_ONCE = 32
SECOND = 10**9


def after_reading(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call this when everything has been read that has arrived by now.

    An event loop looks at its sockets once in a round. What is put off twice comes after a whole
    round, whether the loop looks before it calls what is due or after that.
    """
    loop.call_soon(loop.call_soon, call)


class Connection(asyncio.Protocol):
    """A guest's way in and out: the event loop calls it, and it calls the room."""

    def __init__(
        self,
        room: Room,
        on_event: Callable[[Client], None],
        on_lost: Callable[[Connection], None],
    ) -> None:
        """`on_event` is told whenever the room has heard something of this guest."""
        self._room = room
        self._on_event = on_event
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._lines = LineSplitter(room.settings.line_bytes)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._guest: Client | None = None
        self._is_working = False
        """Whether lines are left for the next round of the loop."""
        self._has_ended = False
        """Whether the client will send nothing more."""
        self._is_finishing = False
        self._is_clogged = False

    # --- what the event loop calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has dialled in; its time for the handshake runs."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by name
        self._guest = self._room.arrive(self)
        if self._guest is not None:
            seconds = self._room.settings.handshake_ns / SECOND
            self._timer = self._loop.call_later(seconds, self._handshake_is_due)

    def data_received(self, data: bytes) -> None:
        """Bytes have come. When the connection is being closed, they are read and thrown away.

        If they were left unread, the system would throw away what is on its way to the client.
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
        """The client is gone altogether."""
        self._has_ended = self._is_finishing = True
        if self._timer is not None:
            self._timer.cancel()
        self._leave()
        self._on_lost(self)

    # --- what the room calls ---

    def send(self, data: bytes) -> None:
        """Send this; never waits."""
        transport = self._transport
        if transport is None or self._is_finishing or transport.is_closing():
            return
        transport.write(data)
        waiting = transport.get_write_buffer_size()
        if waiting > self._room.settings.backlog_bytes and not self._is_clogged:
            self._is_clogged = True
            self._loop.call_soon(self._unclog)  # not now: somebody is in the middle of something

    def finish(self) -> None:
        """Close the connection after all has been sent; a client that does not read is cut off."""
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
        else:  # it shall see the end, and close its own side first
            transport.write_eof()
            transport.resume_reading()

    def abort(self) -> None:
        """Close the connection whatever waits to be sent."""
        if self._transport is not None:
            self._transport.abort()

    # --- its own ---

    def _work(self) -> None:
        """Hear some lines; if more are there, let the others have their turn first."""
        guest, self._is_working = self._guest, False
        if guest is None or self._is_finishing:
            return
        for _ in range(LINES_AT_ONCE):
            line = self._lines.take()
            if line is None:
                break
            self._room.hear(guest, line)
        else:
            self._is_working = True
        if self._lines.is_too_long:
            longest = self._room.settings.line_bytes
            self._room.drop(guest, Fault.PROTOCOL, f"a line of more than {longest} bytes")
        self._pace()
        self._on_event(guest)

    def _pace(self) -> None:
        """Read on, or stop reading until the lines that are there have been heard."""
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
        if self._guest is not None:
            self._room.handshake_is_over(self._guest)

    def _unclog(self) -> None:
        """Much too much waits for this client."""
        self._leave(Fault.PROTOCOL, "it does not read what it is sent")
        self.abort()

    def _leave(self, fault: Fault = Fault.CRASH, detail: str = "it hung up") -> None:
        if self._guest is not None:
            self._room.leave(self._guest, fault, detail)
            self._on_event(self._guest)
