"""`agon bench`: wrong use, and how figures are shown. A whole run takes minutes: `make bench`."""

from __future__ import annotations

import io
import json
import os

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from agon.bench import hive
from agon.bench.measure import Contest, Contestant, Standing
from agon.cli.app import app
from agon.cli.bench import contest_json, print_contest
from agon.cli.console import format_json
from agon.errors import AgonError
from tests.cli.process import run_agon

CONTEST = Contest(
    "random play", "plies", (Contestant("ours", lambda: 1), Contestant("theirs", lambda: 1))
)
STANDINGS = [Standing("ours", 1_500_000, None), Standing("theirs", 20_000, 75.0)]


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", *arguments])


def test_a_contest_for_programs() -> None:
    found = json.loads(format_json(contest_json(CONTEST, STANDINGS)))
    assert found == {
        "title": "random play",
        "unit": "plies",
        "rates": {"ours": 1_500_000, "theirs": 20_000},
        "ratios_permille": {"theirs": 75_000},
    }


def test_a_contest_for_people() -> None:
    written = io.StringIO()
    print_contest(Console(file=written, width=100), CONTEST, STANDINGS)
    head, ours, theirs = (line.split() for line in written.getvalue().splitlines())
    assert head == ["random", "play", "plies/s"]
    assert ours == ["ours", "1,500,000"]
    assert theirs == ["theirs", "20,000", "75.0", "times"]


def test_touching_every_kernel_prints_nothing() -> None:
    done = run_agon("bench", "--touch", "hive")
    assert (done.returncode, done.stdout) == (0, "")


def test_compiled_work_counts_what_it_did() -> None:
    work = hive.compiled_plies("Base")
    assert 256 < work() <= 256 * hive.CAP
    assert hive.compiled_perft("Base", 3)() == 1440
    assert hive.mid_game_perft("Base")() == hive.mid_game_perft("Base")() > 0


def test_interpreted_work_counts_the_same() -> None:
    assert hive.run_agon("perft", "hive", "2")["nodes"] == hive.compiled_perft("Base", 2)()


def test_a_process_that_fails_is_told() -> None:
    with pytest.raises(AgonError, match="show chess: agon: game 'chess'"):
        hive.run("show", "chess", environment=dict(os.environ))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "bench 'chess': expected one of hive"),
        (["hive", "hives"], "bench 'hives': expected one of hive"),
        ([""], "bench '': expected one of hive"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], told: str) -> None:
    result = bench(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"agon: {told}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rounds", "many"], "Invalid value for '--rounds'"),
        (["--seconds", "0.5"], "Invalid value for '--seconds'"),
    ],
)
def test_what_is_not_a_number_is_refused(arguments: list[str], told: str) -> None:
    result = bench(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


@pytest.mark.parametrize("arguments", [["--rounds", "0"], ["--rounds", "-1"], ["--seconds", "-1"]])
def test_numbers_that_make_no_sense_are_refused(arguments: list[str]) -> None:
    result = bench("--touch", *arguments)
    assert result.exit_code == 2
