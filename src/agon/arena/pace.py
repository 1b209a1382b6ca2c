"""Shows the positions of a match at a pace that people can follow."""

from __future__ import annotations

from dataclasses import replace
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from agon.match.transcript import replay, replay_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event as ThreadEvent

    from agon.arena.fleet.jobs import RecordPart
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.games.game import Position
    from agon.match.transcript import Event, Transcript

SECOND = 10**9


class Pace:
    """Waits between positions, while no seat is asked."""

    def __init__(self, pace_ns: int, clock: Callable[[], int], hurrying: ThreadEvent) -> None:
        """At least this long between two positions, until `hurrying` is set."""
        self._pace_ns = pace_ns
        self._clock = clock
        self._hurrying = hurrying
        self._shown: int | None = None

    @property
    def is_stopped(self) -> bool:
        return self._hurrying.is_set()

    def wait(self) -> None:
        """Wait until the next position may be shown."""
        if self._shown is not None and self._pace_ns:
            left = self._shown + self._pace_ns - self._clock()
            if left > 0:
                self._hurrying.wait(left / SECOND)
        self._shown = self._clock()


class PacedMatch:
    """Shows one match live, from its record as it grows, in a thread of its own."""

    def __init__(
        self,
        live_matches: LiveMatches,
        setup: Transcript,
        begin_ns: int,
        pace: Pace,
        booking_id: int | None = None,
    ) -> None:
        """It is among the live matches from its first position on."""
        self._booking_id = booking_id
        self._live_matches = live_matches
        self._setup = setup
        self._begin_ns = begin_ns
        self._pace = pace
        self._events: list[Event] = []
        self._parts: SimpleQueue[RecordPart | None] = SimpleQueue()
        self._is_given_up = False
        self._thread = Thread(target=self._show_all, name="showing", daemon=True)
        self.live: LiveMatch | None = None

    def on_record(self, part: RecordPart) -> None:
        """The match has come this far. From any thread; does not wait."""
        self._parts.put(part)
        if self._thread.ident is None:
            self._thread.start()

    def wait(self) -> None:
        """Wait until all that has come was shown."""
        self._parts.put(None)
        if self._thread.ident is not None:
            self._thread.join()

    def end(self, match_id: int | None) -> None:
        """It is over; None: it was given up, and what was not shown yet is not."""
        self._is_given_up = match_id is None
        self.wait()
        if self.live is not None:
            self.live.end(match_id)
            if self._live_matches.journal is not None:
                self._live_matches.journal.forget(self.live)

    def _show_all(self) -> None:
        while (part := self._parts.get()) is not None:
            if self._is_given_up:
                continue
            if part.begins:
                self._events = []
                setup = replace(self._setup, players=part.players)
                self._show(next(replay(setup))[1])
            if part.events and self.live is not None:
                for _, position in replay_on(self.live.position, part.events, self._events):
                    shown = position
                self._events += part.events
                self._show(shown)

    def _show(self, position: Position[Any]) -> None:
        self._pace.wait()
        if self.live is None:
            names = [str(player["name"]) for player in self._setup.players]
            self.live = self._live_matches.begin(self._setup.game, names, position, self._begin_ns)
            self.live.booking_id = self._booking_id
        else:
            self.live.show(position)
        if self._live_matches.journal is not None:
            self._live_matches.journal.note(self.live, self._setup, self._events)
