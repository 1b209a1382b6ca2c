"""A worker process of a fleet: does one job after the other, until its parent goes.

The parent sends a Task, and perhaps a Cancel while it is done; the worker answers with parts of the
match's record, if they are wanted, and in the end with the result, or with Cancelled.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.entrant import launch_on_host
from agon.arbiter.first_use import use_bots, use_rules
from agon.arbiter.host import HostWatch
from agon.arbiter.pool import SeatPool, StoppedError
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.arbiter.series import SeriesRunner
from agon.arena.carry_out import JobRunner, find_among
from agon.arena.fleet import Follower
from agon.arena.jobs import FailedJob, JobFailure, PlayMatch, job_options
from agon.games.registry import find_game

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from agon.arbiter.entrant import Entrant
    from agon.arena.jobs import Job, JobResult, RecordPart

LOG = logging.getLogger("agon.arena")


@dataclass(frozen=True, slots=True)
class FleetSettings:
    """How a fleet's processes run programs."""

    unsafe_host: bool = False
    """Whether without a sandbox: only for trusted ones."""
    reuse: bool = False
    """Whether programs stay alive from match to match."""
    cache: str = ""
    """The folder with compiled rules, as AGON_CACHE names it."""
    nice: int = 0
    """How much the processes and the programs that they start stand back."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job, the bots that play in it, and whether the parent follows the match."""

    job: Job
    bots: tuple[Entrant, ...]
    is_followed: bool


@dataclass(frozen=True, slots=True)
class Cancel:
    """Give up the job of that key."""

    key: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The job was given up."""


Answer: TypeAlias = "RecordPart | Cancelled | JobResult"


def work(connection: Connection, settings: FleetSettings) -> None:
    """What a worker process does."""
    os.environ["AGON_CACHE"] = settings.cache
    os.nice(settings.nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what is given up
    FleetWorker(connection, settings).run()


class FleetWorker:
    """The state of a worker process."""

    def __init__(self, connection: Connection, settings: FleetSettings) -> None:
        self._connection = connection
        self._settings = settings
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._pool = SeatPool(reuse=settings.reuse)
        self._key = ""
        self._lock = Lock()
        self._ready: set[str] = set()
        """What is compiled or loaded."""

    def run(self) -> None:
        """Work until the parent closes the connection, or is gone."""
        Thread(target=self._listen, name="parent", daemon=True).start()
        try:
            while (task := self._tasks.get()) is not None:
                self._connection.send(self._carry_out(task))
        except OSError:
            pass  # the parent is gone
        finally:
            self._pool.close()

    def _listen(self) -> None:
        try:
            while True:
                message = self._connection.recv()
                if isinstance(message, Task):
                    self._take(message)
                elif isinstance(message, Cancel):
                    self._cancel(message.key)
        except (EOFError, OSError):
            self._tasks.put(None)
            self._pool.stop()

    def _take(self, task: Task) -> None:
        with self._lock:
            self._key = task.job.key
            if self._pool.is_stopped:
                self._pool.close()
                self._pool = SeatPool(reuse=self._settings.reuse)
        self._tasks.put(task)

    def _cancel(self, key: str) -> None:
        with self._lock:
            if key == self._key:
                self._pool.stop()

    def _carry_out(self, task: Task) -> Answer:
        launch = launch_on_host if self._settings.unsafe_host else launch_in_sandbox
        follow = Follower(self._connection.send).follow if task.is_followed else lambda match: None
        try:
            self._make_ready(task)
            with HostWatch() as host:
                series = SeriesRunner(
                    time.monotonic_ns, launch, host.late_since, follow, pool=self._pool
                )
                runner = JobRunner(
                    series, find_among(task.bots), unsafe_host=self._settings.unsafe_host
                )
                return runner.carry_out(task.job)
        except StoppedError:
            return Cancelled()
        except MemoryError:
            return FailedJob(task.job.key, "no memory is left", JobFailure.EXHAUSTED)
        except Exception as error:  # whatever it is, the parent must know
            LOG.exception("job %s failed", task.job.key)
            told = f"{type(error).__name__}: {error}"
            return FailedJob(task.job.key, told, JobFailure.HOST)

    def _make_ready(self, task: Task) -> None:
        """Have all that a match needs compiled or loaded before a clock runs."""
        job = task.job
        if not isinstance(job, PlayMatch):
            return
        game = find_game(job.game)
        options = job_options(game, job.options)
        if (rules := f"{job.game} {options}") not in self._ready:
            use_rules(game, [options])
            self._ready.add(rules)
        new = {bot.built_in for bot in task.bots if f"{rules} {bot.built_in}" not in self._ready}
        use_bots(game, options, new - {""})
        self._ready.update(f"{rules} {name}" for name in new)
