"""Pages from templates. Everything in them that comes from people or bots is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from agon.games.registry import all_games
from agon.match.wording import tell_ending
from agon.website.accounts.identity import current_user
from agon.website.render import filters
from agon.website.render.assets import ASSETS
from agon.website.render.boards import draw_swatch
from agon.website.render.user_markdown import show_remark
from agon.website.site import get_site

if TYPE_CHECKING:
    from fastapi import Request

    from agon.datastore.users import User


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
        ending=tell_ending,
    )
    return environment


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """The page that a template makes of this, for whoever asks."""
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


def render_who(request: Request, user: User) -> str:
    """What the head of a page says to a user, between the marks of `base.html`."""
    who = templates().get_template("_who.html")
    settings = get_site(request).settings
    return who.render(user=user, settings=settings)
