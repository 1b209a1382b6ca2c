"""The load on a server of Skyport: many matches side by side, and many who do nothing.

Server and clients are processes of their own on this machine, and talk over the loopback.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

from agon.errors import AgonError
from benchmarks.skyport_clients import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MATCHES = 100
TURNS = 50
THINK_NS = 200 * 10**6
IDLE = 1000
MOST_IDLE_KIB = 200 << 10
SECONDS = 10**9
LONGEST_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Load:
    """What became of the turns of many matches at once."""

    matches: int
    think_ns: int
    tally: Tally
    wall_ns: int

    @property
    def turns_per_second(self) -> int:
        """How many turns the server carried out in a second."""
        return self.tally.turns * SECONDS // max(1, self.wall_ns)


@dataclass(frozen=True, slots=True)
class Idleness:
    """What connections cost that do nothing: the memory of a server before and with them."""

    connections: int
    before_unnamed_kib: int
    with_unnamed_kib: int
    before_named_kib: int
    with_named_kib: int
    at_most_kib: int = MOST_IDLE_KIB

    @property
    def unnamed_cost_kib(self) -> int:
        """What those cost that have not said who they are."""
        return self.with_unnamed_kib - self.before_unnamed_kib

    @property
    def named_cost_kib(self) -> int:
        """What those cost that sit in matches."""
        return self.with_named_kib - self.before_named_kib


@dataclass(frozen=True, slots=True)
class Running:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    @property
    def memory_kib(self) -> int:
        """What it holds in memory now."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AgonError("the server of the bench has ended")


@contextmanager
def running_server(*flags: str) -> Iterator[Running]:
    """`agon skyport serve` with these flags, on any port, with a datastore that is thrown away."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "agon", "skyport", "serve", "--port", "0", "--json"]
        process = subprocess.Popen(  # noqa: S603
            [*command, "--data", folder, *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        output = _stream(process.stdout)
        try:
            first = output.readline()
            if not first:
                complaint = _stream(process.stderr).read().strip()
                raise AgonError(f"the server of the bench did not start: {complaint}")
            yield Running(process, json.loads(first)["rooms"][0]["port"])
        finally:
            process.terminate()
            process.communicate()


def client_command(port: int, *arguments: object) -> list[str]:
    """How to run clients."""
    words = [str(argument) for argument in (port, *arguments)]
    return [sys.executable, "-m", "benchmarks.skyport_clients", *words]


def measure_load(
    clock: Callable[[], int],
    matches: int = MATCHES,
    turns: int = TURNS,
    think_ns: int = THINK_NS,
) -> Load:
    """Play that many matches of two at once; every client answers at once."""
    flags = (
        "--matches",
        matches,
        "--turns",
        turns,
        "--think",
        f"{think_ns // 10**6}ms",
        "--seed",
        1,
    )
    with running_server(*map(str, flags)) as server:
        begin = clock()
        done = subprocess.run(  # noqa: S603
            client_command(server.port, 2 * matches, think_ns),
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        wall_ns = clock() - begin
        if done.returncode:
            raise AgonError(f"the clients of the bench failed: {done.stderr[-500:]}")
        return Load(matches, think_ns, Tally(**json.loads(done.stdout)), wall_ns)


def measure_idle(connections: int = IDLE) -> Idleness:
    """The server's memory without and with connections, of clients without and with a name.

    Those with a name sit in matches of two, which have begun and wait for their loadouts.
    """
    figures: list[int] = []
    flags = ("--handshake", "60m", "--start-delay", "60m", "--strangers", connections + 10)
    limits = ("--connections", connections + 10)
    for how in ("idle", "named"):
        with running_server(*map(str, (*flags, *limits))) as server:
            before = server.memory_kib
            with staying(client_command(server.port, connections, how)):
                figures += [before, server.memory_kib]
    return Idleness(connections, *figures)


@contextmanager
def staying(command: Sequence[str]) -> Iterator[None]:
    """Clients that are connected in this block."""
    clients = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        if _stream(clients.stdout).readline() != "connected\n":
            raise AgonError("the idle clients of the bench could not connect")
        yield
    finally:
        clients.communicate()


def _stream(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise AgonError("a process without pipes")
    return stream
