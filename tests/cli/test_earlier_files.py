"""What earlier sites left, in `agon replay`, `agon verify` and `agon show`: known by content."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from agon.cli.app import app
from tests.games.atlantis.first_site import BARE_BOARD, NO_TURNS, SAVED
from tests.games.battlebots.contest_log import CONTEST_LOG, CROSSING_MAP

if TYPE_CHECKING:
    from pathlib import Path

CROSSES = "note: road nox oz: it crosses the road boyard helsingor"
EMPTY = "a march of 0 soldiers of felix from boyard to helsingor"


def run(*arguments: str | Path, succeeds: bool = True) -> Result:
    result = CliRunner().invoke(app, [str(word) for word in arguments])
    assert (result.exit_code == 0) is succeeds, result.output
    return result


@pytest.fixture(params=["contest.log", "no-ending", "contest.json", "contest.log.gz"])
def log(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The same log under names that say nothing."""
    file = tmp_path / str(request.param)
    text = CONTEST_LOG.encode()
    file.write_bytes(gzip.compress(text) if file.suffix == ".gz" else text)
    return file


def test_a_log_is_stepped_through(log: Path) -> None:
    lines = run("replay", log).stdout.splitlines()
    assert [line for line in lines if line.startswith("turn ")] == [
        "turn 0  Battlebots: felix - ilion",
        "turn 1",
        "turn 2",
        "turn 3",
        "turn 4",
    ]
    assert CROSSES in lines
    assert sum(EMPTY in line for line in lines) == 2


def test_a_log_at_one_turn_as_data(log: Path) -> None:
    result = run("replay", log, "--turn", "2", "--json")
    assert CROSSES in result.stderr
    position = json.loads(result.stdout)
    assert position["turn"] == 2
    assert [(m["origin"], m["soldiers"]) for m in position["marches"]] == [("boyard", 30)]


def test_a_log_has_no_stages_to_show(log: Path, tmp_path: Path) -> None:
    assert "wrote 5 frames" in run("replay", log, "--stages", "--film", tmp_path / "f.svg").stdout
    text = run("replay", log, "--text").stdout
    assert text.startswith("# STEP: 0\n4 forts:\nboyard 0 0 felix 100\n")
    assert "felix 0 5" not in text


def test_a_log_is_verified(log: Path) -> None:
    result = run("verify", log)
    assert "4 turns, unfinished" in result.stdout
    assert CROSSES in result.stdout
    found = json.loads(run("verify", log, "--json").stdout)["files"][0]
    assert (found["verdict"], found["turns"], len(found["notes"])) == ("ok", 4, 3)


def test_a_damaged_log_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "contest.log"
    file.write_text(CONTEST_LOG.replace("boyard nox felix 30 2", "boyard nox felix many 2"))
    result = run("verify", file, succeeds=False)
    assert "damaged" in result.stdout
    assert "line 42: 'many': expected a number, 0 or more" in result.stdout


def test_a_map_is_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "a.map"
    file.write_text(CROSSING_MAP)
    assert "turn 0  Battlebots: felix - ilion" in run("replay", file).stdout
    assert "0 turns, unfinished" in run("verify", file).stdout
    shown = run("show", "battlebots", file)
    assert CROSSES in shown.stderr
    assert "felix" in shown.stdout


def test_the_end_of_a_log_is_shown(log: Path, tmp_path: Path) -> None:
    assert json.loads(run("show", "battlebots", log, "--json").stdout)["position"]["turn"] == 4
    run("show", "battlebots", log, "--svg", tmp_path / "board.svg")


def test_a_match_is_not_played_on_roads_that_cross(tmp_path: Path) -> None:
    file = tmp_path / "a.map"
    file.write_text(CROSSING_MAP)
    bots = ("random", "random")
    result = run("match", "battlebots", *bots, "--option", f"field=@{file}", succeeds=False)
    assert "road nox oz: it crosses the road boyard helsingor" in result.stderr


@pytest.mark.parametrize("text", [BARE_BOARD, NO_TURNS])
def test_a_board_of_atlantis_is_read_alike(tmp_path: Path, text: str) -> None:
    file = tmp_path / "board.json"
    file.write_text(text)
    for command in (["show", "atlantis"], ["replay"]):
        assert "5\\___" in run(*command, file).stdout
    assert "0 turns, unfinished" in run("verify", file).stdout
    run("replay", file, "--film", tmp_path / "film.svg")
    run("replay", file, "--stages", "--svg", tmp_path / "pictures")
    json.loads(run("replay", file, "--json").stdout)


def test_a_file_of_the_first_site_verifies_with_all_its_turns(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text(SAVED)
    result = run("verify", file)
    assert "3 turns, unfinished" in result.stdout
    assert 'note: format "Atlantis transscript": read as "Atlantis transcript"' in result.stdout
    assert "note: turns: read as" in run("show", "atlantis", file).stderr
