"""`agon verify`."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app as agon
from agon.games.game import Outcome
from agon.match.transcript import Fault, format_transcript
from tests.cli.samples import OPENING, app, forfeit, saved, transcript_of

if TYPE_CHECKING:
    from pathlib import Path


def verify(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["verify", *arguments])


def test_a_match_by_the_rules(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING))
    result = verify(file)
    assert (result.exit_code, result.stdout) == (0, f"ok      {file}  4 turns, unfinished\n")


def test_a_match_that_a_fault_ended(tmp_path: Path) -> None:
    file = saved(tmp_path, forfeit(transcript_of(*OPENING), 0, Fault.CRASH, "exit status 1"))
    assert verify(file).stdout == f"ok      {file}  4 turns, white: crash\n"


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of("wS1", "bG1*|wS1", "wQ1*|bG1", "bQ1*|bG1"))
    result = verify(file)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"differs {file}  events[2].turns.0: move 'wQ1*|bG1'")


def test_a_wrong_outcome_differs(tmp_path: Path) -> None:
    faulty = forfeit(transcript_of(*OPENING), 0, Fault.CRASH, "")
    file = saved(tmp_path, replace(faulty, outcome=Outcome((2, 0), "black: crash")))
    result = verify(file)
    assert result.exit_code == 1
    assert "outcome" in result.stdout


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_file_that_was_cut_off_is_damaged(tmp_path: Path, cut: int) -> None:
    text = format_transcript(transcript_of(*OPENING))
    for name, data in (
        ("match.json", text[:cut].encode()),
        ("match.json.gz", gzip.compress(text.encode())[:cut]),
    ):
        (tmp_path / name).write_bytes(data)
        result = verify(str(tmp_path / name))
        assert result.exit_code == 1
        assert result.stdout.startswith(f"damaged {tmp_path / name}  ")


def test_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    first = saved(tmp_path, transcript_of(*OPENING), "b.json")
    second = saved(tmp_path / "deep" / "er", transcript_of(*OPENING), "a.json.gz")
    (tmp_path / "notes.txt").write_text("no transcript")
    result = verify(str(tmp_path), first)
    assert result.exit_code == 0
    files = [line.split()[1] for line in result.stdout.splitlines()]
    assert sorted(files) == sorted([first, second])
    assert "2 matches, none wrong" in result.stderr


def test_json(tmp_path: Path) -> None:
    good = saved(tmp_path, forfeit(transcript_of("wS1"), 1, Fault.TIMEOUT, ""), "good.json")
    wrong = saved(tmp_path, transcript_of("wS1", "wS2"), "wrong.json")
    result = verify(good, wrong, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["ok"] is False
    assert [entry["verdict"] for entry in found["files"]] == ["ok", "differs"]
    assert found["files"][0] == {
        "file": good,
        "verdict": "ok",
        "what": "",
        "turns": 1,
        "outcome": {"scores": [2, 0], "reason": "black: timeout"},
        "notes": [],
    }
    assert found["files"][1]["what"].startswith("events[1].turns.1: ")


def test_wrong_use(tmp_path: Path) -> None:
    missing, empty = str(tmp_path / "none.json"), tmp_path / "empty"
    empty.mkdir()
    for arguments, told in (
        ([missing], f"file {missing!r}: there is no such file"),
        ([str(empty)], f"folder {str(empty)!r}: no *.json or *.json.gz in it"),
    ):
        result = verify(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert told in result.stderr
    assert verify().exit_code == 2


def test_a_log_is_compared_with_the_match(tmp_path: Path) -> None:
    runner = CliRunner()
    match, log = tmp_path / "match.json", tmp_path / "match.log"
    bots = ["match", "battlebots", "greedy", "random", "--cap", "6", "--seed", "3"]
    assert runner.invoke(agon, [*bots, "--save", str(match)]).exit_code == 0
    log.write_text(runner.invoke(agon, ["replay", str(match), "--log"]).stdout)
    assert log.read_text().startswith("# STEP: 0\n")
    checked = runner.invoke(agon, ["verify", str(match), "--log", str(log)])
    assert (checked.exit_code, checked.stdout.split()[0]) == (0, "ok")
    lines = log.read_text().splitlines()
    place = lines.index("# STEP: 3") + 2
    name, *rest, soldiers = lines[place].split()
    lines[place] = " ".join([name, *rest, str(int(soldiers) + 1)])
    log.write_text("\n".join(lines) + "\n")
    checked = runner.invoke(agon, ["verify", str(match), "--log", str(log)])
    assert checked.exit_code == 1
    assert checked.stdout.startswith(f"differs {log}  line {place + 1}: ")
    log.write_text("# STEP: 0\n2 forts\n")
    checked = runner.invoke(agon, ["verify", str(match), "--log", str(log)])
    assert (checked.exit_code, checked.stdout.split()[0]) == (1, "damaged")


def test_an_option_may_stand_in_a_file(tmp_path: Path) -> None:
    field = tmp_path / "field.map"
    runner = CliRunner()
    made = runner.invoke(agon, ["map", "battlebots", "--players", "2", "--output", str(field)])
    assert made.exit_code == 0, made.stderr
    played = ["match", "battlebots", "random", "random", "--cap", "3", "--option"]
    assert runner.invoke(agon, [*played, f"field=@{field}"]).exit_code == 0
    missing = runner.invoke(agon, [*played, "field=@no.map"])
    assert missing.exit_code == 2
    assert "the file cannot be read" in missing.stderr
