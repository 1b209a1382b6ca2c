"""Builds and checks uploaded bots, one after the other, and writes a report of each.

A bot that passes is active from then on, one that fails has failed. If this machine fails, the
output says so, and its author may ask for another check; what a stop of the site cuts off waits in
the queue again.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, load_program
from agon.arbiter.pool import StoppedError
from agon.arena.check_report import plain
from agon.arena.fleet.carry_out import CHECKED, raise_failure
from agon.arena.fleet.jobs import CheckBot, CheckedBot, FailedJob, ReportPart
from agon.arena.live_matches import Signal
from agon.datastore.enums import VersionStatus
from agon.errors import AgonError, DatabaseError, DatastoreError, SettingError, UnfitBotError
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agon.arbiter.limits import Limits
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.fleet.fleet import Fleet
    from agon.arena.fleet.jobs import JobPart, JobResult
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion

LOG = logging.getLogger("agon.arena")
WITHDRAWN = "It was withdrawn.\n"
OURS = "\nThis machine could not go on with the check; that is not the bot's fault.\n"


class CheckRunner:
    """Takes checks from the queue. Threads may share it."""

    def __init__(
        self,
        store: Store,
        bot_builds: BotBuilds,
        fleet: Fleet,
        limits: Limits,
        now_ns: Callable[[], int],
        on_pass: Callable[[int], None] = lambda version_id: None,
    ) -> None:
        """The limits are the arena's; `on_pass` is told of a version that has passed."""
        self._store = store
        self._bot_builds = bot_builds
        self._fleet = fleet
        self._limits = limits
        self._now_ns = now_ns
        self._on_pass = on_pass
        self._jobs: dict[str, int] = {}
        """The keys of the jobs under way, and the versions that they check."""
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
            if self._is_stopped:
                LOG.warning("check %s is given up: the site ends", check.id)
            else:
                self._store.checks.append(check.id, WITHDRAWN)
                self._store.checks.end(check.id, passed=False, now_ns=self._now_ns())
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
        with self._lock:
            self._is_stopped = True
            keys = list(self._jobs)
        for key in keys:
            self._fleet.cancel(key)

    def give_up_withdrawn(self) -> None:
        """Give up the checks under way of versions that were withdrawn."""
        with self._lock:
            jobs = dict(self._jobs)
        for key, version_id in jobs.items():
            if self._store.versions.get(version_id).status is VersionStatus.WITHDRAWN:
                self._fleet.cancel(key)

    def _examine(self, check_id: int, version: BotVersion) -> bool:
        """Build and check a version; whether it passed."""
        bot = self._store.bots.get(version.bot_id)
        title = find_game(bot.game).title
        self._add(check_id, f"{plain(bot.name)}, version {version.number}, for {title}\n\n")
        folder = self._bot_builds.unpack(version.id)
        if folder is None or version.status is VersionStatus.WITHDRAWN:
            self._add(check_id, WITHDRAWN)
            return False
        job = CheckBot(f"check {check_id}", bot.game, version.fingerprint, self._limits)
        entrant = Entrant(CHECKED, find_program(bot.name, folder))
        result = self._have_checked(job, entrant, check_id, version.id)
        if isinstance(result, FailedJob):
            raise_failure(result)
        assert isinstance(result, CheckedBot)  # noqa: S101  a check was asked for
        return result.passed

    def _have_checked(
        self, job: CheckBot, bot: Entrant, check_id: int, version_id: int
    ) -> JobResult:
        with self._lock:
            if self._is_stopped:
                raise StoppedError("the check was given up")
            self._jobs[job.key] = version_id

        def on_part(part: JobPart) -> None:
            if isinstance(part, ReportPart):
                self._add(check_id, part.text)

        try:
            return self._fleet.carry_out(job, [bot], on_part)
        finally:
            with self._lock:
                del self._jobs[job.key]

    def _add(self, check_id: int, text: str) -> None:
        self._store.checks.append(check_id, text)
        self.signal.rise()


def find_program(name: str, folder: Path) -> Program:
    """The program in a folder; if its settings cannot be read, the check will say so."""
    try:
        return replace(load_program(folder), name=name)
    except (SettingError, UnfitBotError):
        return Program(name, (), folder)
