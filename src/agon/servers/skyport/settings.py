"""The settings of a Skyport server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.skyport.game import GAME, SkyportOptions

if TYPE_CHECKING:
    from agon.servers.practice_bots import Fill

SECOND = 10**9
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SkyportSettings:
    """Matches and limits; all times are whole nanoseconds."""

    options: SkyportOptions = field(default_factory=SkyportOptions)
    seats: int = 2
    seed: int = 0
    """Match n of a room, from 0, has the seed `seed + n`."""
    matches: int | None = None
    """Matches of all rooms together, after which the server ends; None: without end."""
    think_ns: int = 3 * SECOND
    start_delay_ns: int = 10 * SECOND
    """From gamestate 0 to turn 1, unless all loadouts are there sooner."""
    handshake_ns: int = 10 * SECOND
    match_ns: int | None = None
    """Time from gamestate 0 to the last round of a match; None: its turns alone end it."""
    fill: Fill | None = field(default=None, kw_only=True)
    """What takes the free seats of a match for which a client has waited long; None: nothing."""
    farewell_ns: int = 2 * SECOND
    """Time a client has to read what was sent when its connection is closed."""
    strangers: int = 200
    """Maximum of connections of one room without a handshake."""
    connections: int = 2000
    """Maximum of connections of one room."""
    line_bytes: int = 1 << 16
    backlog_bytes: int = 4 << 20
    """A client that does not read is dropped when more than this waits for it."""

    def __post_init__(self) -> None:
        """Refuse a map for another number of players, and times that are not positive."""
        times = {"think": self.think_ns, "handshake": self.handshake_ns, "match": self.match_ns}
        for name, time_ns in times.items():
            if time_ns is not None and time_ns <= 0:
                raise SettingError(f"{name} time {time_ns} ns: expected more than 0")
        if self.fill is not None:
            self.fill.check(GAME)
        self.options.find_map(GAME.check_seats(self.seats))


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """A room of a server: its name, and where it listens. Port 0: any that is free."""

    name: str = "main"
    port: int = 0
    host: str = LOOPBACK
