"""What /proc tells of a process and its descendants, for where no control group counts."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")
LOOKS = 5  # at a program that keeps forking while it is being stopped


def descendants(pid: int) -> list[int]:
    """The process and all that it has started and that still have their parents."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += children(one)
    return found


def children(pid: int) -> list[int]:
    """The child processes that a process has not reaped yet."""
    found: list[int] = []
    with suppress(OSError):  # it is gone
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):  # its thread is
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def runs_file(pid: int, file: os.stat_result) -> bool | None:
    """Whether a process runs this program; None if that cannot be seen (yet)."""
    try:
        return os.path.samestat(os.stat(f"/proc/{pid}/exe"), file)
    except OSError:
        return None


def cpu_ns(pid: int) -> int:
    """CPU time of a process and of the children that it has waited for."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return sum(int(ticks) for ticks in stat.rpartition(")")[2].split()[11:15]) * TICK_NS


def peak_memory(pid: int) -> int:
    """The most memory that a process has had, in bytes."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def parent_of(pid: int) -> int | None:
    """The parent of a process; None if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[1])


def signal_child(pid: int, parent: int, number: signal.Signals) -> None:
    """Send a signal to a process if it is still a child of that parent."""
    with suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            if parent_of(pid) == parent:
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)


def signal_all(pids: list[int], number: signal.Signals) -> None:
    """Send a signal to each that is still there."""
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, number)


def stop_all(find: Callable[[], list[int]]) -> None:
    """Stop the processes that are found, one by one, and look again for those started meanwhile.

    A signal to their group would also be kept for a process that is just being forked. A SIGCONT
    that it does not handle is dropped at that moment, and it would never go on.
    """
    stopped: set[int] = set()
    for _ in range(LOOKS):
        found = set(find()) - stopped
        if not found:
            return
        signal_all(sorted(found), signal.SIGSTOP)
        stopped |= found
