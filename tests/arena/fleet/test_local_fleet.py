"""A fleet of processes: same results, deaths, cancelling, and matches that are followed."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, launch_on_host, load_program
from agon.arbiter.limits import Limits
from agon.arbiter.pool import StoppedError
from agon.arbiter.series import SeriesRunner
from agon.arena.fleet.carry_out import CHECKED, JobRunner, find_among
from agon.arena.fleet.fleet import FleetMatches
from agon.arena.fleet.jobs import (
    CheckBot,
    CheckedBot,
    FailedJob,
    JobFailure,
    JobPlayer,
    PlayedMatch,
    PlayMatch,
    RecordPart,
    ReportPart,
)
from agon.arena.fleet.local_fleet import MOST_DEATHS, LocalFleet
from agon.arena.fleet.task_runner import FleetSettings
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.match.transcript import Fault, TurnEvent, parse_transcript, verify
from agon.sandbox.processes import descendants
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arena.fleet.jobs import JobPart
    from agon.match.transcript import Event

pytestmark = pytest.mark.system

HIVE = find_game("hive")
BOTS = (Entrant("ann", built_in="random"), Entrant("bob", built_in="greedy"))
JOB = PlayMatch(
    "match",
    "hive",
    HIVE.rules_version,
    {"variant": "Base"},
    7,
    (JobPlayer("ann"), JobPlayer("bob")),
    Limits(10**9, turns=30),
)
ON_HOST = FleetSettings(unsafe_host=True)


@pytest.fixture(scope="module")
def fleet() -> Iterator[LocalFleet]:
    with LocalFleet(2, ON_HOST) as opened:
        yield opened


def script(folder: Path, text: str) -> Entrant:
    """A bot that is a shell script."""
    (folder / "bot.sh").write_text(text)
    return Entrant("ann", Program("ann", ("sh", "bot.sh"), folder))


def turns(match: PlayedMatch) -> list[dict[int, str]]:
    events = parse_transcript(match.transcript.decode()).events
    return [dict(event.turns) for event in events if isinstance(event, TurnEvent)]


def test_a_process_plays_the_match_that_this_one_plays(fleet: LocalFleet) -> None:
    runner = JobRunner(SeriesRunner(time.monotonic_ns, launch_on_host), find_among(BOTS))
    here, there = runner.play(JOB), fleet.carry_out(JOB, BOTS)
    assert isinstance(there, PlayedMatch)
    assert turns(there) == turns(here)
    assert there.outcome == here.outcome
    assert there.key == "match"


def test_what_is_wrong_with_a_job_is_told(fleet: LocalFleet) -> None:
    failed = fleet.carry_out(replace(JOB, rules=99), BOTS)
    told = f"hive by rules 99: this machine plays by {HIVE.rules_version}"
    assert failed == FailedJob("match", told, JobFailure.JOB)
    with pytest.raises(SettingError, match="rules 99"):
        FleetMatches(fleet, find_among(BOTS)).play(replace(JOB, rules=99))


def test_the_record_grows_while_the_match_is_played(fleet: LocalFleet) -> None:
    parts: list[JobPart] = []
    played = FleetMatches(fleet, find_among(BOTS)).play(JOB, parts.append)
    transcript = parse_transcript(played.transcript.decode())
    assert parts[0] == RecordPart(0, (), transcript.players)
    assert len(parts) > 30
    events: list[Event] = []
    for part in parts:
        assert isinstance(part, RecordPart)
        assert part.first == len(events)
        events += part.events
    verify(replace(transcript, events=tuple(events)))
    assert [e for e in events if isinstance(e, TurnEvent)] == [
        e for e in transcript.events if isinstance(e, TurnEvent)
    ]


def test_its_processes_let_others_go_first_by_as_much_as_is_said() -> None:
    others = set(multiprocessing.active_children())
    with LocalFleet(1, replace(ON_HOST, nice=5)) as fleet:
        fleet.carry_out(JOB, BOTS)
        (process,) = set(multiprocessing.active_children()) - others
        assert process.pid is not None
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(os.nice(0) + 5, 19)


def test_a_bot_that_is_absent_fails_for_that_reason(fleet: LocalFleet) -> None:
    gone = replace(JOB, players=(JobPlayer("ann", absence="it is gone"), JobPlayer("bob")))
    played = FleetMatches(fleet, find_among(BOTS[1:])).play(gone)
    assert played.faults == (Fault.NO_START, None)
    assert b"it is gone" in played.transcript


def test_a_job_of_a_process_that_is_killed_is_done_by_another() -> None:
    others = set(multiprocessing.active_children())
    parts: list[JobPart] = []

    def kill_once(part: JobPart) -> None:
        if not parts:
            (victim,) = set(multiprocessing.active_children()) - others
            victim.kill()
            victim.join()
        parts.append(part)

    slow = Entrant("ann", built_in="search")
    short = replace(JOB, limits=Limits(10**9 // 2, turns=2))
    with LocalFleet(1) as fleet:
        assert isinstance(fleet.carry_out(short, (slow, BOTS[1]), kill_once), PlayedMatch)
        assert fleet.deaths == 1
    begins = [part.begins for part in parts if isinstance(part, RecordPart)]
    assert begins[:2] == [True, True]


def test_a_caller_that_fails_leaves_no_process_with_its_job(fleet: LocalFleet) -> None:
    def fail(part: JobPart) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fleet.carry_out(JOB, BOTS, fail)
    other = replace(JOB, key="other")
    for _ in range(2):  # by both processes
        played = fleet.carry_out(other, BOTS)
        assert isinstance(played, PlayedMatch)
        assert played.key == "other"


def test_a_job_of_which_processes_die_is_given_up(
    tmp_path: Path, fleet: LocalFleet, caplog: pytest.LogCaptureFixture
) -> None:
    deadly = script(tmp_path, f"echo died >> {tmp_path}/deaths; kill -9 $PPID; sleep 9")
    failed = fleet.carry_out(JOB, (deadly, BOTS[1]))
    told = f"{MOST_DEATHS} processes died of it, the last with exit code -9"
    assert failed == FailedJob("match", told, JobFailure.JOB)
    assert (tmp_path / "deaths").read_text().count("died") == MOST_DEATHS
    assert caplog.text.count("the process that played it died, with exit code -9") == MOST_DEATHS
    died = [one for one in fleet.read().failures if "died" in one.message]
    assert [one.message for one in died] == ["its process died, with exit code -9"] * MOST_DEATHS
    assert isinstance(fleet.carry_out(JOB, BOTS), PlayedMatch)


def test_a_match_under_way_and_one_that_waits_are_given_up(tmp_path: Path) -> None:
    silent = script(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    patient = replace(JOB, limits=Limits(600 * 10**9, start_ns=600 * 10**9))
    with LocalFleet(1, ON_HOST) as fleet, ThreadPoolExecutor(2) as threads:
        matches = FleetMatches(fleet, find_among((silent, BOTS[1])))
        keys = "first", "second"
        played = [threads.submit(matches.play, replace(patient, key=key)) for key in keys]
        wait_for(lambda: (tmp_path / "pid").exists())
        wait_for(lambda: fleet.read().waiting == 1)
        assert len(fleet.read().nodes[""].playing) == 1
        assert not matches.is_stopped
        matches.stop()
        for one in played:
            assert isinstance(one.exception(30), StoppedError)
        with pytest.raises(StoppedError):
            matches.play(patient)
        others = FleetMatches(fleet, find_among(BOTS))
        assert others.play(JOB).turns == 30
        work = fleet.read()
        assert (work.waiting, work.failures) == (0, ())
        assert (work.nodes[""].playing, work.nodes[""].done) == ((), 1)


def test_an_exception_in_a_process_comes_with_its_log(fleet: LocalFleet) -> None:
    failed = fleet.carry_out(replace(JOB, key="broken", options={"variant": "\x1b[2J"}), BOTS)
    assert isinstance(failed, FailedJob)
    failure = fleet.read().failures[-1]
    assert (failure.key, failure.message, failure.log) == ("broken", failed.message, failed.log)
    assert failure.log[0].startswith("Traceback")
    assert "\x1b" not in "".join(failure.log)


def test_an_end_of_the_fleet_gives_up_what_is_under_way(tmp_path: Path) -> None:
    silent = script(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    patient = replace(JOB, limits=Limits(600 * 10**9, start_ns=600 * 10**9))
    with ThreadPoolExecutor(1) as threads:
        with LocalFleet(1, ON_HOST) as fleet:
            played = threads.submit(fleet.carry_out, patient, (silent, BOTS[1]))
            wait_for(lambda: (tmp_path / "pid").exists())
        assert isinstance(played.exception(30), StoppedError)
    with pytest.raises(StoppedError):
        fleet.carry_out(JOB, BOTS)


PARENT = """
from tests.arena.fleet.test_local_fleet import BOTS, JOB, ON_HOST
from agon.arena.fleet.local_fleet import LocalFleet
if __name__ == "__main__":
    fleet = LocalFleet(1, ON_HOST)
    fleet.carry_out(JOB, BOTS)
    print("ready", flush=True)
    input()
"""


def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "parent.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    with parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        family = descendants(parent.pid)[1:]
        assert family
        parent.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def write_bot(folder: Path, source: str) -> Entrant:
    (folder / "bot.py").write_text(source)
    (folder / "bot.toml").write_text('name = "b"\ngames = ["hive"]\nrun = "python3 bot.py"\n')
    return Entrant(CHECKED, load_program(folder))


def test_a_process_checks_a_bot_and_reports_as_it_goes(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "raise SystemExit(3)")
    parts: list[JobPart] = []
    with LocalFleet(1, ON_HOST) as fleet:
        checked = fleet.carry_out(CheckBot("c", "hive", "", Limits(10**9)), [bot], parts.append)
    assert isinstance(checked, CheckedBot)
    assert not checked.passed
    assert len(parts) > 2
    assert "".join(part.text for part in parts if isinstance(part, ReportPart)) == checked.report
    assert str(tmp_path) not in checked.report


def test_a_check_under_way_is_cancelled(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "import time; time.sleep(98765)")
    patient = Limits(600 * 10**9, start_ns=600 * 10**9)
    with LocalFleet(1, ON_HOST) as fleet:

        def cancel(part: JobPart) -> None:
            if isinstance(part, ReportPart) and "first turn" in part.text:
                fleet.cancel("c")

        with pytest.raises(StoppedError):
            fleet.carry_out(CheckBot("c", "hive", "", patient), [bot], cancel)
