"""Where on this host control groups can be had, and a new one for a bot.

The kernel says in /proc/self/mountinfo where the trees of groups are and in /proc/self/cgroup in
which group of each this process is. Bots' groups are made below those.
"""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agon.sandbox.group import ControlGroup, NoGroup
from agon.sandbox.group_v1 import (
    CONTROLLERS,
    create_v1,
    keep_ice,
    sweep_v1,
    usable_v1,
)
from agon.sandbox.group_v2 import create_v2, prepare_v2, sweep_v2
from agon.sandbox.resource_limits import ResourceLimits

if TYPE_CHECKING:
    from collections.abc import Mapping

SCOPE = ("systemd-run", "--user", "--scope", "--quiet", "--property=Delegate=yes")
DELEGATE = f"{' '.join(SCOPE)} agon …"


class Hierarchy(Protocol):
    """Where groups come from."""

    @property
    def description(self) -> str:
        """Which kind of groups, and where, in a few words."""

    def new_group(self, limits: ResourceLimits) -> ControlGroup: ...

    def sweep(self) -> None:
        """Remove what processes that are gone have left."""


@dataclass(frozen=True, slots=True)
class HierarchyV1:
    """The trees of the first interface that we may write to: controller and our own group there."""

    parents: Mapping[str, Path]

    @property
    def description(self) -> str:
        return f"control groups v1: {', '.join(sorted(self.parents))}"

    def new_group(self, limits: ResourceLimits) -> ControlGroup:
        return create_v1(self.parents, limits)

    def sweep(self) -> None:
        sweep_v1(self.parents)


@dataclass(frozen=True, slots=True)
class HierarchyV2:
    """The tree of the second interface: the group below which ours are made."""

    parent: Path

    @property
    def description(self) -> str:
        return f"control groups v2 below {self.parent}"

    def new_group(self, limits: ResourceLimits) -> ControlGroup:
        return create_v2(self.parent, limits)

    def sweep(self) -> None:
        sweep_v2(self.parent)


@dataclass(frozen=True, slots=True)
class NoHierarchy:
    """None that we may write to."""

    reason: str

    @property
    def description(self) -> str:
        return self.reason

    def new_group(self, limits: ResourceLimits) -> ControlGroup:
        del limits
        return NoGroup()

    def sweep(self) -> None: ...


@cache
def find_hierarchy() -> Hierarchy:
    """The host's control groups, as far as we may use them; looked for once in a process.

    Now and at its end it removes what others have left, such as workers that were killed.
    """
    found = detect_hierarchy(
        Path("/proc/self/mountinfo").read_text(), Path("/proc/self/cgroup").read_text()
    )
    found.sweep()
    atexit.register(found.sweep)
    if isinstance(found, HierarchyV1):
        keep_ice(found.parents)
    return found


def detect_hierarchy(mountinfo: str, membership: str) -> Hierarchy:
    """Try what the kernel's two files tell: v1 where its controllers are mounted, else v2."""
    mounts = parse_mounts(mountinfo)
    own = own_groups(mounts, parse_membership(membership))
    first = {name: own[name] for name in CONTROLLERS if name in own}
    if "memory" in first:  # a host with both has its controllers where memory is
        usable = usable_v1(first, ResourceLimits())
        if usable:
            return HierarchyV1(usable)
        return NoHierarchy("control groups v1 that we may not write to")
    if "" in own:
        parent = prepare_v2(mounts[""][1], own[""])
        if parent is not None:
            return HierarchyV2(parent)
        return NoHierarchy(f"control groups v2 that we may not write to: {own['']}")
    return NoHierarchy("no control groups are mounted")


def parse_mounts(mountinfo: str) -> dict[str, tuple[str, Path]]:
    """Controller: which group of its tree is mounted, and where; the second interface is ''.

    >>> parse_mounts("30 24 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct")["cpuacct"]
    ('/', PosixPath('/sys/fs/cgroup/cpu'))
    """
    mounts: dict[str, tuple[str, Path]] = {}
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(), after.split()
        if len(fields) < 5 or len(kind) < 3:
            continue
        place = (fields[3], Path(fields[4]))
        if kind[0] == "cgroup2":
            mounts.setdefault("", place)
        elif kind[0] == "cgroup":
            for option in kind[2].split(","):
                mounts.setdefault(option, place)
    return mounts


def parse_membership(membership: str) -> dict[str, str]:
    """Controller: the group that this process is in.

    >>> parse_membership("4:cpu,cpuacct:/jobs/7\\n0::/")
    {'cpu': '/jobs/7', 'cpuacct': '/jobs/7', '': '/'}
    """
    groups = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def own_groups(
    mounts: Mapping[str, tuple[str, Path]], membership: Mapping[str, str]
) -> dict[str, Path]:
    """The folders of the groups that this process is in, where they can be seen."""
    folders = {}
    for controller, path in membership.items():
        if controller not in mounts:
            continue
        root, mount = mounts[controller]
        inside = path if root == "/" else path.removeprefix(root)
        folder = mount / inside.lstrip("/")
        # A container may show its own group as the top while the path is the host's.
        folders[controller] = folder if folder.is_dir() else mount
    return folders
