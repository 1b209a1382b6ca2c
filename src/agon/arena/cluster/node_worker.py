"""What a process on a machine of a cluster does with a job that was sent to it.

A shipment holds a job and bots without their folders: for each program the digest of its packed
files, which are fetched if this machine does not have them. Bots are built here, once.
"""

from __future__ import annotations

import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from agon.arbiter.build import prepare
from agon.arena.cluster.file_packs import has_kernels, unpack_bot, unpack_kernels
from agon.arena.cluster.job_desk import JobPlace
from agon.arena.cluster.missing_programs import missing_program, tell_missing_program
from agon.arena.fleet.job_logs import last_lines
from agon.arena.fleet.jobs import CheckBot, FailedJob, JobFailure, JobPart
from agon.arena.fleet.task_runner import Task, TaskRunner
from agon.errors import AgonError, ArbiterError
from agon.kernel import kept_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.arbiter.entrant import Entrant
    from agon.arena.cluster.file_packs import Fetch
    from agon.arena.fleet.fleet import OnPart
    from agon.arena.fleet.jobs import Job, JobResult
    from agon.arena.fleet.task_runner import Answer, Cancelled, FleetSettings

LOG = logging.getLogger("agon.arena")
MOMENT_SECONDS = 1.0
"""Between two looks whether the job was cancelled; each takes time of the asker's desk."""


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


def carry_out_here(
    shipment: Shipment, attempt: str, desk: str
) -> tuple[str, JobResult | Cancelled]:
    """What a process of Ray does with a job; on which machine, and what came of it.

    The desk is looked up by its name where it is needed: a short job does without.
    """
    import ray

    node = ray.get_runtime_context().get_node_id()
    place = JobPlace(node, os.readlink("/proc/self/fd/2"))

    def is_cancelled() -> bool:
        return bool(answer_of(find_desk(desk).look_in.remote(attempt, place)))

    if shipment.is_followed:
        is_cancelled()  # before anything can kill this process, it is known where it is
    result = worker_here(shipment.settings).carry_out(
        shipment,
        lambda digest: answer_of(find_desk(desk).fetch.remote(digest)),
        lambda part: find_desk(desk).tell.remote(attempt, part),
        is_cancelled,
    )
    if shipment.is_followed:
        is_cancelled()  # all that was told has arrived
    return node, result


@lru_cache(8)
def find_desk(name: str) -> Any:
    """The desk of that name; ActorDiedError if it is gone."""
    import ray
    from ray.exceptions import ActorDiedError

    try:
        return ray.get_actor(name)
    except ValueError:
        raise ActorDiedError(f"there is no {name}") from None


def answer_of(answer: Any) -> Any:
    """What an actor answers to a job. In `ray.get` the job would lend its core to another one."""
    return answer.future().result()


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
        job, ready = shipment.job, []
        for bot in bots:
            found = _make_ready(bot, job, unsafe_host=self._settings.unsafe_host)
            if isinstance(found, FailedJob):
                return found
            ready.append(found)
        return self._runner.carry_out(Task(job, tuple(ready), shipment.is_followed), answers.put)

    def _unpack_kernels(self, shipment: Shipment, fetch: Fetch) -> None:
        home, digest = kept_cache(), shipment.kernels
        if home is not None and digest and not has_kernels(home, digest):
            unpack_kernels(home, fetch(digest))


def _make_ready(bot: Entrant, job: Job, *, unsafe_host: bool) -> Entrant | FailedJob:
    """The bot as it plays here: a match needs it built, a check builds it by itself."""
    program = bot.program
    if program is None:
        return bot
    command = program.build or program.run
    if missing := missing_program(command, program.folder, unsafe_host=unsafe_host):
        return _lacking(job, bot, missing)
    if isinstance(job, CheckBot):
        return bot
    try:
        ready = prepare(bot, unsafe_host)
    except ArbiterError as error:
        return FailedJob(job.key, str(error), JobFailure.HOST)
    except AgonError as error:
        # opponents may read what is told, not what the build said
        LOG.warning("job %s: %s", job.key, error)
        told = f"bot {bot.name!r}: it could not be built"
        return FailedJob(job.key, told, JobFailure.JOB, last_lines(str(error)), is_unbuilt=True)
    assert ready.program is not None  # noqa: S101  it has one
    folder = ready.program.folder
    if missing := missing_program(program.run, folder, unsafe_host=unsafe_host):
        return _lacking(job, bot, missing)
    return ready


def _lacking(job: Job, bot: Entrant, program: str) -> FailedJob:
    told = tell_missing_program(bot.name, program)
    return FailedJob(job.key, told, JobFailure.HOST, is_unbuilt=True)


def _unpacked(bot: Entrant, files: Mapping[str, str], fetch: Fetch) -> Entrant:
    """The bot with its folder on this machine."""
    digest = files.get(bot.name)
    if bot.program is None or digest is None:
        return bot
    folder = unpack_bot(digest, fetch)
    return replace(bot, program=replace(bot.program, folder=folder))
