"""Pages that are the same for everybody who is not logged in: made once for a while."""

from __future__ import annotations

import gzip
from http import HTTPStatus
from typing import TYPE_CHECKING

from agon.website.accounts import csrf
from agon.website.accounts.identity import current_user
from agon.website.shared_pages import SharedPage
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request
    from starlette.responses import Response

SECOND = 10**9
COMPRESSION = 6


def share(request: Request, seconds: float, make: Callable[[], Response]) -> Response:
    """The page at this address: one that was made within so many seconds, or a new one.

    Whoever is logged in gets their own, and so do all if it holds a form of one visitor.
    """
    if current_user(request) is not None:
        return make()
    site = get_site(request)
    now = site.now_ns()
    made: list[Response] = []

    def make_shared() -> SharedPage | None:
        made.append(make())
        if made[0].status_code != HTTPStatus.OK or csrf.has_form(request):
            return None
        body = bytes(made[0].body)
        return SharedPage(body, gzip.compress(body, COMPRESSION), now, int(seconds * SECOND))

    page = site.shelf.sharing.find((request.url.path, request.url.query), now, make_shared)
    if page is None:
        return made[0]
    return page.response(packed="gzip" in request.headers.get("accept-encoding", ""))
