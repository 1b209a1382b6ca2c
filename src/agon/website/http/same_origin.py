"""No other site can make a visitor's browser change something here.

Browsers say where a request comes from, in `Origin` and `Sec-Fetch-Site`, and pages cannot forge
these headers. A request that changes something must name this site in at least one of them and no
other site in either. `SameSite` cookies are the second line of defence.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from agon.website.http.errors import answer
from agon.website.identity import shows_token
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing."""
API = "/api/"
OWN_SITES = ("same-origin", "none")
"""Values of `Sec-Fetch-Site`; `none`: the user did it, not a page."""
FOREIGN = (
    "This request did not come from a page of this site, so nothing was changed. Open the page"
    " here and send the form again. Programs send a token: Authorization: Bearer agon_…"
)


class SameOriginMiddleware:
    """Refuses requests that change something and come from another site, with status 403.

    Not checked: requests with an API token, whose cookies do not count and which no page of
    another site can send, and API calls without any cookie.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope) if scope["type"] == "http" else None
        if request is None or not needs_origin(request) or is_same_origin(request):
            await self.app(scope, receive, send)
            return
        response = await run_in_threadpool(answer, request, HTTPStatus.FORBIDDEN, FOREIGN)
        await response(scope, receive, send)


def needs_origin(request: Request) -> bool:
    """Whether the request could use a visitor's rights without the visitor knowing."""
    if request.method in SAFE or shows_token(request):
        return False
    # The path of the scope: in the URL's the Host header has a part.
    return not request.scope["path"].startswith(API) or "cookie" in request.headers


def is_same_origin(request: Request) -> bool:
    """Whether the browser says that a page of this site sent the request."""
    sec_fetch_site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if sec_fetch_site is not None and sec_fetch_site not in OWN_SITES:
        return False
    if origin is not None:
        return origin in own_origins(request)
    return sec_fetch_site is not None


def own_origins(request: Request) -> tuple[str, ...]:
    """The origins of this site; behind a proxy the scheme of the request is not the browser's."""
    host = request.headers.get("host", "")
    if get_site(request).settings.secure_cookies:
        return (f"https://{host}",)
    return (f"http://{host}", f"https://{host}")
