"""One HTTP request: its body, the answer that is sent, and how it is held.

A request that is held costs a future, a timer, and after a moment a task that waits for the client
to go away; no thread, no polling.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agon.arbiter.limits import format_ns
from agon.servers.mebipenny.reply import JSON_TYPE, HttpReply, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import Message, Receive, Scope, Send

    from agon.servers.mebipenny.reply import Header, Leave, Respond
    from agon.servers.mebipenny.settings import MebiPennySettings

CLOSE: Header = (b"connection", b"close")
UNWATCHED = 0.1
"""Most requests are answered within so many seconds: only after that a client is watched."""


class HttpCall:
    """A request that came in."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, settings: MebiPennySettings
    ) -> None:
        """As the server hands it over."""
        self.scope = scope
        self.receive = receive
        self.send = send
        self.settings = settings

    @property
    def game_id(self) -> str:
        """The id in the path."""
        return str(self.scope["path_params"]["game"])

    def header(self, name: bytes) -> bytes | None:
        """The header of that name, in lower case, if it is there."""
        for key, value in self.scope["headers"]:
            if key == name:
                return bytes(value)
        return None

    def path(self, ident: str) -> bytes:
        """The path of a game, from where this server is mounted."""
        return f"{self.scope.get('root_path', '')}/{ident}".encode()

    async def body(self) -> bytes:
        """All of the body; refuses one that is too large or takes too long."""
        message = await self._message()
        if not message.get("more_body"):
            body: bytes = message.get("body", b"")
            self._check(len(body))
            return body
        try:
            async with asyncio.timeout(self.settings.body_ns / 10**9):
                return await self._whole_body(message)
        except TimeoutError:
            told = format_ns(self.settings.body_ns)
            raise RefusedError(408, f"the body did not arrive within {told}", (CLOSE,)) from None

    async def _whole_body(self, message: Message) -> bytes:
        pieces = bytearray(message.get("body", b""))
        while message.get("more_body"):
            self._check(len(pieces))
            message = await self._message()
            pieces += message.get("body", b"")
        self._check(len(pieces))
        return bytes(pieces)

    async def _message(self) -> Message:
        message = await self.receive()
        if message["type"] == "http.disconnect":  # nobody is there to read this
            raise RefusedError(400, "the request broke off")
        return message

    def _check(self, size: int) -> None:
        most = self.settings.body_bytes
        if size > most:
            raise RefusedError(
                413, f"the body is too large: expected at most {most} bytes", (CLOSE,)
            )

    async def hold(self, begin: Callable[[Respond], Leave]) -> HttpReply | None:
        """Hold the request until it is answered; None if the client goes away before that."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[HttpReply | None] = loop.create_future()

        def reply(answer: HttpReply | None) -> None:
            if not answered.done():
                answered.set_result(answer)

        leave = begin(reply)
        if answered.done():
            return answered.result()
        watching: list[asyncio.Task[None]] = []
        begin_to_watch = loop.call_later(
            UNWATCHED, lambda: watching.append(loop.create_task(self.gone(lambda: reply(None))))
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
        """Wait until the client goes away, then tell."""
        while (await self.receive())["type"] != "http.disconnect":
            pass
        tell()

    async def answer(self, answer: HttpReply) -> None:
        """Send the whole response."""
        headers = [*answer.headers]
        if answer.body:
            headers += (JSON_TYPE, (b"content-length", str(len(answer.body)).encode()))
        await self.start(answer.status, headers)
        body = b"" if self.scope["method"] == "HEAD" else answer.body
        await self.send({"type": "http.response.body", "body": body})

    async def start(self, status: int, headers: Sequence[Header]) -> None:
        """Send the head of the response."""
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
