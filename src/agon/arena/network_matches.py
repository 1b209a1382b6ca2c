"""Matches of clients over TCP and HTTP: stored when they are over, journaled while they go on.

Clients whose connection broke do not come back to their match. After a crash or a restart, the next
start of the site stores what was played, as an interrupted match.

A match is journaled every few seconds, so a short one never is. Events are collected in the event
loop, which plays the matches; all else happens in threads.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from agon.arena.match_record import store_network_match
from agon.arena.unfinished import INTERRUPTED, format_head, format_lines, parse_entry
from agon.datastore.enums import JournalKind
from agon.datastore.journal import Page
from agon.datastore.retry import NO_RETRY
from agon.errors import AgonError, DatabaseError, DatastoreError
from agon.match.result import result_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from agon.datastore.journal import JournalEntry
    from agon.datastore.retry import Retry
    from agon.datastore.store import Store
    from agon.match.match import Match
    from agon.match.result import MatchResult
    from agon.match.transcript import Event, Transcript

LOG = logging.getLogger("agon.arena")
PAUSE_S = 2.0
SHARE = 20
"""Writing takes at most 1/20 of the time."""


class Unfinished(Protocol):
    """A match under way on a server."""

    @property
    def begin_ns(self) -> int:
        """When it began, in nanoseconds since 1970."""

    @property
    def match(self) -> Match: ...


@dataclass(frozen=True, slots=True)
class NewEvents:
    """What is new of a match."""

    key: str
    setup: Transcript
    begin_ns: int
    first: int
    events: Sequence[Event]


class NetworkMatches:
    """Stores and journals the matches of clients."""

    def __init__(self, store: Store, now_ns: Callable[[], int], retry: Retry = NO_RETRY) -> None:
        """`now_ns` is the time of day; `retry` waits for the store with a match that is over."""
        self._store = store
        self._retrying_store = store.retrying(retry)
        self._now_ns = now_ns
        self._written: dict[str, int] = {}
        """The matches in the journal, and how many of their events."""
        self._kept: set[str] = set()
        """Matches that were stored since the journal was last written."""
        self._lock = Lock()

    def keep(self, match: MatchResult, begin_ns: int, end_ns: int) -> int:
        """Store a match that is over; its number. From any thread. A failure is logged, too."""
        key = _key(match.transcript, begin_ns)
        with self._lock:
            self._kept.add(key)
            journal = key if self._written.pop(key, None) is not None else None
            try:
                return store_network_match(self._retrying_store, match, begin_ns, end_ns, journal)
            except AgonError as error:
                title = match.transcript.game.title
                LOG.error("a match of %s is not stored: %s", title, error)
                raise

    def close_open_entries(self) -> None:
        """Store what a server has left under way, as interrupted."""
        for entry in self._store.journal.take_left(JournalKind.NETWORK):
            try:
                self._close(entry)
            except AgonError as error:
                LOG.warning("network match %s cannot be stored: %s", entry.key, error)

    def _close(self, entry: JournalEntry) -> None:
        match = result_of(parse_entry(entry), INTERRUPTED)
        store_network_match(self._store, match, entry.created_ns, self._now_ns(), entry.key)

    @asynccontextmanager
    async def following(self, find: Callable[[], Iterable[Unfinished]]) -> AsyncIterator[None]:
        """For this block, and once more at its end, journal the matches that `find` gives."""
        ended = asyncio.Event()
        task = asyncio.create_task(self._follow(find, ended))
        try:
            yield
        finally:
            ended.set()
            await task

    async def _follow(self, find: Callable[[], Iterable[Unfinished]], ended: asyncio.Event) -> None:
        pause = PAUSE_S
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), pause)
            loop = asyncio.get_running_loop()
            begin = loop.time()
            news = [self._collect(match) for match in find()]
            await asyncio.to_thread(self.write, [one for one in news if one.events])
            if ended.is_set():
                return
            pause = max(PAUSE_S, SHARE * (loop.time() - begin))

    def _collect(self, unfinished: Unfinished) -> NewEvents:
        match, begin_ns = unfinished.match, unfinished.begin_ns
        key = _key(match.setup, begin_ns)
        first = self._written.get(key, 0)
        return NewEvents(key, match.setup, begin_ns, first, match.events[first:])

    def write(self, news: Sequence[NewEvents]) -> None:
        """Journal what is new, except of matches that were stored meanwhile."""
        pages = [_page(one) for one in news]
        with self._lock:
            pages = [page for page in pages if page.key not in self._kept]
            self._kept.clear()
            if not pages:
                return
            try:
                self._store.journal.write(pages)
            except (DatabaseError, DatastoreError) as error:
                LOG.warning("network matches are not journaled: %s", error)
                return
            for page in pages:
                self._written[page.key] = page.first + len(page.lines)


def _key(transcript: Transcript, begin_ns: int) -> str:
    return f"{transcript.game.name} {begin_ns} {transcript.seed}"


def _page(news: NewEvents) -> Page:
    game = news.setup.game
    head = {} if news.first else format_head(news.setup)
    lines = format_lines(game, news.events)
    return Page(news.key, JournalKind.NETWORK, game.name, head, news.begin_ns, news.first, lines)
