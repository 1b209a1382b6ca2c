"""People's ways through the whole arena, in a real browser: nothing is made up for them.

The arena runs as a process of its own, with its ladder and its sandbox. The tests share it, and
come in the order of a newcomer's first evening.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.website.running import running_arena
from tests.website.viewing import READY, Viewer, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.website.running import Arena

PATIENCE_MS = 60_000
QUICKLY = ("--game", "mebipenny", "--time", "30ms", "--pace", "8ms")
PASSWORD = "a long evening"  # noqa: S105


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    data = tmp_path_factory.mktemp("arena")
    with running_arena(data, *QUICKLY) as arena:
        yield arena


@pytest.fixture(scope="module")
def ada(browser: Browser, arena: Arena) -> Iterator[Viewer]:
    """A newcomer, with a browser of her own."""
    viewer = Viewer(browser, arena.address, accept_downloads=True)
    viewer.page.set_default_timeout(PATIENCE_MS)
    yield viewer
    viewer.context.close()


def number(text: str) -> int:
    found = re.search(r"\d+", text)
    assert found, text
    return int(found[0])


def mishaps(viewer: Viewer) -> list[str]:
    """What went wrong, besides what a page had not loaded yet when it was left."""
    return [one for one in viewer.problems if "ERR_ABORTED" not in one]


def watch_to_the_end(page: Page) -> None:
    """From the page of a match that is under way, or was a moment ago, to its replay."""
    expect(page.locator("h1")).to_contain_text("\u2013")
    if "/live/" in page.url:
        replay = page.locator('[data-part="stored"]')
        expect(replay).to_be_visible(timeout=PATIENCE_MS)
        assert page.locator('[data-part="verdict"]').inner_text()
        replay.click()
    page.wait_for_selector(READY)


def test_a_newcomer_sees_bots_play_and_comes_to_a_replay(ada: Viewer) -> None:
    page = ada.open("/")
    card = page.locator("#live .card", has_text="MebiPenny").first
    before = number(card.locator(".turns").inner_text())
    expect(card.locator(".turns")).not_to_have_text(f"turn {before}", timeout=PATIENCE_MS)
    card.locator("a").click()
    watch_to_the_end(page)
    page.keyboard.press("Home")
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 0 of")
    picture = page.locator('[data-part="board"]').inner_html()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 1 of")
    assert page.locator('[data-part="board"]').inner_html() != picture
    assert "#turn=1" in page.url
    assert mishaps(ada) == []


def test_an_author_registers_uploads_and_reads_the_own_log(
    ada: Viewer, browser: Browser, arena: Arena
) -> None:
    page = ada.open("/register")
    page.fill("#name", "ada")
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("text=Create account")
    expect(page.locator(".who")).to_contain_text("ada")

    page.goto("/learn/mebipenny/starters")
    with page.expect_download() as download:
        page.locator('a[href$="/python.zip"]').first.click()
    starter = download.value.path()
    page.goto("/upload")
    page.set_input_files("#zip", starter)
    page.click("text=Upload and check")
    expect(page.locator('[data-part="words"]')).to_have_text("has passed", timeout=PATIENCE_MS)
    assert "version 1" in page.locator('[data-part="output"]').inner_text()

    page.click("text=See it play")  # a new bot is the first to play
    page.locator('main a[href^="/matches/"]').first.click()
    watch_to_the_end(page)
    log, match = page.locator(".author"), page.url.partition("#")[0]
    expect(log.locator("h2")).to_contain_text("visible only to you")
    said = ""
    for turn in (1, 2):  # one of them is the bot's
        page.goto(f"{match}#turn={turn}")
        expect(log.locator('[data-part="log-turn"]')).to_have_text(f"Turn {turn}")
        said += log.locator('[data-part="log-lines"]').inner_text()
    assert "> " in said
    assert "< " in said
    assert mishaps(ada) == []

    stranger = Viewer(browser, arena.address)
    other = stranger.open_match(match)
    assert place(other).startswith("Turn")
    assert other.locator(".author").count() == 0
    assert mishaps(stranger) == []
    stranger.context.close()
