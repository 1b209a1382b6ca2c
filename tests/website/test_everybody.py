"""All pages are for everybody: on a phone, in the dark, with a screen reader.

Axe takes its time. Each part of the site has tests of its own for its pages; this walk through all
of them, in both schemes, is one of the long proofs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.website.viewing import Viewer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE: Any = {"width": 360, "height": 740}
PASSWORD = "a long evening"  # noqa: S105
FOR_ALL = (
    "/",
    "/matches",
    "/matches/1",
    "/games/hive",
    "/games/skyport",
    "/bots/1",
    "/bots/1/versions/1",
    "/learn",
    "/learn/hive",
    "/learn/atlantis/protocol",
    "/learn/skyport/starters",
    "/learn/guides/sandbox",
    "/docs",
    "/replay",
    "/play",
    "/contests",
    "/login",
    "/register",
    "/nowhere",
)
SHORTEN = "document.querySelectorAll('.prose > :nth-child(n+40)').forEach(one => one.remove())"
"""Long texts are alike all the way, and axe looks at every word."""
FOR_USERS = ("/account", "/upload", "/challenge?game=battlebots", "/play", "/users/eve")


def check_page(page: Page, path: str) -> list[str]:
    """What is wrong with a page on a phone, in the light and in the dark."""
    page.goto(path)
    page.evaluate(SHORTEN)
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    problems = [f"{path} is {wide} pixels too wide"] if wide > 0 else []
    problems += [f"{path}: {one}" for one in violations(page)]
    page.emulate_media(color_scheme="dark")
    only_colours = {"runOnly": ["color-contrast"]}
    problems += [f"{path}, dark: {one}" for one in violations(page, only_colours)]
    page.emulate_media(color_scheme="light")
    return problems


def violations(page: Page, options: Any = None) -> list[str]:
    """What axe finds."""
    return [
        f"{violation['id']}: {violation['help']}: {violation['nodes'][0]['html'][:200]}"
        for violation in Axe().run(page, options=options).response["violations"]
    ]


def test_the_page_of_the_api(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server, color_scheme="light", viewport=PHONE)
    problems = check_page(viewer.page, "/docs")
    viewer.close()
    assert problems == []


@pytest.mark.slow
def test_pages_for_all(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server, color_scheme="light", viewport=PHONE)
    problems = [one for path in FOR_ALL for one in check_page(viewer.page, path)]
    viewer.context.close()
    assert problems == []


@pytest.mark.slow
def test_pages_for_users(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server, color_scheme="light", viewport=PHONE)
    page = viewer.open("/register")
    page.fill("#name", "eve")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("text=Make the account")
    expect(page.locator(".who")).to_contain_text("eve")
    problems = [one for path in FOR_USERS for one in check_page(page, path)]
    viewer.context.close()
    assert problems == []
