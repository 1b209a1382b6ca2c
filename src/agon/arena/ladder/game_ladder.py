"""One game's ladder: books the match from which most can be learned, plays it, and so on.

All it needs to go on is in the store. What was being played when the site ended is played first.
"""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import TYPE_CHECKING
from zlib import crc32

from agon.arbiter.first_use import use_bots
from agon.arena.ladder.participants import ladder_versions
from agon.arena.ladder.results import LadderResults
from agon.arena.rate_match import result_name
from agon.datastore.bookings import NewBooking
from agon.datastore.enums import BookingKind, BookingState
from agon.errors import SandboxError, SettingError
from agon.ranker.ladder import Ladder

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.match_runner import MatchRunner
    from agon.datastore.bookings import Booking
    from agon.datastore.store import Store
    from agon.games.game import Game
    from agon.ranker.pairing import Fixture

LOG = logging.getLogger("agon.arena")
SEED = 0x1ADDE5000000
"""Of the ladders of sites: unlike the seeds that people choose, so that results are told apart."""
BATCH = 4
"""Sets of games that are planned together: few, so that a new bot soon plays."""


class GameLadder:
    """Plays one match after the other, one at a time."""

    def __init__(
        self,
        store: Store,
        game: Game,
        match_runner: MatchRunner,
        bot_builds: BotBuilds,
        pace_ns: int,
        now_ns: Callable[[], int],
    ) -> None:
        self._store = store
        self._game = game
        self._match_runner = match_runner
        self._bot_builds = bot_builds
        self._pace_ns = pace_ns
        self._now_ns = now_ns
        self._seed = SEED + crc32(game.name.encode())
        self._options = game.options()
        self._seats = game.seats[0]
        self._results = LadderResults(store, game, self._options)
        self._ladder: Ladder | None = None
        self._unfit: set[int] = set()
        """Versions that could not be made ready: they sit out until the site starts again."""
        self._is_warm = False

    def play_next(self) -> bool:
        """Play a match; False if there is none to be played now."""
        self._warm_up()
        booking = self._take() or self._book()
        if booking is None:
            return False
        if self._match_runner.play(booking, self._pace_ns, rated=True) is not None:
            return True
        if self._store.bookings.get(booking.id).state is BookingState.CANCELLED:
            self._plan_anew()
        return False

    def _plan_anew(self) -> None:
        """A match of the plan cannot be played: go on with other seeds, or it would come again."""
        self._seed += 1
        self._ladder = None

    def _warm_up(self) -> None:
        """Have everything compiled or loaded before a clock runs."""
        if self._is_warm:
            return
        use_bots(self._game, self._options, self._game.bot_names)
        self._is_warm = True

    def _take(self) -> Booking | None:
        return self._store.bookings.take(self._now_ns(), (BookingKind.LADDER,), self._game.name)

    def _next_fixture(self) -> Fixture | None:
        """The next match of bots that are all fit to play; None if there are too few bots."""
        while True:
            names = self._names()
            if len(names) < self._seats:
                return None
            if self._ladder is None or self._ladder.bots != names:
                self._ladder = Ladder(names, self._seed, self._seats, batch=BATCH)
            fixtures = self._ladder.next(self._results.results())
            fixture = fixtures[0]
            if all(self._is_fit(int(name)) for name in fixture.seats):
                return fixture

    def _names(self) -> tuple[str, ...]:
        programs_play = not self._bot_builds.obstacle()
        return tuple(
            sorted(
                result_name(version.id)
                for bot, version in ladder_versions(self._store, self._game)
                if version.id not in self._unfit and (bot.built_in or programs_play)
            )
        )

    def _is_fit(self, version_id: int) -> bool:
        """Whether the version can be built here; one that cannot sits out."""
        try:
            self._bot_builds.entrant(version_id)
        except (SettingError, SandboxError) as error:
            LOG.warning("version %s does not play on the ladder: %s", version_id, error)
            self._unfit.add(version_id)
            return False
        return True

    def _book(self) -> Booking | None:
        """Book the next match, and take it."""
        fixture = self._next_fixture()
        if fixture is None:
            return None
        self._store.bookings.add(
            NewBooking(
                BookingKind.LADDER,
                self._game.name,
                asdict(self._options),
                fixture.seed,
                tuple(int(name) for name in fixture.seats),
                self._now_ns(),
                {"round": fixture.round, "number": fixture.number},
            )
        )
        return self._take()
