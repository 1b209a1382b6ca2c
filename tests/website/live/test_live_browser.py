"""Live boards in a real browser."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from agon.games.registry import find_game
from agon.website.site import Site, SiteSettings
from tests.website.arena import NOON, serving
from tests.website.viewing import DASH, READY, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from agon.arena.live_matches import LiveMatch


def play_on(match: LiveMatch) -> None:
    """Play a turn, in another thread, as the ladder does."""

    def turn() -> None:
        position = match.position
        moves = {seat: position.legal_moves(seat)[0] for seat in position.to_act}
        match.show(position.play(moves))

    thread = threading.Thread(target=turn)
    thread.start()
    thread.join()


def test_the_live_page_follows_a_match_to_its_end(viewer: Viewer, live: LiveMatch) -> None:
    page = viewer.open(f"/live/{live.key}")
    turns = page.locator('[data-part="turns"]')
    expect(page.get_by_role("heading", level=1)).to_have_text(f"ada {DASH} <b>bob</b>")
    expect(turns).to_have_text("0")
    for number in (1, 2, 3):
        play_on(live)
        expect(turns).to_have_text(str(number))
        expect(page.locator(".board svg > title")).to_contain_text(f"Turn {number}")
    live.end(6)
    stored = page.get_by_role("link", name="Watch the replay")
    expect(stored).to_be_visible()
    stored.click()
    page.wait_for_selector(READY)
    assert page.url.split("#")[0].endswith("/matches/6")


def test_the_front_page_is_alive(viewer: Viewer, site: Site, live: LiveMatch) -> None:
    page = viewer.open("/")
    card = page.locator(f'[data-key="{live.key}"]')
    play_on(live)
    expect(card).to_contain_text(f"turn {live.turns}")
    hive = find_game("hive")
    other = site.live_matches.begin(hive, ["eve", "<i>dan</i>"], hive.start(), NOON)
    new = page.locator(f'[data-key="{other.key}"]')
    expect(new).to_contain_text("<i>dan</i>")
    expect(new.locator("svg.scene-hive")).to_be_visible()
    expect(page.locator("#glyphs-hive")).to_be_attached()
    other.end(1)
    expect(new).to_contain_text("Just finished")
    expect(new.get_by_role("link")).to_have_attribute("href", "/matches/1")
    expect(new).to_have_count(0, timeout=10_000)
    expect(card).to_be_visible()


def test_a_stream_that_breaks_is_taken_up_again(viewer: Viewer, live: LiveMatch) -> None:
    page = viewer.open(f"/live/{live.key}")
    turns = page.locator('[data-part="turns"]')
    play_on(live)
    expect(turns).to_have_text("1")
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    play_on(live)
    play_on(live)
    page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    expect(turns).to_have_text("3")
    expect(page.locator(".board svg > title")).to_contain_text("Turn 3")


@pytest.fixture
def refusing(browser: Browser, blank: Path) -> Iterator[tuple[Viewer, LiveMatch]]:
    """A site that has no place for a stream, and a match on it."""
    with Store.open(blank) as store:
        site = Site(store, LiveMatches(), lambda: NOON, SiteSettings(streams_each=0))
        game = find_game("mebipenny")
        match = site.live_matches.begin(game, ["ada", "bob"], game.start(seed=3), NOON)
        with serving(site) as address:
            viewer = Viewer(browser, address, reduced_motion="reduce")
            yield viewer, match
            assert [one for one in viewer.problems if "429" not in one] == []
            viewer.problems.clear()
            viewer.close()


@pytest.mark.parametrize("path", ["/", "/live/mebipenny-1"])
def test_a_page_that_gets_no_stream_says_so_and_goes_on(
    refusing: tuple[Viewer, LiveMatch], path: str
) -> None:
    viewer, match = refusing
    page = viewer.open(path)
    expect(page.get_by_text("Too many live boards are open")).to_be_visible()
    play_on(match)
    expect(page.locator("main")).to_contain_text("Turn 1", ignore_case=True, timeout=15_000)
    expect(page.locator(".board svg > title")).to_contain_text("Turn 1", timeout=15_000)
