"""Jobs are plain data: they travel to another process, and their results come back."""

from __future__ import annotations

import multiprocessing
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.pool import SeatPool, StoppedError
from agon.arbiter.series import Series, SeriesRunner
from agon.arena.fleet.carry_out import JobRunner
from agon.arena.fleet.fleet import FleetMatches
from agon.arena.fleet.jobs import (
    CheckBot,
    CheckedBot,
    FailedJob,
    JobFailure,
    JobPlayer,
    PlayedMatch,
    PlayMatch,
    ResampledRatings,
    ResampleRatings,
    SimulateBlock,
    SimulatedBlock,
    series_job,
)
from agon.errors import SettingError
from agon.games.registry import find_game
from agon.match.transcript import Fault, parse_transcript, verify
from agon.ranker.result import Result, count_results
from agon.simulate.run import simulate
from agon.simulate.tally import BLOCK, Tally

if TYPE_CHECKING:
    from pathlib import Path

    from agon.arena.fleet.jobs import Job, JobResult

HIVE = find_game("hive")
LIMITS = Limits(10**9, turns=30)


def match_job(*players: JobPlayer, rules: int = HIVE.rules_version) -> PlayMatch:
    return PlayMatch("job 1", "hive", rules, {"variant": "Base"}, 7, players, LIMITS)


BUILT_IN = match_job(JobPlayer("ann", "random"), JobPlayer("bob", "greedy"))
GAMES = SimulateBlock("block", "hive", HIVE.rules_version, {}, 3, 0, 20, 100)
COUNTED = count_results([Result(("a", "b"), (1, 0)), Result(("b", "a"), (1, 0))], times=[30, 20])
SAMPLES = ResampleRatings("samples", COUNTED, 3, 0, 5)


def write_bot(folder: Path) -> Path:
    """A bot that ends at once."""
    (folder / "bot.py").write_text("raise SystemExit(3)")
    (folder / "bot.toml").write_text('name = "b"\ngames = ["hive"]\nrun = "python3 bot.py"\n')
    return folder


def find_built_in(player: JobPlayer) -> Entrant:
    return Entrant(player.name, built_in=player.built_in)


def carry_out(job: Job) -> JobResult:
    """What a worker process does."""
    series = SeriesRunner(time.monotonic_ns, launch_on_host)
    return JobRunner(series, find_built_in).carry_out(job)


def test_a_match_is_played_in_another_process() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        played = processes.submit(carry_out, BUILT_IN).result()
        simulated = processes.submit(carry_out, GAMES).result()
    assert isinstance(played, PlayedMatch)
    assert played.key == "job 1"
    transcript = parse_transcript(played.transcript.decode())
    verify(transcript)
    assert [player["name"] for player in transcript.players] == ["ann", "bob"]
    assert played.turns == 30
    assert isinstance(simulated, SimulatedBlock)
    assert simulated.tally.checksum == simulate("hive", 20, seed=3, cap=100, checksum=True).checksum


@pytest.mark.parametrize("value", [BUILT_IN, GAMES, CheckBot("c", "hive", "f00", LIMITS)])
def test_a_job_survives_pickling(value: Job) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301


def test_blocks_join_to_the_whole() -> None:
    """Games are numbered: who plays which block does not matter."""
    blocks = [
        carry_out(SimulateBlock("b", "hive", HIVE.rules_version, {}, 3, first, games, 5))
        for first, games in ((0, BLOCK), (BLOCK, 2 * BLOCK), (3 * BLOCK, 10))
    ]
    joined = Tally.of_seats(2, checksum=True)
    for block in blocks:
        assert isinstance(block, SimulatedBlock)
        joined.join(block.tally)
    assert joined == simulate("hive", 3 * BLOCK + 10, seed=3, cap=5, checksum=True)
    assert joined.checksum
    with pytest.raises(ValueError, match="10 games of a block"):
        joined.join(joined)


def test_samples_are_the_same_in_other_blocks_and_processes() -> None:
    whole = carry_out(SAMPLES)
    assert isinstance(whole, ResampledRatings)
    jobs = (replace(SAMPLES, samples=2), replace(SAMPLES, first=2, samples=3))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        blocks = list(processes.map(carry_out, jobs))
    found = [block.ratings for block in blocks if isinstance(block, ResampledRatings)]
    assert np.concatenate(found).tolist() == whole.ratings.tolist()


def test_a_worker_with_other_rules_refuses() -> None:
    failed = carry_out(match_job(*BUILT_IN.players, rules=99))
    assert failed == FailedJob("job 1", "hive by rules 99: this machine plays by 1", JobFailure.JOB)


def test_an_unknown_option_is_quoted() -> None:
    job = PlayMatch("k", "hive", HIVE.rules_version, {"colour": "red"}, 1, BUILT_IN.players, LIMITS)
    failed = carry_out(job)
    assert isinstance(failed, FailedJob)
    assert "option 'colour'" in failed.message


def test_a_bot_that_fails_has_lost_and_the_job_has_not_failed(tmp_path: Path) -> None:
    folder = write_bot(tmp_path)
    program = Program("broken", ("python3", "bot.py"), folder)

    def find_bot(player: JobPlayer) -> Entrant:
        return Entrant("x", program) if player.fingerprint else find_built_in(player)

    series = SeriesRunner(time.monotonic_ns, launch_on_host)
    job = match_job(JobPlayer("broken", fingerprint="f00"), JobPlayer("bob", "random"))
    played = JobRunner(series, find_bot).carry_out(job)
    assert isinstance(played, PlayedMatch)
    assert played.faults[0] in (Fault.CRASH, Fault.NO_START)
    assert played.outcome.winner == 1
    assert b'"broken"' in played.transcript


@pytest.mark.parametrize("job", [BUILT_IN, SAMPLES], ids=["match", "samples"])
def test_a_stop_is_no_result(job: Job) -> None:
    pool = SeatPool()
    pool.stop()
    series = SeriesRunner(time.monotonic_ns, launch_on_host, pool=pool)
    with pytest.raises(StoppedError):
        JobRunner(series, find_built_in).carry_out(job)


def test_a_check_reports_as_it_goes(tmp_path: Path) -> None:
    folder = write_bot(tmp_path)
    entrant = Entrant("b", Program("b", ("python3", "bot.py"), folder))
    series = SeriesRunner(time.monotonic_ns, launch_on_host)
    said: list[str] = []
    runner = JobRunner(series, lambda player: entrant, unsafe_host=True, on_report=said.append)
    checked = runner.check(CheckBot("c", "hive", "f00", Limits(10**9)))
    assert isinstance(checked, CheckedBot)
    assert not checked.passed
    assert "".join(said) == checked.report
    assert "FAILED" in checked.report
    assert str(folder) not in checked.report


def test_what_a_build_said_is_for_those_who_may_read_it() -> None:
    said = ("bot 'ann': build 'cc bot.c': exit status 1:", "bot.c:3: error")

    class Unbuilding:
        """A fleet on which no bot can be built."""

        def carry_out(self, job: Job, *_: object) -> FailedJob:
            return FailedJob(
                job.key, "it could not be built", JobFailure.JOB, said, is_unbuilt=True
            )

        def cancel(self, key: str) -> None:
            raise NotImplementedError

    for tells_builds, told in ((False, "it could not be built"), (True, "\n".join(said))):
        matches = FleetMatches(Unbuilding(), find_built_in, tells_builds=tells_builds)
        with pytest.raises(SettingError) as refused:
            matches.play(BUILT_IN)
        assert str(refused.value) == told


def test_a_match_of_a_series_says_who_plays() -> None:
    entrants = tuple(Entrant(name, built_in=name) for name in ("random", "greedy"))
    series = Series(HIVE, HIVE.options(), entrants, LIMITS, 7)
    assert series_job(series, 1).key == "hive match 1: greedy - random"
