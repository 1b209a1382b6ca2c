"""Control groups of the kernel's first interface: one tree for each resource.

A bot gets a folder of the same name in each tree that this process may write to, below the group
that this process is in itself, so that whatever holds us holds the bots too.

A frozen process hears of its death only when it is thawed. So a small process outlives us, however
we end, and thaws our bots then; those have been killed with us, and are gone.

The kernel has a switch in its own code for whether any group at all is frozen, and to throw it
takes ten times as long as to freeze a bot. So an empty group of ours is frozen from the first to
the last moment, and the switch stays as it is.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
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
from agon.sandbox.leftovers import is_left_over, new_name, owner
from agon.sandbox.resource_limits import MIB

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agon.sandbox.resource_limits import ResourceLimits

SOCKET_BYTES = 16 * MIB
ICE = "agon-ice"
"""The empty group that is always frozen."""

CONTROLLERS = ("memory", "pids", "cpu", "cpuacct", "freezer")
HOLDS = {
    "memory": Holds.MEMORY,
    "pids": Holds.PROCESSES,
    "cpu": Holds.CPU,
    "freezer": Holds.FREEZE,
}


class GroupV1:
    """One bot's folders, by controller."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = dict(folders)
        self.holds = frozenset(HOLDS[name] for name in folders if name in HOLDS)
        freezer = folders.get("freezer")
        self._freezer = None if freezer is None else Switch(freezer / "freezer.state")

    def join(self, pid: int) -> None:
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def freeze(self) -> None:
        if self._freezer is not None:
            self._freezer.set(b"FROZEN")

    def thaw(self) -> None:
        if self._freezer is not None:
            self._freezer.set(b"THAWED")

    def kill(self) -> bool:
        """End everything; a frozen process hears of it when it is thawed."""
        if "pids" in self._folders:
            with suppress(OSError):
                (self._folders["pids"] / "pids.max").write_text("0")
        return poll_until(self._kill_once)

    def _kill_once(self) -> bool:
        for folder in self._folders.values():
            kill_processes(folder)
        with suppress(OSError):
            self.thaw()
        return not any(read_processes(folder) for folder in self._folders.values())

    def processes(self) -> list[int]:
        return read_processes(next(iter(self._folders.values())))

    def counters(self) -> Counters:
        memory, pids = self._folders.get("memory"), self._folders.get("pids")
        cpu = self._folders.get("cpuacct")
        return Counters(
            cpu_ns=read_number(cpu / "cpuacct.usage") if cpu else None,
            peak_memory=read_number(memory / "memory.max_usage_in_bytes") if memory else None,
            oom_kills=(read_entry(memory / "memory.oom_control", "oom_kill") or 0) if memory else 0,
            refused_forks=(read_entry(pids / "pids.events", "max") or 0) if pids else 0,
        )

    def remove(self) -> None:
        if self._freezer is not None:
            self._freezer.close()
        for folder in set(self._folders.values()):
            remove_folder(folder)


def create_v1(parents: Mapping[str, Path], limits: ResourceLimits) -> GroupV1:
    """A new group with these limits, in the trees whose parents are given."""
    name = new_name(PREFIX)
    folders = {controller: parent / name for controller, parent in parents.items()}
    group = GroupV1(folders)
    try:
        for folder in set(folders.values()):
            folder.mkdir(exist_ok=True)
        for controller, file, value in settings(limits):
            if controller in folders and (folders[controller] / file).exists():
                (folders[controller] / file).write_text(str(value))
    except OSError:
        group.remove()
        raise
    return group


def settings(limits: ResourceLimits) -> tuple[tuple[str, str, int], ...]:
    """Which file of which controller gets which number, in the order in which they must be set."""
    return (
        ("memory", "memory.limit_in_bytes", limits.memory),
        # Memory and swap together: no more than memory alone.
        ("memory", "memory.memsw.limit_in_bytes", limits.memory),
        # What waits in TCP and UDP sockets is counted apart, and not at all unless it is limited.
        ("memory", "memory.kmem.tcp.limit_in_bytes", SOCKET_BYTES),
        ("pids", "pids.max", limits.processes + SUPERVISORS),
        ("cpu", "cpu.cfs_period_us", PERIOD_US),
        ("cpu", "cpu.shares", 1024 // YIELDS),
        ("cpu", "cpu.cfs_quota_us", limits.cpu_percent * PERIOD_US // 100),
    )


def usable_v1(folders: Mapping[str, Path], limits: ResourceLimits) -> dict[str, Path]:
    """Which of our own groups can have children with limits: tried, not guessed."""
    usable = {}
    for controller, folder in folders.items():
        try:
            create_v1({controller: folder}, limits).remove()
        except OSError:
            continue
        usable[controller] = folder
    return usable


def keep_ice(parents: Mapping[str, Path]) -> None:
    """Keep an empty group frozen as long as this process lives; then its bots are thawed."""
    if "freezer" not in parents:
        return
    folder = parents["freezer"] / new_name(ICE)
    with suppress(OSError):
        folder.mkdir()
        (folder / "freezer.state").write_text("FROZEN")
    thaw_at_our_end(parents["freezer"], folder)


# It waits in the background, deaf to polite signals, for the end of a pipe that only we hold.
THAWER = """trap '' HUP INT TERM
exec 3<&0
{ read -r _ <&3
  for state in "$1"-*/freezer.state; do echo THAWED > "$state"; done
  rmdir "$2"
} &
"""


def thaw_at_our_end(parent: Path, ice: Path) -> None:
    """Have a process wait for the end of this one, thaw its bots, and remove the empty group."""
    ours = parent / f"{PREFIX}-{owner(os.getpid())}"
    read, _ = os.pipe()  # the other end stays open as long as this process lives
    subprocess.run(  # noqa: S603 - a fixed command
        ["/bin/sh", "-c", THAWER, "sh", str(ours), str(ice)],
        stdin=read,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
        check=False,
    )
    os.close(read)


def sweep_v1(parents: Mapping[str, Path]) -> None:
    """End and remove what runs that were killed have left."""
    for parent in set(parents.values()):
        for folder in parent.iterdir():
            if folder.is_dir() and is_left_over(folder.name, PREFIX, ICE):
                group = GroupV1({"freezer" if "freezer" in parent.parts else "any": folder})
                with suppress(OSError):
                    group.kill()
                group.remove()
