"""HTTP as uvicorn reads it, with bounds on what a client can make the server keep.

uvicorn reads heads of any length. And while a request is held it stops reading as soon as another
one stands behind it on the same connection, so that it does not see the client go away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

    from uvicorn.config import Config
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from uvicorn.server import ServerState

MOST_HEAD = 1 << 16
"""Bytes of a request besides its body; a head that comes in one piece may have a few more."""
MOST_BEHIND = 32
"""Requests that may wait behind one that is not answered yet."""
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)


class LimitedHttp(HttpToolsProtocol):
    """One connection of a client."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """As uvicorn makes it."""
        super().__init__(config, server_state, app_state, _loop)
        self._is_whole = True
        """Whether no request has come in part only."""
        self._head = 0
        """Bytes of that request that are not its body; trailers and the marks of chunks count."""
        self._unanswered: list[RequestResponseCycle] = []

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self._is_whole and not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(TOO_LONG)
            self.transport.close()

    def on_message_begin(self) -> None:
        self._is_whole = False
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        super().on_headers_complete()
        waiting = [cycle for cycle in self._unanswered if not cycle.response_complete]
        self._unanswered = [*waiting, self.cycle]
        self._read_on()

    def on_body(self, body: bytes) -> None:
        self._head -= len(body)
        super().on_body(body)
        self._read_on()

    def on_message_complete(self) -> None:
        self._is_whole = True
        super().on_message_complete()

    def _read_on(self) -> None:
        """Read requests that wait behind another, since only so it is seen that the client goes."""
        if not self.pipeline:
            return
        if len(self.pipeline) > MOST_BEHIND or len(self.cycle.body) > HIGH_WATER_LIMIT:
            self.transport.abort()
        else:
            self.flow.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone: every request that is not answered is told."""
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)
