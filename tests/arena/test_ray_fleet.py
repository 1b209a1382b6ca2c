"""A fleet of several machines: real nodes of Ray, all on the loopback address."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.build import prepare
from agon.arbiter.entrant import Entrant, load_program
from agon.arbiter.limits import Limits
from agon.arbiter.pool import StoppedError
from agon.arena.carry_out import CHECKED, find_among
from agon.arena.cluster_settings import STORE_BYTES, TOKEN, ray_environment
from agon.arena.fleet import FleetMatches
from agon.arena.fleet_simulation import simulate_on_fleet
from agon.arena.jobs import (
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
from agon.arena.local_fleet import MOST_DEATHS, LocalFleet
from agon.arena.node_labels import HOLDS, SANDBOX, SPEED, describe_machine, fits, needed_labels
from agon.arena.ray_fleet import RayFleet, open_ledger
from agon.arena.task_runner import FleetSettings
from agon.games.registry import find_game
from agon.match.transcript import TurnEvent, parse_transcript
from agon.sandbox.processes import descendants
from agon.simulate.run import simulate
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arena.jobs import JobPart

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of Ray's own processes
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

HIVE = find_game("hive")
BOTS = (Entrant("ann", built_in="random"), Entrant("bob", built_in="greedy"))
JOB = PlayMatch(
    "match",
    "hive",
    HIVE.rules_version,
    {"variant": "Base"},
    7,
    (JobPlayer("ann"), JobPlayer("bob")),
    Limits(10**9, turns=20),
)
PATIENT = replace(JOB, limits=Limits(600 * 10**9, start_ns=600 * 10**9))
MACHINE = describe_machine()
LANGUAGE = {name: value for name, value in MACHINE.items() if name not in (SANDBOX, SPEED)}
HOST = "127.0.0.1"
STARTER = Path("src/agon/games/hive/starters/python/hive_bot.py")
SILENCE = 98765
"""Seconds that a silent bot sleeps: no other program does for so long."""


@dataclass
class Machines:
    """A cluster of one head without cores, and nodes that come and go."""

    cluster: Any
    folder: Path

    def add(self, name: str, **labels: str) -> Any:
        """A machine with a core, whose caches are its own."""
        cache = self.folder / name
        return self.cluster.add_node(
            num_cpus=1,
            node_ip_address=HOST,
            object_store_memory=STORE_BYTES // 3,
            labels={**LANGUAGE, SANDBOX: HOLDS, SPEED: "fast", **labels},
            env_vars={"AGON_CACHE": str(cache)},
        )

    def lose(self, node_id: str) -> None:
        """Kill all processes of a machine."""
        (node,) = (one for one in self.cluster.worker_nodes if one.node_id == node_id)
        self.cluster.remove_node(node, allow_graceful=False)


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    folder = tmp_path_factory.mktemp("cluster")
    before = dict(os.environ)
    with ExitStack() as stack:
        stack.callback(os.environ.update, before)
        stack.callback(os.environ.clear)
        sessions = stack.enter_context(TemporaryDirectory(prefix="agon-ray-"))  # a short path
        os.environ[TOKEN] = "only-for-this-test-of-a-cluster"
        os.environ.update(ray_environment(HOST, os.environ[TOKEN]))
        from ray.cluster_utils import Cluster

        head = {
            "num_cpus": 0,
            "node_ip_address": HOST,
            "object_store_memory": STORE_BYTES // 3,
            "include_dashboard": False,
            "temp_dir": sessions,
        }
        cluster = Cluster(initialize_head=True, head_node_args=head)
        machines = Machines(cluster, folder)
        machines.add("one")
        machines.add("two")
        yield machines
        cluster.shutdown()  # type: ignore[no-untyped-call]
        wait_for(lambda: not ray_processes())
        assert not list(folder.glob("*/bots/.new-*"))


@pytest.fixture
def fleet(machines: Machines) -> Iterator[RayFleet]:
    with RayFleet(machines.cluster.address) as opened:
        yield opened


def playing(key: str) -> str:
    """The machine that plays a job."""
    import ray

    work, _ = ray.get(open_ledger(ray).read.remote())
    (node,) = (node for node, jobs in work.items() if key in jobs.playing)
    return str(node)


def ray_processes() -> list[int]:
    words = {pid: command_of(pid).split(b"\0")[:3] for pid in descendants(os.getpid())[1:]}
    programs = re.compile(rb"^ray::|site-packages/ray/")
    return [pid for pid, first in words.items() if any(map(programs.search, first))]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def turns(match: object) -> list[dict[int, str]]:
    assert isinstance(match, PlayedMatch), match
    events = parse_transcript(match.transcript.decode()).events
    return [dict(event.turns) for event in events if isinstance(event, TurnEvent)]


def script(folder: Path, text: str) -> Entrant:
    """A bot that is a shell script."""
    (folder / "bot.sh").write_text(text)
    return Entrant("ann", Program("ann", ("sh", "bot.sh"), folder))


def test_machines_play_the_match_that_processes_here_play(
    fleet: RayFleet, machines: Machines
) -> None:
    with LocalFleet(1) as here:
        expected = here.carry_out(JOB, BOTS)
    parts: list[JobPart] = []
    found = fleet.carry_out(JOB, BOTS, parts.append)
    assert turns(found) == turns(expected)
    assert isinstance(found, PlayedMatch)
    assert isinstance(expected, PlayedMatch)
    assert found.outcome == expected.outcome
    assert isinstance(parts[0], RecordPart)
    assert parts[0].begins
    assert len(parts) > 20
    assert list(machines.folder.glob("*/kernels/.shipped-*"))
    failed = fleet.carry_out(replace(JOB, rules=99), BOTS)
    told = f"hive by rules 99: this machine plays by {HIVE.rules_version}"
    assert failed == FailedJob("match", told, JobFailure.JOB)


def test_programs_travel_and_are_built_where_they_play(
    fleet: RayFleet, machines: Machines, tmp_path: Path
) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    same = STARTER.read_text().replace("random.choice(", "min(")
    (folder / "bot.py").write_text(same)
    (folder / "build.sh").write_text("cp bot.py built.py")
    program = Program("ann", ("python3", "built.py"), folder, ("sh", "build.sh"))
    bots = Entrant("ann", program), BOTS[1]
    ready = prepare(bots[0], unsafe_host=False)
    with LocalFleet(1) as here:
        expected = here.carry_out(JOB, (ready, BOTS[1]))
    keys = "one", "two", "three", "four"
    with ThreadPoolExecutor(len(keys)) as threads:
        found = threads.map(lambda key: fleet.carry_out(replace(JOB, key=key), bots), keys)
        assert [turns(match) for match in found] == [turns(expected)] * len(keys)
    for name in ("one", "two"):
        built = list((machines.folder / name / "bots").glob("*/built.py"))
        assert len(built) == 1
    assert not (folder / "built.py").exists()


def test_a_job_of_a_machine_that_is_lost_is_done_by_another(
    fleet: RayFleet, machines: Machines
) -> None:
    parts: list[JobPart] = []

    def lose_once(part: JobPart) -> None:
        if not parts:
            machines.lose(playing(JOB.key))
        parts.append(part)

    slow = Entrant("ann", built_in="search")
    short = replace(JOB, limits=Limits(10**9 // 2, turns=6))
    played = fleet.carry_out(short, (slow, BOTS[1]), lose_once)
    machines.add("three")
    assert len(turns(played)) == 6
    assert sum(isinstance(part, RecordPart) and part.begins for part in parts) == 2


def test_a_job_of_which_processes_die_is_given_up(machines: Machines, tmp_path: Path) -> None:
    deaths = tmp_path / "deaths"
    (tmp_path / "bot").mkdir()
    deadly = script(tmp_path / "bot", f"echo died >> {deaths}; kill -9 $PPID; sleep 9")
    with RayFleet(machines.cluster.address, FleetSettings(unsafe_host=True)) as fleet:
        failed = fleet.carry_out(JOB, (deadly, BOTS[1]))
        assert isinstance(failed, FailedJob)
        assert failed.kind is JobFailure.JOB
        assert f"{MOST_DEATHS} processes died of it, the last so: WorkerCrashed" in failed.message
        assert deaths.read_text().count("died") == MOST_DEATHS
        assert len(turns(fleet.carry_out(JOB, BOTS))) == 20


def test_matches_under_way_and_those_that_wait_are_given_up(
    fleet: RayFleet, tmp_path: Path
) -> None:
    silent = script(tmp_path, f"exec sleep {SILENCE}")
    matches = FleetMatches(fleet, find_among((silent, BOTS[1])))
    keys = "first", "second", "third"
    with ThreadPoolExecutor(len(keys)) as threads:
        played = [threads.submit(matches.play, replace(PATIENT, key=key)) for key in keys]
        wait_for(lambda: len(sleepers()) == 2 or any(one.done() for one in played))
        matches.stop()
        for one in played:
            assert isinstance(one.exception(30), StoppedError)
    wait_for(lambda: not sleepers())
    others = FleetMatches(fleet, find_among(BOTS))
    assert others.play(JOB).turns == 20


def sleepers() -> list[int]:
    """The programs of the silent bot."""
    told = f"sleep\0{SILENCE}\0".encode()
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if command_of(pid) == told]


def test_an_end_of_the_fleet_gives_up_what_is_under_way(machines: Machines, tmp_path: Path) -> None:
    silent = script(tmp_path, f"exec sleep {SILENCE}")
    with ThreadPoolExecutor(1) as threads:
        with RayFleet(machines.cluster.address) as fleet:
            played = threads.submit(fleet.carry_out, PATIENT, (silent, BOTS[1]))
            wait_for(lambda: bool(sleepers()))
        assert isinstance(played.exception(30), StoppedError)
    wait_for(lambda: not sleepers())
    with pytest.raises(StoppedError):
        fleet.carry_out(JOB, BOTS)


def test_a_bot_is_sent_where_it_can_be_run(machines: Machines, tmp_path: Path) -> None:
    exotic = script(tmp_path, "")
    assert exotic.program is not None
    exotic = replace(exotic, program=replace(exotic.program, run=("zig", "bot.zig")))
    with RayFleet(machines.cluster.address, patience_seconds=0.1) as fleet:
        failed = fleet.carry_out(JOB, (exotic, BOTS[1]))
    told = "no machine of the cluster has agon-sandbox=holds agon-has-zig=yes agon-speed=fast"
    assert failed == FailedJob("match", told, JobFailure.EXHAUSTED)


def test_many_machines_simulate_what_one_core_does(fleet: RayFleet) -> None:
    options = HIVE.options()
    tally = simulate_on_fleet(fleet, HIVE, options, 5000, 7, 50, jobs=2, checksum=True)
    assert tally == simulate("hive", 5000, seed=7, cap=50, threads=1, checksum=True)
    assert tally.checksum


def test_a_machine_without_a_sandbox_gets_no_programs(tmp_path: Path) -> None:
    program = script(tmp_path, "").program
    assert program is not None
    weak = {**LANGUAGE, SANDBOX: "lacks-memory-limit", SPEED: "fast"}
    assert not fits(weak, needed_labels([program], unsafe_host=False))
    assert fits(weak, needed_labels([program], unsafe_host=True))
    assert fits(weak, needed_labels([], unsafe_host=False))
    assert not fits({SANDBOX: HOLDS}, needed_labels([program], unsafe_host=False))


def test_a_machine_checks_a_bot(fleet: RayFleet, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit(3)")
    (tmp_path / "bot.toml").write_text('name = "b"\ngames = ["hive"]\nrun = "python3 bot.py"\n')
    parts: list[JobPart] = []
    bot = Entrant(CHECKED, load_program(tmp_path))
    checked = fleet.carry_out(CheckBot("c", "hive", "", Limits(10**9)), [bot], parts.append)
    assert isinstance(checked, CheckedBot), checked
    assert not checked.passed
    assert "".join(part.text for part in parts if isinstance(part, ReportPart)) == checked.report
    assert "FAILED" in checked.report
