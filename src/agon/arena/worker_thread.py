"""Threads that do one piece of work after the other, until they are stopped."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from agon.errors import DatabaseError, NotReadyError

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("agon.arena")
IDLE_SECONDS = 5.0
"""How often a worker looks for work by itself: another process may have brought some."""


class WorkerPool:
    """Threads that do the same work; their number grows with the room for them."""

    def __init__(self, name: str, work: Callable[[], bool], room: Callable[[], int]) -> None:
        """`room`: how many threads there may be now. One that is there stays, and finds no work."""
        self.workers: list[Worker] = []
        self._name = name
        self._work = work
        self._room = room
        self._is_started = False
        self._is_stopped = False
        self._lock = threading.Lock()

    def start(self) -> None:
        self._is_started = True
        self.grow()

    def grow(self) -> None:
        """Start the threads for which there is room by now, if the pool was started."""
        room = self._room()
        with self._lock:
            while self._is_started and not self._is_stopped and len(self.workers) < room:
                worker = Worker(f"{self._name} {len(self.workers)}", self._work)
                worker.start()
                self.workers = [*self.workers, worker]  # others may be going through the list

    def ring(self) -> None:
        """There is work."""
        for worker in self.workers:
            worker.ring()

    def stop(self) -> None:
        """Begin nothing more."""
        with self._lock:
            self._is_stopped = True
        for worker in self.workers:
            worker.stop()


class Worker:
    """One thread. Its work says whether it has done something, and so whether there may be more."""

    def __init__(
        self, name: str, work: Callable[[], bool], idle_seconds: float = IDLE_SECONDS
    ) -> None:
        """`work` does one piece; if there was none, it is called again after `ring` or a while."""
        self.name = name
        self._work = work
        self._idle = idle_seconds
        self._bell = threading.Event()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ring(self) -> None:
        """There is work."""
        self._bell.set()

    def stop(self) -> None:
        """Begin nothing more."""
        self._is_stopped = True
        self._bell.set()

    def join(self, seconds: float) -> bool:
        """Wait for its end, but not longer than that; whether it has ended."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def has_died(self) -> bool:
        """Whether it was started and has ended, though it was not stopped."""
        is_started = self._thread.ident is not None
        return is_started and not self._thread.is_alive() and not self._is_stopped

    def _run(self) -> None:
        while not self._is_stopped:
            self._bell.clear()
            if not self._attempt() and not self._is_stopped:
                self._bell.wait(self._idle)

    def _attempt(self) -> bool:
        """Do a piece of work. A failure is logged, and the work is tried again."""
        try:
            return self._work()
        except NotReadyError:
            return False
        except DatabaseError as error:
            if not self._is_stopped:
                LOG.warning("%s waits: %s", self.name, error)
            return False
        except Exception:  # one bad match must not end the ladder
            if not self._is_stopped:
                LOG.exception("%s failed", self.name)
            return False
