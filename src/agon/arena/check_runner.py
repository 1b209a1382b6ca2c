"""Builds and checks uploaded bots, one after the other, and writes a report of each.

A bot that passes is active from then on, one that fails has failed. If this machine fails, the
output says so, and its author may ask for another check; what a stop of the site cuts off waits in
the queue again.
"""

from __future__ import annotations

import logging
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakSet

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant
from agon.arbiter.pool import StoppedError
from agon.arbiter.series import SeriesRunner
from agon.arena.carry_out import JobRunner
from agon.arena.check_report import plain
from agon.arena.jobs import CheckBot
from agon.arena.live_matches import Signal
from agon.arena.rules_loader import await_rules
from agon.datastore.enums import VersionStatus
from agon.errors import AgonError, DatabaseError, DatastoreError
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agon.arbiter.bot_process import Process
    from agon.arbiter.limits import Limits
    from agon.arena.bot_builds import BotBuilds
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion

LOG = logging.getLogger("agon.arena")
OURS = "\nThis machine could not go on with the check; that is not the bot's fault.\n"


class CheckRunner:
    """Takes checks from the queue. Threads may share it."""

    def __init__(
        self,
        store: Store,
        bot_builds: BotBuilds,
        limits: Limits,
        clock: Callable[[], int],
        now_ns: Callable[[], int],
        late_since: Callable[[int], int],
        on_pass: Callable[[int], None] = lambda version_id: None,
    ) -> None:
        """The limits are the arena's; `on_pass` is told of a version that has passed."""
        self._store = store
        self._bot_builds = bot_builds
        self._limits = limits
        self._clock = clock
        self._now_ns = now_ns
        self._late_since = late_since
        self._on_pass = on_pass
        self._running: WeakSet[Process] = WeakSet()
        self._lock = Lock()
        self._is_stopped = False
        self.signal = Signal()
        """Rises when there is news of a check."""

    def check_next(self) -> bool:
        """Do the next check; False if none waits."""
        if self._is_stopped or self._bot_builds.obstacle():
            return False
        check = self._store.checks.take(self._now_ns())
        if check is None:
            return False
        self.signal.rise()
        try:
            passed = self._examine(check.id, self._store.versions.get(check.version_id))
            self._store.checks.end(check.id, passed=passed, now_ns=self._now_ns())
            if passed:
                self._on_pass(check.version_id)
        except StoppedError:
            LOG.warning("check %s is given up: the site ends", check.id)
        except (DatabaseError, DatastoreError):
            raise
        except Exception as error:  # whatever went wrong, its author must not wait for ever
            LOG.exception("check %s failed", check.id)
            told = plain(str(error)) if isinstance(error, AgonError) else "It has been noted."
            self._store.checks.append(check.id, f"{OURS}{told}\n")
            self._store.checks.end(check.id, passed=False, now_ns=self._now_ns())
        self.signal.rise()
        return True

    def stop(self) -> None:
        """Abandon the checks under way; they are done again when the site starts."""
        self._is_stopped = True
        with self._lock:
            running = list(self._running)
        for process in running:
            process.stop()

    def _examine(self, check_id: int, version: BotVersion) -> bool:
        """Build and check a version; whether it passed."""
        bot = self._store.bots.get(version.bot_id)
        await_rules(find_game(bot.game))
        folder = self._bot_builds.unpack(version.id)
        notes = _CheckOutput(self._store, check_id, folder, self.signal)
        notes.add(
            f"{plain(bot.name)}, version {version.number}, for {find_game(bot.game).title}\n\n"
        )
        if folder is None or version.status is VersionStatus.WITHDRAWN:
            notes.add("It was withdrawn.\n")
            return False
        job = CheckBot(f"check {check_id}", bot.game, version.fingerprint, self._limits)
        series = SeriesRunner(self._clock, self._launch, self._late_since)
        entrant = Entrant(bot.name, Program(bot.name, (), folder))
        runner = JobRunner(series, lambda _: entrant, unsafe_host=self._bot_builds.unsafe_host)
        return runner.check(job, notes.add, self._go_on).passed

    def _go_on(self) -> None:
        if self._is_stopped:
            raise StoppedError("the check was given up")

    def _launch(self, program: Program) -> Process:
        """Start a program that can be stopped from another thread."""
        process = self._bot_builds.launch(program)
        with self._lock:
            self._running.add(process)
        if self._is_stopped:
            process.stop()
        return process


class _CheckOutput:
    """Writes into the check's output, without the path of the bot's folder."""

    def __init__(self, store: Store, check_id: int, folder: Path | None, signal: Signal) -> None:
        self._store = store
        self._check_id = check_id
        self._folder = f"{folder}/"
        self._signal = signal

    def add(self, text: str) -> None:
        if text:
            self._store.checks.append(self._check_id, text.replace(self._folder, ""))
            self._signal.rise()
