"""One HTTP request in ASGI: its body, its reply, and how it is held.

A request that is held costs a future, a timer, and after a moment a task that waits for the client
to disconnect; no thread, no polling.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agon.arbiter.limits import format_ns
from agon.games.http_exchange import CLOSE, HttpReply, HttpRequest, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import Receive, Scope, Send

    from agon.games.http_exchange import HttpHeader, Leave, Respond
    from agon.servers.mebipenny.settings import MebiPennySettings

UNWATCHED = 0.1
"""Seconds within which most requests are answered: a client is watched only after that."""


class HttpCall:
    """A request, as the ASGI server passes it on."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, settings: MebiPennySettings
    ) -> None:
        self.receive = receive
        self.send = send
        self.settings = settings

        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.method: str = scope["method"]
        self.query: str = scope["query_string"].decode("latin-1")
        self.root: str = scope.get("root_path", "")
        """Where the application is mounted."""
        path: str = scope["path"]
        self.path = path.removeprefix(self.root)

    def request(self, body: bytes) -> HttpRequest:
        return HttpRequest(self.method, self.path, self.headers, body, self.root, self.query)

    async def body(self) -> bytes:
        """All of the body; refuses one that is too large, before it comes if it says so."""
        length = self.headers.get(b"content-length", b"0")
        self._check(int(length) if length.isdigit() else 0)
        pieces = bytearray()
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":  # the reply is lost
                raise RefusedError(400, "the request broke off")
            pieces += message.get("body", b"")
            self._check(len(pieces))
            if not message.get("more_body"):
                return bytes(pieces)

    def _check(self, size: int) -> None:
        most = self.settings.body_bytes
        if size > most:
            raise RefusedError(
                413, f"the body is too large: expected at most {most} bytes", (CLOSE,)
            )

    async def hold(self, begin: Callable[[Respond], Leave]) -> HttpReply | None:
        """Hold the request until it is answered; None if the client disconnects before."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[HttpReply | None] = loop.create_future()

        def respond(reply: HttpReply | None) -> None:
            if not answered.done():
                answered.set_result(reply)

        leave = begin(respond)
        if answered.done():
            return answered.result()
        watching: list[asyncio.Task[None]] = []
        begin_to_watch = loop.call_later(
            UNWATCHED, lambda: watching.append(loop.create_task(self.gone(lambda: respond(None))))
        )
        try:
            return await self._in_time(answered)
        finally:
            leave()
            begin_to_watch.cancel()
            for watch in watching:
                watch.cancel()

    async def _in_time(self, answered: asyncio.Future[HttpReply | None]) -> HttpReply | None:
        held_ns = self.settings.held_ns
        if held_ns is None:
            return await answered
        try:
            return await asyncio.wait_for(answered, held_ns / 10**9)
        except TimeoutError:
            raise RefusedError(408, f"nothing happened within {format_ns(held_ns)}") from None

    async def gone(self, tell: Callable[[], None]) -> None:
        """Wait until the client disconnects, then tell."""
        while (await self.receive())["type"] != "http.disconnect":
            pass
        tell()

    async def answer(self, reply: HttpReply) -> None:
        await self.start(reply.status, reply.all_headers())
        body = b"" if self.method == "HEAD" else reply.body
        await self.send({"type": "http.response.body", "body": body})

    async def start(self, status: int, headers: Sequence[HttpHeader]) -> None:
        """Send the head of the response."""
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
