"""How long threads ran, and how long they waited for a core that others had.

The kernel counts both for every thread, in nanoseconds (`/proc/PID/task/TID/schedstat`); a wait is
counted when it is over. What a program waits for a core is the host's doing, and is not part of the
time that it took.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class ThreadTimes(NamedTuple):
    """Of one thread, since it began."""

    ran_ns: int
    waited_ns: int


CoreTimes: TypeAlias = "Mapping[int, ThreadTimes]"
"""By the numbers of threads; empty where the kernel does not count."""

NO_TIMES = ThreadTimes(0, 0)


def read_core_times(pids: Iterable[int]) -> CoreTimes:
    """Of all threads that these processes have now."""
    found = {}
    for pid in pids:
        with suppress(OSError):  # it has ended
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    found[int(thread)] = _read(f"/proc/{pid}/task/{thread}/schedstat")
    return found


def own_wait_ns() -> int:
    """How long the calling thread has waited for cores."""
    try:
        return _read("/proc/thread-self/schedstat").waited_ns
    except OSError:
        return 0


def _read(path: str) -> ThreadTimes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        ran, waited, _ = os.read(descriptor, 100).split()
    finally:
        os.close(descriptor)
    return ThreadTimes(int(ran), int(waited))


def is_runnable(times: CoreTimes) -> bool:
    """Whether one of these threads runs now or waits for a core: the rest sleep."""
    for thread in times:
        with suppress(OSError), open(f"/proc/{thread}/stat", "rb") as file:
            if file.read(200).rpartition(b")")[2].split()[0] == b"R":
                return True
    return False


def ran_between(before: CoreTimes, after: CoreTimes) -> int:
    """How long all threads together ran.

    >>> ran_between({1: ThreadTimes(10, 0)}, {1: ThreadTimes(15, 9), 2: ThreadTimes(4, 0)})
    9
    """
    return sum(times.ran_ns - before.get(one, NO_TIMES).ran_ns for one, times in after.items())


def waited_between(before: CoreTimes, after: CoreTimes, elapsed_ns: int) -> int:
    """How much of a time these threads waited for a core.

    Threads that wait for each other do not count: while one runs, the program runs. So it is what
    the thread that waited longest waited, and no more than the time in which none ran.

    >>> before, after = {1: ThreadTimes(0, 0)}, {1: ThreadTimes(40, 55)}
    >>> waited_between(before, after, 100), waited_between(before, after, 50)
    (55, 10)
    """
    waited = [times.waited_ns - before.get(one, NO_TIMES).waited_ns for one, times in after.items()]
    idle = elapsed_ns - ran_between(before, after)
    return max(0, min(max(waited, default=0), idle))
