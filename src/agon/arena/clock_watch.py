"""Notices when the machine's clock is set: matches are timed by another clock, dates are not."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("agon.arena")
SECOND = 10**9
LEAST_NS = 5 * SECOND


class ClockWatch:
    """Compares the time of day with the clock that only counts."""

    def __init__(
        self,
        now_ns: Callable[[], int] = time.time_ns,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._now_ns = now_ns
        self._clock = clock
        self._difference_ns = now_ns() - clock()

    def look(self) -> bool:
        """The work of a `Worker`: there is never more of it."""
        difference_ns = self._now_ns() - self._clock()
        jump_ns = difference_ns - self._difference_ns
        self._difference_ns = difference_ns
        if abs(jump_ns) >= LEAST_NS:
            way = "forward" if jump_ns > 0 else "back"
            LOG.warning(
                "this machine's clock was set %s by %s s: matches go on, contests keep their dates"
                " by the new time",
                way,
                abs(jump_ns) // SECOND,
            )
        return False
