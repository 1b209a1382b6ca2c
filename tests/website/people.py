"""A site with cheap passwords and a clock of the test's own, and browsers of people on it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from httpx import ASGITransport, AsyncClient

from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from agon.website.accounts.passwords import Argon2, Cost, Passwords
from agon.website.accounts.policy import AccountPolicy
from agon.website.accounts.registrar import Registrar
from agon.website.app import create_app
from agon.website.page_cache import PageCache
from agon.website.site import Site, SiteSettings

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi import FastAPI
    from httpx import Response

    from agon.datastore import User

NOON = 1_760_000_000_000_000_000
SECOND = 10**9
CHEAP = Passwords(Argon2(Cost(1, 8, 1)))
PASSWORD = "correct horse"  # noqa: S105


@dataclass
class Clock:
    """A time of day that stands still until it is moved."""

    now_ns: int = NOON

    def __call__(self) -> int:
        return self.now_ns

    def pass_s(self, seconds: int) -> None:
        self.now_ns += seconds * SECOND


@dataclass
class World:
    """A site without a server, and who is on it."""

    site: Site
    app: FastAPI
    clock: Clock
    portal: BlockingPortal
    """To an event loop in a thread of its own: the test's may be taken by a real browser."""
    closing: ExitStack = field(default_factory=ExitStack)
    browsers: list[Browser] = field(default_factory=list)

    @property
    def store(self) -> Store:
        return self.site.store

    def add_user(self, name: str, *, organiser: bool = False) -> User:
        registrar = Registrar(self.store, self.site.guard.passwords)
        return registrar.register(name, PASSWORD, self.clock(), organiser=organiser)

    def browser(self, name: str | None = None, host: str = "192.0.2.1") -> Browser:
        """A new browser, logged in if a user's name is given."""
        browser = Browser(self, host)
        self.browsers.append(browser)
        if name is not None:
            assert browser.post("/login", name=name, password=PASSWORD).status_code == 303
        return browser

    def close(self) -> None:
        for browser in self.browsers:
            self.portal.call(browser.client.aclose)
        self.closing.close()
        self.store.close()


class Browser:
    """Keeps cookies; `send` sends a request as it is, `post` as a form on a page of the site."""

    def __init__(self, world: World, host: str) -> None:
        secure = world.site.settings.secure_cookies
        self.portal = world.portal
        origin = "https://agon.test" if secure else "http://agon.test"
        self.own = {"Origin": origin}
        """The header by which a browser says that a page of the site sends the request."""
        self.client = AsyncClient(
            transport=ASGITransport(world.app, raise_app_exceptions=False, client=(host, 50000)),
            base_url=origin,
        )

    def send(self, method: str, path: str, **settings: Any) -> Response:
        """Send a request as it is given."""
        return self.portal.call(partial(self.client.request, method, path, **settings))

    def get(self, path: str, **settings: Any) -> Response:
        return self.send("GET", path, **settings)

    def post(self, path: str, **fields: str) -> Response:
        """Send a form of ours."""
        return self.send("POST", path, data=fields, headers=self.own)

    def cookie(self, word: str) -> str | None:
        """The cookie with that word in its name."""
        return next((c.value for c in self.client.cookies.jar if word in c.name), None)


def make_world(
    place: Path | str, settings: SiteSettings | None = None, guard: AccountPolicy | None = None
) -> World:
    """A site on the store there; `close` it."""
    clock = Clock()
    site = Site(
        Store.open(place),
        LiveMatches(),
        clock,
        settings or SiteSettings(),
        guard or AccountPolicy(passwords=CHEAP),
        pages=PageCache(lambda: clock() / SECOND),
    )
    closing = ExitStack()
    portal = closing.enter_context(start_blocking_portal())
    return World(site, create_app(site), clock, portal, closing)
