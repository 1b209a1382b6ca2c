"""`agon warm`: rules are compiled ahead."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from agon.cli.app import app
from agon.cli.warm import uses_of
from agon.games.registry import all_games, find_game
from agon.kernel import say_compiling
from tests.cli.process import run_agon


def test_a_warm_game_is_ready() -> None:
    for _ in range(2):
        result = CliRunner().invoke(app, ["warm", "mebipenny"])
    assert (result.exit_code, result.stdout) == (0, "MebiPenny: ready\n")


@pytest.mark.system
def test_several_games_are_compiled_side_by_side() -> None:
    result = run_agon("warm", "hive", "atlantis", "--play", "--jobs", "2")
    assert result.returncode == 0
    assert sorted(line.partition(":")[0] for line in result.stdout.splitlines()) == [
        "Atlantis",
        "Hive",
    ]


def test_an_unknown_game_is_refused_before_anything_is_compiled() -> None:
    result = CliRunner().invoke(app, ["warm", "hive", "chess"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("agon: game 'chess': expected one of")


def test_rules_bots_simulation_and_perft_are_used() -> None:
    for game in all_games():
        names = [name for name, _ in uses_of(game, only_play=False)]
        bots = [f"bot {name}" for name in game.bot_names]
        assert names[: len(bots) + 3] == ["rules", "boards", *bots, "simulation"]
        assert [name for name, _ in uses_of(game, only_play=True)] == ["rules", "boards", *bots]
    assert "perft" in dict(uses_of(find_game("hive"), only_play=False))


def test_compiling_is_said_once_a_package(capsys: pytest.CaptureFixture[str]) -> None:
    for module in ("some.game.rules", "some.game.bots", "agon.kernel", "other.rules"):
        say_compiling(module, begins=True)
        say_compiling(module, begins=False)
    assert capsys.readouterr().err.splitlines() == [
        "agon: compiling the rules of game, kept for the next time …",
        "agon: compiling the rules of other, kept for the next time …",
    ]
