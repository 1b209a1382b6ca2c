"""A shortcut to pages that are kept for everybody: no thread, no route, no template.

Most of those who come are not logged in and look at the same few pages. What `share` has made for
one of them is sent to the others from the event loop itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request

from agon.website.accounts.identity import shows_token
from agon.website.accounts.sessions import read_session
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class ShortcutMiddleware:
    """Answers with a kept page, if there is one that is fresh and whoever asks may be anybody."""

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the page, or let the application make it."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        site = get_site(request)
        key = (scope["path"], scope["query_string"].decode("latin-1"))
        page = site.shelf.sharing.peek(key, site.now_ns())
        if page is None or shows_token(request) or read_session(request, site) is not None:
            await self.app(scope, receive, send)
            return
        packed = "gzip" in request.headers.get("accept-encoding", "")
        await page.response(packed=packed)(scope, receive, send)
