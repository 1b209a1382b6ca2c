"""Pages that are the same for everybody, or nearly: made once for a while.

They are made as for somebody who is not logged in; what their head says to a user is put in.
"""

from __future__ import annotations

from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from agon.website.accounts.identity import Visitor, current_user, identify, shows_token
from agon.website.accounts.sessions import read_session
from agon.website.cache.acquaintances import KEEP_NS, Acquaintance
from agon.website.cache.packing import make_piece
from agon.website.cache.shared_pages import Except, make_page
from agon.website.render.pages import render_who
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi import Request
    from starlette.responses import Response

    from agon.datastore.users import User
    from agon.website.cache.shared_pages import SharedPage

SECOND = 10**9


def nobody() -> Except:
    """The users to whom a page is another one than to everybody: there are none."""
    return Except()


def share(
    request: Request,
    seconds: float,
    make: Callable[[], Response],
    but: Callable[[], Except] | None = None,
) -> Response:
    """The page at this address: one that was made within so many seconds, or a new one.

    Users share it too, if `but` says which of them do not; else each gets their own. All get their
    own if the page holds a form of one visitor.
    """
    shared = Shared(request, seconds, make, but)
    user = current_user(request)
    if user is not None and shared.is_other_for(user):
        return shared.make_own()
    site = get_site(request)
    page = site.replay_cache.sharing.find(page_key(request), site.now_ns(), shared.make)
    return shared.answer(page, user)


async def share_soon(
    request: Request,
    seconds: float,
    make: Callable[[], Response],
    but: Callable[[], Except] | None = None,
) -> Response:
    """The same for pages to which many come at once: whoever waits takes no thread."""
    site = get_site(request)
    if read_session(request, site) is not None or shows_token(request):
        return await run_in_threadpool(share, request, seconds, make, but)
    shared = Shared(request, seconds, make, but)
    page = await site.replay_cache.sharing.find_soon(page_key(request), site.now_ns(), shared.make)
    if page is None:
        return await run_in_threadpool(make)
    return shared.answer(page, None)


def page_key(request: Request) -> tuple[str, str]:
    """What a page is kept by."""
    return request.scope["path"], request.scope["query_string"].decode("latin-1")


class Shared:
    """A page that is to be shared, as one request asks for it."""

    def __init__(
        self,
        request: Request,
        seconds: float,
        make: Callable[[], Response],
        but: Callable[[], Except] | None,
    ) -> None:
        """Nothing is made yet."""
        self._request = request
        self._keep_ns = int(seconds * SECOND)
        self._make = make
        self._but = but
        self._made: Response | None = None

    def make(self) -> SharedPage | None:
        """Make the page as for nobody; None if it is none to be shared."""
        made_ns = get_site(self._request).now_ns()
        with as_nobody(self._request):
            self._made = self._make()
        if self._made.status_code != HTTPStatus.OK:
            return None
        but = None if self._but is None else self._but()
        return make_page(bytes(self._made.body), made_ns, self._keep_ns, but)

    def is_other_for(self, user: User) -> bool:
        """Whether this user gets another page than everybody else."""
        if self._but is None:
            return True
        try:
            return (user.id, user.organiser) in self._but()
        except HTTPException:  # what is not there for everybody may be there for this user
            return True

    def make_own(self) -> Response:
        """The page for this user alone."""
        if self._but is None:
            return self._make()
        return keep_own(self._request, self._keep_ns, self._make)

    def answer(self, page: SharedPage | None, user: User | None) -> Response:
        """The page for whoever asks; one of their own if it turned out not to be shared."""
        packed = takes_gzip(self._request)
        if user is None:
            if page is not None:
                return page.response(packed=packed)
            return self._made or self._make()
        if page is None or not page.is_for(user.id, organiser=user.organiser):
            return self.make_own()
        return page.response(packed=packed, head=remember(self._request, user).head)


def keep_own(request: Request, keep_ns: int, make: Callable[[], Response]) -> Response:
    """A page of the user's own; who loads it again in the same session gets it once more."""
    made_ns = get_site(request).now_ns()
    made = make()
    known = known_session(request)
    if made.status_code != HTTPStatus.OK or known is None:
        return made
    secret, begun = known
    page = make_page(bytes(made.body), made_ns, min(keep_ns, KEEP_NS))
    get_site(request).replay_cache.acquaintances.add_page(secret, page_key(request), page, begun)
    return page.response(packed=takes_gzip(request))


def known_session(request: Request) -> tuple[str, int] | None:
    """The secret of the session by which the user was looked up, and since when that is true."""
    secret = read_session(request, get_site(request))
    begun: int | None = getattr(request.state, "times_forgotten", None)
    if secret is None or begun is None or identify(request).session is None:
        return None
    return secret, begun


@contextmanager
def as_nobody(request: Request) -> Iterator[None]:
    """Within this block the request is that of somebody who is not logged in."""
    known = identify(request)
    request.state.visitor = Visitor()
    try:
        yield
    finally:
        request.state.visitor = known


def takes_gzip(request: Request) -> bool:
    """Whether the browser can unpack."""
    return "gzip" in request.headers.get("accept-encoding", "")


def remember(request: Request, user: User) -> Acquaintance:
    """Take note of who was looked up for this request, if it was by a session."""
    site = get_site(request)
    head = make_piece(render_who(request, user).encode())
    one = Acquaintance(user.id, user.organiser, head, site.now_ns())
    known = known_session(request)
    if known is not None:
        site.replay_cache.acquaintances.add(known[0], one, known[1])
    return one
