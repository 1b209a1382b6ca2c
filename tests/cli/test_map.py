"""`agon map`: maps of Battlebots and of Skyport, as text and as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.maps import make_map
from agon.games.battlebots.match_text import parse_match
from agon.games.skyport.game import GAME as SKYPORT
from agon.games.skyport.game import SkyportOptions
from agon.games.skyport.mapfile import parse_map
from agon.games.skyport.maps import generate, load_map, name_for

if TYPE_CHECKING:
    from pathlib import Path


def make(*arguments: str, game: str = "battlebots") -> Result:
    return CliRunner().invoke(app, ["map", game, *arguments])


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
    (position,) = parse_match(make().stdout)
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
    result = make(game="hive")
    assert result.exit_code == 2
    assert "game 'hive': maps can be made for battlebots, skyport" in result.stderr


# --- Skyport ---


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_maps_of_skyport_have_the_size_of_ours(players: int) -> None:
    result = make("--players", str(players), "--seed", "7", game="skyport")
    assert result.exit_code == 0
    board = parse_map(result.stdout)
    assert board == generate(players, load_map(name_for(players)).side, 7)
    assert SKYPORT.start(SkyportOptions(map_text=result.stdout)).seats == players


def test_the_size_can_be_chosen() -> None:
    result = make("--players", "4", "--size", "9", game="skyport")
    assert result.stdout.splitlines()[:2] == ["players 4", "size 9"]
    assert parse_map(result.stdout).side == 9


@pytest.mark.parametrize("game", ["skyport", "battlebots"])
def test_text_and_picture_go_into_files(game: str, tmp_path: Path) -> None:
    text, picture = tmp_path / "map.txt", tmp_path / "map.svg"
    result = make("--out", str(text), "--svg", str(picture), game=game)
    assert (result.exit_code, result.stdout) == (0, "")
    assert text.read_text("utf-8") == make(game=game).stdout
    root = ElementTree.fromstring(picture.read_text("utf-8"))  # noqa: S314  our own picture
    assert root.attrib["class"] == f"scene scene-{game}"


def test_a_picture_on_stdout_comes_alone() -> None:
    result = make("--svg", "-", game="skyport")
    assert result.exit_code == 0
    ElementTree.fromstring(result.stdout)  # noqa: S314  our own picture


@pytest.mark.parametrize(
    ("game", "arguments", "told"),
    [
        ("skyport", ["--players", "9"], "9 seats: Skyport is for 2 to 8"),
        ("skyport", ["--size", "4"], "--size 4: expected 5 to 64 for 2 players"),
        ("skyport", ["--size", "65"], "--size 65: expected 5 to 64 for 2 players"),
        ("skyport", ["--size", "10", "--players", "8"], "expected 11 to 64 for 8 players"),
        ("skyport", ["--forts", "4"], "--forts: maps of skyport have no such thing"),
        ("skyport", ["--fair"], "--fair: maps of skyport have no such thing, expected --size"),
        ("battlebots", ["--size", "9"], "--size: maps of battlebots have no such thing"),
    ],
)
def test_wrong_wishes_are_one_line(game: str, arguments: list[str], told: str) -> None:
    result = make(*arguments, game=game)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
