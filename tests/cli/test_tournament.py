"""`agon tournament`, `agon rank` and `agon sprt` as a user types them."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from agon.datastore import Store
from tests.arbiter.programs import write_program
from tests.cli.process import call_agon, start_agon
from tests.cli.test_match import bot_folder
from tests.cli.test_tournament_killed import count_stored, programs_of
from tests.waiting import wait_for

if TYPE_CHECKING:
    from pathlib import Path

BOTS = ("random", "greedy", "search")


def test_a_tournament_is_kept_and_ranked(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path), "--json")
    arguments = ("tournament", "hive", *BOTS, "--time", "5ms", "--cap", "80", "--name", "friday")
    played = call_agon(*arguments, *where)
    assert played.returncode == 0, played.stderr
    table = json.loads(played.stdout)
    assert (table["tournament"], table["matches"]) == ("friday", 6)
    again = call_agon(*arguments, *where)
    assert again.returncode == 2
    assert "tournament 'friday' exists: add --resume" in again.stderr
    resumed = call_agon(*arguments, "--resume", *where)
    assert json.loads(resumed.stdout) == table
    ranked = call_agon("rank", "hive", *where)
    assert json.loads(ranked.stdout)["rows"] == table["rows"]


@pytest.mark.system
def test_versions_of_a_folder_are_stored_and_can_play_again(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path / "data"))
    limits = ("--time", "60s", "--cap", "4", "--unsafe-host", "--jobs", "1")
    folder = bot_folder(tmp_path / "bot", "print('first', file=sys.stderr, flush=True); play()")
    for body in ("", "print('second', file=sys.stderr, flush=True); sys.exit(3)"):
        if body:
            write_program(tmp_path / "bot" / "bot.py", body)
        played = call_agon("tournament", "hive", folder, "random", *limits, *where)
        assert played.returncode == 0, played.stderr
    assert "mine@2: crash in match 4: agon replay --match 4" in played.stdout
    for view, told in (("--wire", "> options variant=Base"), ("--stderr", "second")):
        shown = call_agon("replay", "--match", "4", view, "--seat", "1", *where)
        assert shown.stdout.startswith(told), shown.stderr
    last = call_agon("replay", "--match", "4", "--turn", "last", *where)
    assert "mine@2: crash: exit status 3: second" in last.stdout
    verified = call_agon("verify", "--match", "4", *where)
    assert verified.stdout == "ok      match 4  1 turns, black: crash\n"
    arguments = ("hive", "mine@1", "mine@2", *limits, "--games", "2", *where, "--json")
    figures = json.loads(call_agon("match", *arguments).stdout)
    assert figures["bots"] == ["mine@1", "mine@2"]
    assert (figures["faults"], figures["wins"]) == ([0, 2], [2, 0])
    again = call_agon("tournament", "hive", "mine@1", "mine@2", *limits, *where, "--json")
    assert {row["bot"] for row in json.loads(again.stdout)["rows"]} == {"mine@1", "mine@2"}
    checked = call_agon("verify", "--ratings", *where, "--json")
    assert json.loads(checked.stdout)["ok"], checked.stdout
    with Store.open(tmp_path / "data" / "agon.db") as store:
        store.database.write(lambda c: c.exec_driver_sql("UPDATE result_counts SET times = 50"))
    checked = call_agon("verify", "--ratings", "hive", *where)
    assert checked.returncode == 1
    assert checked.stdout.startswith("ok      hive  ")
    assert "\ndiffers hive  table: rules 1, mine@1: rating " in checked.stdout
    for name in ("mine@3", "mine"):
        unknown = call_agon("match", "hive", name, "random", *where)
        assert unknown.returncode == 2
        assert f"bot {name!r}: expected one of random" in unknown.stderr
        assert unknown.stderr.endswith("; stored bots: mine@1, mine@2\n")


@pytest.mark.system
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_tournament_that_is_interrupted_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    """The one program waits for ever; matches of the other two are stored before the signal."""
    folder = bot_folder(tmp_path / "bot", "print('here', file=sys.stderr); next(asked()); sleep()")
    arguments = (
        *("tournament", "hive", "random", "random", folder, "--cap", "4", "--time", "600s"),
        *("--jobs", "4", "--rounds", "3", "--name", "friday", "--data", str(tmp_path / "data")),
        *("--unsafe-host", "--json", "--oversubscribe"),
    )
    process = start_agon(*arguments)
    try:
        wait_for(lambda: len(programs_of(folder)) == 4)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, stderr
    assert "to go on: agon tournament … --name 'friday' --resume" in stderr
    assert json.loads(stdout)["matches"] == count_stored(tmp_path / "data")
    assert programs_of(folder) == []


def test_the_better_bot_is_accepted() -> None:
    done = call_agon(
        *("sprt", "hive", "greedy", "random", "--elo1", "200", "--jobs", "1", "--json")
    )
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
        (("tournament", "hive", *BOTS, "--seats", "3"), "--seats 3: Hive is for 2 bots"),
        (("verify",), "expected transcripts: a FILE, --match ID, or --ratings"),
        (("verify", "--ratings", "chess"), "game 'chess': expected one of atlantis"),
        (("verify", "--ratings", "--match", "3"), "--ratings with --match 3: choose one"),
        (("replay",), "expected a transcript: a FILE, or --match"),
        (("replay", "--match", "1", "--data", "/nowhere/at/all"), "there is none"),
        (("tournament", "hive", "random"), "1 bots: expected 2 or more"),
        (("tournament", "hive", *BOTS, "--jobs", "-1"), "--jobs -1: expected a whole number"),
        (("rank", "hive", "--data", "/nowhere/at/all"), "there is none; `agon db upgrade`"),
        (("sprt", "hive", "random", "greedy", "--elo0", "5", "--elo1", "0"), "expected elo0 below"),
        (("sprt", "hive", "random", "greedy", "--pairs", "0"), "--pairs 0: expected"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = call_agon(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
