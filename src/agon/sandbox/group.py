"""A control group: the kernel's account of one bot and all that it starts.

Two kinds exist, of the kernel's first and second interface (`group_v1`, `group_v2`); both are a
folder in which files are limits to write and counters to read. Where none may be made there is
`NoGroup`, which holds nothing and says so.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PREFIX = "agon-bot"
"""Names of groups: see `leftovers`."""

SUPERVISORS = 2
"""Processes in a group that are not the bot's: bubblewrap outside, and its process 1 inside."""

PERIOD_US = 20_000
"""The time over which CPU use is measured out: short, so that a bot that used up its share waits
some milliseconds, not a tenth of a second."""

YIELDS = 4
"""Where cores are scarce the arbiter, which reads a bot's answer, gets this many times as much."""

KILL_PATIENCE_NS = 5 * 10**9


class Holds(Enum):
    """What a group can hold or do."""

    MEMORY = "memory"
    PROCESSES = "processes"
    CPU = "cpu"
    FREEZE = "freeze"


@dataclass(frozen=True, slots=True)
class Counters:
    """What a group has used; None where it is not counted."""

    cpu_ns: int | None = None
    peak_memory: int | None = None
    oom_kills: int = 0
    refused_forks: int = 0


class ControlGroup(Protocol):
    """One bot's group."""

    @property
    def holds(self) -> frozenset[Holds]:
        """What this group can hold or do."""

    def join(self, pid: int) -> None:
        """Move a process in; what it starts from now on is in too."""

    def freeze(self) -> None:
        """Stop everything where it is."""

    def thaw(self) -> None: ...

    def kill(self) -> bool:
        """End everything, frozen or not; True once nothing is left."""

    def processes(self) -> list[int]: ...

    def counters(self) -> Counters: ...

    def remove(self) -> None:
        """Give the group back; nothing may be alive in it."""


class NoGroup:
    """Where the kernel gives us none: holds nothing, counts nothing."""

    holds: frozenset[Holds] = frozenset()

    def join(self, pid: int) -> None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def kill(self) -> bool:
        return True

    def processes(self) -> list[int]:
        return []

    def counters(self) -> Counters:
        return Counters()

    def remove(self) -> None: ...


class Switch:
    """A file of a group that is written to again and again: opened once, when it is first used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def set(self, value: bytes) -> None:
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_WRONLY)
        os.write(self._descriptor, value)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def read_number(path: Path) -> int | None:
    """The number in a file; None if there is no such file or no number in it."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def read_entry(path: Path, key: str) -> int | None:
    """The number after a key in a file of `key number` lines."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return None


def read_processes(folder: Path) -> list[int]:
    try:
        return [int(line) for line in (folder / "cgroup.procs").read_text().split()]
    except OSError:
        return []


def kill_processes(folder: Path) -> None:
    """Send SIGKILL to what is in the group now, and to nothing else."""
    for pid in read_processes(folder):
        with suppress(OSError):
            handle = os.pidfd_open(pid)
            try:
                # The number may have gone to another process between listing and opening: from here
                # on it cannot, so a second look decides.
                if pid in read_processes(folder):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)


def poll_until(
    done: Callable[[], bool], patience_ns: int = KILL_PATIENCE_NS, longest_pause: float = 0.01
) -> bool:
    """Look again and again, at first often, until it is done or patience ends."""
    deadline = time.monotonic_ns() + patience_ns
    pause = 0.0002
    while not done():
        if time.monotonic_ns() > deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, longest_pause)
    return True


def remove_folder(folder: Path) -> None:
    """Remove a group; the kernel may need a moment after the last process has gone."""

    def removed() -> bool:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    poll_until(removed, 10**9)
