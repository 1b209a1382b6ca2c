"""Matches under way, for spectators: each shows its latest position.

A match of bots is played in a worker process, and a thread of this process shows what arrives from
there; matches of people and of network clients are played in this process. Spectators wait in the
event loop. A spectator who is slow misses positions in between and never holds a match up.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.games.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_journal import LiveJournal
    from agon.games.game import Game, Position

GIVEN_UP = "the match was given up"
MOST_ENDED = 50
"""How many matches that are over can still be looked at here."""


class Signal:
    """A number that only rises, and that tasks of any event loop can wait for."""

    def __init__(self) -> None:
        self.value = 0
        self._lock = Lock()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []

    def rise(self) -> None:
        """Wake all tasks that wait. From any thread."""
        with self._lock:
            self.value += 1
            woken, self._waiting = self._waiting, []
        for loop, future in woken:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_wake, future)

    async def beyond(self, seen: int) -> int:
        """Wait until the number is greater than that; what it is then."""
        while True:
            with self._lock:
                if self.value > seen:
                    return self.value
                future = asyncio.get_running_loop().create_future()
                entry = (asyncio.get_running_loop(), future)
                self._waiting.append(entry)
            try:
                await future
            finally:
                with self._lock:
                    if entry in self._waiting:
                        self._waiting.remove(entry)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


@dataclass(eq=False)
class LiveMatch:
    """One match: who plays, and the latest position."""

    key: str
    game: Game
    players: tuple[str, ...]
    position: Position[Any]
    begin_ns: int
    turns: int = 0
    is_over: bool = False
    match_id: int | None = None
    """Where it is stored, once it is."""
    has_person: bool = False
    """Whether only its players may watch: a person plays, and spectators could help."""
    hides: Callable[[LiveMatch], bool] | None = None
    """Whether it is for organisers alone at this moment; None: it never is."""
    booking_id: int | None = None
    """What it is played for, if that is a booking."""
    shown_id: int | None = None
    """The stored match of which it is a showing; None: it is being played."""
    is_elsewhere: bool = False
    """Whether another server plays it."""
    signal: Signal = field(default_factory=Signal)
    on_change: Callable[[], None] = lambda: None

    @property
    def private(self) -> bool:
        """Whether not all visitors may watch."""
        return self.has_person or (self.hides is not None and self.hides(self))

    @property
    def is_decided(self) -> bool:
        """Whether it has an outcome; it may take a moment until it is stored."""
        return self.is_over or self.position.outcome is not None

    def show(self, position: Position[Any]) -> None:
        """A turn was played, or a seat dropped. From any thread."""
        self.turns += position.turn != self.position.turn  # a seat that is dropped plays none
        self.position = position
        self.signal.rise()

    def end(self, match_id: int | None) -> None:
        """It is over, and stored there; None: it was given up."""
        if self.position.outcome is None:
            given_up = Outcome((0,) * self.position.seats, GIVEN_UP)
            self.position = self.position.stop(given_up)
        self.is_over = True
        self.match_id = match_id
        self.signal.rise()
        self.on_change()


class LiveMatches:
    """All matches under way, and the last ones that were."""

    def __init__(self) -> None:
        self._matches: dict[str, LiveMatch] = {}
        self._lock = Lock()
        self._numbers = count(1)
        self.signal = Signal()
        """Rises when a match begins or ends."""
        self.journal: LiveJournal | None = None
        """Where matches are written down that other servers are to show."""
        self.own_server: Callable[[], int | None] = lambda: None
        """Which server this is, where there may be several."""
        self.shows_ladder: Callable[[str], bool] = lambda game: True
        """Whether this server shows matches of a game's ladder: one does so for all."""

    def begin(
        self,
        game: Game,
        players: Sequence[str],
        position: Position[Any],
        begin_ns: int,
        *,
        private: bool = False,
        hides: Callable[[LiveMatch], bool] | None = None,
        key: str | None = None,
        is_elsewhere: bool = False,
    ) -> LiveMatch:
        """A match begins; with a person in it, or hidden as long as `hides` says so.

        One that another server plays may have its key already. From any thread.
        """
        with self._lock:
            server = self.own_server()
            place = "" if server is None else f"{server}."
            key = key or f"{game.name}-{place}{next(self._numbers)}"
            match = LiveMatch(
                key,
                game,
                tuple(players),
                position,
                begin_ns,
                has_person=private,
                hides=hides,
                is_elsewhere=is_elsewhere,
                on_change=self.signal.rise,
            )
            self._matches[key] = match
            ended = [one.key for one in self._matches.values() if one.is_over]
            for old in ended[: max(0, len(ended) - MOST_ENDED)]:
                del self._matches[old]
        self.signal.rise()
        return match

    def find(self, key: str) -> LiveMatch | None:
        """The match of that key, under way or just over."""
        return self._matches.get(key)

    def of_booking(self, booking_id: int) -> LiveMatch | None:
        """The match under way that is played for a booking."""
        found = (one for one in self.running() if one.booking_id == booking_id)
        return next(found, None)

    def running(self, game: str | None = None) -> list[LiveMatch]:
        """The matches under way, of one game if given, in the order in which they began."""
        with self._lock:
            known = list(self._matches.values())
        return [one for one in known if not one.is_over and game in (None, one.game.name)]

    def ended(self) -> list[LiveMatch]:
        """The matches that are over and not forgotten yet, the one that began last first."""
        with self._lock:
            known = list(self._matches.values())
        return [one for one in reversed(known) if one.is_over]


class HiddenLiveMatches(LiveMatches):
    """Matches that begin here are hidden among the others as long as `hides` says so."""

    def __init__(self, live_matches: LiveMatches, hides: Callable[[LiveMatch], bool]) -> None:
        super().__init__()
        self.signal = live_matches.signal
        self.journal = live_matches.journal
        self._live_matches = live_matches
        self._hides = hides

    def begin(
        self,
        game: Game,
        players: Sequence[str],
        position: Position[Any],
        begin_ns: int,
        *,
        private: bool = False,
        hides: Callable[[LiveMatch], bool] | None = None,
        key: str | None = None,
        is_elsewhere: bool = False,
    ) -> LiveMatch:
        hidden = self._hides if hides is None else hides
        return self._live_matches.begin(
            game,
            players,
            position,
            begin_ns,
            private=private,
            hides=hidden,
            key=key,
            is_elsewhere=is_elsewhere,
        )

    def find(self, key: str) -> LiveMatch | None:
        return self._live_matches.find(key)

    def running(self, game: str | None = None) -> list[LiveMatch]:
        return self._live_matches.running(game)

    def ended(self) -> list[LiveMatch]:
        return self._live_matches.ended()
