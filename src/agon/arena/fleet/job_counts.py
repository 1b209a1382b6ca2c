"""Counts what comes of the jobs of a fleet, for operators."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import FailedJob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import Fleet, OnPart
    from agon.arena.fleet.jobs import Job, JobFailure, JobResult


class CountedFleet:
    """Passes jobs on to a fleet. Threads may share it."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._lock = Lock()
        self.done = 0
        """Jobs with a result since the start; those that were cancelled have none."""
        self.failed: Counter[JobFailure] = Counter()

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        result = self._fleet.carry_out(job, bots, on_part)
        with self._lock:
            if isinstance(result, FailedJob):
                self.failed[result.kind] += 1
            else:
                self.done += 1
        return result

    def cancel(self, key: str) -> None:
        self._fleet.cancel(key)
