"""Streams of an application without a server: who listens, and what they have heard."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    from starlette.types import ASGIApp, Message, Scope

PATIENCE_SECONDS = 20
"""Then a test has failed; it takes no such time."""


class Listener:
    """One connection, for a block; at its end the browser is gone."""

    def __init__(self, app: ASGIApp, path: str, host: str = "192.0.2.1", **headers: str) -> None:
        """Nothing is asked before the block."""
        where, _, query = path.partition("?")
        self._app = app
        self._scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": where,
            "raw_path": where.encode(),
            "query_string": query.encode(),
            "headers": [(b"host", b"agon.test")]
            + [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (host, 50000),
            "server": ("agon.test", 80),
            "scheme": "http",
            "root_path": "",
            "http_version": "1.1",
        }
        self._gone = asyncio.Event()
        self._heard: asyncio.Queue[Message] = asyncio.Queue()
        self._requested = False
        self.status = 0
        self.headers: dict[str, str] = {}

    async def __aenter__(self) -> Listener:
        """Ask, and wait until the answer begins."""
        self._task = asyncio.ensure_future(self._app(self._scope, self._receive, self._heard.put))
        start = await self._next()
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None
    ) -> None:
        """Go away, and wait until the application has noticed."""
        self._gone.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._task

    async def _receive(self) -> Message:
        if not self._requested:
            self._requested = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _next(self) -> Message:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._heard.get()

    async def hear(self) -> bytes:
        """The next piece of the answer."""
        body: bytes = (await self._next()).get("body", b"")
        return body

    async def hear_event(self) -> str:
        """The next event: its name."""
        while True:
            piece = await self.hear()
            if piece.startswith(b"event: "):
                return piece.partition(b"\n")[0].removeprefix(b"event: ").decode()

    async def hear_all(self) -> bytes:
        """The rest of an answer that ends."""
        pieces = []
        while True:
            message = await self._next()
            pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                return b"".join(pieces)
