"""Carries out one task after the other in a worker process, however the task reached it.

A task is a job with its bots. Another thread may cancel it; a match that is followed is told as
parts of its record while it is played.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from threading import Lock
from traceback import format_exc
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.entrant import launch_on_host
from agon.arbiter.first_use import use_bots, use_rules
from agon.arbiter.host import HostWatch
from agon.arbiter.pool import SeatPool, StoppedError
from agon.arbiter.sandboxed import launch_in_sandbox
from agon.arbiter.series import SeriesRunner
from agon.arena.fleet.carry_out import JobRunner, find_among
from agon.arena.fleet.fleet import following
from agon.arena.fleet.job_logs import last_lines
from agon.arena.fleet.jobs import (
    CheckBot,
    FailedJob,
    JobFailure,
    ResampleRatings,
    SimulateBlock,
    job_options,
)
from agon.games.registry import find_game

if TYPE_CHECKING:
    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import OnPart
    from agon.arena.fleet.jobs import Job, JobPart, JobResult

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
    """How much the processes of this machine and the programs that they start stand back."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job, the bots that play in it, and whether the parent follows the match."""

    job: Job
    bots: tuple[Entrant, ...]
    is_followed: bool


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The job was given up."""


Answer: TypeAlias = "JobPart | Cancelled | JobResult"


class TaskRunner:
    """What a worker process keeps from task to task."""

    def __init__(self, settings: FleetSettings) -> None:
        self._settings = settings
        self._pool = SeatPool(reuse=settings.reuse)
        self._key = ""
        self._lock = Lock()
        self._ready: set[str] = set()
        """What is compiled or loaded."""

    def take(self, key: str) -> None:
        """The job of that key comes next: from now on it can be cancelled."""
        with self._lock:
            self._key = key
            if self._pool.is_stopped:
                self._pool.close()
                self._pool = SeatPool(reuse=self._settings.reuse)

    def cancel(self, key: str) -> None:
        """Give up the job of that key, if it is the one that was taken. From any thread."""
        with self._lock:
            if key == self._key:
                self._pool.stop()

    def stop(self) -> None:
        """Give up what is under way. From any thread."""
        self._pool.stop()

    def close(self) -> None:
        self._pool.close()

    def carry_out(self, task: Task, tell: OnPart) -> Cancelled | JobResult:
        """Do the job that was taken; `tell` is told how it goes on, if it is followed."""
        launch = launch_on_host if self._settings.unsafe_host else launch_in_sandbox
        try:
            self._make_ready(task)
            with HostWatch() as host:
                series = SeriesRunner(time.monotonic_ns, launch, host.late_since, pool=self._pool)
                runner = JobRunner(
                    series, find_among(task.bots), unsafe_host=self._settings.unsafe_host
                )
                if task.is_followed:
                    runner = following(runner, tell)
                return runner.carry_out(task.job)
        except StoppedError:
            return Cancelled()
        except MemoryError:
            return FailedJob(task.job.key, "no memory is left", JobFailure.EXHAUSTED)
        except Exception as error:  # whatever it is, the parent must know
            LOG.exception("job %s failed", task.job.key)
            told = f"{type(error).__name__}: {error}"
            return FailedJob(task.job.key, told, JobFailure.HOST, last_lines(format_exc()))

    def _make_ready(self, task: Task) -> None:
        """Have all that a match or a check needs compiled or loaded before a clock runs."""
        job = task.job
        if isinstance(job, SimulateBlock | ResampleRatings):
            return
        game = find_game(job.game)
        options = game.options() if isinstance(job, CheckBot) else job_options(game, job.options)
        if (rules := f"{job.game} {options}") not in self._ready:
            use_rules(game, [options])
            self._ready.add(rules)
        new = {bot.built_in for bot in task.bots if f"{rules} {bot.built_in}" not in self._ready}
        use_bots(game, options, new - {""})
        self._ready.update(f"{rules} {name}" for name in new)
