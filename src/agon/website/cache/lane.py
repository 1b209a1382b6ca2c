"""A lane of their own for spectators: many come at once, and all ask for the same few streams.

What everybody may watch needs no session, no form and no packing, so such a request goes past all
that others go through. Whatever is not that plain, an address without a match for instance, goes
the usual way and is answered there in words.

The boards of the front page had their stream at `/live` once. A script that asks there for
a stream, as browsers do for their scripts, still gets it; people get a page.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from agon.website.http.event_stream import HEADERS, MEDIA_TYPE, send_events, visitor_of
from agon.website.http.headers import raw_protection
from agon.website.live.streams import is_private

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.website.live.streams import Broadcast
    from agon.website.site import Site

LIVE = "/live"
SHOWCASE = "/live/events"
STREAM = MEDIA_TYPE.encode()
MATCH = re.compile(r"/live/([a-z]+-[0-9]{1,18})/events")
SEAT = re.compile(rb"(?:seat=([0-7]))?")


class LaneMiddleware:
    """Sends the streams of matches that everybody may watch."""

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a stream, or let the application answer."""
        if scope["type"] != "http" or not scope["path"].startswith(LIVE):
            await self.app(scope, receive, send)
            return
        if scope["path"] == LIVE and wants_stream(scope):
            scope = {**scope, "path": SHOWCASE, "raw_path": SHOWCASE.encode()}
        site: Site = scope["app"].state.site
        found = await find_broadcast(site, scope)
        visitor = "" if found is None else visitor_of(scope)
        if found is None or site.places.refuse(visitor):
            await self.app(scope, receive, send)
            return
        headers = stream_headers(secure=site.settings.secure_cookies)
        if scope["method"] == "HEAD":  # a stream has no end that could be waited for
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        with site.places.taken(visitor):
            await send_events(headers, found.listen(), receive, send)


def wants_stream(scope: Scope) -> bool:
    """Whether a script asks, and not a person for a page."""
    return any(name == b"accept" and STREAM in value for name, value in scope["headers"])


async def find_broadcast(site: Site, scope: Scope) -> Broadcast | None:
    """What is to be sent; None if the answer is not that plain."""
    query = SEAT.fullmatch(scope["query_string"])
    if query is None or scope["method"] not in ("GET", "HEAD"):
        return None
    if scope["path"] == SHOWCASE:
        return site.broadcasts.showcase()
    path = MATCH.fullmatch(scope["path"])
    match = site.stage.find(path[1]) if path else None
    if match is None or await is_private(match):
        return None
    seat = int(query[1]) if query[1] else None
    if seat is not None and seat >= match.position.seats:
        return None
    return site.broadcasts.of_match(match, seat, private=False)


@cache
def stream_headers(*, secure: bool) -> list[tuple[bytes, bytes]]:
    """What a stream says about itself."""
    own = HEADERS | {"Content-Type": f"{MEDIA_TYPE}; charset=utf-8"}
    plain = [(name.lower().encode(), value.encode()) for name, value in own.items()]
    return plain + list(raw_protection(secure=secure))
