"""Deadlines: something is to be done at a time unless it is called off."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Deadline(Protocol):
    """An alarm that is set."""

    def cancel(self) -> None:
        """Call it off; nothing happens if it has gone off already."""


class Deadlines(Protocol):
    """Where alarms are set."""

    def set(self, at_ns: int, action: Callable[[], None]) -> Deadline:
        """Do this at that time of the clock, or soon after."""


class LoopDeadlines:
    """Alarms of the event loop that runs."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """The clock counts nanoseconds, as the deadlines do."""
        self._clock = clock

    def set(self, at_ns: int, action: Callable[[], None]) -> Deadline:
        """Do this at that time of the clock, or soon after."""
        seconds = max(0, at_ns - self._clock()) / 10**9
        return asyncio.get_running_loop().call_later(seconds, action)
