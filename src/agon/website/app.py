"""The web application: routes, what every answer goes through, and pages for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from agon.website import (
    bot_pages,
    challenges,
    docs_page,
    errors,
    front,
    learn,
    live_pages,
    looks,
    rank,
    replay_pages,
    user_pages,
    watch,
)
from agon.website.accounts import account, answers, organise, routes
from agon.website.api import accounts as api_accounts
from agon.website.api import bots as api_bots
from agon.website.api import contests as api_contests
from agon.website.api import matches as api_matches
from agon.website.api import ranks as api_ranks
from agon.website.assets import ASSETS
from agon.website.body_limit import BodyLimitMiddleware
from agon.website.contests import organise as contests_organise
from agon.website.contests import pages as contests_pages
from agon.website.head import HeadMiddleware
from agon.website.lane import LaneMiddleware
from agon.website.lifespan import lifespan
from agon.website.play import api as api_play
from agon.website.play import pages as play_pages
from agon.website.play import pictures as play_pictures
from agon.website.security import CsrfMiddleware, ProtectionMiddleware
from agon.website.seeing import guard_match
from agon.website.shortcut import ShortcutMiddleware
from agon.website.workshop import checks, logs, tools
from agon.website.workshop import pages as uploads

if TYPE_CHECKING:
    from fastapi import APIRouter

    from agon.website.site import Site

ROUTERS: tuple[APIRouter, ...] = (
    front.router,
    watch.router,
    live_pages.router,
    replay_pages.router,
    looks.router,
    rank.router,
    bot_pages.router,
    user_pages.router,
    learn.router,
    docs_page.router,
    routes.router,
    account.router,
    organise.router,
    uploads.router,
    tools.router,
    checks.router,
    logs.router,
    challenges.router,
    contests_organise.router,  # before the pages: `new` is no contest's number
    contests_pages.router,
    play_pictures.router,
    play_pages.router,
    api_accounts.router,
    api_play.router,
    api_ranks.router,
    api_bots.router,
    api_matches.router,
    api_contests.router,
)
"""One for each part of the site; the first that has a route for an address answers."""

COMPRESSION = 5
"""Stronger takes several times as long for a few bytes."""

MIDDLEWARE = (
    Middleware(LaneMiddleware),
    Middleware(HeadMiddleware),
    Middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION),
    Middleware(ProtectionMiddleware),
    Middleware(CsrfMiddleware),
    Middleware(BodyLimitMiddleware),
    Middleware(ShortcutMiddleware),
)
"""What every request goes through, from the outside to the inside; no stream is held up by it."""


def create_app(site: Site) -> FastAPI:
    """The application for one site."""
    app = FastAPI(
        title=site.settings.title,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(guard_match)],
        middleware=list(MIDDLEWARE),
        exception_handlers=errors.HANDLERS | answers.HANDLERS,
    )
    app.state.site = site
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", ASSETS, "static")
    return app
