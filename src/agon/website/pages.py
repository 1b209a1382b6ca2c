"""Pages from templates. Everything in them that comes from people or bots is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from agon.games.registry import all_games
from agon.website import words
from agon.website.accounts.csrf import FormToken
from agon.website.accounts.identity import current_user
from agon.website.assets import ASSETS
from agon.website.site import get_site

if TYPE_CHECKING:
    from fastapi import Request


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
    environment.globals.update(games=all_games(), static=ASSETS.address)
    environment.filters.update(
        seconds=words.seconds, date=words.date, ago=words.ago, number=words.number
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
            csrf=FormToken(request),
            settings=site.settings,
            now_ns=site.now_ns(),
            here=request.url.path,
            **context,
        )
    )
    return HTMLResponse(text, status)
