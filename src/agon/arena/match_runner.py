"""Plays the match of a booking: stores it, closes the booking, and may show it live.

A match that cannot be brought to its end because everything stops, or because this machine was too
late for it, goes back to the queue and is played again. A match that cannot be played at all is
cancelled, with the reason. One that is cancelled while it is played is given up.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Event, Lock
from typing import TYPE_CHECKING

from agon.arbiter.pool import StoppedError
from agon.arena.fleet.carry_out import find_among
from agon.arena.fleet.fleet import FleetMatches
from agon.arena.fleet.jobs import JobPlayer, PlayMatch, job_setup
from agon.arena.match_record import stored_form
from agon.arena.pace import Pace, PacedMatch
from agon.arena.rate_match import rate_result
from agon.arena.rules_loader import await_rules
from agon.datastore.enums import VersionStatus
from agon.errors import (
    ArbiterError,
    DatastoreError,
    ExhaustedError,
    GivenUpError,
    NoMachineError,
    SandboxError,
    SettingError,
)
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.limits import Limits
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.fleet.fleet import Fleet
    from agon.arena.fleet.jobs import PlayedMatch
    from agon.arena.live_matches import LiveMatches
    from agon.datastore.bookings import Booking
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion

LOG = logging.getLogger("agon.arena")
MOST_ATTEMPTS = 5
"""How often a match is started before it is cancelled."""


class MatchRunner:
    """Plays bookings. Threads may share it."""

    def __init__(
        self,
        store: Store,
        live_matches: LiveMatches,
        bot_builds: BotBuilds,
        fleet: Fleet,
        limits: Limits,
        clock: Callable[[], int],
        now_ns: Callable[[], int],
        stopping: Event,
    ) -> None:
        """`clock` counts nanoseconds, `now_ns` is the time of day."""
        self._store = store
        self._live_matches = live_matches
        self._bot_builds = bot_builds
        self._fleet = fleet
        self._limits = limits
        self._clock = clock
        self._now_ns = now_ns
        self._stopping = stopping
        self._hurrying = Event()
        self._playing: dict[tuple[int, int], FleetMatches] = {}
        """By the ids of the bookings and the numbers of the attempts."""
        self._lock = Lock()

    def hurry(self) -> None:
        """Show matches as fast as they are played, so that they end soon."""
        self._hurrying.set()

    def stop(self) -> None:
        """Give up all matches under way, when `stopping` is set."""
        self.hurry()
        with self._lock:
            playing = list(self._playing.values())
        for matches in playing:
            matches.stop()

    def give_up_cancelled(self) -> None:
        """Give up the matches under way that would not be stored.

        Their bookings were cancelled, as a bot plays no more; or another server has begun them
        again, as this one was taken for gone.
        """
        with self._lock:
            playing = dict(self._playing)
        if not playing:
            return
        wanted = self._store.bookings.open_attempts({booking_id for booking_id, _ in playing})
        for attempt in playing.keys() - wanted:
            playing[attempt].stop()

    def play(self, booking: Booking, pace_ns: int | None, *, rated: bool) -> int | None:
        """Play a booking that was taken; the id of the stored match, None if there is none.

        With a pace it is shown live at that pace, and stored when all of it was shown.
        """
        if booking.attempts > MOST_ATTEMPTS:
            self._cancel(booking, f"it was begun {MOST_ATTEMPTS} times and never ended")
            return None
        try:
            return self._play(booking, pace_ns, rated)
        except StoppedError:
            self._put_back(booking)
        except (ExhaustedError, MemoryError) as error:
            LOG.warning("booking %s waits, as this machine is exhausted: %s", booking.id, error)
            self._put_back(booking, counts=False)
        except NoMachineError as error:
            LOG.warning("booking %s waits: %s", booking.id, error)
            self._put_back(booking, counts=False)
        except ArbiterError as error:  # this machine's failure, LateError among them
            LOG.warning("booking %s is put back: %s", booking.id, error)
            self._put_back(booking)
        except (SettingError, SandboxError) as error:
            self._cancel(booking, str(error))
        except BaseException:
            self._put_back(booking)
            raise
        return None

    def _play(self, booking: Booking, pace_ns: int | None, rated: bool) -> int | None:
        game = find_game(booking.game)
        await_rules(game)
        versions = [version for version in booking.versions if version is not None]
        fingerprints = [self._find_active(version_id).fingerprint for version_id in versions]
        entrants = self._bot_builds.entrants(versions)
        job = PlayMatch(
            f"booking {booking.id}, attempt {booking.attempts}",
            game.name,
            game.rules_version,
            dict(booking.options),
            booking.seed,
            tuple(
                JobPlayer(one.name, one.built_in, fingerprint)
                for one, fingerprint in zip(entrants, fingerprints, strict=True)
            ),
            self._limits,
        )
        begin_ns = self._now_ns()
        matches = FleetMatches(self._fleet, find_among(entrants))
        with self._lock:
            self._playing[booking.id, booking.attempts] = matches
        try:
            if self._stopping.is_set():
                matches.stop()
            if pace_ns is None:
                return self._keep(booking, matches.play(job), begin_ns, rated)
            pace = Pace(pace_ns, self._clock, self._hurrying)
            showing = PacedMatch(
                self._live_matches, job_setup(game, job), begin_ns, pace, booking.id
            )
            match_id = None
            try:
                played = matches.play(job, showing.on_record)
                showing.wait()
                match_id = self._keep(booking, played, begin_ns, rated)
            finally:
                showing.end(match_id)
            return match_id
        finally:
            with self._lock:
                del self._playing[booking.id, booking.attempts]

    def _find_active(self, version_id: int) -> BotVersion:
        """A version that may play; it may have been withdrawn since the match was booked."""
        version = self._store.versions.get(version_id)
        if version.status is not VersionStatus.ACTIVE:
            raise SettingError(f"a bot plays no more: it is {version.status}")
        return version

    def _keep(self, booking: Booking, match: PlayedMatch, begin_ns: int, rated: bool) -> int | None:
        """Store the match; None if it was given up meanwhile."""
        versions = [version for version in booking.versions if version is not None]
        end_ns = self._now_ns()
        new = stored_form(match, versions, begin_ns, end_ns, rated=rated)
        rate = rate_result(match, versions) if rated else None
        try:
            return self._store.record_booked_match(booking.id, new, end_ns, rate, booking.attempts)
        except GivenUpError as error:
            LOG.warning("a match is not stored: %s", error)
            return None

    def _put_back(self, booking: Booking, *, counts: bool = True) -> None:
        with suppress(DatastoreError):  # it was cancelled meanwhile
            self._store.bookings.put_back(booking, counts=counts)

    def _cancel(self, booking: Booking, reason: str) -> None:
        LOG.warning("booking %s is cancelled: %s", booking.id, reason)
        with suppress(DatastoreError):
            self._store.bookings.cancel(booking.id, self._now_ns(), reason)
