"""The latest warnings of the site's log, for organisers: they may not have the operator's terminal.

warnings = RecentWarnings()
logging.getLogger("agon").addHandler(warnings)
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, replace

MOST = 100
LONGEST = 500
SECOND = 10**9


@dataclass(frozen=True, slots=True)
class SiteWarning:
    """Something that went wrong, how often, and when last."""

    text: str
    at_ns: int
    times: int = 1


class RecentWarnings(logging.Handler):
    """Keeps the last warnings and errors in memory; the same text is kept once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: OrderedDict[str, SiteWarning] = OrderedDict()
        self.total = 0
        """All since the start."""

    def emit(self, record: logging.LogRecord) -> None:
        """Called with the handler's lock held."""
        self.total += 1
        text = record.getMessage()[:LONGEST]
        warning = SiteWarning(text, int(record.created * SECOND))
        known = self._kept.pop(text, None)
        self._kept[text] = warning if known is None else replace(warning, times=known.times + 1)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def latest(self) -> list[SiteWarning]:
        """The newest first."""
        self.acquire()
        try:
            return list(self._kept.values())[::-1]
        finally:
            self.release()
