"""The way in: which part of the house a request is for, and how everybody leaves at the end.

The games' own servers are reached past everything that pages go through: no packing, which would
hold their streams back, and no cookies. Streams of the pages have no end of their own; when the
house closes, the door ends them, so that nobody waits for them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.routing import Mount, Router

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAM = b"text/event-stream"


class Dispatch:
    """One application out of several: the pages, and what stands below paths of its own."""

    def __init__(self, pages: ASGIApp, houses: Mapping[str, ASGIApp]) -> None:
        """`houses` by the first part of their paths, such as `/mebipenny`."""
        self._pages = pages
        self._houses = Router([Mount(path, house) for path, house in houses.items()])
        self._paths = tuple(houses)
        self._streams: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let somebody in."""
        task: asyncio.Task[None] | None = asyncio.current_task()

        async def send_on(message: Message) -> None:
            if task is not None and is_stream(message):
                self._streams.add(task)
            await send(message)

        try:
            await self._part_for(scope["path"])(scope, receive, send_on)
        except asyncio.CancelledError:
            if not self._is_closed or task not in self._streams:
                raise
            task.uncancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            if task is not None:
                self._streams.discard(task)

    def _part_for(self, path: str) -> ASGIApp:
        """The pages find their own way: a router above them would be taken for theirs."""
        is_house = any(path == house or path.startswith(f"{house}/") for house in self._paths)
        return self._houses if is_house else self._pages

    def end_streams(self) -> None:
        """All streams end, as if there was nothing more to say."""
        self._is_closed = True
        for task in self._streams:
            task.cancel()


def is_stream(message: Message) -> bool:
    """Whether an answer begins that is a stream of events."""
    if message["type"] != "http.response.start":
        return False
    return any(
        name.lower() == b"content-type" and value.startswith(STREAM)
        for name, value in message.get("headers", ())
    )
