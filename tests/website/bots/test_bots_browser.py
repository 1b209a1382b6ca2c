"""The way of an author in a real browser: upload a folder, see the check, play, read the log."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from agon.arbiter.starter import write_starter
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.games.registry import find_game
from tests.website.arena import serving
from tests.website.axe import violations
from tests.website.bots.test_challenges import built_in
from tests.website.bots.test_tools import add_version
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

    from tests.website.people import World

PHONE: ViewportSize = {"width": 360, "height": 740}
LONG_MS = 90_000


@pytest.fixture
def address(world: World) -> Iterator[str]:
    """The site on a port, with workers."""
    settings = WorkerSettings(ladder=(), examples=(), challenge_pace_ns=0, turns=20)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    with serving(replace(world.site, workers=workers)) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of ada's on which nothing may go wrong."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto("/login?next=/upload")
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    yield page
    context.close()
    assert said == []


def test_from_a_folder_to_the_own_log(page: Page, world: World, tmp_path: Path) -> None:
    folder = tmp_path / "crawler"
    write_starter(find_game("hive"), "python", "crawler", folder)
    source = folder / "hive_bot.py"
    noise = "\nimport sys\nprint('I am awake', file=sys.stderr, flush=True)\nimport "
    source.write_text(source.read_text().replace("\nimport ", noise, 1))
    page.set_input_files("#folder", folder)
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(re.compile(r"/checks/\d+$"))
    expect(page.get_by_text("has passed", exact=True)).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_role("log")).to_contain_text("The bot plays on the ladder now")
    page.get_by_role("link", name="Challenge another bot").click()
    expect(page.get_by_label("Seat 1")).to_have_value(re.compile(r"\d+"))
    page.get_by_label("Seat 2").select_option(label="random")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile(r"/(live|matches)/"), timeout=LONG_MS)
    (match,) = wait_for_match(page, world)
    page.goto(f"/matches/{match}?turn=0")
    page.locator("[data-player][data-ready]").wait_for()
    own = page.get_by_role("region", name="Your bot crawler")
    expect(own).to_contain_text("Turn 0: it was not asked")
    page.keyboard.press("ArrowRight")
    expect(own).to_contain_text("Turn 1: it thought for")
    expect(own.locator('[data-part="log-lines"]')).to_contain_text("< w")
    expect(own.locator('[data-part="log-stderr"]')).to_have_text("I am awake\n")
    page.keyboard.press("ArrowRight")
    expect(own).to_contain_text("Turn 2: it was not asked")
    assert violations(page) == []


def wait_for_match(page: Page, world: World) -> list[int]:
    """The numbers of all stored matches, when there are some."""
    from agon.datastore import MatchFilter

    page.wait_for_url(re.compile(r"/(live|matches)/"))
    if "/live/" in page.url:
        page.get_by_role("link", name="Watch the replay").click(timeout=LONG_MS)
    return [match.id for match in world.store.matches.find(MatchFilter())]


def test_the_pages_are_accessible_on_a_phone_and_in_the_dark(page: Page, world: World) -> None:
    bot, version = add_version(world, "a-name-that-is-quite-long-for-the-screen-of-a-small-phone")
    built_in(world, "random")
    check = world.store.checks.latest(version.id)
    assert check
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    for path in (
        "/upload",
        f"/bots/{bot.id}/upload",
        f"/bots/{bot.id}/edit",
        f"/bots/{bot.id}/delete",
        f"/checks/{check.id}",
        "/challenge?game=mebipenny",
    ):
        page.goto(path)
        assert violations(page) == [], path
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{path} is {width} wide"


def test_without_scripts_the_check_is_followed_all_the_same(
    browser: Browser, address: str, world: World
) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/login?next=/upload")
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    source = {"name": "ant.py", "mimeType": "text/plain", "buffer": b"raise SystemExit(3)\n"}
    page.get_by_label("Game", exact=True).select_option("hive")
    page.get_by_label("File", exact=True).set_input_files(source)  # type: ignore[arg-type]
    page.get_by_text("Without a bot.toml").click()
    page.get_by_label("Name", exact=True).fill("ant")
    page.get_by_label("Run command").fill("python3 ant.py")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_text("did not pass", exact=True)).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_role("log")).to_contain_text("exit status 3")
    expect(page.get_by_role("link", name="Upload the next version")).to_be_visible()
    context.close()
    assert len(world.store.bots.all(owner_id=1)) == 1
