"""`agon show`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from tests.cli.samples import saved, transcript_of

if TYPE_CHECKING:
    from pathlib import Path

MATCH = "Base+MLP;InProgress;White[2];wS1;bS1 wS1-"


def show(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["show", *arguments])


def test_the_board() -> None:
    result = show("hive", MATCH)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "|wS1[bS1]" in lines[1]
    assert lines[-1] == "Turn 2: White to move"
    assert "\x1b" not in result.stdout


def test_without_a_match_the_start() -> None:
    result = show("hive")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "Turn 0: White to move"


def test_json_holds_the_position_and_the_match() -> None:
    result = show("hive", "Base+MLP;InProgress;White[2];wS1;bS1 wS1-", "--json")
    shown = json.loads(result.stdout)
    assert shown["game"] == "hive"
    assert shown["match"] == MATCH
    assert shown["position"]["turn"] == 2
    assert [tile["tile"] for tile in shown["position"]["tiles"]] == ["wS1", "bS1"]


def test_a_variant_alone_is_its_start() -> None:
    shown = json.loads(show("hive", "Base+MLP", "--json").stdout)
    assert shown["match"] == "Base+MLP;NotStarted;White[1]"
    assert len(shown["position"]["legal_moves"]) == 7


def test_the_picture_goes_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    file.write_text("an older picture")
    result = show("hive", MATCH, "--svg", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[-1] == f"wrote {file}"
    assert ElementTree.parse(file).getroot().tag.endswith("svg")  # noqa: S314  our own picture


def test_the_picture_goes_to_stdout() -> None:
    result = show("hive", MATCH, "--svg", "-")
    assert result.stdout.startswith("<svg")
    assert result.stdout.endswith("</svg>\n")


def test_picture_and_json_together(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    result = show("hive", MATCH, "--svg", str(file), "--json")
    assert json.loads(result.stdout)["match"] == MATCH
    assert file.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "game 'chess': expected one of atlantis"),
        (["hive", "Base+X"], "game type 'Base+X': expected one of Base, Base+M"),
        (["hive", "Base;InProgress"], "expected type;state;turn;moves"),
        (["hive", "Base;InProgress;White[2];wS1;bQ wS1-"], "move 2 of the game: move 'bQ wS1-'"),
        (["hive", "Base;InProgress;White[2];wS1;bS1 over"], "move 2 of the game: move 'bS1 over'"),
        (["hive", "Base;Draw;White[2];wS1;bS1 wS1-"], "game state 'Draw': after the moves"),
        (["hive", MATCH, "--json", "--svg", "-"], "both would go to stdout; name a file"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = show(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    line = result.stderr.splitlines()[-1]
    assert line.startswith("agon: ")
    assert told in line


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    result = show("hive", "--svg", str(folder / "board.svg"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"there is no folder {str(folder)!r}; make it first" in result.stderr


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = show("hive", "--svg", str(tmp_path))
    assert result.exit_code == 2
    assert "cannot be written: Is a directory" in result.stderr


def test_a_file_with_the_text_of_a_match(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(f"{MATCH}\n")
    assert show("hive", str(file)).stdout == show("hive", MATCH).stdout


def test_a_file_with_a_transcript(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of("wS1", "bG1*|wS1"))
    result = show("hive", file)
    assert result.exit_code == 0
    assert "|wS1[bG1]" in result.stdout


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("Base;Nonsense")
    result = show("hive", str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"agon: {file}: ")


def test_a_starting_board_of_atlantis_without_players(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text('{"format": "Atlantis transcript", "version": "1.0", "segments": ["B2"]}')
    result = show("atlantis", str(file))
    assert result.exit_code == 0, result.stderr
    assert "2\\" in result.stdout
