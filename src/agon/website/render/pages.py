"""Pages from templates. Everything in them that comes from people or bots is escaped."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from agon.games.registry import all_games
from agon.website.identity import Visitor, current_user, identify
from agon.website.render import filters
from agon.website.render.assets import ASSETS
from agon.website.render.boards import draw_swatch
from agon.website.render.user_markdown import show_remark
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi import Request
    from starlette.responses import Response

    from agon.datastore.users import User

WHO_BEGINS = b"<!-- who -->"
WHO_ENDS = b"<!-- /who -->"
"""Around what `base.html` says about who is logged in; escaped text cannot hold them."""
PUBLIC = {"Cache-Control": "private, no-cache", "Vary": "Cookie"}


@cache
def templates() -> Environment:
    """The templates of all pages; what a page forgets to give them is an error."""
    environment = Environment(
        loader=PackageLoader("agon.website"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(games=all_games(), static=ASSETS.address, swatch=draw_swatch)
    environment.filters.update(
        seconds=filters.seconds,
        date=filters.date,
        ago=filters.ago,
        number=filters.number,
        remark=show_remark,
        ending=filters.ending,
    )
    return environment


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """The page that a template makes of this, for the visitor who asks."""
    site = get_site(request)
    text = (
        templates()
        .get_template(template)
        .render(
            request=request,
            user=current_user(request),
            settings=site.settings,
            now_ns=site.now_ns(),
            here=request.url.path,
            **context,
        )
    )
    return HTMLResponse(text, status)


class NotKeptError(Exception):
    """A page that is not to be kept: its table is still being made, for instance."""

    def __init__(self, page: Response) -> None:
        super().__init__(f"status {page.status_code}")
        self.page = page


def public_page(request: Request, make: Callable[[], Response], *, own: bool = False) -> Response:
    """A public page, from the cache or made by `make`.

    For the cache it is made as for a visitor who is not logged in; a user gets it with their name
    in its head. `own`: this user sees more on it than others, and gets it made for them alone.
    """
    if own:
        return make()
    address = request.scope["path"], request.scope["query_string"]
    try:
        body = get_site(request).pages.find(address, lambda: _make_public(request, make))
    except NotKeptError as error:
        return error.page
    user = current_user(request)
    return HTMLResponse(body if user is None else _name_user(request, body, user), headers=PUBLIC)


def _make_public(request: Request, make: Callable[[], Response]) -> bytes:
    with as_anonymous(request):
        page = make()
    if page.status_code != HTTPStatus.OK:
        raise NotKeptError(page)
    return bytes(page.body)


@contextmanager
def as_anonymous(request: Request) -> Iterator[None]:
    """Within this block pages are made as for a visitor who is not logged in."""
    known = identify(request)
    request.state.visitor = Visitor()
    try:
        yield
    finally:
        request.state.visitor = known


def _name_user(request: Request, body: bytes, user: User) -> bytes:
    """The page with the user's name between the marks."""
    before, begins, rest = body.partition(WHO_BEGINS)
    _, ends, after = rest.partition(WHO_ENDS)
    settings = get_site(request).settings
    who = templates().get_template("_who.html").render(user=user, settings=settings)
    return b"".join((before, begins, who.encode(), ends, after))
