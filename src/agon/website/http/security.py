"""What every request and every answer goes through: no forged forms, headers that protect.

Plain ASGI, so that streams flow through it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from agon.website.accounts import csrf
from agon.website.accounts.identity import shows_token
from agon.website.accounts.sessions import read_session
from agon.website.http.errors import answer
from agon.website.http.headers import raw_protection
from agon.website.http.match_access import shows_hidden
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from agon.website.site import Site

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
API = "/api/"
OUTSIDE = ("/mebipenny",)
"""The games' own servers: programs talk to them, and they know no cookies."""
TURNS = ("/play", "/api/v1/play")
"""What people send when they play; it changes nobody's account."""
CONTESTS = ("/contests", "/api/v1/contests")
"""Whoever changes a contest may change what everybody sees."""
BEGINNING = 64 << 10
"""A form's token stands within so many bytes."""
LARGEST_FORM = 256 << 10
"""Of a form without files; uploads have limits of their own."""
OUT_OF_DATE = "This form is out of date. Go back, load the page again, and send it once more."
FOREIGN = "This form was sent from another site."
TOO_LARGE = f"Expected at most {LARGEST_FORM >> 10} KiB."


class ProtectionMiddleware:
    """Adds the headers that protect, and the cookie of a browser that was sent its first form."""

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, and add to the beginning of its answer."""
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
                if is_change:  # before anybody can know that something has changed
                    forget(site, scope["path"], message["status"])
                headers = MutableHeaders(scope=message)
                there = {name for name, _ in headers.raw}
                headers.raw.extend(one for one in protecting if one[0] not in there)
                _send_visit(request, site, headers)
                _keep_private(request, site, headers)
            await send(message)

        try:
            await self.app(scope, receive, send_protected)
        except Exception:
            if is_change:  # who knows how far it came
                forget(site, scope["path"], HTTPStatus.INTERNAL_SERVER_ERROR)
            raise


def forget(site: Site, path: str, status: int) -> None:
    """Drop what is kept and may not be true any more, after something was sent to that path.

    Pages are dropped only where something was changed: nobody can make the site work for nothing.
    """
    if not path.startswith(TURNS):
        site.replay_cache.acquaintances.forget()
    is_refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    if path.startswith(CONTESTS) and not is_refused:
        site.visibility.forget()
        site.replay_cache.sharing.forget()


def _send_visit(request: Request, site: Site, headers: MutableHeaders) -> None:
    """Send the secret of the page's forms, if the browser had none before."""
    secret = csrf.new_visit(request)
    if secret is None:
        return
    secure = site.settings.secure_cookies
    carrier = Response()
    carrier.set_cookie(
        csrf.visit_cookie(secure=secure),
        secret,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    headers.append("Set-Cookie", carrier.headers["Set-Cookie"])


def _keep_private(request: Request, site: Site, headers: MutableHeaders) -> None:
    """What was made for one person is not kept: pages never, other things unless they say so."""
    is_personal = (
        "set-cookie" in headers
        or csrf.has_form(request)
        or request.method not in SAFE
        or shows_token(request)
        or read_session(request, site) is not None
    )
    is_page = headers.get("content-type", "").startswith("text/html")
    if shows_hidden(request) or (is_personal and (is_page or "cache-control" not in headers)):
        headers["Cache-Control"] = "no-store"


class CsrfMiddleware:
    """Refuses whatever changes something and was not sent by a page of ours.

    Not asked for a form's token: programs that show an API token (their cookies do not count), and
    API calls of whoever has no session.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Around this application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with a refusal."""
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if not _may_be_forged(request):
            await self.app(scope, receive, send)
            return
        read: list[Message] = []
        refusal = _refuse_origin(request) or await _refuse_token(request, receive, read)
        if refusal is None:
            await self.app(scope, _replay(read, receive), send)
            return
        response = await run_in_threadpool(answer, request, *refusal)
        await response(scope, receive, send)


def _may_be_forged(request: Request) -> bool:
    """Whether a browser could have been tricked into this with its owner's rights."""
    path: str = request.scope["path"]  # not the URL's, in which the Host header has a part
    if any(path == one or path.startswith(f"{one}/") for one in OUTSIDE) or shows_token(request):
        return False
    return not path.startswith(API) or read_session(request, get_site(request)) is not None


def _refuse_origin(request: Request) -> tuple[int, str] | None:
    """The browser itself says from where a form comes; not every one does."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        is_own = site in ("same-origin", "none")
    else:
        is_own = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    return None if is_own else (HTTPStatus.FORBIDDEN, FOREIGN)


async def _refuse_token(
    request: Request, receive: Receive, read: list[Message]
) -> tuple[int, str] | None:
    """The form's token must belong to the browser; what was read for it goes to `read`."""
    given = request.headers.get(csrf.HEADER)
    if given is None:
        content_type = request.headers.get("content-type", "")
        is_plain = content_type.lower().startswith(csrf.URLENCODED)
        beginning = await _read(receive, read, LARGEST_FORM if is_plain else BEGINNING)
        if is_plain and len(beginning) > LARGEST_FORM:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE
        given = csrf.find_token(content_type, beginning)
    if csrf.is_form_token(given, csrf.read_secret(request, get_site(request))):
        return None
    return HTTPStatus.FORBIDDEN, OUT_OF_DATE


async def _read(receive: Receive, read: list[Message], enough: int) -> bytes:
    """The beginning of the body: all of it, or a little more than enough."""
    body = b""
    while len(body) <= enough:
        message = await receive()
        read.append(message)
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return body


def _replay(read: Sequence[Message], receive: Receive) -> Receive:
    """What was read already, once more, and then the rest."""
    waiting = list(read)

    async def receive_again() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return receive_again
