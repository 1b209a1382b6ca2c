"""A shortcut to pages that are kept for everybody: no thread, no route, no template.

Most of those who come look at the same few pages. What `share` has made for one of them is sent to
the others from the event loop itself; to users who were recognised a moment ago with their names.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request

from agon.website.accounts.identity import shows_token
from agon.website.accounts.sessions import read_session
from agon.website.cache.sharing import page_key, takes_gzip
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.website.cache.shared_pages import SharedPage


class ShortcutMiddleware:
    """Answers with a kept page, if there is one that is fresh and the same for whoever asks."""

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the page, or let the application make it."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        response = None if shows_token(request) else await find_kept(request)
        if response is None:
            await self.app(scope, receive, send)
        else:
            await response(scope, receive, send)


async def find_kept(request: Request) -> Response | None:
    """The kept page at this address for whoever asks, if they may be shown it."""
    site = get_site(request)
    replay_cache, now_ns = site.replay_cache, site.now_ns()
    secret = read_session(request, site)
    key = page_key(request)
    if secret is not None:
        request.state.times_forgotten = (
            replay_cache.acquaintances.times_forgotten
        )  # before any look-up
        own = replay_cache.acquaintances.find_page(secret, key, now_ns)
        if own is not None:
            return own.response(packed=takes_gzip(request))
    page = replay_cache.sharing.peek(key, now_ns) or await _wait_for(
        replay_cache.sharing.making.get(key)
    )
    if page is None:
        return None
    if secret is None:
        return page.response(packed=takes_gzip(request))
    user = replay_cache.acquaintances.find(secret, now_ns)
    if user is None or not page.is_for(user.user_id, organiser=user.organiser):
        return None
    return page.response(packed=takes_gzip(request), head=user.head)


async def _wait_for(making: asyncio.Task[SharedPage | None] | None) -> SharedPage | None:
    """The page that is being made; None if nothing came of it."""
    if making is None:
        return None
    await asyncio.wait((making,))
    is_page = not making.cancelled() and making.exception() is None
    return making.result() if is_page else None
