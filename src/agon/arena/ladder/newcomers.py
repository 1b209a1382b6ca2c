"""A slot that is kept for newcomers: a bot that has just passed its check plays within moments.

The ladder of a game plays one match after the other, and one between slow bots takes minutes. So
a new version of a user has its first matches here, beside the ladder: a pair with swapped seats
against a built-in bot of the middle. They are rated; after them the ladder knows enough to go on.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from agon.arena.bot_builds import UnbuiltError
from agon.arena.ladder.participants import ladder_versions
from agon.datastore.bookings import BookingFilter, NewBooking
from agon.datastore.enums import BookingKind, BookingState, VersionStatus
from agon.errors import ArbiterError, SandboxError, SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.match_runner import MatchRunner
    from agon.datastore.bookings import Booking
    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game

LOG = logging.getLogger("agon.arena")
SEED = 0x0E3C00000000
"""Of newcomers' matches, to which the version's id is added: no ladder has such seeds."""
ENOUGH = 2
"""Rated matches after which a version is no longer a newcomer."""


@dataclass(frozen=True, slots=True)
class Unfitness:
    """Why a version does not play: a public text, and a longer one for its author."""

    reason: str
    whole: str = ""


class NewcomerMatches:
    """Plays the first matches of new versions, of all games, one at a time."""

    def __init__(
        self,
        store: Store,
        games: Sequence[Game],
        match_runner: MatchRunner,
        bot_builds: BotBuilds,
        pace_ns: int,
        now_ns: Callable[[], int],
    ) -> None:
        """`pace_ns` is for spectators; it is ignored while other newcomers wait."""
        self._store = store
        self._games = tuple(games)
        self._match_runner = match_runner
        self._bot_builds = bot_builds
        self._pace_ns = pace_ns
        self._now_ns = now_ns
        self._settled: set[int] = set()
        """Versions that have played enough; that does not change."""
        self.unfit: dict[int, Unfitness] = {}
        """Why a version could not be made ready; it sits out until the site starts again."""

    def waiting(self) -> list[BotVersion]:
        """Versions of users that have not played enough yet and could, the oldest first."""
        if self._bot_builds.obstacle():
            return []
        found = [
            version
            for game in self._games
            for bot, version in ladder_versions(self._store, game)
            if bot.owner_id is not None and self._is_new(game, version)
        ]
        return sorted(found, key=lambda version: version.id)

    def play_next(self) -> bool:
        """Play a match of the newcomer that waits longest; False if none waits."""
        busy = self.playing()
        waiting = [version for version in self.waiting() if version.id not in busy]
        for version in waiting:
            if not self._is_fit(version.id):
                continue
            booking = self._book(version)
            if booking is not None:
                return self._play(booking, version, self._pace_ns if len(waiting) == 1 else 0)
        return False

    def _play(self, booking: Booking, version: BotVersion, pace_ns: int) -> bool:
        if self._match_runner.play(booking, pace_ns, rated=True) is not None:
            return True
        left = self._store.bookings.get(booking.id)
        if left.state is BookingState.CANCELLED:  # or it would be booked again and again
            self._note_unfit(left, version)
        return False

    def _note_unfit(self, booking: Booking, newcomer: BotVersion) -> None:
        """Find out who is to blame for a match that was not played: it may be an opponent."""
        versions = [version_id for version_id in booking.versions if version_id is not None]
        to_blame = [one for one in versions if not (self._is_active(one) and self._is_fit(one))]
        if not to_blame:
            self.unfit[newcomer.id] = Unfitness(booking.reason)

    def _is_active(self, version_id: int) -> bool:
        """Whether it was not withdrawn meanwhile; if it was, it is forgotten."""
        return self._store.versions.get(version_id).status is VersionStatus.ACTIVE

    def playing(self) -> dict[int, Booking]:
        """The versions that play a rated match now, and which one."""
        wanted = BookingFilter(kind=BookingKind.LADDER, state=BookingState.RUNNING)
        return {
            version_id: booking
            for booking in self._store.bookings.find(wanted)
            for version_id in booking.versions
            if version_id is not None
        }

    def _is_new(self, game: Game, version: BotVersion) -> bool:
        if version.id in self._settled or version.id in self.unfit:
            return False
        if self._count(game, version) >= ENOUGH:
            self._settled.add(version.id)
            return False
        return True

    def _count(self, game: Game, version: BotVersion) -> int:
        return len(self._store.ratings.history(game.name, version.id))

    def _is_fit(self, version_id: int) -> bool:
        try:
            self._bot_builds.entrant(version_id)
        except (SettingError, SandboxError) as error:
            LOG.warning("version %s does not play: %s", version_id, error)
            whole = error.whole if isinstance(error, UnbuiltError) else ""
            self.unfit[version_id] = Unfitness(str(error), whole)
            return False
        except ArbiterError as error:  # this machine's failure: others may be luckier
            LOG.warning("version %s cannot be made ready now: %s", version_id, error)
            return False
        return True

    def _book(self, version: BotVersion) -> Booking | None:
        """Book the version's next match, and take that one.

        None if it has no opponent, or if the ladder was quicker.
        """
        bot = self._store.bots.get(version.bot_id)
        game = next(game for game in self._games if game.name == bot.game)
        booked = self._find_booked(version)
        if booked is not None:
            return self._store.bookings.take_one(booked.id, self._now_ns())
        field = [
            pair for pair in ladder_versions(self._store, game) if pair[1].id not in self.unfit
        ]
        opponents = _opponents(game, field, bot)
        if len(opponents) < game.seats[0] - 1:
            return None
        order = [version.id, *opponents[: game.seats[0] - 1]]
        turn = self._count(game, version) % len(order)
        new = self._store.bookings.add(
            NewBooking(
                BookingKind.LADDER,
                game.name,
                asdict(game.options()),
                SEED + version.id,
                (*order[turn:], *order[:turn]),
                self._now_ns(),
                {"newcomer": version.id},
            )
        )
        return self._store.bookings.take_one(new.id, self._now_ns())

    def _find_booked(self, version: BotVersion) -> Booking | None:
        """A match of the version that waits: one that was put back."""
        waiting = (
            booking
            for state in (BookingState.QUEUED, BookingState.INTERRUPTED)
            for booking in self._store.bookings.find(
                BookingFilter(kind=BookingKind.LADDER, state=state)
            )
        )
        return next((booking for booking in waiting if version.id in booking.versions), None)


def _opponents(
    game: Game, field: Sequence[tuple[StoredBot, BotVersion]], newcomer: StoredBot
) -> list[int]:
    """Possible opponents of a newcomer: built-in bots first, the middle one before the others."""
    middle = len(game.bot_names) // 2

    def place(pair: tuple[StoredBot, BotVersion]) -> tuple[bool, int, int]:
        bot, version = pair
        if not bot.built_in:
            return True, 0, version.id
        return False, abs(game.bot_names.index(bot.name) - middle), version.id

    others = [pair for pair in field if pair[0].id != newcomer.id]
    return [version.id for _, version in sorted(others, key=place)]
