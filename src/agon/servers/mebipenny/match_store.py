"""Games that are over are stored by a thread of their own, so that no player waits for the disk."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from agon.arena.live_matches import LiveMatch
    from agon.match.result import MatchResult
    from agon.servers.mebipenny.record import GameRecord

MOST_WAITING = 1000


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A match that was played: where it is stored, or why it is not."""

    match: MatchResult
    match_id: int | None = None
    trouble: AgonError | None = None


def keep_nothing(match: MatchResult, begin_ns: int, end_ns: int) -> None:
    """For servers without a datastore."""


def tell_nobody(kept: StoredGame) -> None:
    """For servers that say nothing about their matches."""


class Archive(Protocol):
    """Where games go when they are over."""

    @property
    def is_behind(self) -> bool:
        """Whether so many wait to be stored that there should be no new ones for now."""

    def take(self, record: GameRecord, live: LiveMatch | None) -> None:
        """Store this game some time soon; spectators are told when it is."""


class MatchStore:
    """An archive that stores one match after another."""

    def __init__(
        self,
        keep: Callable[[MatchResult, int, int], int | None] = keep_nothing,
        on_kept: Callable[[StoredGame], None] = tell_nobody,
    ) -> None:
        """`keep` stores a match with its begin and end; both are called in the keeper's thread."""
        self._keep = keep
        self._on_kept = on_kept
        self._thread = ThreadPoolExecutor(1, "mebipenny-keeper")
        self._taken = self._stored = 0  # each is counted by one thread alone

    @property
    def is_behind(self) -> bool:
        """Whether too many wait to be stored."""
        return self._taken - self._stored >= MOST_WAITING

    def take(self, record: GameRecord, live: LiveMatch | None) -> None:
        """Store this game some time soon; spectators are told when it is."""
        self._taken += 1
        self._thread.submit(self._store, record, live).add_done_callback(self._look_at)

    def _store(self, record: GameRecord, live: LiveMatch | None) -> None:
        match_id = None
        try:
            match = record.match()
            try:
                match_id = self._keep(match, record.begin_ns, record.end_ns)
                kept = StoredGame(match, match_id)
            except AgonError as error:  # the server plays on
                kept = StoredGame(match, trouble=error)
            self._on_kept(kept)
        finally:
            self._stored += 1
            if live is not None:
                live.end(match_id)

    def _look_at(self, stored: Future[None]) -> None:
        """A defect is not to be lost with the thread."""
        error = stored.exception()
        if error is not None:
            logging.getLogger(__name__).error("a game could not be stored", exc_info=error)

    def close(self) -> None:
        """Wait until all is stored."""
        self._thread.shutdown()
