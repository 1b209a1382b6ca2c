"""HTTP as uvicorn reads it, with bounds on what a client can make the server keep.

uvicorn reads heads of any length and waits for the rest of a request without end. Here a head or a
body that does not arrive in time is answered with 408, a head that is too long with 431. A client
that is answered before its request has come as a whole may send on for a while, and what it sends
is dropped: if its connection were closed at once, it could lose the answer.

And while a request is held, uvicorn stops reading as soon as another one stands behind it on the
same connection, so that it does not see the client go away. Here it reads on.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from agon.arbiter.limits import format_ns
from agon.arena.rate_limit import address_key
from agon.games.http_exchange import CLOSE, HttpReply, RefusedError
from agon.servers.open_connections import ConnectionState

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from uvicorn.server import ServerState

    from agon.servers.deadlines import Deadline
    from agon.servers.open_connections import OpenConnections

MOST_HEAD = 1 << 16
"""Bytes of a request besides its body: its head, and the marks and trailers of a body in chunks."""
SLICE = 1 << 12
"""Bytes that are parsed at a time, so that it is known where in them a head begins."""
MOST_BEHIND = 32
"""Requests that may wait behind one that is not answered yet."""
ARRIVAL_NS = 10 * 10**9
"""How long a head may take to arrive, and a body that is small."""
LEAST_RATE = 1 << 14
"""Bytes a second: a body has a second more for each time that so many have come."""
MOST_DROPPED = 1 << 26
"""Bytes that a client may send after its answer: twice the largest upload."""
TOO_LONG = f"the head is too long: expected at most {MOST_HEAD} bytes"
TOO_LATE = f"the request did not arrive within {format_ns(ARRIVAL_NS)}"
TOO_MANY = "there are too many connections"


class LimitedConfig(uvicorn.Config):
    """A server whose connections are counted, together with those of others perhaps."""

    def __init__(self, app: Any, connections: OpenConnections, **settings: Any) -> None:
        super().__init__(app, http=LimitedHttp, **settings)
        self.connections = connections


class LimitedHttp(HttpToolsProtocol):
    """One connection of a client."""

    def __init__(
        self,
        config: LimitedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """As uvicorn makes it."""
        super().__init__(config, server_state, app_state, _loop)
        self._connections = config.connections
        self._gentle = GentleTransport(self)
        self._unanswered: list[RequestResponseCycle] = []
        self._is_whole = True
        """Whether no request has come in part only."""
        self._has_head = False
        """Whether the head of that request is there."""
        self._head = self._body = 0
        """Bytes of that request: all but its body, and its body."""
        self._slice = 0
        """Bytes that are being parsed, if a request may begin with the first of them."""
        self._since: int | None = None
        """When that request, or its body, began to arrive."""
        self._deadline: Deadline | None = None
        self._is_leaving = False
        """Whether the last answer is sent, and what still comes is dropped."""
        self._dropped = 0

    # --- What comes from the client ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        if self._connections.admit(self, address_key(self.client[0] if self.client else None)):
            self._look()
        else:
            transport.write(format_refusal(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MANY))
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        if self._is_leaving:
            self._drop(len(data))
            return
        begin = 0
        while begin < len(data) and not self._is_leaving and not self.transport.is_closing():
            room = SLICE if self._is_whole else min(SLICE, MOST_HEAD - self._head)
            if not room:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, TOO_LONG)
                return
            part = data[begin : begin + room]
            begin += len(part)
            self._slice = len(part)
            if not self._is_whole:
                self._head += len(part)
            super().data_received(part)
        self._look()

    def on_message_begin(self) -> None:
        self._is_whole = self._has_head = False
        self._head, self._body = self._slice, 0
        self._since = None
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        super().on_headers_complete()
        self._has_head = True
        self._head, self._since = 0, None
        self.cycle.transport = self._gentle
        waiting = [cycle for cycle in self._unanswered if not cycle.response_complete]
        self._unanswered = [*waiting, self.cycle]
        self._read_on()

    def on_body(self, body: bytes) -> None:
        self._head -= len(body)
        self._body += len(body)
        super().on_body(body)
        self._read_on()

    def on_message_complete(self) -> None:
        self._is_whole = True
        self._slice = 0
        super().on_message_complete()

    def _read_on(self) -> None:
        """Read requests that wait behind another, since only so it is seen that the client goes."""
        if not self.pipeline:
            return
        if len(self.pipeline) > MOST_BEHIND or len(self.cycle.body) > HIGH_WATER_LIMIT:
            self.transport.abort()
        else:
            self.flow.resume_reading()

    def on_response_complete(self) -> None:
        """A request is answered."""
        if not self._is_leaving:
            super().on_response_complete()
            self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone: every request that is not answered is told."""
        self._connections.forget(self)
        self._stop_clock()
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)

    # --- Requests that do not arrive ---

    @property
    def _arriving(self) -> RequestResponseCycle | None:
        """The request whose body is on its way."""
        return self.cycle if self._has_head and not self._is_whole else None

    def _state(self) -> ConnectionState:
        if self._is_leaving:
            return ConnectionState.UNFINISHED
        waiting = [cycle for cycle in self._unanswered if not cycle.response_complete]
        arriving = self._arriving
        if any(cycle is not arriving or cycle.response_started for cycle in waiting):
            return ConnectionState.BUSY
        is_idle = self._is_whole and self.cycle is not None
        return ConnectionState.IDLE if is_idle else ConnectionState.UNFINISHED

    def _look(self) -> None:
        """Have the clock run while a request is unfinished, and only then."""
        if self.transport.is_closing():
            return
        state = self._state()
        self._connections.set_state(self, state)
        if state is not ConnectionState.UNFINISHED:
            self._stop_clock()
        elif self._since is None:
            self._stop_clock()
            self._since = self._connections.clock()
            self._wait_until(self._since + ARRIVAL_NS)

    def _stop_clock(self) -> None:
        self._since = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_until(self, at_ns: int) -> None:
        self._deadline = self._connections.deadlines.set(at_ns, self._time_is_up)

    def _time_is_up(self) -> None:
        """Answer a request that has not arrived, unless its body comes fast enough."""
        arriving = self._arriving
        if self._since is None or self._state() is not ConnectionState.UNFINISHED:
            self._stop_clock()
        elif self.flow.read_paused:  # not the client's fault
            self._wait_until(self._connections.clock() + ARRIVAL_NS)
        elif self._is_leaving or self._is_whole or (arriving and arriving.response_complete):
            self.transport.abort()
        else:
            end = self._since + ARRIVAL_NS + self._body * 10**9 // LEAST_RATE
            if end > self._connections.clock():
                self._wait_until(end)
            else:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT, TOO_LATE)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        """Answer in place of the application, if that is still possible, and close."""
        arriving = self._arriving
        if self._state() is ConnectionState.BUSY or (arriving and arriving.response_complete):
            self.transport.abort()
            return
        self.transport.write(format_refusal(status, text))
        if arriving:
            arriving.disconnected = True
            arriving.message_event.set()
        self.leave()

    # --- The end of a connection ---

    def close_gently(self) -> None:
        """After an answer that says so; the client may still be sending what was answered."""
        if self._is_whole:
            self.transport.close()
        else:
            self.leave()

    def leave(self) -> None:
        """Say that nothing more is sent, and drop what comes until the client closes."""
        if self.transport.is_closing() or self._is_leaving:
            return
        self._is_leaving = True
        self._unset_keepalive_if_required()
        self.flow.resume_reading()  # until the client closes
        self.transport.write_eof()
        self._stop_clock()
        self._look()

    def _drop(self, size: int) -> None:
        self._dropped += size
        if self._dropped > MOST_DROPPED:
            self.transport.abort()

    def shutdown(self) -> None:
        """The server ends."""
        if self._is_leaving:
            self.transport.abort()
        else:
            super().shutdown()

    def drop(self) -> None:
        """Make room for another."""
        self.transport.abort()


class GentleTransport(asyncio.Transport):
    """What a response is written to: its end is not the end of a request that is still coming."""

    def __init__(self, http: LimitedHttp) -> None:
        super().__init__()
        self._http = http

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._http.transport.write(data)

    def is_closing(self) -> bool:
        return self._http.transport.is_closing()

    def close(self) -> None:
        self._http.close_gently()


def format_refusal(status: HTTPStatus, text: str) -> bytes:
    """An answer as it goes over the wire."""
    reply: HttpReply = RefusedError(status, text, (CLOSE,)).reply
    lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode())]
    lines += [b"%b: %b" % header for header in reply.all_headers()]
    return b"\r\n".join([*lines, b"", reply.body])
