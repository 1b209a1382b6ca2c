"""Shows the positions of a match at a pace that people can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from agon.arena.live_matches import LiveMatch, Stage
    from agon.games.game import Game, Position

SECOND = 10**9


class Pace:
    """Waits between positions, while no seat is asked."""

    def __init__(self, pace_ns: int, clock: Callable[[], int], stopping: Event) -> None:
        """At least this long between two positions, unless the pool stops."""
        self._pace_ns = pace_ns
        self._clock = clock
        self._stopping = stopping
        self._shown: int | None = None

    def wait(self) -> None:
        """Wait until the next position may be shown."""
        if self._shown is not None and self._pace_ns:
            left = self._shown + self._pace_ns - self._clock()
            if left > 0:
                self._stopping.wait(left / SECOND)
        self._shown = self._clock()


class PacedMatch:
    """Shows one match live."""

    def __init__(
        self, stage: Stage, game: Game, players: Sequence[str], begin_ns: int, pace: Pace
    ) -> None:
        """It stands on the stage from its first position on."""
        self._stage = stage
        self._game = game
        self._players = players
        self._begin_ns = begin_ns
        self._pace = pace
        self.live: LiveMatch | None = None

    def on_position(self, position: Position[Any]) -> None:
        """The match has come this far."""
        self._pace.wait()
        if self.live is None:
            self.live = self._stage.begin(self._game, self._players, position, self._begin_ns)
        else:
            self.live.show(position)

    def end(self, match_id: int | None) -> None:
        """It is over; None: it was given up."""
        if self.live is not None:
            self.live.end(match_id)
