"""`agon board`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.match_text import parse_match

if TYPE_CHECKING:
    from pathlib import Path


def board(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["board", *arguments])


def test_a_board_is_a_transcript_without_turns() -> None:
    result = board("atlantis", "triangle", "2")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert list(document) == ["format", "version", "segments", "players"]
    assert (document["format"], document["version"]) == ("Atlantis transcript", "1.0")
    assert document["segments"][0] == ["a1", "a2", "b1", "b2", "b3", "c2", "c3"]
    assert [sum(player["stacks"].values()) for player in document["players"]] == [7, 7]


@pytest.mark.parametrize(
    ("shape", "size", "players"), [("triangle", 6, 3), ("hexagon", 5, 6), ("rhombus", 24, 4)]
)
def test_what_is_written_can_be_played_on(shape: str, size: int, players: int) -> None:
    result = board("atlantis", shape, str(size), "--players", str(players))
    (position,) = parse_match(result.stdout)
    assert position.board == standard_board(shape, size, players)
    assert (position.options.board, position.options.custom) == (shape, "")


def test_without_players_it_is_the_segments_alone() -> None:
    document = json.loads(board("atlantis", "hexagon", "3", "--players", "0").stdout)
    assert list(document) == ["format", "version", "segments"]
    assert len(document["segments"]) == 19


def test_the_document_goes_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "island.json"
    result = board("atlantis", "rhombus", "2", "--output", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[-1] == f"wrote {file}"
    assert file.read_text("utf-8") == board("atlantis", "rhombus", "2").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hive", "triangle", "6"], "game 'hive': boards can be made for atlantis"),
        (["atlantis", "square", "6"], "board 'square': expected triangle, hexagon, rhombus"),
        (["atlantis", "triangle", "1"], "SIZE 1: expected a whole number from 2 to 24"),
        (["atlantis", "triangle", "25"], "SIZE 25: expected a whole number from 2 to 24"),
        (["atlantis", "triangle", "6", "--players", "7"], "--players 7: expected"),
        (["atlantis", "triangle", "6", "--players", "-1"], "--players -1: expected"),
        (["atlantis", "triangle", "6", "--players", "1"], "1 players on a triangle: expected 2"),
        (["atlantis", "triangle", "6", "--players", "4"], "4 players on a triangle: expected 2"),
        (["atlantis", "triangle"], "Missing argument 'SIZE'"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = board(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"agon: {told}")
    assert result.stderr.count("\n") == 1


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    nowhere = board("atlantis", "rhombus", "2", "-o", str(tmp_path / "nowhere" / "island.json"))
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.stderr
    folder = board("atlantis", "rhombus", "2", "-o", str(tmp_path))
    assert folder.exit_code == 2
    assert "cannot be written: Is a directory" in folder.stderr
