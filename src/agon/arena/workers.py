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
from contextlib import suppress
from typing import TYPE_CHECKING

from agon.arena.booking_queue import take_booking
from agon.arena.bot_builds import BotBuilds
from agon.arena.check_runner import CheckRunner
from agon.arena.clock_watch import ClockWatch
from agon.arena.cluster.node_labels import HOLDS
from agon.arena.cluster.ray_fleet import RayFleet
from agon.arena.fleet.job_counts import CountedFleet
from agon.arena.fleet.local_fleet import LocalFleet
from agon.arena.fleet.task_runner import FleetSettings
from agon.arena.ladder.default_bots import enter_built_in, enter_examples
from agon.arena.ladder.threads import LadderThreads
from agon.arena.match_runner import MatchRunner
from agon.arena.settings import MOST_THREADS, WorkerSettings, ladder_share
from agon.arena.worker_thread import Worker, WorkerPool
from agon.datastore.enums import BookingKind
from agon.errors import ArbiterError
from agon.games.registry import all_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.live_matches import LiveMatches, Signal
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")
NICE = 5
"""How much the processes that play matches stand back, so that pages are answered soon."""
GRACE_SECONDS = 5.0
"""How long `stop` waits for threads; a build may take longer and is not waited for."""
CANCELLED_SECONDS = 1.0
"""Between two looks for jobs under way that were cancelled."""
LOOK_SECONDS = 5.0
"""Between two looks at how many servers share the cluster, and what its machines can do."""
NOWHERE = "no machine of the cluster can hold programs of others safely now"


class Workers:
    """Start it once; after `stop` it is done."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        now_ns: Callable[[], int] = time.time_ns,
        settings: WorkerSettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        processes: LocalFleet | RayFleet | None = None,
    ) -> None:
        """Nothing runs yet. `now_ns` is the time of day, `clock` counts nanoseconds.

        `processes` play the matches; without them those that the settings name.
        """
        self.settings = settings or WorkerSettings()
        self._store = store
        self._now_ns = now_ns
        self._stopping = threading.Event()
        self._draining = threading.Event()
        self.processes = processes or self._open_fleet()
        self._servers = 1
        self._is_held = True
        """Whether the sandbox holds on a machine of the cluster, as far as is known."""
        self.fleet = CountedFleet(self.processes)
        """Plays the matches of the ladder, of challenges and of contests."""
        self.bot_builds = self._find_builds()
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
        self._checkers = WorkerPool(
            "check", self.check_runner.check_next, lambda: self._jobs(self.settings.check_jobs)
        )
        self._challengers = WorkerPool(
            "challenge", self._play_challenge, lambda: self._jobs(self.settings.challenge_jobs)
        )
        self._ladder_threads = LadderThreads(
            store,
            live_matches,
            self._match_runner,
            self.bot_builds,
            self.settings,
            clock,
            now_ns,
            self._draining,
            self.ladder_room,
        )
        self.ladder = self._ladder_threads.service
        self._watches = [
            Worker("clock", ClockWatch(now_ns, clock).look),
            Worker("cancelled jobs", self._give_up_cancelled, CANCELLED_SECONDS),
        ]
        if isinstance(self.processes, RayFleet):
            self._watches.append(Worker("cluster", self.look_at_cluster, LOOK_SECONDS))

    def _open_fleet(self) -> LocalFleet | RayFleet:
        settings = FleetSettings(self.settings.unsafe_host, nice=NICE)
        if self.settings.cluster:
            return RayFleet(self.settings.cluster, settings)
        return LocalFleet(self.settings.fleet_size, settings)

    def _find_builds(self) -> BotBuilds:
        unsafe_host = self.settings.unsafe_host
        if isinstance(self.processes, LocalFleet):
            return BotBuilds(self._store, unsafe_host=unsafe_host)
        return BotBuilds(
            self._store,
            unsafe_host=unsafe_host,
            elsewhere=self._cluster_obstacle,
            tell_lack=self.processes.match_obstacle,
        )

    def ladder_room(self) -> int:
        """How many matches of the ladder this server may have under way."""
        if isinstance(self.processes, LocalFleet):
            return self.settings.ladder_jobs
        return self.settings.ladder_jobs or ladder_share(self.processes.cores, self._servers)

    def look_at_cluster(self) -> bool:
        """Servers and machines of a cluster come and go: find anew what this server has of it."""
        self._servers = len(self._store.servers.all())
        for pool in self._pools:
            pool.grow()
        if isinstance(self.processes, RayFleet):
            with suppress(ArbiterError):  # it does not answer: nothing new is known
                nodes, _ = self.processes.read()
                self._is_held = any(node.cores and node.sandbox == HOLDS for node in nodes)
        return False

    def _cluster_obstacle(self) -> str:
        return "" if self._is_held or self.settings.unsafe_host else NOWHERE

    def _jobs(self, chosen: int) -> int:
        return chosen or min(MOST_THREADS, max(1, self.processes.cores))

    @property
    def _pools(self) -> list[WorkerPool]:
        return [self._ladder_threads.playing, self._checkers, self._challengers]

    @property
    def _workers(self) -> list[Worker]:
        playing = [worker for pool in self._pools for worker in pool.workers]
        return [*playing, *self._ladder_threads.showing, *self._watches]

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
                "the site was cut off: to be played once more: %s; bots to be checked: %s",
                interrupted,
                len(again),
            )
        for worker in self._workers:
            worker.ring()

    def start_ladders(self) -> None:
        """Begin to play on the ladder, each game as soon as its rules are ready."""
        self._enter_bots()
        self.take_over()
        self._ladder_threads.playing.start()
        for worker in (*self._ladder_threads.showing, *self._watches):
            worker.start()

    def start_queues(self) -> None:
        """Begin with what users have asked for; the rules of all games are ready."""
        self._checkers.start()
        self._challengers.start()

    def drain(self) -> None:
        """Begin nothing more; what is under way ends by itself, shown as fast as it is played."""
        self._draining.set()
        self._begin_nothing()
        self._match_runner.hurry()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way any more, after `drain` or `stop`."""
        return all(worker.join(0) for worker in self._workers)

    def stop(self) -> None:
        """Abandon what is under way."""
        self._begin_nothing()
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

    def _begin_nothing(self) -> None:
        for pool in self._pools:
            pool.stop()
        for worker in (*self._ladder_threads.showing, *self._watches):
            worker.stop()

    def dead_threads(self) -> list[str]:
        """The names of threads that have ended without being stopped."""
        return [worker.name for worker in self._workers if worker.has_died]

    def ring_checkers(self) -> None:
        """A bot waits for its check."""
        self._checkers.ring()

    def ring_challengers(self) -> None:
        """A challenge waits to be played."""
        self._challengers.ring()

    def ring_ladder(self, game: str) -> None:
        """A bot has come to the ladder of a game."""
        self.ladder.look_again(game)
        self._ladder_threads.ring()

    def _on_pass(self, version_id: int) -> None:
        version = self._store.versions.get(version_id)
        self.ring_ladder(self._store.bots.get(version.bot_id).game)

    def _give_up_cancelled(self) -> bool:
        self._match_runner.give_up_cancelled()
        self.check_runner.give_up_withdrawn()
        return False

    def _play_challenge(self) -> bool:
        now_ns, kind = self._now_ns(), BookingKind.CHALLENGE
        booking = take_booking(self._store, self.bot_builds, now_ns, kind)
        if booking is None:
            return False
        self._match_runner.play(booking, self.settings.challenge_pace_ns, rated=False)
        return True

    def _enter_bots(self) -> None:
        for game in all_games():
            now_ns = self._now_ns()
            enter_built_in(self._store, game, now_ns)
            enter_examples(self._store, game, self.settings.examples, now_ns)
