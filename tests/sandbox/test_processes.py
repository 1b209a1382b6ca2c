"""What /proc tells of processes, for hosts without control groups."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from agon.sandbox.processes import (
    children,
    cpu_ns,
    descendants,
    parent_of,
    peak_memory,
    runs_file,
    signal_all,
    signal_child,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

GONE = 2**22 + 1


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """A process and its child."""
    script = "sleep 100 & echo $!; wait"
    with subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        yield parent.pid, child
        for pid in (child, parent.pid):
            os.kill(pid, signal.SIGKILL)


def test_who_descends_from_whom(family: tuple[int, int]) -> None:
    parent, child = family
    assert parent in children(os.getpid())
    assert children(parent) == [child]
    assert descendants(parent) == [parent, child]
    assert (parent_of(child), parent_of(parent)) == (parent, os.getpid())
    assert (children(GONE), descendants(GONE), parent_of(GONE)) == ([], [GONE], None)


def test_which_program_runs(family: tuple[int, int]) -> None:
    assert runs_file(os.getpid(), os.stat(sys.executable))
    assert runs_file(family[0], os.stat(sys.executable)) is False
    assert runs_file(GONE, os.stat(sys.executable)) is None


def test_time_and_memory_of_this_process() -> None:
    before = time.process_time_ns()
    while time.process_time_ns() - before < 50 * 10**6:
        pass
    used = os.times()
    told = cpu_ns(os.getpid())
    assert abs(told - sum(used[:4]) * 10**9) < 100 * 10**6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert abs(peak_memory(os.getpid()) - most) < 16 << 20
    assert (cpu_ns(GONE), peak_memory(GONE)) == (0, 0)


LISTENS = """
trap 'echo one' USR1; trap 'echo two' USR2; trap 'echo three' TERM
echo ready
while :; do sleep 0.01; done
"""


def test_signals_go_to_those_who_are_meant() -> None:
    """Of signals that wait together, the lowest number is heard first."""
    with subprocess.Popen(["/bin/sh", "-c", LISTENS], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        signal_child(child.pid, child.pid, signal.SIGUSR1)  # which is not its parent
        signal_child(GONE, os.getpid(), signal.SIGUSR1)
        signal_child(child.pid, os.getpid(), signal.SIGUSR2)
        assert child.stdout.readline() == b"two\n"
        signal_all([GONE, child.pid], signal.SIGTERM)
        assert child.stdout.readline() == b"three\n"
        child.kill()
