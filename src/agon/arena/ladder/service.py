"""The ladders of all games: plays their matches headless, several at a time.

Each match is stored as soon as it is over. Games take turns: one with a new bot of a user comes
first, then those that have the fewest matches under way. A game that has nothing more to learn
plays only what is to be shown, so that a site at rest fills neither the disk nor the cores.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from agon.arena.ladder.fitness import Fitness, Unfitness
from agon.arena.ladder.game_ladder import GameLadder, Need
from agon.arena.ladder.participants import ladder_versions
from agon.datastore.bookings import BookingFilter
from agon.datastore.enums import BookingKind, BookingState
from agon.errors import NotReadyError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.match_runner import MatchRunner
    from agon.datastore.bookings import Booking
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game

PATIENCE_NS = 120 * 10**9
"""A game that has begun no match for so long comes before the new bots of other games."""


@dataclass
class _Turns:
    """What a game has had of the ladder's processes."""

    running: int = 0
    begun_ns: int | None = None


class LadderService:
    """Threads may share it: each call of `play_next` plays one match."""

    def __init__(
        self,
        store: Store,
        games: Sequence[Game],
        match_runner: MatchRunner,
        bot_builds: BotBuilds,
        is_wanted: Callable[[str], bool],
        on_stored: Callable[[str], None],
        clock: Callable[[], int],
        now_ns: Callable[[], int],
        room: Callable[[], int],
    ) -> None:
        """`is_wanted`: whether a match of that game is to be shown and there is none.

        `on_stored` is told the game of each match, by the thread that has played it. `room`: how
        many matches may be under way now.
        """
        self._store = store
        self._match_runner = match_runner
        self._bot_builds = bot_builds
        self._is_wanted = is_wanted
        self._on_stored = on_stored
        self._clock = clock
        self._room = room
        self._fitness = Fitness(store, bot_builds)
        self._ladders = {
            game.name: GameLadder(store, game, bot_builds, self._fitness, clock, now_ns, room)
            for game in games
        }
        self._turns = {game.name: _Turns() for game in games}
        self._lock = Lock()
        self._played: set[int] = set()
        """Versions that have rated matches; that does not change."""

    @property
    def unfit(self) -> dict[int, Unfitness]:
        """Why a version could not be made ready; it sits out until the site starts again."""
        return self._fitness.unfit

    def play_next(self) -> bool:
        """Play a match; False if there is none to be played now."""
        booking = self._take()
        if booking is None:
            return False
        try:
            match_id = self._match_runner.play(booking, None, rated=True)
        finally:
            with self._lock:
                self._turns[booking.game].running -= 1
        if match_id is not None:
            self._on_stored(booking.game)
            return True
        left = self._store.bookings.get(booking.id)
        if left.state is BookingState.CANCELLED:
            self._ladders[booking.game].give_up(left)
        return False

    def look_again(self, game: str) -> None:
        """A bot has come to the ladder of a game, or left it."""
        if game in self._ladders:
            self._ladders[game].look_again()

    def playing(self) -> dict[int, Booking]:
        """The versions that play a rated match now, and which one."""
        wanted = BookingFilter(kind=BookingKind.LADDER, state=BookingState.RUNNING)
        return {
            version_id: booking
            for booking in self._store.bookings.find(wanted)
            for version_id in booking.versions
            if version_id is not None
        }

    def waiting(self) -> list[BotVersion]:
        """Versions of users that have no rated match yet and could have, the oldest first."""
        if self._bot_builds.obstacle():
            return []
        found = [
            version
            for ladder in self._ladders.values()
            for bot, version in ladder_versions(self._store, ladder.game)
            if bot.owner_id is not None
            and version.id not in self.unfit
            and not self._bot_builds.match_obstacle([version])
            and not self._has_played(ladder.game, version)
        ]
        return sorted(found, key=lambda version: version.id)

    def _has_played(self, game: Game, version: BotVersion) -> bool:
        if version.id not in self._played and self._store.ratings.history(game.name, version.id):
            self._played.add(version.id)
        return version.id in self._played

    def _take(self) -> Booking | None:
        with self._lock:
            if sum(turns.running for turns in self._turns.values()) >= self._room():
                return None
            for ladder in self._in_turn():
                try:
                    booking = ladder.take()
                except NotReadyError:  # its rules are being compiled: others may be ready
                    continue
                if booking is not None:
                    turns = self._turns[booking.game]
                    turns.running += 1
                    turns.begun_ns = self._clock()
                    return booking
        return None

    def _in_turn(self) -> list[GameLadder]:
        """The ladders that have something to play, the most urgent one first."""
        now = self._clock()
        found: list[tuple[tuple[bool, int, int, int], GameLadder]] = []
        for name, ladder in self._ladders.items():
            need, turns = ladder.need(), self._turns[name]
            if need is Need.SETTLED and not turns.running and self._is_wanted(name):
                need = Need.LEARNING
            if need is None or need is Need.SETTLED:
                continue
            begun_ns = turns.begun_ns or 0
            is_overdue = turns.begun_ns is not None and now - begun_ns >= PATIENCE_NS
            found.append(((not is_overdue, need, turns.running, begun_ns), ladder))
        return [ladder for _, ladder in sorted(found, key=lambda pair: pair[0])]
