"""Names in a real browser, with its own fonts: whatever they are, nothing on a board overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.games.registry import game_names
from agon.games.svg import format_svg
from tests.games.test_names import HOSTILE, PLAIN, positions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MEASURE = """() => {
  const box = (element) => element.getBoundingClientRect();
  const wrong = [];
  const keep = (text, edge) => {
    if (box(text).right > edge) wrong.push(`${text.textContent}: ${box(text).right} > ${edge}`);
  };
  for (const row of document.querySelectorAll(".player-row")) {
    const count = row.querySelector(".points, .soldiers");
    keep(row.querySelector(".player"), box(count).left);
  }
  for (const side of ["white", "black"]) {
    const name = document.getElementById(`name-${side}`);
    if (name) keep(name, box(document.getElementById(`danger-${side}`)).left);
  }
  const panel = document.querySelector(".player-row");
  const edge = panel ? box(panel).left : box(document.querySelector("svg")).right;
  for (const id of ["headline", "news"]) {
    const text = document.getElementById(id);
    if (text) keep(text, edge);
  }
  const told = document.getElementById("last-turn");
  if (told) for (const line of told.querySelectorAll("text"))
    keep(line, box(document.getElementById("key-rubidium")).left);
  return wrong;
}"""


@pytest.mark.parametrize("game", game_names())
def test_names_stay_where_they_have_room(browser: Browser, game: str) -> None:
    page = browser.new_page(viewport={"width": 1240, "height": 800})
    try:
        for names in (PLAIN, *HOSTILE, *(pair[::-1] for pair in HOSTILE)):
            for position in positions(game)[8:10]:
                page.set_content(format_svg(position.scene(0, names)))
                assert page.locator("#headline").count() == 1
                assert page.evaluate(MEASURE) == []
    finally:
        page.close()
