"""Keeps the dates of all contests, and plays those that are under way.

scheduler = ContestScheduler(store, live_matches, bot_builds, time.time_ns)
scheduler.start()  # takes up what was under way when the site ended last
scheduler.stop()   # gives it up until the next start
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from agon.arena.contests.contest_run import ContestContext, ContestRun
from agon.arena.contests.dates import keep_dates
from agon.arena.live_matches import Signal
from agon.arena.worker_thread import Worker
from agon.datastore.enums import ContestState
from agon.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.fleet.fleet import Fleet
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")
GRACE_SECONDS = 5.0
"""How long `stop` waits for runs to end; a build may take longer and is not waited for."""


class ContestScheduler:
    """Start it once; after `stop` it is done."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        bot_builds: BotBuilds,
        fleet: Fleet,
        now_ns: Callable[[], int],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Nothing runs yet. `now_ns` is the time of day, `clock` counts nanoseconds."""
        self._store = store
        self._now_ns = now_ns
        self._context = ContestContext(store, live_matches, bot_builds, fleet, clock, now_ns)
        self._worker = Worker("contests", self.look)
        self._runs: dict[int, ContestRun] = {}
        self._troubles: dict[int, str] = {}
        self._lock = Lock()
        self._is_stopped = False
        self.signal = Signal()
        """Rises when a contest is not played any more, for whatever reason."""

    def start(self) -> None:
        """From now on contests that are running are played."""
        self._worker.start()

    def drain(self) -> None:
        """Begin nothing more; matches under way are played to their end."""
        with self._lock:
            self._is_stopped = True
            runs = list(self._runs.values())
        self._worker.stop()
        for run in runs:
            run.drain()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way any more, after `drain` or `stop`."""
        with self._lock:
            return self._worker.join(0) and not self._runs

    def stop(self) -> None:
        """Give up what is under way, in order and soon; it goes on with the next start."""
        with self._lock:
            self._is_stopped = True
            runs = list(self._runs.values())
        self._worker.stop()
        for run in runs:
            run.stop()
        deadline = time.monotonic() + GRACE_SECONDS
        joins = [self._worker.join, *(run.join for run in runs)]
        late = [join for join in joins if not join(max(0.0, deadline - time.monotonic()))]
        if late:
            LOG.warning("not waited for: %s contests", len(late))

    def dead_threads(self) -> list[str]:
        """The names of threads that have ended without being stopped."""
        return [self._worker.name] if self._worker.has_died else []

    def ring(self) -> None:
        """Call it when a contest has changed."""
        self._worker.ring()

    def live(self, contest_id: int) -> list[LiveMatch]:
        with self._lock:
            run = self._runs.get(contest_id)
        return [] if run is None else run.live()

    def is_playing(self, contest_id: int) -> bool:
        """Whether the contest is played at this moment, or is being made ready for it."""
        with self._lock:
            return contest_id in self._runs

    def trouble(self, contest_id: int) -> str:
        """Why the contest was paused, or does not go on; empty if nothing is wrong."""
        with self._lock:
            run = self._runs.get(contest_id)
        if run is None:
            return self._troubles.get(contest_id, "")
        return f"It waits: {run.waits_for}." if run.waits_for else ""

    def look(self) -> bool:
        """Check all contests once. False: there is nothing more to do for now."""
        for contest in self._store.contests.all():
            current = keep_dates(self._store, contest, self._now_ns())
            with self._lock:
                run = self._runs.get(current.id)
                if current.state is not ContestState.RUNNING:
                    if run is not None:
                        run.stop()
                elif run is not None:
                    self._keep_up(current, run)
                elif not self._is_stopped and self._claim(current):
                    self._troubles.pop(current.id, None)
                    self._runs[current.id] = run = ContestRun(current, self._context, self._on_end)
                    run.start()
        return False

    def _keep_up(self, contest: Contest, run: ContestRun) -> None:
        """Stop a run if another server plays the contest: this one was taken for gone."""
        if self._claim(contest):
            run.give_up_gone()
        else:
            LOG.warning("contest %s is played by another server now", contest.id)
            run.stop()

    def _claim(self, contest: Contest) -> bool:
        """Whether this server is to play it: no other one does."""
        own = self._store.servers.own_id
        is_own = own is not None and contest.server_id == own
        return is_own or self._store.contests.claim(contest.id)

    def _on_end(self, run: ContestRun) -> None:
        with suppress(DatabaseError):  # then it is still this server's
            self._store.contests.release(run.contest.id)
        with self._lock:
            del self._runs[run.contest.id]
            if run.trouble:
                self._troubles[run.contest.id] = run.trouble
        self.signal.rise()
        self.ring()  # it may have been told to go on meanwhile
