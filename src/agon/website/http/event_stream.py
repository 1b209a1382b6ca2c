"""Server-sent events as an answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from agon.arena.rate_limit import address_key
from agon.website.http.errors import answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

    from agon.website.site import Site

HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # proxies that wait for the end would wait for ever
}
MEDIA_TYPE = "text/event-stream"
RETRY = b"retry: 2000\n\n"
MOST_ADDRESSES = 4096
RETRY_AFTER = {"Retry-After": "10"}


class EventStream(Response):
    """Events until there are no more, or until the browser is gone."""

    media_type = MEDIA_TYPE

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        """Nothing is asked of the events before the answer begins."""
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        site: Site = scope["app"].state.site
        visitor = visitor_of(scope)
        refusal = site.places.refuse(visitor)
        if refusal:
            await (await run_in_threadpool(_refuse, scope, refusal))(scope, receive, send)
            return
        with site.places.taken(visitor):
            await send_events(self.raw_headers, self._events, receive, send)


async def send_events(
    headers: list[tuple[bytes, bytes]], events: AsyncIterator[bytes], receive: Receive, send: Send
) -> None:
    """Answer with these events until the client disconnects."""
    status = HTTPStatus.OK.value
    await send({"type": "http.response.start", "status": status, "headers": headers})
    sending = asyncio.current_task()
    is_gone = False

    async def watch() -> None:
        nonlocal is_gone
        with suppress(HTTPException):  # a body that is too large: treated as a disconnect
            while (await receive())["type"] != "http.disconnect":
                pass
        is_gone = True
        if sending is not None:
            sending.cancel()

    watching = asyncio.create_task(watch())
    try:
        await send({"type": "http.response.body", "body": RETRY, "more_body": True})
        async for event in events:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except asyncio.CancelledError:
        if not is_gone:
            raise
        if sending is not None:
            sending.uncancel()
    finally:
        watching.cancel()
        await _close(events)


async def _close(events: AsyncIterator[bytes]) -> None:
    close = getattr(events, "aclose", None)
    if close is not None:
        await close()


def visitor_of(scope: Scope) -> str:
    """The address that a stream is for, as limits know it."""
    client = scope.get("client")
    return known_address_key(client[0] if client else None)


@lru_cache(MOST_ADDRESSES)
def known_address_key(host: str | None) -> str:
    """The key of an address; many streams go to few of them."""
    return address_key(host)


def _refuse(scope: Scope, why: str) -> Response:
    return answer(Request(scope), HTTPStatus.TOO_MANY_REQUESTS, why, RETRY_AFTER)
