"""People at the board in a real browser: picking, taking back, keys, a friend by a link."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from agon.games.registry import find_game, game_names
from tests.website.arena import serving
from tests.website.axe import violations_in_both_themes
from tests.website.play.clicking import chance
from tests.website.play.conftest import open_world
from tests.website.play.seeing import (
    BUTTON,
    CHOICE,
    MINE,
    OVER,
    SEND,
    click_turn,
    new_page,
    sit_down,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

    from agon.arena.people.session import PlaySession
    from tests.website.people import World

PHONE: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def world(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One site for all: each new context is a new visitor."""
    world = open_world(shutil.copy(empty_store, tmp_path_factory.mktemp("browser") / "agon.db"))
    yield world
    world.close()


@pytest.fixture(scope="module")
def address(world: World) -> Iterator[str]:
    with serving(world.site) as found:
        yield found


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=address, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which nothing may go wrong."""
    said: list[str] = []
    page = new_page(context, said)
    yield page
    page.close()
    assert said == []


def find_session(world: World, key: str) -> PlaySession:
    session = world.site.plays.find(key)
    assert session
    return session


def test_picks_light_up_and_can_be_taken_back(page: Page, world: World) -> None:
    sit_down(page, "atlantis")
    expect(page.locator(MINE)).to_be_attached()
    lit = page.locator(CHOICE)
    first = lit.evaluate_all("all => all.map((one) => one.dataset.id)")
    assert first
    for number in range(1, 3):
        lit.first.click()
        expect(page.locator(f'[data-play][data-picks="{number}"]')).to_be_attached()
        expect(page.locator('[data-part="pick-words"] li')).to_have_count(number)
    page.locator('[data-back="1"]').click()
    expect(page.locator('[data-play][data-picks="1"]')).to_be_attached()
    page.keyboard.press("Backspace")
    expect(page.locator(MINE)).to_be_attached()
    assert lit.evaluate_all("all => all.map((one) => one.dataset.id)") == first


def test_the_keyboard_is_enough(page: Page, world: World) -> None:
    session = find_session(world, sit_down(page, "hive"))
    expect(page.locator(MINE)).to_be_attached()
    page.keyboard.press("ArrowRight")
    start = page.evaluate("document.activeElement.dataset.id")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.id") != start
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.id") == start
    page.keyboard.press("Enter")
    expect(page.locator('[data-play][data-picks="1"]')).to_be_attached()
    page.keyboard.press("Enter")
    expect(page.locator('[data-play][data-picks="2"]')).to_be_attached()
    expect(page.locator(SEND)).to_be_focused()
    page.keyboard.press("Backspace")
    expect(page.locator('[data-play][data-picks="1"]')).to_be_attached()
    expect(page.locator(CHOICE).first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(SEND)).to_be_focused()
    page.keyboard.press("s")
    expect(page.locator(f'{MINE}[data-moment="3"]')).to_be_attached()
    expect(page.locator(CHOICE).first).to_be_focused()
    assert session.moment == 3


def test_a_reload_loses_nothing(page: Page, world: World) -> None:
    sit_down(page, "hive")
    expect(page.locator(MINE)).to_be_attached()
    click_turn(page, chance(5))
    expect(page.locator(MINE)).to_be_attached()
    page.reload()
    expect(page.locator(f'{MINE}[data-moment="3"]')).to_be_attached()
    expect(page.locator('[data-part="turns"] li')).to_have_count(2)
    page.goto("/play")
    page.get_by_role("link", name=re.compile("^Hive: guest")).click()
    expect(page.locator(f'{MINE}[data-moment="3"]')).to_be_attached()


def test_a_friend_plays_by_the_link_and_again(
    browser: Browser, page: Page, world: World, address: str
) -> None:
    sit_down(page, "hive", "person")
    expect(page.locator('[data-part="status"]')).to_contain_text("Waiting for another player")
    link = page.get_by_label("Send this link").input_value()
    said: list[str] = []
    context = browser.new_context(base_url=address, reduced_motion="reduce")
    friend = new_page(context, said)
    friend.goto(link)
    friend.get_by_role("button", name="Take the seat").click()
    expect(page.locator(MINE)).to_be_attached()
    expect(friend.locator('[data-part="status"]')).to_have_text("guest thinks …")
    page.locator(CHOICE).first.click()
    expect(page.locator('[data-play][data-picks="1"]')).to_be_attached()
    page.locator(CHOICE).first.click()
    expect(page.locator('[data-play][data-picks="2"]')).to_be_attached()
    page.locator(SEND).click()
    expect(friend.locator(MINE)).to_be_attached()
    resign(page)
    expect(friend.locator('[data-part="status"]')).to_have_text("guest 2 won: guest resigned")
    friend.get_by_role("button", name="Rematch").click()
    page.get_by_role("button", name="The rematch is open").click()
    expect(friend.locator(MINE)).to_be_attached()
    expect(page.locator('[data-part="status"]')).to_contain_text("thinks")
    context.close()
    assert said == []


def resign(page: Page) -> None:
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()


def test_the_pages_are_accessible(browser: Browser, world: World, address: str) -> None:
    context = browser.new_context(base_url=address, viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    for path in ("/play", "/play?game=hive", "/play?game=battlebots"):
        page.goto(path)
        check(page)
    for game in game_names():
        sit_down(page, game)
        expect(page.locator(MINE)).to_be_attached()
        page.locator(f"{CHOICE}, {BUTTON}").first.click()
        expect(page.locator('[data-play][data-picks="1"]')).to_be_attached()
        check(page)
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(OVER)).to_be_attached()
    check(page)
    context.close()


def check(page: Page) -> None:
    """No violation of accessibility, and nothing that sticks out on a phone."""
    for closed in page.locator("details").all():
        closed.evaluate("details => { details.open = true }")
    assert violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_form_offers_only_seats_that_there_are(page: Page) -> None:
    page.goto("/play?game=battlebots")
    seats = page.locator("#seat option:not([disabled])")
    expect(seats).to_have_count(3)
    page.get_by_label("Players").select_option("4")
    expect(seats).to_have_count(5)
    assert len(find_game("battlebots").seats) == page.locator("#players option").count()
