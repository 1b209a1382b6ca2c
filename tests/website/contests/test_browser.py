"""Contests in a real browser: an organiser's and an entrant's way, and pages that move."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from agon.datastore import ContestState, VersionStatus
from agon.ranker.formats import Format
from agon.website.contests.contest_actions import publish
from tests.website.arena import serving
from tests.website.axe import violations
from tests.website.contests.hosting import SECOND
from tests.website.contests.test_playing import built_in
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

    from tests.website.contests.hosting import Hosting

PHONE: ViewportSize = {"width": 360, "height": 740}
PATIENCE_MS = 60_000
EVERY_MS = 5000
"""How often the script looks."""


@pytest.fixture
def served(hosting: Hosting) -> Iterator[str]:
    """The address of a site that plays contests."""
    hosting.staff()
    with serving(hosting.site) as address:
        yield address
        hosting.paced_matches.lift()


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """A page on which nothing may go wrong."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(f"{message.text} {message.location['url']}")

    context = browser.new_context(base_url=served)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


def log_in(page: Page, name: str) -> None:
    page.goto("/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible(timeout=PATIENCE_MS)


def test_from_a_draft_to_a_winner(page: Page, hosting: Hosting) -> None:
    log_in(page, "olga")
    page.goto("/contests")
    page.get_by_role("link", name="New contest").click()
    page.get_by_label("Name").fill("Spring Cup")
    page.get_by_role("button", name="MebiPenny").click()
    expect(page.get_by_label("Name")).to_have_value("Spring Cup")
    page.get_by_label("Format", exact=True).select_option("knockout")
    page.get_by_label("Turn limit").fill("8")
    page.get_by_label("Pace, in ms").fill("0")
    page.get_by_label("Time per turn, in ms").fill("60000")
    page.get_by_label("Rows").fill("5")
    page.get_by_label("Cols").fill("5")
    page.get_by_label("Cols").press("Enter")
    expect(page.get_by_role("heading", name="Spring Cup")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("button", name="Open for entries").click()
    for name in ("random", "greedy"):
        page.get_by_label("Bot", exact=True).select_option(label=f"{name} (the arena's own)")
        page.get_by_role("button", name="Enter", exact=True).click()
        entered = page.get_by_role("rowheader", name=name)
        expect(entered).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Close entry").click()
    page.get_by_role("button", name="Start").click()
    champion = page.locator(".champion")
    expect(champion).to_contain_text("has won", timeout=PATIENCE_MS)
    (contest,) = hosting.store.contests.all()
    winner = hosting.standing(contest).winners[0]
    expect(champion).to_contain_text(winner.title)
    expect(page.locator(".tie .winner")).to_contain_text(winner.title)


def test_the_page_moves_by_itself(page: Page, hosting: Hosting) -> None:
    """The script brings the next matches and their results without a reload."""
    contest = hosting.begin(built_in(hosting), pace_ns=SECOND // 20, turns=30)
    log_in(page, "ada")  # who gets a page of her own: the site's clock stands still
    page.goto(f"/contests/{contest.id}/screen")
    expect(page.locator(".card .board svg")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".card .turns")).to_have_text(
        re.compile(r"turn ([3-9]|\d\d)"), timeout=PATIENCE_MS
    )
    expect(page.locator("#progress")).to_contain_text("6 of 6 matches", timeout=PATIENCE_MS)
    expect(page.locator(".champion")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#state")).to_contain_text("over", timeout=PATIENCE_MS)


def test_lists_move_until_the_contest_is_hidden(
    browser: Browser, served: str, hosting: Hosting
) -> None:
    hosting.paced_matches.drop()
    bots = built_in(hosting)
    contest = hosting.begin(bots)
    hosting.hold_after(contest, 1)
    context = browser.new_context(base_url=served)
    page = context.new_page()
    log_in(page, "ada")
    page.clock.install()
    page.goto(f"/contests/{contest.id}")
    matches, entered = page.locator("#played tbody tr"), page.locator("#entered")
    expect(matches).to_have_count(1, timeout=PATIENCE_MS)
    expect(entered).not_to_contain_text("withdrawn")
    hosting.paced_matches.allow(1)
    hosting.wait_until(hosting.paced_matches.signal, lambda: len(hosting.played(contest)) == 2)
    hosting.store.versions.set_status(bots[0], VersionStatus.WITHDRAWN)
    page.clock.run_for(EVERY_MS)
    expect(matches).to_have_count(2, timeout=PATIENCE_MS)
    expect(entered).to_contain_text("withdrawn", timeout=PATIENCE_MS)
    publish(hosting.site, hosting.olga, contest, False)
    page.clock.run_for(EVERY_MS)
    gone = page.get_by_text("This contest is not shown any more.")
    expect(gone).to_be_visible(timeout=PATIENCE_MS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(3 * EVERY_MS)
    assert asked == []
    context.close()


def fill(hosting: Hosting) -> list[str]:
    """Contests of all kinds, one of them under way; the addresses of their pages."""
    over = hosting.begin(built_in(hosting), Format.KNOCKOUT, name="Cup")
    hosting.wait_for(over)
    under_way = hosting.begin(built_in(hosting), name="League", pace_ns=10 * SECOND)
    hosting.wait_for_live(1)
    open_one = hosting.contest(ContestState.OPEN, name="Open")
    paths = [f"/contests/{one.id}" for one in (over, under_way, open_one)]
    return ["/contests", *paths, *(f"{path}/screen" for path in paths[:2])]


def test_the_pages_are_accessible(browser: Browser, served: str, hosting: Hosting) -> None:
    """In dark what every visitor sees, in light what organisers do."""
    context = browser.new_context(base_url=served, viewport=PHONE, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    paths = fill(hosting)
    for path in paths:
        check(page, path)
    page.emulate_media(color_scheme="light")
    log_in(page, "olga")
    for path in (*paths[1:4], "/contests/new?game=battlebots", f"{paths[3]}/edit"):
        check(page, path)
    context.close()


def check(page: Page, path: str) -> None:
    """No violation of accessibility, and nothing that sticks out on a phone."""
    page.goto(path)
    assert violations(page) == [], path
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_the_pages_need_no_scripts(browser: Browser, served: str, hosting: Hosting) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    mine = hosting.add_bot("ada")
    contest = hosting.contest(ContestState.OPEN)
    log_in(page, "ada")
    page.goto(f"/contests/{contest.id}")
    page.get_by_label("Bot", exact=True).select_option(str(mine))
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Remove crawler@1").click()
    expect(page.get_by_text("No entries yet.")).to_be_visible(timeout=PATIENCE_MS)
    context.close()
