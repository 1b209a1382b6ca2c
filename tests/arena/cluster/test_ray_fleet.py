"""A fleet of several machines: real nodes of Ray, all on the loopback address."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
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
from agon.arena.cluster.connection import NO_LOG, open_ledger
from agon.arena.cluster.deaths import CRASHED, OUT_OF_MEMORY
from agon.arena.cluster.missing_programs import tell_missing_program
from agon.arena.cluster.node_labels import (
    HOLDS,
    SANDBOX,
    SPEED,
    STEPS_LABEL,
    VERSION,
    describe_machine,
    fits,
    needed_labels,
    own_version,
)
from agon.arena.cluster.ray_fleet import RayFleet
from agon.arena.cluster.settings import STORE_BYTES, TOKEN, ray_environment
from agon.arena.fleet.bootstrap import bootstrap_on_fleet
from agon.arena.fleet.carry_out import CHECKED, find_among
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
from agon.arena.fleet.simulation import simulate_on_fleet
from agon.arena.fleet.task_runner import FleetSettings
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.cli.match_setup import open_matches
from agon.games.registry import find_game
from agon.match.transcript import TurnEvent, parse_transcript
from agon.ranker.result import Result, count_results
from agon.sandbox.installations import SETTING
from agon.sandbox.processes import descendants
from agon.simulate.run import simulate
from tests.cli.process import call_agon, start_agon
from tests.waiting import wait_for
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agon.arena.fleet.job_ledger import FleetWork
    from agon.arena.fleet.jobs import JobPart

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of Ray's own processes
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

HIVE = find_game("hive")
BATTLEBOTS = find_game("battlebots")
BOTS = (Entrant("ann", built_in="random"), Entrant("bob", built_in="greedy"))
SEARCH = Entrant("bob", built_in="search")
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
SLOW = replace(JOB, limits=Limits(10**9 // 2, turns=6))
STARVED = {"RAY_memory_usage_threshold": "0.001"}
"""Settings of a machine whose memory Ray takes for full: it kills processes that do jobs."""
MACHINE = describe_machine()
MEASURED = SANDBOX, SPEED, STEPS_LABEL
LANGUAGE = {name: value for name, value in MACHINE.items() if name not in MEASURED}
HOST = "127.0.0.1"
STARTER = Path("src/agon/games/hive/starters/python/hive_bot.py")
SILENCE = 10**6 + os.getpid()
"""Seconds that a silent bot sleeps: no other program does, not even another run of this test."""


@dataclass
class Machines:
    """A cluster of one head without cores, and nodes that come and go."""

    cluster: Any
    folder: Path
    fleet: RayFleet | None = None
    """Of the tests that need none of their own: processes for a new one take seconds to start."""

    def close_fleet(self) -> None:
        if self.fleet is not None:
            self.fleet.close()
            self.fleet = None

    def add(
        self,
        name: str,
        labels: Mapping[str, str] = {},
        settings: Mapping[str, str] = {},
        cores: int = 1,
    ) -> Any:
        """A machine whose caches are its own, and settings of Ray."""
        cache = self.folder / name
        return self.cluster.add_node(
            num_cpus=cores,
            node_ip_address=HOST,
            object_store_memory=STORE_BYTES // 3,
            num_gpus=0,
            labels={**LANGUAGE, SANDBOX: HOLDS, SPEED: "fast", **labels},
            env_vars={"AGON_CACHE": str(cache), **settings},
        )

    def lose(self, node_id: str) -> None:
        """Kill all processes of a machine: the head misses it some seconds later."""
        (node,) = (one for one in self.cluster.worker_nodes if one.node_id == node_id)
        self.cluster.remove_node(node, allow_graceful=False)

    def end(self, node: Any) -> None:
        """Have a machine leave: the head knows it at once."""
        self.cluster.remove_node(node)


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
        Path("/tmp/ray").mkdir(exist_ok=True)  # noqa: S108  Ray writes there, but does not make it
        cluster = Cluster(initialize_head=True, head_node_args=head)
        machines = Machines(cluster, folder)
        machines.add("one")
        machines.add("two")
        yield machines
        machines.close_fleet()
        cluster.shutdown()  # type: ignore[no-untyped-call]
        wait_for(lambda: not ray_processes())
        assert not list(folder.glob("*/bots/.new-*"))


@pytest.fixture
def fleet(machines: Machines) -> RayFleet:
    if machines.fleet is None:
        machines.fleet = RayFleet(machines.cluster.address)
    return machines.fleet


@pytest.fixture(autouse=True)
def one_fleet(machines: Machines, request: pytest.FixtureRequest) -> None:
    """A process has one fleet at a time."""
    if "fleet" not in request.fixturenames:
        machines.close_fleet()


def ray_ledger() -> FleetWork:
    import ray

    read: FleetWork = ray.get(open_ledger(ray).read.remote())
    return read


def playing(key: str) -> list[str]:
    """The machine that plays a job."""
    return [str(node) for node, jobs in ray_ledger().nodes.items() if key in jobs.playing]


def ray_processes() -> list[int]:
    words = {pid: command_of(pid).split(b"\0")[:3] for pid in descendants(os.getpid())[1:]}
    programs = re.compile(rb"^ray::|^\S*site-packages/ray/")  # not just a mention, as in sys.path
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
    _, work = fleet.read()
    assert sum(one.done for one in work.nodes.values()) == 1
    assert max(one.per_minute for one in work.nodes.values()) == 1.0
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


def test_what_a_build_said_is_for_organisers(fleet: RayFleet, tmp_path: Path) -> None:
    (tmp_path / "build.sh").write_text("echo '<b>no' >&2; exit 3")
    program = Program("ann", ("sh", "bot.sh"), tmp_path, ("sh", "build.sh"))
    failed = fleet.carry_out(JOB, (Entrant("ann", program), BOTS[1]))
    assert isinstance(failed, FailedJob)
    assert failed.message == "bot 'ann': it could not be built"
    _, work = fleet.read()
    tries = work.failures[-2:]
    assert all("<b>no" in "".join(one.log) for one in tries)
    assert tries[0].node != tries[1].node


def test_a_desk_that_dies_costs_no_job(fleet: RayFleet, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(STARTER.read_text())
    bots = Entrant("ann", Program("ann", ("python3", "bot.py"), tmp_path)), SEARCH
    parts: list[JobPart] = []
    deaths = fleet.deaths

    def kill_often(part: JobPart) -> None:
        parts.append(part)
        if beginnings(parts) <= MOST_DEATHS and isinstance(part, RecordPart) and part.begins:
            kill_desk()

    assert len(turns(fleet.carry_out(SLOW, bots, kill_often))) == SLOW.limits.turns
    assert beginnings(parts) == MOST_DEATHS + 1
    assert fleet.deaths == deaths
    kill_desk()
    new = Entrant("bob", Program("bob", ("python3", "bot.py"), tmp_path / "new"))
    shutil.copytree(tmp_path, tmp_path / "new")
    assert len(turns(fleet.carry_out(JOB, (BOTS[0], new)))) == 20


def beginnings(parts: list[JobPart]) -> int:
    return sum(isinstance(part, RecordPart) and part.begins for part in parts)


def kill_desk() -> None:
    """Kill the process of a desk, as the system does when memory runs out."""
    (pid,) = (pid for pid in ray_processes() if command_of(pid).startswith(b"ray::JobDesk"))
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not command_of(pid))


def test_matches_under_way_and_those_that_wait_are_given_up(
    fleet: RayFleet, tmp_path: Path
) -> None:
    silent = script(tmp_path, f"exec sleep {SILENCE}")
    matches = FleetMatches(fleet, find_among((silent, BOTS[1])))
    keys = "first", "second", "third"
    with ThreadPoolExecutor(len(keys)) as threads:
        played = [threads.submit(matches.play, replace(PATIENT, key=key)) for key in keys]
        wait_for(lambda: len(sleepers()) == 2 or any(one.done() for one in played))
        try:
            wait_for(lambda: work_of(fleet) == (2, 1))  # each has its core to itself
        finally:
            matches.stop()
        for one in played:
            assert isinstance(one.exception(30), StoppedError)
    wait_for(lambda: not sleepers())
    others = FleetMatches(fleet, find_among(BOTS))
    assert others.play(JOB).turns == 20
    assert work_of(fleet) == (0, 0)


def work_of(fleet: RayFleet) -> tuple[int, int]:
    """How many jobs are played, and how many wait for a machine."""
    _, work = fleet.read()
    return sum(len(one.playing) for one in work.nodes.values()), work.waiting


def test_a_match_asks_for_fewer_cores_when_the_largest_machine_is_gone(
    fleet: RayFleet, machines: Machines, tmp_path: Path
) -> None:
    large = machines.add("large", cores=2)
    wait_for(lambda: fleet.cores == 4)
    silent = script(tmp_path, f"exec sleep {SILENCE}")
    battle = replace(PATIENT, game="battlebots", rules=BATTLEBOTS.rules_version, options={})
    bots = silent, replace(silent, name="bob")
    matches = FleetMatches(fleet, find_among(bots))
    with ThreadPoolExecutor(2) as threads:
        played = [threads.submit(matches.play, replace(battle, key=key)) for key in "ab"]
        try:
            wait_for(lambda: work_of(fleet) == (1, 1))
            machines.end(large)
            wait_for(lambda: work_of(fleet) == (2, 0))
        finally:
            matches.stop()
        for one in played:
            assert isinstance(one.exception(30), StoppedError)
    wait_for(lambda: not sleepers())


def test_jobs_of_a_process_that_was_killed_are_forgotten(
    fleet: RayFleet, machines: Machines
) -> None:
    words = "match", "hive", "search", "search", "--time", "10m", "--games", "3", "--jobs", "3"
    with start_agon(*words, "--cluster", machines.cluster.address) as asking:
        wait_for(lambda: work_of(fleet) == (2, 1) or asking.poll() is not None)
        assert asking.poll() is None
        asking.kill()
    wait_for(lambda: work_of(fleet) == (0, 0))


def sleepers() -> list[int]:
    """The programs of the silent bot."""
    told = f"sleep\0{SILENCE}\0".encode()
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if command_of(pid) == told]


def test_matches_avoid_a_machine_that_has_become_slow(fleet: RayFleet, machines: Machines) -> None:
    assert fleet.cores == 2
    node = machines.add("slow", {STEPS_LABEL: "99999"})
    try:
        wait_for(lambda: fleet.cores == 3)
        fleet.speed_watch.look()
        assert fleet.cores == 2
        keys = "one", "two", "three", "four"
        with ThreadPoolExecutor(len(keys)) as threads:
            list(threads.map(lambda key: fleet.carry_out(replace(JOB, key=key), BOTS), keys))
        assert not list(machines.folder.glob("slow/kernels/.shipped-*")), "no job came there"
        assert fleet.devices["cpu"] == 3, "but it simulates"
    finally:
        machines.end(node)
    wait_for(lambda: fleet.devices["cpu"] == 2)


def test_many_machines_simulate_what_one_core_does(fleet: RayFleet) -> None:
    options = HIVE.options()
    assert fleet.devices == {"cuda": 0, "cpu": 2}
    tally = simulate_on_fleet(fleet, HIVE, options, 5000, 7, 50, fleet.devices, checksum=True)
    assert tally == simulate("hive", 5000, seed=7, cap=50, threads=1, checksum=True)
    assert tally.checksum


def test_many_machines_resample_what_a_process_here_does(fleet: RayFleet) -> None:
    counted = count_results([Result(("a", "b"), (1, 0)), Result(("b", "a"), (1, 0))], times=[3, 2])
    found = bootstrap_on_fleet(fleet, counted, 300, 7, jobs=2)
    with LocalFleet(1) as here:
        assert found == bootstrap_on_fleet(here, counted, 300, 7, jobs=1)


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


def test_a_job_of_a_machine_that_is_lost_is_done_by_another(
    fleet: RayFleet, machines: Machines
) -> None:
    parts: list[JobPart] = []

    def lose_once(part: JobPart) -> None:
        if not parts:
            wait_for(lambda: bool(playing(JOB.key)))
            machines.lose(*playing(JOB.key))
        parts.append(part)

    played = fleet.carry_out(SLOW, (BOTS[0], SEARCH), lose_once)
    machines.add("three")
    assert len(turns(played)) == 6
    assert beginnings(parts) == 2
    nodes, work = fleet.read()
    failure = work.failures[-1]
    assert failure.log == (NO_LOG,)
    assert failure.node not in {one.id for one in nodes}


def test_a_bot_that_a_machine_cannot_build_is_built_on_another(
    machines: Machines, tmp_path: Path
) -> None:
    folder = tmp_path / "bot"
    shutil.copytree(STARTER.parent, folder)
    # The first machine lacks what the second has.
    build = f"mkdir {tmp_path}/first || touch built"
    program = Program("ann", ("python3", STARTER.name), folder, ("sh", "-c", f"{build}; ls built"))
    with RayFleet(machines.cluster.address, FleetSettings(unsafe_host=True)) as fleet:
        assert len(turns(fleet.carry_out(JOB, (Entrant("ann", program), BOTS[1])))) == 20
        assert fleet.deaths == 0
        _, work = fleet.read()
    assert work.failures[-1].key == JOB.key
    assert sum(one.done for one in work.nodes.values()) >= 1


def test_a_bot_goes_on_until_a_machine_has_its_program(
    fleet: RayFleet, machines: Machines, tmp_path: Path
) -> None:
    installation, folder = tmp_path / "own", tmp_path / "bot"
    (installation / "bin").mkdir(parents=True)
    tool = installation / "bin" / "only-there"
    tool.write_text('#!/bin/sh\nexec python3 "$@"\n')
    tool.chmod(0o755)
    folder.mkdir()
    shutil.copy(STARTER, folder)
    (folder / "bot.toml").write_text(
        f'name = "b"\ngames = ["hive"]\nrun = "only-there {STARTER.name}"\n'
    )
    program = load_program(folder)
    bots = Entrant("ann", program), BOTS[1]
    failed = fleet.carry_out(JOB, bots)
    told = tell_missing_program("ann", "only-there")
    assert failed == FailedJob(JOB.key, told, JobFailure.HOST, is_unbuilt=True)
    _, work = fleet.read()
    assert work.failures[-2].node != work.failures[-1].node, "both were tried"
    check = CheckBot("c", "hive", "", Limits(10**9))
    failed = fleet.carry_out(check, [Entrant(CHECKED, program)])
    assert isinstance(failed, FailedJob), "it is not the bot's fault"
    node = machines.add("allows", settings={SETTING: str(installation)})
    wait_for(lambda: fleet.cores == 3)
    assert len(turns(fleet.carry_out(JOB, bots))) == 20
    checked = fleet.carry_out(check, [Entrant(CHECKED, program)])
    assert isinstance(checked, CheckedBot)
    assert checked.passed, checked.report
    machines.end(node)
    wait_for(lambda: fleet.cores == 2)


def test_a_job_of_which_processes_die_is_given_up(
    machines: Machines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deaths = tmp_path / "deaths"
    (tmp_path / "bot").mkdir()
    deadly = script(tmp_path / "bot", f"pwd >> {deaths}; kill -SEGV $PPID; sleep 9")
    with RayFleet(machines.cluster.address, FleetSettings(unsafe_host=True)) as fleet:
        failed = fleet.carry_out(JOB, (deadly, BOTS[1]), lambda _: None)
        told = f"{MOST_DEATHS} processes died of it: {CRASHED}"
        assert failed == FailedJob(JOB.key, told, JobFailure.JOB)
        first, second, _ = deaths.read_text().splitlines()
        assert first != second  # folders of two machines
        assert len(turns(fleet.carry_out(JOB, BOTS))) == 20
        nodes, work = fleet.read()
        died = work.failures[-MOST_DEATHS:]
        assert {one.node for one in died} <= {one.id for one in nodes}
        causes = [[line for line in one.log if "Segmentation fault" in line] for one in died]
        assert all(causes), [one.log[:1] for one in died]
    assert capsys.readouterr().out == ""  # there commands write what scripts read


def test_a_machine_that_runs_out_of_memory_is_avoided(machines: Machines, tmp_path: Path) -> None:
    silent = script(tmp_path, f"exec sleep {SILENCE}")
    with ThreadPoolExecutor(3) as threads, RayFleet(machines.cluster.address) as fleet:
        keys = "first", "second"
        waiting = [
            threads.submit(fleet.carry_out, replace(PATIENT, key=key), (silent, BOTS[1]))
            for key in keys
        ]
        wait_for(lambda: len(sleepers()) == len(keys))
        starved = machines.add("starved", settings=STARVED)
        job = threads.submit(fleet.carry_out, SLOW, (BOTS[0], SEARCH))
        wait_for(lambda: fleet.deaths > 0 or job.done())
        fleet.cancel(keys[0])
        assert len(turns(job.result())) == SLOW.limits.turns
        assert fleet.deaths == 1
        fleet.cancel(keys[1])
        assert all(isinstance(one.exception(30), StoppedError) for one in waiting)
        failure = ray_ledger().failures[-1]
        told = failure.node, failure.key, failure.message
        assert told == (starved.node_id, SLOW.key, OUT_OF_MEMORY)
    machines.end(starved)


def test_a_job_that_is_killed_for_memory_three_times_is_told(
    machines: Machines, tmp_path: Path
) -> None:
    starved = machines.add("starved", {"agon-has-zig": "yes"}, STARVED)
    bot = script(tmp_path, "")
    assert bot.program is not None
    hungry = replace(bot.program, run=("zig", "bot.zig"), build=("sleep", str(SILENCE)))
    with RayFleet(machines.cluster.address) as fleet:
        failed = fleet.carry_out(JOB, (replace(bot, program=hungry), BOTS[1]))
    told = f"{MOST_DEATHS} processes died of it: {OUT_OF_MEMORY}"
    assert failed == FailedJob(JOB.key, told, JobFailure.JOB)
    machines.end(starved)
    wait_for(lambda: not sleepers())


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
    old = machines.add("old", {"agon-has-zig": "yes", VERSION: "0.0"})
    with RayFleet(machines.cluster.address, patience_seconds=0.1) as fleet:
        failed = fleet.carry_out(JOB, (exotic, BOTS[1]))
        assert fleet.devices["cpu"] == fleet.cores == 2, "none of an older version"
        assert exotic.program is not None
        obstacle = fleet.match_obstacle([exotic.program])
        assert fleet.match_obstacle([replace(exotic.program, run=("sh", "bot.sh"))]) == ""
    told = "agon-sandbox=holds agon-has-zig=yes agon-speed=fast"
    told = f"no machine of the cluster has {VERSION}={own_version()} {told}"
    assert failed == FailedJob("match", told, JobFailure.NO_MACHINE)
    assert obstacle == told
    machines.end(old)


def test_a_command_has_more_room_when_a_machine_joins(machines: Machines) -> None:
    address = machines.cluster.address
    with open_matches(HIVE, HIVE.options(), BOTS, 0, cluster=address) as (_, room):
        assert room() == 2
        late = machines.add("late", cores=2)
        wait_for(lambda: room() == 4)
        machines.end(late)
        wait_for(lambda: room() == 2)
    with open_matches(HIVE, HIVE.options(), BOTS, 5, cluster=address) as (_, room):
        assert room() == 5


def test_a_speed_class_stays_when_the_one_who_chose_it_is_gone(machines: Machines) -> None:
    with RayFleet(machines.cluster.address) as first:
        assert first.cores == 2
    swift = machines.add("swift", {SPEED: "swift"}, cores=9)
    with RayFleet(machines.cluster.address) as second:
        assert second.devices["cpu"] == 11
        assert second.cores == 2
        machines.end(swift)
        wait_for(lambda: second.devices["cpu"] == 2)


def test_only_a_cluster_of_its_own_has_a_folder(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with RayFleet(machines.cluster.address):
        assert not list(tmp_path.iterdir())


def test_a_gpu_that_no_machine_has_is_missed_at_once(machines: Machines) -> None:
    done = call_agon("simulate", "hive", "--device", "cuda", "--cluster", machines.cluster.address)
    assert done.returncode == 2
    assert "--device cuda: no machine of the cluster has one" in done.stderr


def test_a_machine_without_a_sandbox_gets_no_programs(tmp_path: Path) -> None:
    program = script(tmp_path, "").program
    assert program is not None
    weak = {**LANGUAGE, SANDBOX: "lacks-memory-limit", SPEED: "fast"}
    assert not fits(weak, needed_labels([program], unsafe_host=False))
    assert fits(weak, needed_labels([program], unsafe_host=True))
    assert fits(weak, needed_labels([], unsafe_host=False))
    assert not fits({SANDBOX: HOLDS}, needed_labels([program], unsafe_host=False))


def test_organisers_see_the_machines(machines: Machines, blank: Path) -> None:
    world = make_world(blank)
    world.add_user("olga", organiser=True)
    settings = WorkerSettings(ladder=(), cluster=machines.cluster.address)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    try:
        world.app.state.site = replace(world.site, workers=workers)
        assert len(turns(workers.fleet.carry_out(JOB, BOTS))) == 20
        workers.fleet.carry_out(replace(JOB, key="wrong", rules=99), BOTS)
        swift = machines.add("swift", {SPEED: "swift"})
        fleet = workers.processes
        assert isinstance(fleet, RayFleet)
        wait_for(lambda: len(fleet.read()[0]) == 4)
        page = world.browser("olga").get("/machines").text
        nodes, _ = fleet.read()
        machines.end(swift)
    finally:
        workers.stop()
        world.close()
    assert len(nodes) == 4
    assert page.count("swift: no matches, they are played on fast") == 1
    for node in nodes:
        assert f"<td>{node.address} {node.id[:6]}</td>" in page
    assert re.search(rf"<strong>wrong</strong> on {HOST} \w{{6}}: hive by rules 99", page)
    assert "0 jobs wait for a machine." in page
