"""The web application: routes, what every answer goes through, and pages for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Depends, FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from agon.website import front_page
from agon.website.account_pages import (
    account,
    audit_pages,
    login,
    machines,
    own_data,
    users,
    warnings,
)
from agon.website.api import accounts as api_accounts
from agon.website.api import bots as api_bots
from agon.website.api import contests as api_contests
from agon.website.api import matches as api_matches
from agon.website.api import ranks as api_ranks
from agon.website.bots import (
    bot_actions,
    bot_page,
    challenges,
    check_pages,
    upload_pages,
    user_page,
)
from agon.website.contests import organiser_pages as contests_organise
from agon.website.contests import pages as contests_pages
from agon.website.http import errors, redirects
from agon.website.http.body_limit import BodyLimitMiddleware
from agon.website.http.head_requests import HeadMiddleware
from agon.website.http.host_names import HostMiddleware
from agon.website.http.match_access import guard_match
from agon.website.http.same_origin import SameOriginMiddleware
from agon.website.http.security import ProtectionMiddleware
from agon.website.learn import api_page
from agon.website.learn import pages as learn_pages
from agon.website.lifespan import lifespan
from agon.website.live import pages as live_pages
from agon.website.monitoring import pages as monitoring_pages
from agon.website.play import api as api_play
from agon.website.play import pages as play_pages
from agon.website.play import pictures as play_pictures
from agon.website.ranking import pages as ranking_pages
from agon.website.render import theme
from agon.website.render.assets import ASSETS
from agon.website.replay import file_pages, log_pages, match_pages

if TYPE_CHECKING:
    from fastapi import APIRouter

    from agon.website.site import Site

ROUTERS: tuple[APIRouter, ...] = (
    front_page.router,
    match_pages.router,
    live_pages.router,
    file_pages.router,
    theme.router,
    ranking_pages.router,
    bot_page.router,
    user_page.router,
    learn_pages.router,
    api_page.router,
    login.router,
    account.router,
    own_data.router,
    users.router,
    audit_pages.router,
    warnings.router,
    machines.router,
    monitoring_pages.router,
    upload_pages.router,
    bot_actions.router,
    check_pages.router,
    log_pages.router,
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
    Middleware(HeadMiddleware),
    Middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION),
    Middleware(ProtectionMiddleware),
    Middleware(HostMiddleware),
    Middleware(SameOriginMiddleware),
    Middleware(BodyLimitMiddleware),
)
"""What every request goes through, from the outside to the inside; no stream is held up by it."""


def create_app(site: Site) -> FastAPI:
    app = FastAPI(
        title=site.settings.title,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(guard_match)],
        middleware=list(MIDDLEWARE),
        exception_handlers=errors.HANDLERS | redirects.HANDLERS,
    )
    app.state.site = site
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", ASSETS, "static")
    return app
