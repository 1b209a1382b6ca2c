"""What comes of a fleet's jobs is counted, and passed on as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.pool import StoppedError
from agon.arena.fleet.job_counts import CountedFleet
from agon.arena.fleet.jobs import FailedJob, JobFailure, SimulateBlock, SimulatedBlock
from agon.simulate.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import OnRecord
    from agon.arena.fleet.jobs import Job, JobResult

DONE = SimulatedBlock("block", Tally(2))


class Answers:
    """A fleet that gives these results, one after the other."""

    def __init__(self, *results: JobResult) -> None:
        self.results = list(results)
        self.cancelled: list[str] = []

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_record: OnRecord | None = None
    ) -> JobResult:
        if not self.results:
            raise StoppedError("it was cancelled")
        return self.results.pop(0)

    def cancel(self, key: str) -> None:
        self.cancelled.append(key)


def test_results_failures_and_cancelled_jobs() -> None:
    late = FailedJob("block", "too late", JobFailure.LATE)
    answers = Answers(DONE, late, DONE, late)
    fleet = CountedFleet(answers)
    job = SimulateBlock("block", "hive", 1, {}, 7, 0, 1, 100)
    assert [fleet.carry_out(job) for _ in range(4)] == [DONE, late, DONE, late]
    with pytest.raises(StoppedError):
        fleet.carry_out(job)
    assert fleet.done == 2
    assert fleet.failed == {JobFailure.LATE: 2}
    fleet.cancel("block")
    assert answers.cancelled == ["block"]
