"""`agon bench`: wrong use, and how figures are shown. A whole run takes minutes: `make bench`."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from agon.cli.app import app
from agon.cli.bench import load_benchmarks
from agon.cli.console import format_json
from agon.errors import MissingPartError
from benchmarks.command import contest_json, print_contest
from benchmarks.duel import Costs, Duel, Side, Verdict
from benchmarks.duel_report import duel_json, print_duel
from benchmarks.measure import Contest, Contestant, Standing

if TYPE_CHECKING:
    from pathlib import Path

CONTEST = Contest(
    "random play",
    "plies",
    (Contestant("ours", lambda: 1), Contestant("theirs", lambda: 1, "a ply with [its] moves")),
)
STANDINGS = [Standing("ours", 1_500_000, None), Standing("theirs", 20_000, 75.0)]
DUEL = Duel(
    "on pipes", "ply", "plies", Side("ours", lambda: 1), Side("bare", lambda: 1), 3, 5 * 10**9
)
VERDICT = Verdict(
    Costs(120_000, 100_000, 125_000, 2_500_000_000), Costs(24_000, 10_000, 25_000, 1), 5.25, 4.75
)


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", *arguments])


def test_a_contest_for_programs() -> None:
    found = json.loads(format_json(contest_json(CONTEST, STANDINGS)))
    assert found == {
        "title": "random play",
        "unit": "plies",
        "rates": {"ours": 1_500_000, "theirs": 20_000},
        "ratios_permille": {"theirs": 75_000},
        "counts": {"theirs": "a ply with [its] moves"},
    }


def test_a_contest_for_people() -> None:
    written = io.StringIO()
    print_contest(Console(file=written, width=100), CONTEST, STANDINGS)
    *table, counts = written.getvalue().splitlines()
    head, ours, theirs = (line.split() for line in table)
    assert head == ["random", "play", "plies/s"]
    assert ours == ["ours", "1,500,000"]
    assert theirs == ["theirs", "20,000", "75.0", "times"]
    assert counts == "theirs: a ply with [its] moves"


def test_a_duel_for_programs() -> None:
    found = json.loads(format_json(duel_json(DUEL, VERDICT)))
    assert found == {
        "title": "on pipes",
        "unit": "ply",
        "sides": {
            "ours": {
                "cpu_ns": 120_000,
                "own_cpu_ns": 100_000,
                "per_second": 8000,
                "piece_ns": 2_500_000_000,
            },
            "bare": {
                "cpu_ns": 24_000,
                "own_cpu_ns": 10_000,
                "per_second": 40_000,
                "piece_ns": 1,
            },
        },
        "ratios_permille": {"cpu": 5250, "time": 4750},
        "at_most": 3,
        "at_most_ns": 5 * 10**9,
    }


def test_a_duel_for_people_fits_a_terminal() -> None:
    written = io.StringIO()
    print_duel(Console(file=written, width=80), DUEL, VERDICT)
    lines = [line.rstrip() for line in written.getvalue().splitlines()]
    assert [line.split() for line in lines] == [
        ["on", "pipes"],
        ["CPU/ply", "this", "process", "plies/s"],
        ["ours", "120.0", "µs", "100.0", "µs", "8,000"],
        ["bare", "24.0", "µs", "10.0", "µs", "40,000"],
        ["wanted:", "at", "most", "3", "times", "5.2", "times", "4.8", "times"],
        ["all", "of", "them:", "2.50", "s,", "wanted:", "at", "most", "5.00", "s"],
    ]


KNOWN = (
    "expected one of hive, atlantis, battlebots, skyport, mebipenny, gpu, learn, arbiter, fairness,"
    " website, cluster"
)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["chess"],
            f"bench 'chess': {KNOWN}",
        ),
        (
            ["hive", "hives"],
            f"bench 'hives': {KNOWN}",
        ),
        ([""], f"bench '': {KNOWN}"),
        (["hive", "--cluster", "h:1"], "--cluster 'h:1': only for `agon bench cluster`"),
        (["--cluster", "h:1"], "--cluster 'h:1': only for `agon bench cluster`"),
        (["--check"], "--check: only for `agon bench learn`"),
        (["learn", "hive", "--check"], "--check: only for `agon bench learn`"),
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
    result = bench(*arguments)
    assert result.exit_code == 2


def test_without_a_checkout_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(MissingPartError, match="run it in a checkout"):
        load_benchmarks(tmp_path)
