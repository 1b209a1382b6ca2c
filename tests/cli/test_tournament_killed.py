"""A tournament that is killed again and again loses no match and plays none twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from agon.cli.app import app
from agon.datastore.matches import MatchFilter
from agon.datastore.store import Store
from tests.cli.test_match import bot_folder
from tests.waiting import wait_for

MATCHES_PER_ROUND = 6


def run_here(*arguments: str) -> str:
    """What a command prints, without the time that a process of its own takes to start."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def arguments(bot: str, data: Path, rounds: int) -> tuple[str, ...]:
    return (
        *("tournament", "hive", "random", "random", bot, "--cap", "16", "--time", "60s"),
        *("--rounds", str(rounds), "--jobs", "3", "--oversubscribe", "--seed", "11"),
        *("--name", "friday"),
        *("--unsafe-host", "--resume", "--data", str(data), "--json"),
    )


def count_stored(data: Path) -> int:
    """How many matches are stored, as another process sees it."""
    try:
        with closing(sqlite3.connect(f"file:{data / 'agon.db'}?mode=ro", uri=True)) as connection:
            (number,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    except sqlite3.OperationalError:  # there is no store yet
        return 0
    return int(number)


def programs_of(folder: str) -> list[int]:
    """The processes that run in this folder."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and os.readlink(place / "cwd") == folder:
                found.append(int(place.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def have_ended(folder: str) -> bool:
    """Whether they are gone; a paused one is let go on to notice the end."""
    for pid in programs_of(folder):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            continue
    return not programs_of(folder)


def results_by_fixture(data: Path) -> dict[str | None, tuple[object, ...]]:
    with Store.open(data / "agon.db") as store:
        matches = store.matches.find(MatchFilter(), limit=10**6)
    found: dict[str | None, tuple[object, ...]] = {
        match.fixture: (match.seed, match.reason, [(s.bot, s.number, s.score) for s in match.seats])
        for match in matches
    }
    assert len(found) == len(matches)
    return found


@pytest.mark.system
@pytest.mark.parametrize(
    ("kills", "rounds"), [(4, 6), pytest.param(100, 120, marks=pytest.mark.slow)]
)
def test_a_tournament_that_is_killed_again_and_again_ends_with_the_same_table(
    tmp_path: Path, kills: int, rounds: int
) -> None:
    bot, number = bot_folder(tmp_path / "bot", "play()"), MATCHES_PER_ROUND * rounds
    whole = run_here(*arguments(bot, tmp_path / "whole", rounds))
    data, chance = tmp_path / "killed", Random(7)  # noqa: S311
    for _ in range(kills):
        goal = count_stored(data) + chance.randrange(6)
        process = subprocess.Popen(
            [sys.executable, "-m", "agon", *arguments(bot, data, rounds)], stdout=subprocess.DEVNULL
        )
        wait_for(lambda: count_stored(data) >= goal or process.poll() is not None)  # noqa: B023
        assert process.poll() is None, "it ended before it could be killed"
        process.kill()
        process.wait()
        wait_for(lambda: have_ended(bot))
    assert count_stored(data) < number
    killed, undisturbed = json.loads(run_here(*arguments(bot, data, rounds))), json.loads(whole)
    assert killed["matches"] == number
    assert killed["rows"] == undisturbed["rows"]
    assert killed["head_to_head"] == undisturbed["head_to_head"]
    assert results_by_fixture(data) == results_by_fixture(tmp_path / "whole")
    checked = run_here("verify", "--ratings", "hive", "--data", str(data))
    assert checked == f"ok      hive  {number} matches and {2 * number} ratings checked\n"
