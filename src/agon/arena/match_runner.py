"""Plays the match of a booking: stores it, closes the booking, and may show it live.

A match that cannot be brought to its end because everything stops, or because this machine was too
late for it, goes back to the queue and is played again. A match that cannot be played at all is
cancelled, with the reason.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial
from threading import Event, Lock
from typing import TYPE_CHECKING

from agon.arbiter.pool import StoppedError
from agon.arena.carry_out import find_among
from agon.arena.fleet import FleetMatches
from agon.arena.jobs import JobPlayer, PlayMatch, job_setup
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
    SandboxError,
    SettingError,
)
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.limits import Limits
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.fleet import Fleet, OnRecord
    from agon.arena.jobs import PlayedMatch
    from agon.arena.live_matches import LiveMatch, LiveMatches
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
        self._showings: dict[int, PacedMatch] = {}
        self._playing: set[FleetMatches] = set()
        self._lock = Lock()

    def hurry(self) -> None:
        """Show matches as fast as they are played, so that they end soon."""
        self._hurrying.set()

    def stop(self) -> None:
        """Give up all matches under way, when `stopping` is set."""
        self.hurry()
        with self._lock:
            playing = list(self._playing)
        for matches in playing:
            matches.stop()

    def live(self, booking_id: int) -> LiveMatch | None:
        """The live match of a booking, while it is played."""
        with self._lock:
            showing = self._showings.get(booking_id)
        return None if showing is None else showing.live

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
            f"booking {booking.id}",
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
            self._playing.add(matches)
        try:
            if self._stopping.is_set():
                matches.stop()
            if pace_ns is None:
                return self._keep(booking, matches.play(job), begin_ns, rated)
            pace = Pace(pace_ns, self._clock, self._hurrying)
            showing = PacedMatch(self._live_matches, job_setup(game, job), begin_ns, pace)
            keep = partial(self._keep, booking, begin_ns=begin_ns, rated=rated)
            return self._play_shown(booking, partial(matches.play, job), showing, keep)
        finally:
            with self._lock:
                self._playing.remove(matches)

    def _play_shown(
        self,
        booking: Booking,
        play: Callable[[OnRecord], PlayedMatch],
        showing: PacedMatch,
        keep: Callable[[PlayedMatch], int | None],
    ) -> int | None:
        with self._lock:
            self._showings[booking.id] = showing
        match_id = None
        try:
            played = play(showing.on_record)
            showing.wait()
            match_id = keep(played)
        finally:
            showing.end(match_id)
            with self._lock:
                del self._showings[booking.id]
        return match_id

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
