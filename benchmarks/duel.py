"""Two sides that do the same work in turns: what it costs ours, and how many times the bare one's.

The sides alternate, so that what else the machine does hits both. Figures are per unit of work (a
ply, a match); of each, and of the ratios, the middle one of all rounds counts.
"""

from __future__ import annotations

import os
import statistics
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Spent:
    """Nanoseconds: of time, of this process on a core, and of the programs that it runs."""

    wall_ns: int
    own_ns: int
    programs_ns: int

    def __sub__(self, other: Spent) -> Spent:
        """What was spent between two readings."""
        return Spent(
            self.wall_ns - other.wall_ns,
            self.own_ns - other.own_ns,
            self.programs_ns - other.programs_ns,
        )

    @property
    def cpu_ns(self) -> int:
        """This process and its programs."""
        return self.own_ns + self.programs_ns


@dataclass(frozen=True, slots=True)
class Side:
    """Who does the work: `work` does a piece of it and says how many units that was."""

    name: str
    work: Callable[[], int]


@dataclass(frozen=True, slots=True)
class Duel:
    """Our side against a bare one that does the least that the same work needs."""

    title: str
    unit: str
    units: str
    ours: Side
    bare: Side
    at_most: int | None = None
    """How many times the bare side's costs ours may have; None: that is not the question."""
    at_most_ns: int | None = None
    """How long a piece of ours may take."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a unit of work costs one side, with its programs and without; and a whole piece."""

    cpu_ns: int
    own_cpu_ns: int
    wall_ns: int
    piece_ns: int

    @property
    def per_second(self) -> int:
        """How many units are done in a second."""
        return 10**9 // max(1, self.wall_ns)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Both sides' costs, and how many times the bare side's ours are."""

    ours: Costs
    bare: Costs
    cpu_ratio: float
    time_ratio: float


def fight(duel: Duel, meter: Callable[[], Spent], rounds: int, round_ns: int) -> Verdict:
    """Let the sides take turns, `round_ns` each, after a piece of work to warm up."""
    sides = (duel.ours, duel.bare)
    for side in sides:
        side.work()
    costs = [[cost(side.work, meter, round_ns) for side in sides] for _ in range(rounds)]
    return Verdict(
        _middle([ours for ours, _ in costs]),
        _middle([bare for _, bare in costs]),
        statistics.median(ours.cpu_ns / max(1, bare.cpu_ns) for ours, bare in costs),
        statistics.median(ours.wall_ns / max(1, bare.wall_ns) for ours, bare in costs),
    )


def cost(work: Callable[[], int], meter: Callable[[], Spent], least_ns: int) -> Costs:
    """What a unit costs, over pieces of work that take at least that time."""
    units = pieces = 0
    begin = meter()
    while True:
        units += work()
        pieces += 1
        spent = meter() - begin
        if spent.wall_ns >= least_ns:
            return Costs(
                spent.cpu_ns // units,
                spent.own_ns // units,
                spent.wall_ns // units,
                spent.wall_ns // pieces,
            )


def _middle(costs: list[Costs]) -> Costs:
    return Costs(
        int(statistics.median(one.cpu_ns for one in costs)),
        int(statistics.median(one.own_cpu_ns for one in costs)),
        int(statistics.median(one.wall_ns for one in costs)),
        int(statistics.median(one.piece_ns for one in costs)),
    )


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and all programs that it starts meanwhile, on one core.

    Who wakes a process on another core pays for it, in a virtual machine more than for the work.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def read_meter() -> Spent:
    """What has been spent so far, by this process and by all programs that it runs now.

    A program that ends between two readings takes its share with it: keep programs alive.
    """
    programs = sum(_cpu_ns(process) for process in descendants(os.getpid()))
    return Spent(time.perf_counter_ns(), time.process_time_ns(), programs)


def descendants(process: int) -> Iterator[int]:
    """The processes that this one started, those that they started, and so on."""
    for task in _tasks(process):
        for child in _read(task / "children").split():
            yield int(child)
            yield from descendants(int(child))


def _cpu_ns(process: int) -> int:
    """What all threads of a process have had of a core; /proc/PID/stat counts hundredths only."""
    return sum(int((_read(task / "schedstat") or "0").split()[0]) for task in _tasks(process))


def _tasks(process: int) -> list[Path]:
    with suppress(OSError):
        return list((PROCESSES / str(process) / "task").iterdir())
    return []


def _read(file: Path) -> str:
    """A file of a process that may be gone by now."""
    with suppress(OSError):
        return file.read_text()
    return ""
