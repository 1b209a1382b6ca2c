"""A fleet of processes on this machine: they use all cores, and no match slows another.

    with LocalFleet(4) as fleet:
        result = fleet.carry_out(job, bots)    # from up to four threads at a time; more wait

Processes are started when they are first needed. If one dies, its job is done by another; a job at
which three have died is given up.
"""

from __future__ import annotations

import logging
import multiprocessing
from contextlib import suppress
from dataclasses import replace
from queue import Empty, LifoQueue
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.pool import StoppedError
from agon.arena.fleet.job_ledger import FleetWork, JobLedger
from agon.arena.fleet.jobs import FailedJob, JobFailure, JobPart
from agon.arena.fleet.local_worker import Cancel, work
from agon.arena.fleet.task_runner import Cancelled, FleetSettings, Task
from agon.kernel import cache_home

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.context import ForkServerContext
    from typing import Self

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import OnPart
    from agon.arena.fleet.jobs import Job, JobResult

LOG = logging.getLogger("agon.arena")
MOST_DEATHS = 3
GRACE_SECONDS = 3.0
CANCELLED = "the job was cancelled"


def _context() -> ForkServerContext:
    """Processes that begin with everything imported, as copies of one that does nothing else."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__])
    return context


class LocalWorker:
    """One process, for one job at a time."""

    def __init__(self, settings: FleetSettings) -> None:
        context = _context()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, settings), daemon=True)
        self._process.start()
        theirs.close()
        self._sending = Lock()

    def send(self, message: Task | Cancel) -> None:
        """Say this to it, if it lives. From any thread."""
        with self._sending, suppress(OSError):
            self._connection.send(message)

    def result(self, on_part: OnPart | None) -> JobResult | Cancelled:
        """Wait for what comes of its task; EOFError or OSError if the process dies."""
        while isinstance(answer := self._connection.recv(), JobPart):
            if on_part is not None:
                on_part(answer)
        result: JobResult | Cancelled = answer
        return result

    def kill(self) -> None:
        """End it at once. From any thread."""
        self._process.kill()

    def end(self) -> str:
        """Let it end, as it does when this end is closed, within a moment; how it ended."""
        self._connection.close()
        self._process.join(GRACE_SECONDS)
        self._process.kill()
        self._process.join()
        return f"exit code {self._process.exitcode}"


class LocalFleet:
    """Use it in a `with` statement: at its end all processes end."""

    def __init__(self, size: int, settings: FleetSettings | None = None) -> None:
        settings = settings or FleetSettings()
        self._settings = replace(settings, cache=str(cache_home().parent))
        self._size = size
        self._free: LifoQueue[LocalWorker | None] = LifoQueue()
        for _ in range(size):
            self._free.put(None)  # a place for a process
        self._jobs: dict[str, LocalWorker | None] = {}
        """The jobs that wait for a process, or that one does."""
        self._cancelled: set[str] = set()
        self._is_closed = False
        self._ledger = JobLedger()
        self._lock = Lock()
        self.deaths = 0
        """Processes that died at a job."""

    @property
    def cores(self) -> int:
        """How many jobs it does at a time."""
        return self._size

    def read(self) -> FleetWork:
        """What it does now, all of it by the machine that is called ""."""
        with self._lock:
            return self._ledger.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        """Have a job done, by the next process that is free; StoppedError if it was cancelled."""
        task = Task(job, tuple(bots), on_part is not None)
        told = ""
        with self._lock:
            self._jobs[job.key] = None
        try:
            for _ in range(MOST_DEATHS):
                with self._lock:
                    self._ledger.wait("", job.key)
                result = self._attempt(task, on_part)
                self._note(job.key, result)
                if not isinstance(result, str):
                    return result
                told = f"{MOST_DEATHS} processes died of it, the last with {result}"
        finally:
            with self._lock:
                del self._jobs[job.key]
                self._ledger.end("", job.key, None)  # if it was given up
                self._cancelled.discard(job.key)
        return FailedJob(job.key, told, JobFailure.JOB)

    def _attempt(self, task: Task, on_part: OnPart | None) -> JobResult | str:
        """Have a job done by one process; a text if that dies: how it ended."""
        worker = self._free.get()
        try:
            with self._lock:
                self._check(task)
            try:
                worker = worker or LocalWorker(self._settings)
            except OSError as error:
                told = f"a process cannot be started: {error.strerror}"
                return FailedJob(task.job.key, told, JobFailure.EXHAUSTED)
            self._begin(task, worker)
            try:
                result = worker.result(on_part)
            except (EOFError, OSError):
                ended, worker = worker.end(), None
                with self._lock:
                    self.deaths += 1
                LOG.warning("%s: the process that played it died, with %s", task.job.key, ended)
                return ended
            except BaseException:  # of the caller: the process goes on with a job of no use
                worker.kill()
                worker.end()
                worker = None
                raise
        finally:
            self._free.put(worker)
        if isinstance(result, Cancelled):
            raise StoppedError(CANCELLED)
        return result

    def _note(self, key: str, result: JobResult | str) -> None:
        """What came of an attempt; a text: how the process ended that has died."""
        failure = ""
        log: tuple[str, ...] = ()
        if isinstance(result, FailedJob):
            failure, log = result.message, result.log
        elif isinstance(result, str):
            failure = f"its process died, with {result}"
        with self._lock:
            self._ledger.end("", key, failure, log=log)

    def _begin(self, task: Task, worker: LocalWorker) -> None:
        with self._lock:
            self._check(task)
            self._jobs[task.job.key] = worker
            self._ledger.begin("", task.job.key, "")
            worker.send(task)

    def _check(self, task: Task) -> None:
        if self._is_closed or task.job.key in self._cancelled:
            raise StoppedError(CANCELLED)

    def cancel(self, key: str) -> None:
        """Give up the job of that key, if it waits or is under way. From any thread."""
        with self._lock:
            if key not in self._jobs:
                return
            self._cancelled.add(key)
            worker = self._jobs[key]
            if worker is not None:
                worker.send(Cancel(key))

    def close(self) -> None:
        """End all processes; what is under way is given up."""
        with self._lock:
            self._is_closed = True
            busy = dict(self._jobs)
        for key in busy:
            self.cancel(key)
        for _ in range(self._size):
            try:
                worker = self._free.get(timeout=GRACE_SECONDS)
            except Empty:  # it does not listen, in a long computation
                for late in filter(None, busy.values()):
                    late.kill()
                worker = self._free.get()
            if worker is not None:
                worker.end()
        for _ in range(self._size):
            self._free.put(None)  # for jobs that wait: they are given up
