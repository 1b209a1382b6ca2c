"""The settings of a MebiPenny server: times and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.mebipenny.game import GAME

if TYPE_CHECKING:
    from agon.servers.practice_bots import Fill

SECOND = 10**9
MATCH_STATUSES = (302, 201)


@dataclass(frozen=True, slots=True)
class MebiPennySettings:
    """Times are whole nanoseconds."""

    turn_ns: int = 30 * SECOND
    """How long a player may think."""
    held_ns: int | None = None
    """How long a request is held, or a stream goes on, at most; None: as long as it takes."""
    match_status: int = 302
    """How GET /match answers: 302, or 201 as the first server did."""
    fill: Fill | None = None
    """What plays against a client for which no other came; None: nothing, it waits."""
    body_bytes: int = 1 << 16
    most_games: int = 2500
    """Games that are not over."""
    most_cells: int = 1 << 20
    """Cells of all these games together. A game has about as many turns as cells, and a turn takes
    755 bytes in its `Match`: at most 0.8 GB if every game is at its end."""
    empty_ns: int = 3600 * SECOND
    """Time after which a game that lacks players, and in which none waits, is given up."""
    kept_ns: int = 900 * SECOND
    """How long a game that is over can be viewed."""
    kept_games: int = 2000
    kept_bytes: int = 64 << 20
    """If more games are over, or they are larger together, the oldest are forgotten earlier."""
    most_observers: int = 2000
    observer_bytes: int = 1 << 20
    """An observer that is this far behind is dropped."""
    linger_ns: int = 10 * SECOND
    """How long an observer may take to read the end of a game that is over."""

    def __post_init__(self) -> None:
        if self.match_status not in MATCH_STATUSES:
            known = " or ".join(map(str, MATCH_STATUSES))
            raise SettingError(f"match status {self.match_status}: expected {known}")
        if self.turn_ns <= 0:
            raise SettingError(f"turn time {self.turn_ns} ns: expected more than 0")
        if self.held_ns is not None and self.held_ns <= 0:
            raise SettingError(f"held time {self.held_ns} ns: expected more than 0")
        if self.fill is not None:
            self.fill.check(GAME)
