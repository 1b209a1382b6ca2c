"""`agon perft`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.cli.arguments import parse_threads
from agon.errors import MissingPartError
from agon.games.game import Game
from agon.games.hive.game import GAME
from agon.simulate.threads import available_cores

MATCH = r"Base;InProgress;White[4];wG1;bG1 wG1-;wA1 -wG1;bA1 bG1-;wQ \wG1;bQ bG1/"


def perft(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["perft", *arguments])


def nodes(*arguments: str) -> int:
    result = perft(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: int = json.loads(result.stdout)["nodes"]
    return found


@pytest.mark.parametrize(("depth", "expected"), [*enumerate([1, 4, 96, 1440, 21600, 516240])])
def test_the_published_figures(depth: int, expected: int) -> None:
    assert nodes("hive", str(depth)) == expected


def test_a_variant() -> None:
    assert nodes("hive", "4", "--variant", "Base+MLP") == 151686


def test_threads_find_the_same() -> None:
    alone = nodes("hive", "3", "--position", MATCH)
    assert nodes("hive", "3", "--position", MATCH, "--threads", "2") == alone
    assert nodes("hive", "3", "--position", MATCH, "--threads", "all") == alone


def test_divide_adds_up() -> None:
    found = json.loads(perft("hive", "2", "--position", MATCH, "--divide", "--json").stdout)
    assert list(found["divide"]) == sorted(found["divide"])
    assert sum(found["divide"].values()) == found["nodes"]
    assert len(found["divide"]) == nodes("hive", "1", "--position", MATCH)


def test_json_has_the_figures() -> None:
    found = json.loads(perft("hive", "3", "--json").stdout)
    assert found["match"] == "Base;NotStarted;White[1]"
    assert (found["game"], found["depth"], found["nodes"], found["threads"]) == ("hive", 3, 1440, 1)
    assert found["nodes_per_second"] == 1440 * 10**9 // found["time_ns"]
    assert "divide" not in found


def test_text_for_people() -> None:
    result = perft("hive", "4", "--divide")
    lines = result.stdout.splitlines()
    assert lines[0] == "Hive  Base;NotStarted;White[1]"
    assert [line.split() for line in lines[2:6]] == [
        [tile, "5,400"] for tile in ("wA1", "wB1", "wG1", "wS1")
    ]
    assert lines[6] == "perft 4   21,600 nodes"
    assert lines[7].endswith(" nodes/s, 1 thread")


def test_moves_are_printed_as_they_are() -> None:
    moves = json.loads(perft("hive", "1", "--position", MATCH, "--divide", "--json").stdout)
    backslashed = [move for move in moves["divide"] if move.endswith("\\")]
    assert backslashed
    shown = perft("hive", "1", "--position", MATCH, "--divide").stdout
    assert all(f"{move} " in shown for move in backslashed)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess", "2"], "game 'chess': expected one of atlantis"),
        (["hive", "11"], "depth 11: expected 0 to 10"),
        (["hive", "--", "-1"], "depth -1: expected 0 to 10"),
        (["hive", "2", "--variant", "Base+X"], "option variant='Base+X': expected Base, Base+M"),
        (
            ["hive", "2", "--position", "Base;InProgress;Black[1];wQ"],
            "move 1 of the game: move 'wQ'",
        ),
        (["hive", "2", "--variant", "Base", "--position", MATCH], "leave one out"),
        (["hive", "2", "--threads", "some"], "--threads 'some': expected all, or a whole number"),
        (["hive", "2", "--threads", "9" * 30], "up to 1024"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = perft(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    line = result.stderr.splitlines()[-1]
    assert line.startswith("agon: ")
    assert told in line


def test_a_game_without_perft_says_so() -> None:
    with pytest.raises(MissingPartError, match=r"Hive has no perft: use `agon simulate hive`"):
        Game.perft_jobs(GAME, GAME.start(), 1)


def test_threads_are_a_number_or_all() -> None:
    assert parse_threads("3") == 3
    assert parse_threads("0") == parse_threads("00") == parse_threads("all") == available_cores()
