"""One game's ladder: which of its matches is to be played next.

It books the match from which most can be learned; new versions of users come first. All that it
needs to go on is in the store. What was being played when the site ended is played before all else.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import IntEnum
from threading import Lock
from typing import TYPE_CHECKING
from zlib import crc32

from agon.arena.booking_queue import match_obstacle, take_booking
from agon.arena.ladder.fitness import Unfitness
from agon.arena.ladder.participants import ladder_versions
from agon.arena.ladder.results import LadderResults
from agon.arena.rate_match import result_name
from agon.datastore.bookings import BookingFilter, NewBooking
from agon.datastore.enums import BookingKind, BookingState
from agon.errors import TakenError
from agon.kernel import require_kernels
from agon.ranker.ladder import Ladder

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.ladder.fitness import Fitness
    from agon.datastore.bookings import Booking
    from agon.datastore.store import Store
    from agon.games.game import Game
    from agon.ranker.pairing import Fixture

    Key: TypeAlias = tuple[int, tuple[int | None, ...]]

SEED = 0x1ADDE5000000
"""Of the ladders of sites: unlike the seeds that people choose, so that results are told apart."""
NEW = 20
"""Rated matches after which a version is no longer new."""
SETTLED = 200
"""Rated matches after which little more is learned of a version."""
BATCH = 4
"""The least number of sets of games that are planned together."""
BOTS_PER_SET = 4
"""With more bots, more sets are planned together: planning takes longer."""
LOOK_NS = 10**9
"""How often the ladder looks who takes part, unless it is told that something has changed."""


class Need(IntEnum):
    """How much a game's ladder has to play, the most urgent first."""

    NEW_BOTS = 0
    LEARNING = 1
    SETTLED = 2


@dataclass(frozen=True, slots=True)
class Participants:
    """Who takes part, by the ranker's names; `new` are the new versions of users."""

    names: tuple[str, ...]
    new: frozenset[str]
    need: Need | None
    """None: there are too few bots."""


class GameLadder:
    """Books matches. Threads may share it."""

    def __init__(
        self,
        store: Store,
        game: Game,
        bot_builds: BotBuilds,
        fitness: Fitness,
        clock: Callable[[], int],
        now_ns: Callable[[], int],
        room: Callable[[], int],
    ) -> None:
        """`room`: how many matches may be under way now; so many sets are planned together."""
        self.game = game
        self._store = store
        self._bot_builds = bot_builds
        self._fitness = fitness
        self._clock = clock
        self._now_ns = now_ns
        self._room = room
        self._seed = SEED + crc32(game.name.encode())
        self._options = game.options()
        self._seats = game.seats[0]
        self._results = LadderResults(store, game, self._options)
        self._ladder: Ladder | None = None
        self._planned: deque[Fixture] = deque()
        """Matches of the plan that are not booked yet."""
        self._participants: Participants | None = None
        self._looked_ns = 0
        self._lock = Lock()

    def look_again(self) -> None:
        """A bot has come or gone."""
        self._participants = None

    def need(self) -> Need | None:
        """How much there is to play; None if there are too few bots."""
        with self._lock:
            return self._find_participants().need

    def take(self) -> Booking | None:
        """The next match, now running: one that was cut off, or a new one; None if there is none.

        Raises NotReadyError while the game's rules are compiled.
        """
        require_kernels(self.game.package)
        with self._lock:
            kind, game = BookingKind.LADDER, self.game.name
            left = take_booking(self._store, self._bot_builds, self._now_ns(), kind, game)
            return left or self._book()

    def give_up(self, booking: Booking) -> None:
        """A match was cancelled: it must not be planned again and again."""
        self.look_again()
        versions = [version_id for version_id in booking.versions if version_id is not None]
        if self._fitness.find_causes(versions):
            return
        with self._lock:
            new = self._find_participants().new
            for version_id in versions:
                if result_name(version_id) in new:
                    self._fitness.unfit[version_id] = Unfitness(booking.reason)
            self._plan_others()

    def _plan_others(self) -> None:
        """The sets that follow have other seeds."""
        self._seed += 1
        self._ladder = self._participants = None

    def _find_participants(self) -> Participants:
        now, participants = self._clock(), self._participants
        if participants is None or now - self._looked_ns >= LOOK_NS:
            self._looked_ns = now
            participants = self._participants = self._look()
        return participants

    def _look(self) -> Participants:
        programs_play = not self._bot_builds.obstacle()
        found = [
            (bot, result_name(version.id))
            for bot, version in ladder_versions(self._store, self.game)
            if version.id not in self._fitness.unfit
            and (bot.built_in or programs_play)
            and not self._bot_builds.match_obstacle([version])
        ]
        self._results.read()
        played = self._results.matches
        names = tuple(sorted(name for _, name in found))
        new = frozenset(
            name for bot, name in found if bot.owner_id is not None and played[name] < NEW
        )
        if len(names) < self._seats:
            return Participants(names, new, None)
        if new:
            return Participants(names, new, Need.NEW_BOTS)
        is_settled = all(played[name] >= SETTLED for name in names)
        return Participants(names, new, Need.SETTLED if is_settled else Need.LEARNING)

    def _book(self) -> Booking | None:
        """Book the next match of the plan that is not booked yet, and take it."""
        while (fixture := self._next_fixture()) is not None:
            versions = tuple(int(name) for name in fixture.seats)
            if match_obstacle(self._store, self._bot_builds, versions):
                if self._planned:
                    continue
                self._plan_others()  # no machine has what this one needs and that one, too
                return None
            if not all(map(self._fitness.is_ready, versions)):
                self.look_again()
                if not self._planned and self._fitness.unfit.keys().isdisjoint(versions):
                    return None  # this machine's failure: later it may go better
                continue
            new = NewBooking(
                BookingKind.LADDER,
                self.game.name,
                asdict(self._options),
                fixture.seed,
                versions,
                self._now_ns(),
                {"round": fixture.round, "number": fixture.number},
                fixture=f"{self.game.name} {fixture.seed} {'-'.join(fixture.seats)}",
            )
            with suppress(TakenError):  # by another server
                booking = self._store.bookings.add(new)
                taken = self._store.bookings.take_one(booking.id, self._now_ns())
                if taken is not None:
                    return taken
        return None

    def _next_fixture(self) -> Fixture | None:
        """The next match of the plan; None if there are too few bots, or all of it is played."""
        participants = self._find_participants()
        if participants.need is None:
            return None
        ladder = self._ladder
        if ladder is None or (ladder.bots, ladder.first) != (participants.names, participants.new):
            batch = max(BATCH, len(participants.names) // BOTS_PER_SET, self._room())
            ladder = Ladder(
                participants.names, self._seed, self._seats, batch=batch, first=participants.new
            )
            self._ladder = ladder
            self._keep_begun_sets({*participants.names})
        if not self._planned:
            self._plan(ladder)
        return self._planned.popleft() if self._planned else None

    def _plan(self, ladder: Ladder) -> None:
        booked = self._find_booked()  # first: what is done meanwhile is among the results
        tables = {seed: {*versions} for seed, versions in booked}
        for fixture in ladder.next(self._results.read()):
            versions = tuple(int(name) for name in fixture.seats)
            is_of_set = tables.get(fixture.seed, {*versions}) == {*versions}
            if is_of_set and (fixture.seed, versions) not in booked:
                self._planned.append(fixture)

    def _keep_begun_sets(self, names: set[str]) -> None:
        """Of the last plan only what completes a set that has begun is still to be played."""
        seeds = {seed for seed, _ in self._find_booked()}
        left = [one for one in self._planned if one.seed in seeds and {*one.seats} <= names]
        self._planned = deque(left)

    def _find_booked(self) -> set[Key]:
        """The latest matches that were booked, by any server: more than are planned at a time."""
        batch = BATCH if self._ladder is None else self._ladder.batch
        wanted = BookingFilter(kind=BookingKind.LADDER, game=self.game.name)
        latest = self._store.bookings.find(wanted, 4 * batch * self._seats)
        return {
            (one.seed, one.versions) for one in latest if one.state is not BookingState.CANCELLED
        }
