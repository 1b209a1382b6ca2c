"""`agon games`."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from agon.cli.app import app
from agon.games.registry import all_games, game_names


def test_every_game_is_listed_with_its_options() -> None:
    result = CliRunner().invoke(app, ["games"])
    assert result.exit_code == 0
    for game in all_games():
        assert f"{game.name}  {game.title}" in result.stdout
    assert "2 seats" in result.stdout
    row = next(line for line in result.stdout.splitlines() if "queen_first" in line)
    assert row.strip().split(maxsplit=2)[1:] == ["off", "a side may begin with its queen"]


def test_json_has_the_same() -> None:
    result = CliRunner().invoke(app, ["games", "--json"])
    games = json.loads(result.stdout)
    assert [game["name"] for game in games] == list(game_names())
    hive = next(game for game in games if game["name"] == "hive")
    assert (hive["title"], hive["seats"], hive["rules_version"]) == ("Hive", [2, 2], 1)
    variant, queen_first, repetition = hive["options"]
    assert (variant["default"], len(variant["choices"])) == ("Base", 8)
    assert (queen_first["name"], queen_first["default"]) == ("queen_first", False)
    assert (repetition["name"], repetition["default"]) == ("repetition", True)
