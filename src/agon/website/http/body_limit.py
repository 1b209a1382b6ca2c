"""How much may be sent to the site: no more than a form or a call of the API needs.

Routes that take files read them piece by piece and have limits of their own. A body that says it is
too large is refused before it comes.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request

from agon.website.http.errors import answer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 256 << 10
TOO_LARGE = f"The body is too large: expected at most {MOST_BYTES >> 10} KiB."
WITH_FILES = re.compile(r"/upload|/bots/[^/]+/upload|/replay(/frames\.json)?|/api/v1/bots")
"""Where files are sent to."""
LONGEST_NUMBER = 20


class BodyLimitMiddleware:
    """Refuses a body that says it is too large; stops one that becomes so."""

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES) -> None:
        self.app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_on(message: Message) -> None:
            if message.get("status") == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                MutableHeaders(scope=message)["Connection"] = "close"  # the rest is not read
            await send(message)

        if WITH_FILES.fullmatch(scope["path"]):
            await self.app(scope, receive, send_on)
            return
        if said_length(scope) > self._most:
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            response = await run_in_threadpool(answer, Request(scope), status, TOO_LARGE)
            await response(scope, receive, send_on)
            return
        taken = 0

        async def receive_some() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
            return message

        await self.app(scope, receive_some, send_on)


def said_length(scope: Scope) -> int:
    """How many bytes of a body are going to come, as the request says; 0: it does not say."""
    said = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(said[:LONGEST_NUMBER]) if said.isdigit() else 0
