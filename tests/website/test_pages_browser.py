"""The pages for spectators are accessible: without scripts, in the dark, on a phone, by ear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.website.axe import violations, violations_in_both_themes
from tests.website.viewing import BATTLEBOTS, HIVE, READY, Viewer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from agon.arena.live_matches import LiveMatch


def test_pages_can_be_read_without_scripts(browser: Browser, server: str) -> None:
    viewer = Viewer(browser, server, java_script_enabled=False)
    page = viewer.open(f"{HIVE}?turn=3")
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 3 of")
    expect(page.locator(".board svg")).to_be_visible()
    page.get_by_label("One step on").click()
    expect(page.locator('[data-part="place"]')).to_contain_text("Turn 4 of")
    expect(page.get_by_label("Play", exact=True)).to_be_hidden()
    viewer.close()


def test_dark_and_light_follow_the_system_and_the_button(phone: Viewer) -> None:
    page = phone.open_match(HIVE)
    paper = "getComputedStyle(document.body).backgroundColor"
    table = "getComputedStyle(document.querySelector('.board [data-id=table]')).fill"
    dark = page.evaluate(f"[{paper}, {table}]")
    page.get_by_role("button", name="Switch to light colours").click()
    light = page.evaluate(f"[{paper}, {table}]")
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    page.reload()
    page.wait_for_selector(READY)
    assert page.evaluate(f"[{paper}, {table}]") == light
    page.get_by_role("button", name="Switch to dark colours").click()
    assert page.evaluate(f"[{paper}, {table}]") == dark


PAGES = ["/", "/matches", HIVE, BATTLEBOTS, "/replay", "/nothing"]


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wider_than_a_phone(phone: Viewer, path: str) -> None:
    page = phone.open(path)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    phone.problems = [one for one in phone.problems if "404" not in one]


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_accessible(viewer: Viewer, live: LiveMatch, path: str) -> None:
    page = viewer.open(path)
    if "/matches/" in path:
        page.wait_for_selector(READY)
    find = violations_in_both_themes if path in ("/", HIVE) else violations
    assert find(page) == []
    viewer.problems = [one for one in viewer.problems if "404" not in one]


def test_the_live_page_is_accessible(viewer: Viewer, live: LiveMatch) -> None:
    page = viewer.open(f"/live/{live.key}")
    assert violations(page) == []
