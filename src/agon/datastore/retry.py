"""Try work on the database again while it does not answer, up to a time limit; tell the log.

    retrying = store.retrying(Retry(LOG.warning))
    retrying.record_match(match)  # waits while the server restarts or the disk is full

Pages use the store itself, which fails at once. Work that would lose a match waits.
"""

from __future__ import annotations

import time
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from agon.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

MOST_SECONDS = 600.0
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 2.0


class Retry:
    """How long to try again, and the function that is told. Threads may share it."""

    def __init__(
        self,
        tell: Callable[[str], None],
        most_seconds: float = MOST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tell` gets a line when the first attempt fails, and when a later one succeeds."""
        self._tell = tell
        self._most = most_seconds
        self._clock = clock
        self._given_up = Event()
        self.goes_on: Callable[[], bool] = lambda: True
        """Whether to try again; asked before each attempt."""

    def give_up(self) -> None:
        """Try no more: the process is about to end."""
        self._given_up.set()

    def run(self, work: Callable[[bool], T]) -> T:
        """Do the work, again while the database fails but may recover.

        The work is called with whether this is a further attempt.
        """
        begin, attempt = self._clock(), 0
        while True:
            try:
                found = work(attempt > 0)
            except DatabaseError as error:
                waited = self._clock() - begin
                ends = waited >= self._most or self._given_up.is_set() or not self.goes_on()
                if ends or not error.is_passing:
                    raise
                if not attempt:
                    self._tell(f"{error}; waiting for it, for {self._most:.0f} s at most")
                self._given_up.wait(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt, 10)))
                attempt += 1
            else:
                if attempt:
                    waited = self._clock() - begin
                    self._tell(f"the datastore answers again, after {waited:.0f} s")
                return found


NO_RETRY = Retry(lambda told: None, 0)
