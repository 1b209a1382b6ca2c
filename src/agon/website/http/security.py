"""What every answer goes through: headers that protect, and caches that forget what has changed.

The `Location` of a redirect becomes a path: frameworks write the Host header into it, which the
client has chosen.

Plain ASGI, so that streams flow through it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from agon.website.http.headers import raw_protection
from agon.website.http.host_names import is_known_host
from agon.website.http.match_access import shows_hidden
from agon.website.http.redirects import as_path
from agon.website.http.same_origin import SAFE
from agon.website.identity import shows_token
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from agon.website.site import Site

CONTESTS = ("/contests", "/api/v1/contests")
"""A change to a contest may change what is public."""


class ProtectionMiddleware:
    """Adds the headers that protect to the answers of the pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})  # shared with the request that the routes see
        request = Request(scope)
        site = get_site(request)
        is_change = scope["method"] not in SAFE

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                if is_change:  # before the client can know of the change
                    forget(site, scope["path"], message["status"])
                headers = add_headers(message, site)
                if "location" in headers:
                    headers["location"] = as_path(headers["location"])
                _keep_private(request, headers)
            await send(message)

        try:
            await self.app(scope, receive, send_protected)
        except Exception:
            if is_change:  # part of it may have been done
                forget(site, scope["path"], HTTPStatus.INTERNAL_SERVER_ERROR)
            raise


def protect(app: ASGIApp, pages: ASGIApp, site: Site) -> ASGIApp:
    """An application beside the pages, with their headers; the pages refuse unknown hosts."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message, site)
            await send(message)

        if is_known_host(scope, site.settings.host_names):
            await app(scope, receive, send_protected)
        else:
            await pages(scope, receive, send)

    return answer


def add_headers(message: Message, site: Site) -> MutableHeaders:
    """Add the headers that protect to the begin of an answer, unless it has its own."""
    headers = MutableHeaders(scope=message)
    there = {name for name, _ in headers.raw}
    protecting = raw_protection(secure=site.settings.secure_cookies)
    headers.raw.extend(one for one in protecting if one[0] not in there)
    return headers


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
