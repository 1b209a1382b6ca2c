"""Which application answers a request, and how streams end when the server stops.

Requests for the games' own servers go past the middleware of the pages: no compression, which
would delay their streams, and no cookies. Streams of the pages have no end of their own: the
dispatch ends them when the server stops.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAM = b"text/event-stream"


class Dispatch:
    """One application out of several: the pages, and what stands below paths of its own."""

    def __init__(
        self, pages: ASGIApp, apps: Mapping[str, ASGIApp], answers: Counter[int] | None = None
    ) -> None:
        """`apps` by the first part of their paths, such as `/GAME`.

        In `answers` they are counted, by the first digit of the status.
        """
        self._pages = pages
        self._apps = apps
        self._answers = Counter() if answers is None else answers
        self._streams: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._answers[message["status"] // 100] += 1
                if task is not None and is_stream(message):
                    self._streams.add(task)
            await send(message)

        try:
            await self._answer(scope, receive, send_on)
        except asyncio.CancelledError:
            if not self._is_closed or task not in self._streams:
                raise
            task.uncancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            if task is not None:
                self._streams.discard(task)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        for root, app in self._apps.items():
            if path == root or path.startswith(f"{root}/"):
                mounted = {"root_path": root, "path": f"{root}/" if path == root else path}
                await app({**scope, **mounted}, receive, send)
                return
        await self._pages(scope, receive, send)

    def end_streams(self) -> None:
        """All streams end, as if there was nothing more to say."""
        self._is_closed = True
        for task in self._streams:
            task.cancel()


def is_stream(message: Message) -> bool:
    """Whether the answer that begins is a stream of events."""
    return any(
        name.lower() == b"content-type" and value.startswith(STREAM)
        for name, value in message.get("headers", ())
    )
