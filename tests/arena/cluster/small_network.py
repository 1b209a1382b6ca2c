"""Machines with networks between them, on this machine: namespaces that end with this process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.cluster.settings import TOKEN
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

AGON = (sys.executable, "-m", "agon")
TOOLS = ("ip", "nft", "nsenter", "ss", "unshare")
HOLD = "mkdir -p /tmp/ray && mount -t tmpfs ray /tmp/ray && ip link set lo up && exec sleep inf"
"""What a machine does: it has a folder of its own for Ray, as on a disk of its own."""


@dataclass
class Machine:
    """Processes that see each other, the same files but for Ray's, and interfaces of their own."""

    name: str
    folder: Path
    holder: subprocess.Popen[bytes]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def pid(self) -> int:
        """Its first process."""
        (child,) = children_of(self.holder)
        return child

    def enter(self, *words: str) -> list[str]:
        """A command line, as it runs on this machine."""
        return ["nsenter", f"--target={self.pid}", "--net", "--mount", "--pid", *words]

    def run(self, *words: str) -> str:
        """What a command writes here."""
        done = self.attempt(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def attempt(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """A command that may fail."""
        return subprocess.run(
            self.enter(*words),
            capture_output=True,
            text=True,
            check=False,
            env=self.environ() | variables,
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A command that goes on; what it writes is in `told`."""
        with self.log.open("a") as log:
            process = subprocess.Popen(
                self.enter(*words), stdout=log, stderr=log, text=True, env=self.environ()
            )
        self.started.append(process)
        return process

    def stop(self, process: subprocess.Popen[str]) -> int:
        """End a command that was started, as systemd does."""
        (child,) = children_of(process)
        os.kill(child, signal.SIGTERM)
        return process.wait(60)

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def told(self) -> str:
        return self.log.read_text()

    def environ(self) -> dict[str, str]:
        return {
            **os.environ,
            TOKEN: "only-for-this-test-of-a-cluster",
            "AGON_CACHE": str(self.folder / f"{self.name}-cache"),
            "XDG_DATA_HOME": str(self.folder / f"{self.name}-data"),
        }

    def join_network(self, switch: Machine, interface: str, address: str) -> None:
        """Have an interface with this address, which is connected to a switch."""
        port = f"to-{self.name}"
        ends = (interface, "netns", str(self.pid)), (port, "netns", str(switch.pid))
        add = ["ip", "link", "add", *ends[0], "type", "veth", "peer", "name", *ends[1]]
        subprocess.run(add, check=True)
        switch.run("ip", "link", "set", port, "master", "switch", "up")
        self.run("ip", "addr", "add", f"{address}/24", "dev", interface)
        self.run("ip", "link", "set", interface, "up")

    def listening(self) -> list[tuple[str, int]]:
        """Addresses and ports at which programs of this machine listen."""
        rows = [line.split()[3] for line in self.run("ss", "-ltnH").splitlines()]
        return [(row.rpartition(":")[0], int(row.rpartition(":")[2])) for row in rows]


@contextmanager
def machines(folder: Path, *names: str) -> Iterator[list[Machine]]:
    """Machines without networks; all their processes end with this block, or with this process."""
    missing = [name for name in TOOLS if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"needs root, and {missing or 'nothing else'}")
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    made = [Machine(name, folder, subprocess.Popen([*unshare, "sh", "-c", HOLD])) for name in names]
    try:
        for machine in made:
            wait_for(partial(is_ready, machine))
        yield made
    finally:
        for machine in made:
            machine.holder.kill()
            machine.holder.wait(60)
            for process in machine.started:
                process.wait(60)


def children_of(process: subprocess.Popen[Any]) -> list[int]:
    pids = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(pid) for pid in pids]


def is_ready(machine: Machine) -> bool:
    assert machine.holder.poll() is None, "no namespaces"
    words = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children_of(machine.holder)]
    return any(word.startswith(b"sleep\0") for word in words)


def make_switch(machine: Machine) -> None:
    """Let it connect the machines that join its network."""
    machine.run("ip", "link", "add", "switch", "type", "bridge")
    machine.run("ip", "link", "set", "switch", "up")


def cluster_status(machine: Machine, address: str) -> Any:
    return json.loads(machine.run(*AGON, "cluster", "status", "--json", "--cluster", address))
