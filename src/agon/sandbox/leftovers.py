"""Names that tell which process made something, so that a later run can clear up after a crash.

agon-bot-4026531836-812-99131-0    pid namespace, process number, its start time, a serial number
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_serials = itertools.count()


def new_name(prefix: str) -> str:
    return f"{prefix}-{owner(os.getpid())}-{next(_serials)}"


def is_left_over(name: str, *prefixes: str) -> bool:
    """Whether this is such a name, with one of the prefixes, of a process that is gone.

    >>> is_left_over("system.slice", "agon-bot"), is_left_over(new_name("x"), "x")
    (False, False)
    """
    prefix = next((prefix for prefix in prefixes if name.startswith(prefix + "-")), None)
    if prefix is None or len(parts := name.removeprefix(prefix + "-").split("-")) != 4:
        return False
    if parts[0] != str(own_pid_namespace()):
        return False  # numbers of another container say nothing here
    return "-".join(parts[:3]) != owner(int(parts[1]))


def owner(pid: int) -> str:
    """A unique name of a process: its pid namespace, its number, its start time."""
    return f"{own_pid_namespace()}-{pid}-{start_time(pid)}"


def own_pid_namespace() -> int:
    """The kernel's number for the set of process numbers that we live in."""
    return os.stat("/proc/self/ns/pid").st_ino


def start_time(pid: int) -> int | None:
    """When a process began, in the kernel's ticks; None if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[19])
