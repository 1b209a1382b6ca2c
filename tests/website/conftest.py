"""What the tests of the website share: a site with matches in it, a server, a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect, sync_playwright

from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from agon.games.registry import find_game
from agon.website.accounts.policy import AccountPolicy
from agon.website.site import Site
from tests.website.arena import NOON, fill, serving
from tests.website.people import CHEAP
from tests.website.viewing import Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from agon.arena.live_matches import LiveMatch

CHROMIUM = "/usr/bin/chromium"
expect.set_options(timeout=30_000)  # a busy machine is no failure


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose store has real matches of all games; no match is under way."""
    with Store.open(tmp_path_factory.mktemp("arena") / "agon.db") as store:
        fill(store)
        yield Site(store, LiveMatches(), lambda: NOON, guard=AccountPolicy(CHEAP))


@pytest.fixture(scope="session")
def server(site: Site) -> Iterator[str]:
    """The address at which the site is served."""
    with serving(site) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window.

    While it is there, this thread has an event loop that runs, so others would not find it free.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def viewer(browser: Browser, server: str) -> Iterator[Viewer]:
    """A visitor with a usual screen, who wants no motion: tests need not wait for it."""
    viewer = Viewer(
        browser, server, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    )
    yield viewer
    viewer.close()


@pytest.fixture
def phone(browser: Browser, server: str) -> Iterator[Viewer]:
    """A visitor with a small phone in the dark."""
    settings: dict[str, Any] = {
        "viewport": {"width": 360, "height": 740},
        "color_scheme": "dark",
        "reduced_motion": "reduce",
        "has_touch": True,
    }
    viewer = Viewer(browser, server, **settings)
    yield viewer
    viewer.close()


@pytest.fixture
def live(site: Site) -> Iterator[LiveMatch]:
    """A match of MebiPenny that has just begun."""
    game = find_game("mebipenny")
    match = site.live_matches.begin(game, ["ada", "<b>bob</b>"], game.start(seed=3), NOON)
    yield match
    match.end(None)
