"""How many matches this process has stored, and the faults in them: counters for operators."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.datastore.enums import MatchStatus
    from agon.datastore.matches import NewMatch
    from agon.match.transcript import Fault


class MatchTally:
    """Counts from the start of the process. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._matches: Counter[tuple[str, MatchStatus]] = Counter()
        self._faults: Counter[Fault] = Counter()
        self._late = 0

    def add(self, matches: Iterable[NewMatch]) -> None:
        """These matches are stored."""
        with self._lock:
            for match in matches:
                self._matches[match.game, match.status] += 1
                self._faults.update(seat.fault for seat in match.seats if seat.fault is not None)
                self._late += match.lateness_ns > 0

    @property
    def matches(self) -> dict[tuple[str, MatchStatus], int]:
        """By game and status."""
        with self._lock:
            return dict(self._matches)

    @property
    def faults(self) -> dict[Fault, int]:
        with self._lock:
            return dict(self._faults)

    @property
    def late(self) -> int:
        """Matches in which the host was late, void or not."""
        return self._late
