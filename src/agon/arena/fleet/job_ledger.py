"""What the machines of a fleet do, for people: jobs by machine, and the last that failed.

A fleet of processes has a ledger of its own. That of a cluster is on its head, for all who ask for
jobs there.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

MOST_FAILURES = 20
LONGEST_MESSAGE = 2000
MINUTE = 60
RATE_SECONDS = 3 * MINUTE
"""A machine's rate is that of the last minutes."""


@dataclass(frozen=True, slots=True)
class NodeWork:
    """The jobs of one machine."""

    playing: tuple[str, ...] = ()
    done: int = 0
    failed: int = 0
    per_minute: float = 0.0
    """Jobs done in a minute, over the last three."""


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """A job that had no result on a machine, and why."""

    node: str
    key: str
    message: str
    log: tuple[str, ...] = ()
    """The last lines that its process logged."""
    at_ns: int = 0


@dataclass(frozen=True, slots=True)
class FleetWork:
    """What a fleet does at a moment."""

    nodes: Mapping[str, NodeWork] = field(default_factory=dict)
    waiting: int = 0
    """Jobs that wait for a machine or a process."""
    failures: tuple[FailedAttempt, ...] = ()
    speed: str = ""
    """The speed class on which a cluster plays its matches; empty: none was asked for."""


class JobLedger:
    """Counts jobs by machine, as those tell it who ask for jobs. One thread at a time uses it."""

    def __init__(self, now_ns: Callable[[], int] = time.time_ns) -> None:
        """`now_ns` is the time of day."""
        self._now_ns = now_ns
        self._waiting: set[tuple[str, str]] = set()
        """Who asked for a job, and its key."""
        self._playing: dict[tuple[str, str], str] = {}
        """The machine that plays a job."""
        self._done: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._ends: defaultdict[str, deque[list[int]]] = defaultdict(
            lambda: deque(maxlen=RATE_SECONDS)
        )
        """The last seconds in which a machine's jobs were done, each with how many those were."""
        self._failures: deque[FailedAttempt] = deque(maxlen=MOST_FAILURES)

    def wait(self, asker: str, key: str) -> None:
        """A job waits for a machine."""
        self._waiting.add((asker, key))

    def begin(self, asker: str, key: str, node: str) -> None:
        self._waiting.discard((asker, key))
        self._playing[asker, key] = node

    def end(
        self,
        asker: str,
        key: str,
        failure: str | None,
        node: str = "",
        log: tuple[str, ...] = (),
    ) -> None:
        """A job is over: done (""), failed for this reason, or given up (None).

        A short one was not told of before: then `node` says where it was done.
        """
        self._waiting.discard((asker, key))
        node = self._playing.pop((asker, key), node)
        if failure == "":
            self._done[node] += 1
            self._count_end(self._ends[node])
        elif failure:
            self._failed[node] += 1
            told = failure[-LONGEST_MESSAGE:]
            self._failures.append(FailedAttempt(node, key, told, log, self._now_ns()))

    def _count_end(self, ends: deque[list[int]]) -> None:
        second = self._now_ns() // 10**9
        if ends and ends[-1][0] == second:
            ends[-1][1] += 1
        else:
            ends.append([second, 1])

    def askers(self) -> set[str]:
        """Those who have jobs that wait or are played."""
        return {asker for asker, _ in (*self._waiting, *self._playing)}

    def forget(self, askers: Collection[str]) -> None:
        """Those who asked are gone, and with them their jobs."""
        self._waiting = {job for job in self._waiting if job[0] not in askers}
        self._playing = {job: at for job, at in self._playing.items() if job[0] not in askers}

    def read(self) -> FleetWork:
        second = self._now_ns() // 10**9
        playing = defaultdict(list)
        for (_, key), node in self._playing.items():
            playing[node].append(key)
        work = {
            node: NodeWork(
                tuple(sorted(playing[node])),
                self._done[node],
                self._failed[node],
                per_minute(self._ends.get(node, ()), second),
            )
            for node in {*playing, *self._done, *self._failed}
        }
        return FleetWork(work, len(self._waiting), tuple(self._failures))


def per_minute(ends: Sequence[Sequence[int]], now: int) -> float:
    """Jobs in a minute, over the last three or since the first of them.

    They are told by seconds, which are in order, each with its number of jobs.

    >>> per_minute([(0, 2), (2, 7)], 10), per_minute([(0, 9), (60, 3)], 180), per_minute([], 9)
    (9.0, 1.0, 0.0)
    """
    recent = sum(jobs for second, jobs in ends if second > now - RATE_SECONDS)
    span = min(RATE_SECONDS, max(MINUTE, now - ends[0][0])) if ends else MINUTE
    return recent * MINUTE / span
