"""The worked example of docs/add-a-game.md: a package of its own, installed, played, and shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "connect_four"
GAME = "connect_four"
MOST_LINES = 250


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, as pip installs it; nothing is fetched."""
    return install(EXAMPLE, tmp_path_factory.mktemp("packages"))


def install(package: Path, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder)]
    done = subprocess.run([*pip, *offline, str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def run(installed: Path, *command: str, **environment: str) -> str:
    """What a Python program says, for which the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(installed)} | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_short() -> None:
    files = [
        file for file in EXAMPLE.rglob("*") if file.is_file() and "__pycache__" not in str(file)
    ]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < MOST_LINES


def test_it_is_found(installed: Path) -> None:
    games = json.loads(run(installed, "agon", "games", "--json"))
    assert GAME in [game["name"] for game in games]


def test_it_is_played_on_the_command_line(installed: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "match.json")
    told = run(installed, "agon", "match", GAME, "search", "random", "--depth", "2", "--save", file)
    assert told.startswith("search wins after ")
    assert "four in a row" in run(installed, "agon", "verify", file)
    assert "a b c d e f g" in run(installed, "agon", "show", GAME)


def test_a_starter_plays_in_the_sandbox(installed: Path, tmp_path: Path) -> None:
    bot = str(tmp_path / "faller")
    run(installed, "agon", "bot", "new", GAME, bot)
    told = json.loads(
        run(installed, "agon", "match", GAME, bot, "random", "--games", "2", "--json")
    )
    assert told
    checked = json.loads(run(installed, "agon", "bot", "check", bot, "--json"))
    assert checked


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


def test_it_keeps_the_laws_of_every_game(installed: Path) -> None:
    laws = ["tests/test_every_game.py", "tests/games/test_clicks.py", "tests/games/test_names.py"]
    told = run(installed, "pytest", "--quiet", "-p", "no:cacheprovider", "-k", GAME, *laws)
    assert " passed" in told
