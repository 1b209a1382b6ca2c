"""Two servers on one PostgreSQL play a contest of programs while they and their workers are killed.

Once each plays on processes of its own, and once both on a cluster of several nodes, which are
killed, too. Every match is played once, and the table is that of a contest that nothing disturbed.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest

from agon.arena.cluster_settings import TOKEN
from agon.arena.contests.terms import Seeding, Terms, save_terms
from agon.datastore import (
    ContestState,
    MatchFilter,
    NewBot,
    NewContest,
    NewFile,
    NewVersion,
    Store,
    VersionStatus,
)
from agon.datastore.integrity import check_database
from agon.sandbox.processes import descendants
from tests.datastore.server import running_postgresql
from tests.waiting import wait_for
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.datastore.server import PostgreSQL
    from tests.website.running import Arena

Table: TypeAlias = dict[tuple[object, ...], tuple[int, ...]]
NOON = 1_760_000_000_000_000_000
BOTS = 5
ROUNDS = int(os.environ.get("AGON_KILL_ROUNDS", "50"))
MATCHES = ROUNDS * BOTS * (BOTS - 1)
KILLS = 20
HEAD = "127.0.0.2"
NODES = 2
WORKERS = (b"forkserver", b"ray::")
HURRY_S = 1800
ALL = 10**6
QUIETLY = ("--no-ladder", "--jobs", "2")
SETTINGS = """name = "counter"
games = ["mebipenny"]
run = "python3 bot.py {number}"
"""
SOURCE = """
import json, sys
number = int(sys.argv[1])
print("legal", flush=True)
for news in map(json.loads, sys.stdin):
    if "legal" in news:
        moves = news["legal"]
        print(json.dumps(moves[number % len(moves)]), flush=True)
"""


def prepare(store: Store) -> int:
    """Programs that always play the same, and a contest of them that has begun: its id."""
    user = store.users.add("ada", "…", NOON, organiser=True)
    terms = Terms(ROUNDS, turn_ns=10 * 10**9, pace_ns=0, jobs=4, seeding=Seeding.ENTRY, bots_each=9)
    contest = store.contests.add(
        NewContest("cup", "mebipenny", "round-robin", {"rows": 3, "cols": 3}, save_terms(terms)),
        user.id,
        NOON,
    )
    store.contests.set_state(contest.id, ContestState.OPEN)
    for number in range(BOTS):
        files = {
            "bot.toml": NewFile(SETTINGS.format(number=number).encode()),
            "bot.py": NewFile(SOURCE.encode()),
        }
        new = NewVersion(NOON, run=f"python3 bot.py {number}", files=files)
        _, version, _ = store.submit_version(
            NewBot("mebipenny", f"counter {number}", NOON, user.id), new, NOON
        )
        check = store.checks.take(NOON)
        assert check is not None
        store.checks.end(check.id, passed=True, now_ns=NOON)
        assert store.versions.get(version.id).status is VersionStatus.ACTIVE
        store.contests.enter(contest.id, version.id, user.id, NOON)
    store.contests.set_state(contest.id, ContestState.CLOSED)
    store.contests.set_state(contest.id, ContestState.RUNNING)
    return contest.id


def played(store: Store) -> Table:
    """The scores of every match, by its fixture."""
    matches = store.matches.find(MatchFilter(), limit=ALL)
    table: Table = {
        (match.fixture, match.seed, *(seat.bot for seat in match.seats)): tuple(
            seat.score for seat in match.seats
        )
        for match in matches
    }
    assert len(table) == len(matches)
    return table


def play(
    server: PostgreSQL,
    name: str,
    folder: Path,
    cluster: Cluster | None,
    disturb: Callable[[Servers], None],
) -> Table:
    """A contest on two servers, and what came of it."""
    folder.mkdir()
    server.execute(f"CREATE DATABASE {name}")
    url = server.url(name)
    with Store.open(url) as store:
        contest = prepare(store)
        with Servers(url, folder, cluster) as servers:
            end = time.monotonic() + HURRY_S
            while store.contests.get(contest).state is not ContestState.FINISHED:
                assert store.contests.get(contest).state is ContestState.RUNNING, servers.log
                assert time.monotonic() < end, servers.log
                disturb(servers)
        assert check_database(store.database) == []
        return played(store)


class Cluster:
    """A head without cores, and nodes of one core each, on addresses of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server((HEAD, 0)) as free:
            self.address = f"{HEAD}:{free.getsockname()[1]}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        os.environ[TOKEN] = "only-for-this-test-of-a-cluster"
        self.processes = [self._start(place) for place in range(NODES + 1)]
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(PATIENCE)
        del os.environ[TOKEN]

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        """A node; the head is at place 0."""
        port = self.address.rpartition(":")[2]
        arguments = ["join", self.address, "--cores=1", "--label=agon-speed=same"]
        if place == 0:
            arguments = ["head", f"--port={port}", "--cores=0"]
        host = f"--host=127.0.0.{place + 2}"
        command = [sys.executable, "-m", "agon", "cluster", *arguments, host]
        with (self._folder / f"node{place}.txt").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        if place == 0:
            wait_for(lambda: is_open(HEAD, int(port)))
        return process

    def kill_node(self, number: int) -> None:
        """All processes of a node die; then the machine is back."""
        node = self.processes[1 + number]
        for pid in descendants(node.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        node.wait()
        self.processes[1 + number] = self._start(1 + number)


def is_open(host: str, port: int) -> bool:
    with closing(socket.socket()) as client:
        return client.connect_ex((host, port)) == 0


class Servers:
    """Two servers; one that is killed is started again."""

    def __init__(self, url: str, folder: Path, cluster: Cluster | None) -> None:
        self._url = url
        self._folder = folder
        self._cluster = cluster
        self._stacks = [ExitStack(), ExitStack()]
        self.arenas: list[Arena] = []
        self.kills = 0

    def __enter__(self) -> Servers:
        self.arenas = [self._start(place) for place in range(2)]
        return self

    def __exit__(self, *_: object) -> None:
        for stack in self._stacks:
            stack.close()

    @property
    def log(self) -> str:
        return "\n".join(file.read_text() for file in sorted(self._folder.rglob("log.txt")))

    def _start(self, place: int) -> Arena:
        arguments = [*QUIETLY, "--data", self._url]
        if self._cluster is not None:
            arguments += ["--cluster", self._cluster.address]
        arena = running_arena(self._folder / f"server{place}", *arguments)
        return self._stacks[place].enter_context(arena)

    def kill_server(self, place: int) -> None:
        self.arenas[place].process.send_signal(signal.SIGKILL)
        self.arenas[place].process.wait()
        self._stacks[place].close()
        self.arenas[place] = self._start(place)
        self.kills += 1

    def kill_worker(self, chance: Random) -> None:
        """Kill a process that plays matches, if there is one."""
        parents = [arena.process.pid for arena in self.arenas]
        if self._cluster is not None:
            parents = [node.pid for node in self._cluster.processes[1:]]
        workers = [
            pid
            for parent in parents
            for pid in descendants(parent)
            if any(name in command_of(pid) for name in WORKERS)
        ]
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            self.kills += 1

    def kill_any(self, chance: Random) -> None:
        """Kill a server, a worker, or a node."""
        kind = chance.randrange(2 if self._cluster is None else 3)
        if kind == 0:
            self.kill_server(chance.randrange(2))
        elif kind == 1:
            self.kill_worker(chance)
        elif self._cluster is not None:
            self._cluster.kill_node(chance.randrange(NODES))
            self.kills += 1


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("is_cluster", [False, True], ids=["processes", "cluster"])
@pytest.mark.slow
@pytest.mark.system
def test_every_match_is_played_once_and_the_table_is_the_same(
    tmp_path: Path, is_cluster: bool
) -> None:
    chance = Random(5)  # noqa: S311

    def kill_sometimes(servers: Servers) -> None:
        time.sleep(chance.random() * 3)
        if servers.kills < KILLS:
            servers.kill_any(chance)

    with ExitStack() as stack:
        server = stack.enter_context(running_postgresql(synchronous_commit="on"))
        quiet = play(server, "quiet", tmp_path / "quiet", None, lambda servers: time.sleep(1))
        cluster = stack.enter_context(Cluster(tmp_path)) if is_cluster else None
        disturbed = play(server, "disturbed", tmp_path / "disturbed", cluster, kill_sometimes)
    assert len(quiet) == MATCHES
    assert disturbed == quiet
