"""Control groups of the kernel's second interface: one tree, in which resources are switched on.

A group either has processes or hands resources on to its children, never both. So before bots can
have groups below ours, this process must step aside into a child of its own, `agon-host`. It does
so only if it is alone in its group (with the processes that it descends from): in a container, or
after `systemd-run --user --scope --property=Delegate=yes agon …`. Failing that, root takes a group
at the top of the tree.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agon.sandbox.group import (
    PERIOD_US,
    PREFIX,
    SUPERVISORS,
    YIELDS,
    Counters,
    Holds,
    Switch,
    kill_processes,
    poll_until,
    read_entry,
    read_number,
    read_processes,
    remove_folder,
)
from agon.sandbox.leftovers import is_left_over, new_name

if TYPE_CHECKING:
    from agon.sandbox.resource_limits import ResourceLimits

CONTROLLERS = ("memory", "pids", "cpu")
HOLDS = {"memory": Holds.MEMORY, "pids": Holds.PROCESSES, "cpu": Holds.CPU}
HOST = "agon-host"
TOP = "agon"


class GroupV2:
    """One bot's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        present = (folder / "cgroup.controllers").read_text().split()
        holds = {HOLDS[name] for name in present if name in HOLDS}
        if (folder / "cgroup.freeze").exists():
            holds.add(Holds.FREEZE)
        self.holds = frozenset(holds)
        self._freezer = Switch(folder / "cgroup.freeze") if Holds.FREEZE in holds else None

    def join(self, pid: int) -> None:
        (self._folder / "cgroup.procs").write_text(str(pid))

    def freeze(self) -> None:
        if self._freezer is not None:
            self._freezer.set(b"1")

    def thaw(self) -> None:
        if self._freezer is not None:
            self._freezer.set(b"0")

    def kill(self) -> bool:
        """End everything; since Linux 5.14 the kernel does it in one step."""
        with suppress(OSError):
            self._set("pids.max", "0")
        with suppress(OSError):
            self._set("cgroup.kill", "1")
        return poll_until(self._kill_once)

    def _kill_once(self) -> bool:
        kill_processes(self._folder)
        return not read_processes(self._folder)

    def processes(self) -> list[int]:
        return read_processes(self._folder)

    def counters(self) -> Counters:
        cpu_us = read_entry(self._folder / "cpu.stat", "usage_usec")
        return Counters(
            cpu_ns=None if cpu_us is None else cpu_us * 1000,
            peak_memory=read_number(self._folder / "memory.peak"),
            oom_kills=read_entry(self._folder / "memory.events", "oom_kill") or 0,
            refused_forks=read_entry(self._folder / "pids.events", "max") or 0,
        )

    def remove(self) -> None:
        if self._freezer is not None:
            self._freezer.close()
        remove_folder(self._folder)

    def _set(self, file: str, value: str) -> None:
        if (self._folder / file).exists():
            (self._folder / file).write_text(value)


def create_v2(parent: Path, limits: ResourceLimits) -> GroupV2:
    folder = parent / new_name(PREFIX)
    folder.mkdir()
    try:
        for file, value in settings(limits):
            if (folder / file).exists():
                (folder / file).write_text(value)
        return GroupV2(folder)
    except OSError:
        remove_folder(folder)
        raise


def settings(limits: ResourceLimits) -> tuple[tuple[str, str], ...]:
    return (
        ("memory.max", str(limits.memory)),
        ("memory.swap.max", "0"),
        ("memory.oom.group", "1"),  # all of the bot or nothing: no half-dead bots
        ("pids.max", str(limits.processes + SUPERVISORS)),
        ("cpu.weight", str(100 // YIELDS)),
        ("cpu.max", f"{limits.cpu_percent * PERIOD_US // 100} {PERIOD_US}"),
    )


def prepare_v2(mount: Path, own: Path) -> Path | None:
    """Find or make the group below which bots can have groups of their own; None if there is none.

    `mount` is the top of the tree, `own` the group that this process is in.
    """
    if own.name == HOST:
        own = own.parent  # we, or the process that started us, stepped aside before
    if hand_on(own) or (step_aside(own) and hand_on(own)):
        return own
    top = mount / TOP
    try:
        top.mkdir(exist_ok=True)
    except OSError:
        return None
    return top if hand_on(mount) and hand_on(top) else None


def hand_on(folder: Path) -> bool:
    """Switch on for the children what this group has; True if they now have memory and pids."""
    control = folder / "cgroup.subtree_control"
    try:
        wanted = set(CONTROLLERS) & set((folder / "cgroup.controllers").read_text().split())
    except OSError:
        return False
    # All in one step: while processes are in the group the kernel refuses memory but would take cpu
    # and pids, and from then on no child could have processes of its own.
    with suppress(OSError):
        control.write_text(" ".join(f"+{controller}" for controller in sorted(wanted)))
    try:
        return {"memory", "pids"} <= set(control.read_text().split()) and os.access(folder, os.W_OK)
    except OSError:
        return False


def step_aside(folder: Path) -> bool:
    """Move this process, and those that it descends from, out of the group into a child of it."""
    members = read_processes(folder)
    if not set(members) <= set(ancestors(os.getpid())):
        return False
    try:
        (folder / HOST).mkdir(exist_ok=True)
        for pid in members:
            (folder / HOST / "cgroup.procs").write_text(str(pid))
    except OSError:
        return False
    return True


def ancestors(pid: int) -> list[int]:
    """The process, its parent, and so on.

    >>> ancestors(os.getpid())[:2] == [os.getpid(), os.getppid()]
    True
    """
    chain = []
    while pid:
        chain.append(pid)
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            break
        pid = int(stat.rpartition(")")[2].split()[1])
    return chain


def sweep_v2(parent: Path) -> None:
    """End and remove what runs that were killed have left."""
    for folder in parent.iterdir():
        if folder.is_dir() and is_left_over(folder.name, PREFIX):
            with suppress(OSError):
                GroupV2(folder).kill()
            remove_folder(folder)
