"""Timers: an action at a time of the clock, unless it is cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Deadline(Protocol):
    """A timer that is set."""

    def cancel(self) -> None:
        """Without effect if it has fired already."""


class Deadlines(Protocol):
    """Sets timers."""

    def set(self, at_ns: int, action: Callable[[], None]) -> Deadline:
        """Do this at that time of the clock, or soon after."""


class LoopDeadlines:
    """Timers of the event loop that runs."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """The clock counts nanoseconds, as deadlines do."""
        self._clock = clock

    def set(self, at_ns: int, action: Callable[[], None]) -> Deadline:
        """Do this at that time of the clock, or soon after."""
        seconds = max(0, at_ns - self._clock()) / 10**9
        return asyncio.get_running_loop().call_later(seconds, action)
