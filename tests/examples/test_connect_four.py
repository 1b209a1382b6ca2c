"""The worked example of docs/add-a-game.md: a package of its own, installed, played, and shown."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from agon.games.dialogue import Briefing
from tests.examples.packages import ROOT, install, run

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.game import Game

pytestmark = [pytest.mark.system, pytest.mark.long]

EXAMPLE = ROOT / "examples" / "connect_four"
GAME = "connect_four"
MOST_LINES = 250
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it."""
    return install(EXAMPLE, tmp_path_factory.mktemp("packages"))


def test_it_is_short() -> None:
    files = [
        file for file in EXAMPLE.rglob("*") if file.is_file() and "__pycache__" not in str(file)
    ]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < MOST_LINES


def test_it_keeps_its_own_rules(installed: Path) -> None:
    told = run(installed, "pytest", "--quiet", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    assert " passed" in told
    rules = re.findall(
        r"\*\*R(\d+)\.\*\*", (EXAMPLE / "src" / GAME / "README.md").read_text("utf-8")
    )
    tests = (EXAMPLE / "tests" / "test_rules.py").read_text("utf-8")
    assert rules == re.findall(r"def test_r(\d+)_", tests)


def test_compiled_and_interpreted_games_are_equal(installed: Path) -> None:
    command = f"simulate {GAME} --games 40 --seed 5 --checksum --json".split()
    found = []
    for jit in ("1", "0"):
        told = json.loads(run(installed, "agon", *command, AGON_JIT=jit))
        found.append({key: told[key] for key in ("checksum", "wins", "plies", "unfinished")})
    assert found[0] == found[1]
    assert found[0]["unfinished"] == 0


def test_every_page_of_the_site_is_there(installed: Path) -> None:
    found = json.loads(run(installed, "tests.examples.crawl_site", GAME))
    assert {page: status for page, status in found.items() if status != 200} == {}
    for page in ("", "/protocol", "/starters", "/starters/python.zip"):
        assert f"/learn/{GAME}{page}" in found
    assert f"/play/pictures/{GAME}.svg" in found


def test_the_skeleton_of_a_new_game_works(installed: Path, tmp_path: Path) -> None:
    package = tmp_path / "nine-holes"
    run(installed, "agon", "game", "new", "nine_holes", str(package))
    packages = install(package, tmp_path / "packages")
    run(packages, "pytest", "--quiet", "-p", "no:cacheprovider", str(package / "tests"))
    told = run(packages, "agon", "match", "nine_holes", "search", "random", "--depth", "1")
    assert told.startswith("search wins after ")
    assert json.loads(run(packages, "agon", "simulate", "nine_holes", "--games", "5", "--json"))


def test_it_keeps_the_laws_of_every_game(installed: Path) -> None:
    laws = [
        "tests/website/render/test_boards.py",
        "tests/test_every_game.py",
        "tests/games/test_clicks.py",
        "tests/games/test_names.py",
    ]
    told = run(installed, "pytest", "--quiet", "-p", "no:cacheprovider", "-k", GAME, *laws)
    assert " passed" in told


def blocks_of(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.M | re.S)


def test_the_excerpts_of_the_guide_are_those_of_the_example() -> None:
    sources = [
        file.read_text("utf-8") for file in (EXAMPLE / "src" / GAME).iterdir() if file.is_file()
    ]
    excerpts = blocks_of("python") + blocks_of("markdown")
    assert excerpts
    for excerpt in excerpts:
        assert any(excerpt in source for source in sources), excerpt


def test_the_commands_of_the_guide_run(installed: Path, tmp_path: Path) -> None:
    commands = [line for block in blocks_of("sh") for line in block.splitlines()]
    assert commands[:2] == [f"agon game new {GAME}", f"pip install --editable {GAME}"]
    interpreted = [line for line in commands if line.startswith("AGON_JIT=0 ")]
    compiled = [line for line in commands[2:] if line not in interpreted]
    assert interpreted
    run(installed, "tests.examples.run_commands", *compiled, folder=tmp_path)
    run(
        installed,
        "tests.examples.run_commands",
        *(line.removeprefix("AGON_JIT=0 ") for line in interpreted),
        folder=tmp_path,
        AGON_JIT="0",
    )


def test_the_session_of_the_protocol_page_is_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLE / "src")
    game: Game = import_module(f"{GAME}.game").GAME
    page = (ROOT / "src/agon/games/sequential/PROTOCOL.md").read_text("utf-8")
    session = [line for line in page.split("```")[1].splitlines() if line]
    position, dialogue, said = game.start(), game.dialogue(None), []
    said += dialogue.open(position, 1, Briefing(10**9))
    moves = [line.split()[-1] for line in session if line.startswith(("> move", "< "))]
    for move in moves:
        (seat,) = position.to_act
        if seat == 1:
            said += dialogue.ask(position)
        turn = position.parse_turn(seat, move)
        after = position.play({seat: turn})
        said += [f"< {move}"] if seat == 1 else dialogue.tell(position, {seat: turn}, after)
        position = after
    said += dialogue.close(position.outcome)
    assert [line if line.startswith("<") else f"> {line}" for line in said] == session
