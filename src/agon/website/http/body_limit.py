"""How much may be sent to the site: no more than a form or a call of the API needs.

Routes that take files read them piece by piece and have limits of their own.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
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
        if scope["type"] != "http" or WITH_FILES.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        if self._says_too_much(scope):
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            response = await run_in_threadpool(answer, Request(scope), status, TOO_LARGE)
            await response(scope, receive, send)
            return
        taken = 0

        async def receive_some() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
            return message

        await self.app(scope, receive_some, send)

    def _says_too_much(self, scope: Scope) -> bool:
        said = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        return said.isdigit() and (len(said) > LONGEST_NUMBER or int(said) > self._most)
