"""Stores matches that are over in a thread, so that no player waits for the disk."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from agon.arena.live_matches import LiveMatch
    from agon.match.result import MatchResult

Keep: TypeAlias = "Callable[[MatchResult, int, int], int | None]"
"""Stores a match that began and ended then (nanoseconds since 1970); its id. Called in a thread."""

MOST_WAITING = 1000


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played to its end."""

    match: MatchResult
    begin_ns: int
    end_ns: int
    live: LiveMatch | None = None
    """Its page for spectators, who are told when the match is stored."""


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match that was played: where it is stored, or why it is not."""

    match: MatchResult
    match_id: int | None = None
    trouble: AgonError | None = None


def keep_nothing(match: MatchResult, begin_ns: int, end_ns: int) -> None:
    """For servers without a datastore."""


class Archive(Protocol):
    """Stores matches that are over."""

    @property
    def is_behind(self) -> bool:
        """Whether so many wait to be stored that no new game should begin."""

    def take(self, finished: FinishedMatch) -> object:
        """Store this match soon."""


class MatchStore:
    """An archive that stores one match after another."""

    def __init__(
        self,
        keep: Keep = keep_nothing,
        on_kept: Callable[[KeptMatch], None] = lambda kept: None,
    ) -> None:
        """Both are called in the thread."""
        self._keep = keep
        self._on_kept = on_kept
        self._thread = ThreadPoolExecutor(1, "match store")
        self._taken = self._stored = 0  # each is counted by one thread alone

    @property
    def is_behind(self) -> bool:
        """Whether too many wait to be stored."""
        return self._taken - self._stored >= MOST_WAITING

    def take(self, finished: FinishedMatch) -> Future[KeptMatch]:
        """Store this match soon."""
        self._taken += 1
        kept = self._thread.submit(self._store, finished)
        kept.add_done_callback(self._look_at)
        return kept

    def _store(self, finished: FinishedMatch) -> KeptMatch:
        match_id = None
        try:
            try:
                match_id = self._keep(finished.match, finished.begin_ns, finished.end_ns)
                kept = KeptMatch(finished.match, match_id)
            except AgonError as error:  # the server plays on
                kept = KeptMatch(finished.match, trouble=error)
            self._on_kept(kept)
            return kept
        finally:
            self._stored += 1
            if finished.live is not None:
                finished.live.end(match_id)

    def _look_at(self, stored: Future[KeptMatch]) -> None:
        """Log a defect, which the thread would lose."""
        error = stored.exception()
        if error is not None:
            logging.getLogger(__name__).error("a match could not be stored", exc_info=error)

    def close(self) -> None:
        """Wait until all is stored."""
        self._thread.shutdown()
