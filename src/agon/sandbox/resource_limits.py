"""How much of the machine one bot may use.

Every number is an upper bound that the kernel holds, not a share that the bot is given. Memory,
processes and CPU are held by a control group where one can be had (see `cgroups`), the rest by
resource limits and by the size of the file systems that the bot may write to.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass, fields

from agon.errors import SettingError

KIB = 1024
MIB = 1024 * KIB
SECOND = 10**9
PENDING_SIGNALS = 1024


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Upper bounds for one bot and everything that it starts."""

    memory: int = 512 * MIB
    """Bytes of memory, files in /tmp and /dev/shm included; swap gives no more."""

    processes: int = 128
    """Processes and threads that live at the same time; a Java machine needs about 40."""

    cpu_percent: int = 100
    """Per cent of one core; 200 are two cores."""

    cpu_seconds: int = 3600
    """CPU seconds of one process; then it is killed."""

    tmp: int = 64 * MIB
    """Bytes in /tmp, the only folder with room to write."""

    shared_memory: int = 16 * MIB
    """Bytes in /dev/shm."""

    open_files: int = 256
    """File descriptors of one process."""

    file_size: int = 64 * MIB
    """Bytes in one file."""

    start_ns: int = 10 * SECOND
    """How long setting up the sandbox may take, before the bot's own first instruction."""

    def __post_init__(self) -> None:
        """Refuse limits that no program could run with."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise SettingError(f"limit {field.name} = {value}: expected at least 1")

    def for_process(self) -> tuple[tuple[int, int, int], ...]:
        """What every single process is held to: kind of limit, soft and hard value.

        A hard limit that this process is under itself is not raised.
        """
        wanted = (
            (resource.RLIMIT_NOFILE, self.open_files, self.open_files),
            (resource.RLIMIT_FSIZE, self.file_size, self.file_size),
            # The soft limit sends SIGXCPU, by which the end is told from another; the hard one
            # kills a bot that ignores it.
            (resource.RLIMIT_CPU, self.cpu_seconds, self.cpu_seconds + 1),
            (resource.RLIMIT_CORE, 0, 0),
            (resource.RLIMIT_MEMLOCK, 64 * KIB, 64 * KIB),
            (resource.RLIMIT_MSGQUEUE, 64 * KIB, 64 * KIB),
            # Timers count as signals that wait.
            (resource.RLIMIT_SIGPENDING, PENDING_SIGNALS, PENDING_SIGNALS),
        )
        return tuple(at_most_ours(*limit) for limit in wanted)


def at_most_ours(number: int, soft: int, hard: int) -> tuple[int, int, int]:
    """The limit, no higher than the one that we are under ourselves."""
    _, own = resource.getrlimit(number)
    if own != resource.RLIM_INFINITY:
        soft, hard = min(soft, own), min(hard, own)
    return number, soft, hard


PRLIMIT_NAMES = {
    resource.RLIMIT_NOFILE: "nofile",
    resource.RLIMIT_FSIZE: "fsize",
    resource.RLIMIT_CPU: "cpu",
    resource.RLIMIT_CORE: "core",
    resource.RLIMIT_MEMLOCK: "memlock",
    resource.RLIMIT_MSGQUEUE: "msgqueue",
    resource.RLIMIT_SIGPENDING: "sigpending",
    resource.RLIMIT_NPROC: "nproc",
    resource.RLIMIT_DATA: "data",
}


def format_rlimit(number: int, soft: int, hard: int) -> str:
    """A limit as an argument of prlimit(1).

    >>> format_rlimit(resource.RLIMIT_NOFILE, 64, 64)
    '--nofile=64:64'
    """
    return f"--{PRLIMIT_NAMES[number]}={soft}:{hard}"
