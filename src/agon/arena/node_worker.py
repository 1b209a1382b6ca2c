"""What a process on a machine of a cluster does with a job that was sent to it.

A shipment holds a job and bots without their folders: for each program the digest of its packed
files, which are fetched if this machine does not have them. Bots are built here, once.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.build import prepare
from agon.arena.file_packs import find_unpacked, has_kernels, unpack_bot, unpack_kernels
from agon.arena.jobs import FailedJob, JobFailure, JobPart, PlayMatch
from agon.arena.task_runner import Task, TaskRunner
from agon.errors import AgonError, ArbiterError
from agon.kernel import kept_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.arbiter.entrant import Entrant
    from agon.arena.file_packs import FilePack
    from agon.arena.fleet import OnPart
    from agon.arena.jobs import Job, JobResult
    from agon.arena.task_runner import Answer, Cancelled, FleetSettings

    Fetch: TypeAlias = Callable[[str], FilePack]

LOG = logging.getLogger("agon.arena")
MOMENT_SECONDS = 0.2
"""Between two looks whether the job was cancelled."""


@dataclass(frozen=True, slots=True)
class Shipment:
    """A job on its way to another machine."""

    job: Job
    bots: tuple[Entrant, ...]
    files: Mapping[str, str]
    """The digests of the packed files of programs among the bots, by their names."""
    kernels: str
    """The digest of the packed kernels; empty: there are none."""
    is_followed: bool
    settings: FleetSettings


@cache
def worker_here(settings: FleetSettings) -> NodeWorker:
    """The worker of this process, which keeps rules and reused programs from job to job."""
    return NodeWorker(settings)


class NodeWorker:
    """Carries out shipments, one at a time."""

    def __init__(self, settings: FleetSettings) -> None:
        self._settings = settings
        self._runner = TaskRunner(settings)
        # One for all jobs: programs end with the thread that has started them.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="job")

    def carry_out(
        self,
        shipment: Shipment,
        fetch: Fetch,
        tell: OnPart,
        is_cancelled: Callable[[], bool],
    ) -> JobResult | Cancelled:
        """Do a job; it is given up if this is interrupted or `is_cancelled`."""
        key = shipment.job.key
        answers: SimpleQueue[Answer] = SimpleQueue()
        self._runner.take(key)
        self._unpack_kernels(shipment, fetch)
        bots = tuple(_unpacked(bot, shipment.files, fetch) for bot in shipment.bots)
        work = self._thread.submit(self._work, shipment, bots, answers)
        looked = time.monotonic()
        answer: Answer | None = None
        try:
            while answer is None or isinstance(answer, JobPart):
                with suppress(Empty):
                    answer = answers.get(timeout=MOMENT_SECONDS)
                    if isinstance(answer, JobPart):
                        tell(answer)
                if time.monotonic() - looked > MOMENT_SECONDS:
                    looked = time.monotonic()
                    if is_cancelled():
                        self._runner.cancel(key)
            return answer
        except BaseException:
            self._runner.cancel(key)
            raise
        finally:
            wait([work])

    def _work(
        self, shipment: Shipment, bots: tuple[Entrant, ...], answers: SimpleQueue[Answer]
    ) -> None:
        answers.put(self._play(shipment, bots, answers))

    def _play(
        self, shipment: Shipment, bots: tuple[Entrant, ...], answers: SimpleQueue[Answer]
    ) -> JobResult | Cancelled:
        job = shipment.job
        if isinstance(job, PlayMatch):
            ready = []
            for bot in bots:
                try:
                    ready.append(prepare(bot, self._settings.unsafe_host))
                except ArbiterError as error:
                    return FailedJob(job.key, str(error), JobFailure.HOST)
                except AgonError as error:
                    # opponents may read this: what the build said is in the log of this machine
                    LOG.warning("job %s: %s", job.key, error)
                    told = f"bot {bot.name!r}: it could not be built"
                    return FailedJob(job.key, told, JobFailure.JOB)
            bots = tuple(ready)
        return self._runner.carry_out(Task(job, bots, shipment.is_followed), answers.put)

    def _unpack_kernels(self, shipment: Shipment, fetch: Fetch) -> None:
        home, digest = kept_cache(), shipment.kernels
        if home is not None and digest and not has_kernels(home, digest):
            unpack_kernels(home, fetch(digest))


def _unpacked(bot: Entrant, files: Mapping[str, str], fetch: Fetch) -> Entrant:
    """The bot with its folder on this machine."""
    digest = files.get(bot.name)
    if bot.program is None or digest is None:
        return bot
    folder = find_unpacked(digest) or unpack_bot(fetch(digest))
    return replace(bot, program=replace(bot.program, folder=folder))
