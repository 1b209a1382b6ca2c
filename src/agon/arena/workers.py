"""The site's threads: the ladder and its showing, challenges, and checks of bots.

    workers = Workers(store, live_matches, time.time_ns, WorkerSettings())
    workers.start()   # at the beginning of the application's life, and
    workers.stop()    # at its end

Nothing is lost without `stop`: the next start marks what was under way, and does it again.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from agon.arena.bot_builds import BotBuilds
from agon.arena.check_runner import CheckRunner
from agon.arena.clock_watch import ClockWatch
from agon.arena.job_counts import CountedFleet
from agon.arena.ladder.default_bots import enter_built_in, enter_examples
from agon.arena.ladder.threads import LadderThreads
from agon.arena.local_fleet import LocalFleet
from agon.arena.match_runner import MatchRunner
from agon.arena.ray_fleet import RayFleet
from agon.arena.settings import WorkerSettings
from agon.arena.task_runner import FleetSettings
from agon.arena.worker_thread import Worker
from agon.datastore.enums import BookingKind
from agon.games.registry import all_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.live_matches import LiveMatch, LiveMatches, Signal
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")
NICE = 5
"""How much the processes that play matches stand back, so that pages are answered soon."""
GRACE_SECONDS = 5.0
"""How long `stop` waits for threads; a build may take longer and is not waited for."""


class Workers:
    """Start it once; after `stop` it is done."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        now_ns: Callable[[], int] = time.time_ns,
        settings: WorkerSettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Nothing runs yet. `now_ns` is the time of day, `clock` counts nanoseconds."""
        self.settings = settings or WorkerSettings()
        self._store = store
        self._now_ns = now_ns
        self._stopping = threading.Event()
        self._draining = threading.Event()
        self.processes = self._open_fleet()
        self.fleet = CountedFleet(self.processes)
        """Plays the matches of the ladder, of challenges and of contests."""
        self.bot_builds = BotBuilds(
            store,
            unsafe_host=self.settings.unsafe_host,
            builds_here=not self.settings.cluster,
        )
        self.check_runner = CheckRunner(
            store,
            self.bot_builds,
            self.fleet,
            self.settings.limits,
            now_ns,
            self._on_pass,
        )
        self._match_runner = MatchRunner(
            store,
            live_matches,
            self.bot_builds,
            self.fleet,
            self.settings.limits,
            clock,
            now_ns,
            self._stopping,
        )
        self._checkers = [
            Worker(f"check {number}", self.check_runner.check_next)
            for number in range(self.settings.check_jobs)
        ]
        self._challengers = [
            Worker(f"challenge {number}", self._play_challenge)
            for number in range(self.settings.challenge_jobs)
        ]
        self._ladder_threads = LadderThreads(
            store,
            live_matches,
            self._match_runner,
            self.bot_builds,
            self.settings,
            clock,
            now_ns,
            self._draining,
            self._ladder_room,
        )
        self.ladder = self._ladder_threads.service
        self._clock_watch = Worker("clock", ClockWatch(now_ns, clock).look)

    def _open_fleet(self) -> LocalFleet | RayFleet:
        settings = FleetSettings(self.settings.unsafe_host, nice=NICE)
        if self.settings.cluster:
            return RayFleet(self.settings.cluster, settings)
        return LocalFleet(self.settings.fleet_size, settings)

    def _ladder_room(self) -> int:
        """How many matches of the ladder may be under way."""
        if isinstance(self.processes, LocalFleet):
            return self.settings.ladder_jobs
        return self.settings.ladder_jobs or max(1, self.processes.cores - 1)

    @property
    def _workers(self) -> list[Worker]:
        ladder = self._ladder_threads.workers
        return [*self._checkers, *self._challengers, *ladder, self._clock_watch]

    @property
    def check_signal(self) -> Signal:
        """Rises when there is news of a check."""
        return self.check_runner.signal

    def start(self) -> None:
        """Take up what the last run of the site has left, then begin all work."""
        self.start_ladders()
        self.start_queues()

    def take_over(self) -> None:
        """Take up what servers that are gone have left."""
        interrupted = self._store.bookings.mark_interrupted()
        again = self._store.checks.mark_interrupted(self._now_ns())
        if interrupted or again:
            LOG.warning(
                "the site was cut off: %s matches are played, %s bots checked once more",
                interrupted,
                len(again),
            )
        for worker in self._workers:
            worker.ring()

    def start_ladders(self) -> None:
        """Begin to play on the ladder, each game as soon as its rules are ready."""
        self._enter_bots()
        self.take_over()
        for worker in self._ladder_threads.workers:
            worker.start()

    def start_queues(self) -> None:
        """Begin with what users have asked for; the rules of all games are ready."""
        for worker in (*self._checkers, *self._challengers, self._clock_watch):
            worker.start()

    def drain(self) -> None:
        """Begin nothing more; what is under way ends by itself, shown as fast as it is played."""
        self._draining.set()
        for worker in self._workers:
            worker.stop()
        self._match_runner.hurry()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way any more, after `drain` or `stop`."""
        return all(worker.join(0) for worker in self._workers)

    def stop(self) -> None:
        """Abandon what is under way."""
        for worker in self._workers:
            worker.stop()
        self._stopping.set()
        self._draining.set()
        self._match_runner.stop()
        self.check_runner.stop()
        deadline = time.monotonic() + GRACE_SECONDS
        late = [
            worker.name
            for worker in self._workers
            if not worker.join(max(0.0, deadline - time.monotonic()))
        ]
        if late:
            LOG.warning("not waited for: %s", ", ".join(late))
        self.processes.close()
        self.bot_builds.close()

    def dead_threads(self) -> list[str]:
        """The names of threads that have ended without being stopped."""
        return [worker.name for worker in self._workers if worker.has_died]

    def ring_checkers(self) -> None:
        """A bot waits for its check."""
        for worker in self._checkers:
            worker.ring()

    def ring_challengers(self) -> None:
        """A challenge waits to be played."""
        for worker in self._challengers:
            worker.ring()

    def ring_ladder(self, game: str) -> None:
        """A bot has come to the ladder of a game."""
        self.ladder.look_again(game)
        self._ladder_threads.ring()

    def _on_pass(self, version_id: int) -> None:
        version = self._store.versions.get(version_id)
        self.ring_ladder(self._store.bots.get(version.bot_id).game)

    def live(self, booking_id: int) -> LiveMatch | None:
        """The live match of a booking, while it is played."""
        return self._match_runner.live(booking_id)

    def _play_challenge(self) -> bool:
        booking = self._store.bookings.take(self._now_ns(), (BookingKind.CHALLENGE,))
        if booking is None:
            return False
        self._match_runner.play(booking, self.settings.challenge_pace_ns, rated=False)
        return True

    def _enter_bots(self) -> None:
        for game in all_games():
            now_ns = self._now_ns()
            enter_built_in(self._store, game, now_ns)
            enter_examples(self._store, game, self.settings.examples, now_ns)
