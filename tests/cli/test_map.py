"""`agon map`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.maps import make_map

if TYPE_CHECKING:
    from pathlib import Path


def make(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["map", "battlebots", *arguments])


@pytest.mark.parametrize("kind", ["random", "fair"])
@pytest.mark.parametrize("players", [2, 5])
def test_what_is_written_can_be_played_on(kind: str, players: int) -> None:
    fair = ["--fair"] if kind == "fair" else []
    result = make("--players", str(players), "--seed", "7", *fair)
    assert result.exit_code == 0
    position = GAME.start(BattlebotsOptions(field=result.stdout))
    made = make_map(kind, players, 7)
    assert position.seats == players
    assert {*position.field.forts} == {*made.forts}
    assert len(position.field.roads) == len(made.roads)


def test_what_is_written_can_be_looked_at() -> None:
    (position,) = GAME.parse_match(make().stdout)
    assert len(position.field.forts) == 14


@pytest.mark.parametrize(
    ("arguments", "forts"),
    [
        (["--forts", "30"], 30),
        (["--forts", "3"], 3),
        (["--forts", "31", "--players", "3", "--fair"], 31),
        (["--forts", "9", "--players", "8", "--fair"], 9),
    ],
)
def test_the_number_of_forts_can_be_chosen(arguments: list[str], forts: int) -> None:
    result = make(*arguments)
    position = GAME.start(BattlebotsOptions(field=result.stdout))
    assert len(position.field.forts) == forts
    assert (
        sorted(fort.soldiers for fort in position.field.forts)[-position.seats :]
        == [100] * position.seats
    )


def test_the_same_seed_gives_the_same_map() -> None:
    assert make("--seed", "3").stdout == make("--seed", "3").stdout != make("--seed", "4").stdout


def test_the_map_goes_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    result = make("--output", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[-1] == f"wrote {file}"
    assert file.read_text("utf-8") == make().stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "9"], "9 seats: Battlebots is for 2 to 8"),
        (["--forts", "2"], "--forts 2: expected a whole number from 3 to 200"),
        (["--forts", "201"], "--forts 201: expected a whole number from 3 to 200"),
        (["--forts", "12", "--players", "3", "--fair"], "such as 10 or 13"),
        (["--seed", "-1"], "--seed -1: expected"),
        (["--output", "no/such/folder/map.txt"], "there is no folder 'no/such/folder'"),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], told: str) -> None:
    result = make(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_another_game_has_no_maps() -> None:
    result = CliRunner().invoke(app, ["map", "hive"])
    assert result.exit_code == 2
    assert "game 'hive': maps can be made for battlebots" in result.stderr
