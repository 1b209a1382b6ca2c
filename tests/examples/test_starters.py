"""The starter bots that `agon bot new` writes: each is short, builds, and plays without a fault."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.build import run_build
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.atlantis import check_opponents as atlantis
from agon.games.battlebots import check_opponents as battlebots
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.registry import all_games, find_game
from agon.servers.mebipenny.server import MebiPennyServer
from agon.servers.mebipenny.settings import MebiPennySettings
from tests.examples.playing import meet, unknown_warnings
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.servers.match_store import KeptMatch

TOOLS = {
    "c": "cc",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "python": "python3",
    "python-http": "python3",
    "rust": "rustc",
}
SIX = ("c", "go", "java", "javascript", "python", "rust")
STARTERS = {
    "hive": SIX,
    "atlantis": SIX,
    "battlebots": SIX,
    "skyport": SIX,
    "mebipenny": ("c", "go", "java", "javascript", "python", "python-http", "rust"),
}
MATCHES: dict[str, Sequence[Mapping[str, str]]] = {
    "hive": ({"variant": "Base"}, {"variant": "Base+MLP", "queen_first": "on"}),
    "atlantis": ({}, *map(atlantis.on_board, (atlantis.ODD_BOARD, atlantis.IDLE_BOARD))),
    "battlebots": ({}, *({"field": field} for field in (battlebots.EXILE, battlebots.ODD))),
    "skyport": ({"turns": "30"}, {"map": "four", "turns": "8"}),
    "mebipenny": ({}, {"seats": "4", "rows": "9", "cols": "5", "seed_coverage": "0.2"}),
}
OURS = [game.name for game in all_games() if game.package.startswith("agon.")]
EVERY = [(name, language) for name, several in STARTERS.items() for language in several]
HERE = present(TOOLS)


@pytest.mark.parametrize("name", OURS)
def test_every_starter_is_tested(name: str) -> None:
    assert name in STARTERS, f"{name}: add the languages of its starters to STARTERS"
    assert name in MATCHES, f"{name}: add to MATCHES the options with which its starters play"
    assert starter_languages(find_game(name)) == STARTERS[name]


@pytest.mark.parametrize(("name", "language"), EVERY)
def test_it_is_short(name: str, language: str, tmp_path: Path) -> None:
    starter = write_starter(find_game(name), language, "novice", tmp_path / "novice")
    (source,) = [path for path in starter.written if path.name != "bot.toml"]
    assert 20 <= len(source.read_text().splitlines()) <= 60
    assert "choose" in source.read_text()


@pytest.mark.parametrize(
    ("name", "language"), [(n, tongue) for n, tongue in EVERY if tongue in HERE]
)
def test_it_plays_matches_without_a_fault(name: str, language: str, tmp_path: Path) -> None:
    game, folder = find_game(name), tmp_path / "novice"
    build = run_build(write_starter(game, language, "novice", folder).program)
    assert build.failure is None, build.output
    assert build.output == ""  # not even a warning
    for given in MATCHES[name]:
        match = meet(game, folder, given)
        assert match.faults == (None,) * len(match.faults), match.transcript.events[-1]
        assert not unknown_warnings(match)
        assert match.turns > 1


@pytest.mark.parametrize(
    ("name", "language"),
    [("skyport", "python"), ("skyport", "javascript"), ("mebipenny", "python-http")],
)
def test_it_reaches_the_arena_from_the_sandbox(name: str, language: str) -> None:
    with TemporaryDirectory(prefix="agon-bot-") as made:
        Path(made).chmod(0o755)
        write_starter(find_game(name), language, "novice", Path(made) / "novice")
        match = meet(find_game(name), Path(made) / "novice", MATCHES[name][0], launch_in_sandbox)
    assert match.faults == (None, None)


# --- MebiPenny over HTTP -------------------------------------------------------------------------


async def play_on_a_server(folder: Path, status: int) -> list[KeptMatch]:
    """Two programs are matched on a public server; then they meet in a game of ours."""
    ended: list[KeptMatch] = []
    settings = MebiPennySettings(match_status=status)
    server = MebiPennyServer(settings, on_kept=ended.append, chance=Random(4))  # noqa: S311
    await server.start()
    try:
        base = f"http://127.0.0.1:{server.port}"
        game = f"{base}/{server.lobby.create(MebiPennyOptions(4, 5, 2)).id}"
        for url in (base, game):
            for process in [await run_bot(folder, url, name) for name in ("ann", "bob")]:
                assert await process.wait() == 0
    finally:
        await server.close()
    return ended


async def run_bot(folder: Path, url: str, name: str) -> asyncio.subprocess.Process:
    source = folder / "mebipenny_http_bot.py"
    return await asyncio.create_subprocess_exec(sys.executable, str(source), url, name)


@pytest.mark.parametrize("status", [302, 201])
def test_it_plays_on_a_public_server(tmp_path: Path, status: int) -> None:
    write_starter(find_game("mebipenny"), "python-http", "novice", tmp_path / "novice")
    ended = asyncio.run(play_on_a_server(tmp_path / "novice", status))
    assert [kept.match.faults for kept in ended] == [(None, None)] * 2
