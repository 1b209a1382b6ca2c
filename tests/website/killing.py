"""Two servers on one database, their workers, and the nodes of a cluster: all may be killed.

What they leave on this machine lies in a folder of their own, so that it can be looked for.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from agon.arena.cluster.settings import TOKEN
from agon.kernel import kept_cache
from agon.sandbox.group import PREFIX
from agon.sandbox.group_v1 import ICE
from agon.sandbox.leftovers import is_left_over
from agon.sandbox.processes import descendants
from tests.waiting import wait_for
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from tests.website.running import Arena

HEAD = "127.0.0.2"
NODES = 2
FIRST_PORT, PORTS = 20000, 300
"""Of the first node; all are on this machine."""
WORKERS = (b"forkserver", b"ray::carry_out")
QUIETLY = ("--no-ladder", "--jobs", "6", "--oversubscribe", "--time", "10s")
NOT_OURS = ("ray", "agon-ray-", "pymp-")
"""Temporary folders: Ray's, with its logs, and one of Python for each process that was killed."""


class Target(Enum):
    """What is killed."""

    FIRST_SERVER = 0
    SECOND_SERVER = 1
    WORKER = 2
    NODE = 3


@contextmanager
def own_folders() -> Iterator[Path]:
    """Caches, data and temporary files of all processes that are started meanwhile: a short path.

    The compiled rules are those of this machine.
    """
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="agon-kills-") as name:
        home = Path(name)
        for folder in ("cache", "data", "tmp"):
            (home / folder).mkdir()
        kernels = kept_cache()
        assert kernels is not None
        (home / "cache" / "kernels").symlink_to(kernels)
        os.environ["AGON_CACHE"] = str(home / "cache")
        os.environ["XDG_DATA_HOME"] = str(home / "data")
        os.environ["TMPDIR"] = str(home / "tmp")
        os.environ[TOKEN] = "only-for-this-test-of-a-cluster"
        try:
            yield home
        finally:
            os.environ.clear()
            os.environ.update(before)


class Cluster:
    """A head without cores, and nodes of one core each, on addresses of this machine."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        with socket.create_server((HEAD, 0)) as free:
            self.address = f"{HEAD}:{free.getsockname()[1]}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        self.processes = [self._start(place) for place in range(NODES + 1)]
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(PATIENCE)

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        """A node; the head is at place 0."""
        port = self.address.rpartition(":")[2]
        arguments = ["join", self.address, "--cores=1", "--label=agon-speed=same"]
        if place == 0:
            arguments = ["head", f"--port={port}", "--cores=0"]
        host = f"--host=127.0.0.{place + 2}"
        first = FIRST_PORT + place * PORTS
        ports = f"--ports={first}-{first + PORTS - 1}", "--open"
        command = [sys.executable, "-m", "agon", "cluster", *arguments, host, *ports]
        with (self._logs / f"node{place}.txt").open("ab") as log:
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


class Servers:
    """Two servers; one that is killed is started again."""

    def __init__(self, url: str, logs: Path, cluster: Cluster | None) -> None:
        self._url = url
        self._logs = logs
        self._cluster = cluster
        self._stacks = [ExitStack(), ExitStack()]
        self.arenas: list[Arena] = []

    def __enter__(self) -> Servers:
        self.arenas = [self._start(place) for place in range(2)]
        return self

    def __exit__(self, *_: object) -> None:
        for stack in self._stacks:
            stack.close()

    @property
    def log(self) -> str:
        return "\n".join(file.read_text() for file in sorted(self._logs.rglob("log.txt")))

    def _start(self, place: int) -> Arena:
        arguments = [*QUIETLY, "--data", self._url]
        if self._cluster is not None:
            arguments += ["--cluster", self._cluster.address]
        arena = running_arena(self._logs / f"server{place}", *arguments)
        return self._stacks[place].enter_context(arena)

    def kill(self, target: Target, chance: Random) -> None:
        """Kill this; it is back at the end, but for a worker, which is replaced when needed."""
        match target:
            case Target.FIRST_SERVER | Target.SECOND_SERVER:
                self._kill_server(target.value)
            case Target.WORKER:
                self._kill_worker(chance)
            case Target.NODE:
                assert self._cluster is not None
                self._cluster.kill_node(chance.randrange(NODES))

    def _kill_server(self, place: int) -> None:
        self.arenas[place].process.send_signal(signal.SIGKILL)
        self.arenas[place].process.wait()
        self._stacks[place].close()
        self.arenas[place] = self._start(place)

    def _kill_worker(self, chance: Random) -> None:
        """Wait for a process that plays matches, and kill it."""
        end = time.monotonic() + PATIENCE
        while True:
            for pid in chance.sample(found := self._workers(), len(found)):
                with suppress(ProcessLookupError):
                    return os.kill(pid, signal.SIGKILL)
            assert time.monotonic() < end, "there is no worker"
            time.sleep(0.01)

    def _workers(self) -> list[int]:
        parents = [arena.process.pid for arena in self.arenas]
        if self._cluster is not None:
            parents = [node.pid for node in self._cluster.processes[1:]]
        return [
            pid
            for parent in parents
            for pid in descendants(parent)
            if any(name in read_process(pid, "cmdline") for name in WORKERS)
        ]


def is_open(host: str, port: int) -> bool:
    with closing(socket.socket()) as client:
        return client.connect_ex((host, port)) == 0


def running(mark: str) -> list[str]:
    """The processes that have this in their command line or in their environment."""
    pids = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
    return [
        f"{pid} {read_process(pid, 'cmdline')[:80]!r}"
        for pid in pids
        if pid != os.getpid()
        and any(mark.encode() in read_process(pid, file) for file in ("cmdline", "environ"))
    ]


def read_process(pid: int, file: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{file}").read_bytes()
    except OSError:
        return b""


def left_groups() -> set[str]:
    """Control groups for bots, made by processes that are gone."""
    return {
        os.path.join(folder, name)
        for folder, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if is_left_over(name, PREFIX, ICE)
    }


def left_files(home: Path) -> set[str]:
    """What is in the folders of the processes and should have been removed.

    Bots that were unpacked or built stay in the cache.
    """
    places = (home / "tmp", home / "data" / "agon" / "unpacked", home / "cache" / "bots")
    return {
        str(path.relative_to(home))
        for place in places
        for path in (place.iterdir() if place.is_dir() else ())
        if not path.name.startswith(NOT_OURS)
        and (path.name.startswith(".") or place.name != "bots")
    }
