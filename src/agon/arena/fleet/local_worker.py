"""A worker process of a local fleet: does one job after the other, until its parent goes.

The parent sends a Task, and perhaps a Cancel while it is done; the worker answers with parts of the
match's record, if they are wanted, and in the end with the result, or with Cancelled.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from agon.arena.fleet.task_runner import Task, TaskRunner

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from agon.arena.fleet.task_runner import FleetSettings


@dataclass(frozen=True, slots=True)
class Cancel:
    """Give up the job of that key."""

    key: str


def work(connection: Connection, settings: FleetSettings) -> None:
    """What a worker process does."""
    os.environ["AGON_CACHE"] = settings.cache
    os.nice(settings.nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what is given up
    FleetWorker(connection, settings).run()


class FleetWorker:
    """A worker process's end of the connection."""

    def __init__(self, connection: Connection, settings: FleetSettings) -> None:
        self._connection = connection
        self._runner = TaskRunner(settings)
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()

    def run(self) -> None:
        """Work until the parent closes the connection, or is gone."""
        Thread(target=self._listen, name="parent", daemon=True).start()
        try:
            while (task := self._tasks.get()) is not None:
                self._connection.send(self._runner.carry_out(task, self._connection.send))
        except OSError:
            pass  # the parent is gone
        finally:
            self._runner.close()

    def _listen(self) -> None:
        try:
            while True:
                message = self._connection.recv()
                if isinstance(message, Task):
                    self._runner.take(message.job.key)
                    self._tasks.put(message)
                elif isinstance(message, Cancel):
                    self._runner.cancel(message.key)
        except (EOFError, OSError):
            self._tasks.put(None)
            self._runner.stop()
