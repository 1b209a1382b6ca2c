"""`agon tournament`, `agon rank` and `agon sprt` as a user types them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.process import run_agon

if TYPE_CHECKING:
    from pathlib import Path

BOTS = ("random", "greedy", "search")


def test_a_tournament_is_kept_and_ranked(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path), "--json")
    arguments = ("tournament", "hive", *BOTS, "--time", "5ms", "--cap", "80", "--name", "friday")
    played = run_agon(*arguments, *where)
    assert played.returncode == 0, played.stderr
    table = json.loads(played.stdout)
    assert (table["tournament"], table["matches"]) == ("friday", 6)
    again = run_agon(*arguments, *where)
    assert again.returncode == 2
    assert "tournament 'friday' exists: add --resume" in again.stderr
    resumed = run_agon(*arguments, "--resume", *where)
    assert json.loads(resumed.stdout) == table
    ranked = run_agon("rank", "hive", *where)
    assert json.loads(ranked.stdout)["rows"] == table["rows"]


def test_the_better_bot_is_accepted() -> None:
    done = run_agon(*("sprt", "hive", "greedy", "random", "--elo1", "200", "--jobs", "1", "--json"))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["decision"] == "accept"
    assert report["pairs"] == sum(report["counts"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tournament", "hive", *BOTS, "--format", "duel"), "--format 'duel': expected one of"),
        (("tournament", "hive", *BOTS, "--resume"), "--resume: expected --name"),
        (("tournament", "hive", "random", "nobody"), "bot 'nobody': expected one of random"),
        (("tournament", "hive", "random"), "1 bots: expected 2 or more"),
        (("tournament", "hive", *BOTS, "--jobs", "-1"), "--jobs -1: expected a whole number"),
        (("rank", "hive", "--data", "/nowhere/at/all"), "there is none; `agon db upgrade`"),
        (("sprt", "hive", "random", "greedy", "--elo0", "5", "--elo1", "0"), "expected elo0 below"),
        (("sprt", "hive", "random", "greedy", "--pairs", "0"), "--pairs 0: expected"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = run_agon(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
