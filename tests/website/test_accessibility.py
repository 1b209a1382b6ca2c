"""All pages are accessible: on a phone, in the dark, with a screen reader, logged in or not.

The pages are those of the table of rights, so a new one is looked at without being
named here. Axe takes its time: one walk, as the user who may see most, is done always; all the
others are one of the long proofs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from agon.datastore import Store
from agon.website.sessions import session_cookie
from tests.website import arena
from tests.website.authorisation import FOR_ALL, ROWS, Row, fill, open_scene, session_secret
from tests.website.axe import violations_in_both_themes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.website.authorisation import Scene

PHONE: Any = {"width": 360, "height": 740}
OK = 200
NO_PAGES = (
    ".json",
    ".css",
    ".svg",
    ".zip",
    ".gz",
    ".txt",
    "/transcript",
    "/events",
    "/log",
    "/replay/{turn}",
)
"""How addresses end that are no pages; nor are those of the API."""
MORE = {
    "/matches/3": FOR_ALL,
    "/matches/5?turn=20&seat=0": FOR_ALL,
    "/bots/3": FOR_ALL,
    "/bots/3/versions/1": FOR_ALL,
    "/learn/skyport/starters": FOR_ALL,
    "/challenge?game=battlebots": Row(303, OK, OK, OK),
    "/contests/new?game=skyport": Row(303, 403, 403, OK),
    "/nowhere": FOR_ALL,
}
"""Pages of the same kinds with something else on them."""
SHORTEN = "document.querySelectorAll('.prose > :nth-child(n+40)').forEach(one => one.remove())"
"""Long texts are alike all the way, and axe looks at every word."""
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"


@dataclass(frozen=True)
class Served:
    """A site with something of everything, and where it is."""

    scene: Scene
    address: str

    def pages(self, role: str) -> list[str]:
        """All pages that a user in that role may see."""
        rows = {row.path or route.removeprefix("GET "): row for route, row in ROWS.items()
                if route.startswith("GET ") and _is_page(route)}  # fmt: skip
        return [
            path.format(**self.scene.ids)
            for path, row in {**rows, **MORE}.items()
            if getattr(row, role) == OK
        ]


def _is_page(route: str) -> bool:
    return not route.startswith("GET /api/") and not route.endswith(NO_PAGES)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("accessibility")
    with Store.open(folder / "filled.db") as store:
        ids = fill(store)
        arena.fill(store)
    scene = open_scene(folder / "filled.db", ids, folder / "agon.db")
    with arena.serving(scene.site) as address:
        yield Served(scene, address)
    scene.close()


def enter(browser: Browser, served: Served, role: str, **settings: Any) -> BrowserContext:
    """The phone of a user in that role."""
    context = browser.new_context(
        base_url=served.address, viewport=PHONE, reduced_motion="reduce", **settings
    )
    if role != "anonymous":
        name = session_cookie(secure=False)
        context.add_cookies([{"name": name, "value": session_secret(role), "url": served.address}])
    return context


def problems_of(page: Page, path: str) -> list[str]:
    """What is wrong with a page on a phone, in the light and in the dark."""
    page.goto(path)
    page.evaluate(SHORTEN)
    return [f"{path}: {one}" for one in violations_in_both_themes(page)]


@pytest.mark.parametrize(
    ("role", "others"), [("owner", None), ("anonymous", "owner"), ("organiser", "anonymous")]
)
def test_nothing_is_wider_than_a_phone(
    browser: Browser, served: Served, role: str, others: str | None
) -> None:
    """Tables and code scroll in boxes of their own; pages for others are walked as them."""
    context = enter(browser, served, role)
    page = context.new_page()
    paths = {*served.pages(role)} - {*(served.pages(others) if others else ())}
    wide = {}
    for path in paths:
        page.goto(path)
        wide[path] = page.evaluate(TOO_WIDE)
    context.close()
    assert wide
    assert {path: more for path, more in wide.items() if more > 0} == {}


def test_what_only_users_see_is_accessible(browser: Browser, served: Served) -> None:
    context = enter(browser, served, "owner")
    page = context.new_page()
    paths = sorted({*served.pages("owner")} - {*served.pages("anonymous")})
    problems = [one for path in paths for one in problems_of(page, path)]
    context.close()
    assert len(paths) > 5
    assert problems == []


@pytest.mark.parametrize("path", ["/games/hive", "/bots/3", "/contests/1", "/docs"])
def test_tables_are_accessible(browser: Browser, served: Served, path: str) -> None:
    context = enter(browser, served, "anonymous")
    problems = problems_of(context.new_page(), path)
    context.close()
    assert problems == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ["anonymous", "owner", "organiser"])
def test_all_pages_are_accessible(browser: Browser, served: Served, role: str) -> None:
    context = enter(browser, served, role)
    page = context.new_page()
    problems = [one for path in served.pages(role) for one in problems_of(page, path)]
    context.close()
    assert problems == []


@pytest.mark.parametrize("java_script", [True, False])
def test_on_a_phone_the_menu_opens_and_leads_everywhere(
    browser: Browser, served: Served, java_script: bool
) -> None:
    context = enter(browser, served, "owner", java_script_enabled=java_script)
    page = context.new_page()
    page.goto("/matches")
    contests = page.get_by_role("link", name="Contests", exact=True)
    expect(contests).to_be_hidden()
    page.get_by_text("Menu").click()
    links = page.get_by_role("navigation", name="Main").get_by_role("link")
    assert links.count() == 9
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    contests.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Contests")
    context.close()


def test_on_a_wide_screen_there_is_no_menu_to_open(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.address)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_text("Menu")).to_be_hidden()
    page.get_by_role("link", name="Skyport", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Skyport")
    context.close()
