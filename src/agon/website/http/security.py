"""What every answer goes through: headers that protect, and caches that forget what has changed.

Plain ASGI, so that streams flow through it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from agon.website.http.headers import raw_protection
from agon.website.http.match_access import shows_hidden
from agon.website.http.same_origin import SAFE
from agon.website.identity import shows_token
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from agon.website.site import Site

CONTESTS = ("/contests", "/api/v1/contests")
"""A change to a contest may change what is public."""


class ProtectionMiddleware:
    """Adds the headers that protect."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})  # shared with the request that the routes see
        request = Request(scope)
        site = get_site(request)
        protecting = raw_protection(secure=site.settings.secure_cookies)
        is_change = scope["method"] not in SAFE

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                if is_change:  # before the client can know of the change
                    forget(site, scope["path"], message["status"])
                headers = MutableHeaders(scope=message)
                there = {name for name, _ in headers.raw}
                headers.raw.extend(one for one in protecting if one[0] not in there)
                _keep_private(request, headers)
            await send(message)

        try:
            await self.app(scope, receive, send_protected)
        except Exception:
            if is_change:  # part of it may have been done
                forget(site, scope["path"], HTTPStatus.INTERNAL_SERVER_ERROR)
            raise


def forget(site: Site, path: str, status: int) -> None:
    """Drop what is kept and may not be true any more, after something was sent to that path.

    Pages are dropped only where something was changed, so a refused request costs nothing.
    """
    is_refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    if path.startswith(CONTESTS) and not is_refused:
        site.visibility.forget()
        site.pages.forget()


def _keep_private(request: Request, headers: MutableHeaders) -> None:
    """What was made for one person is not kept: pages never, other things unless they say so."""
    is_personal = (
        "set-cookie" in headers
        or request.method not in SAFE
        or shows_token(request)
        or "cookie" in request.headers
    )
    is_page = headers.get("content-type", "").startswith("text/html")
    if shows_hidden(request) or (is_personal and (is_page or "cache-control" not in headers)):
        headers["Cache-Control"] = "no-store"
