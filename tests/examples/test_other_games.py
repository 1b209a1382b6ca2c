"""Games of other packages that are not like ours: every page is there, with the safe default."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from agon.cli.game import write_skeleton
from tests.examples.packages import install, run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.system, pytest.mark.long]

GAME = "nine_holes"
TITLE_LINE = '    title = "Nine Holes"\n'


@pytest.mark.parametrize(
    ("bots", "seats"),
    [(("random", "search"), range(2, 3)), (("random",), range(3, 4))],
    ids=["no greedy bot", "three players and one bot"],
)
def test_every_page_is_there(bots: tuple[str, ...], seats: range, tmp_path: Path) -> None:
    write_skeleton(GAME, tmp_path / "package")
    source = tmp_path / "package" / "src" / GAME
    edit(
        source / "game.py", TITLE_LINE, f"{TITLE_LINE}    bot_names = {bots}\n    seats = {seats}\n"
    )
    edit(
        source / "rules.py",
        "as_int(state.played) % 2",
        "as_int(state.played) % as_int(setup.seats)",
    )
    installed = install(tmp_path / "package", tmp_path / "installed")
    found = json.loads(run(installed, "tests.examples.crawl_site", GAME))
    assert {page: status for page, status in found.items() if status != 200} == {}
    assert {
        "/learn",
        f"/learn/{GAME}",
        f"/learn/{GAME}/starters",
        f"/play?game={GAME}",
    } <= found.keys()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")
