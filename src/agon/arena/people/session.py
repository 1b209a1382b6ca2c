"""One match with people in it: who sits where, where it stands, how it ended.

It waits until all seats are taken; then a `PlayRunner` plays it. Every change is in the journal
before a page can show it, so that a match goes on where it was when the site starts again. Pages
wait for the session's signal, which rises with everything that happens.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any

from agon.arena.live_matches import Signal
from agon.arena.people.context import StaleError, State
from agon.arena.people.runner import PlayRunner, RunnerEvents
from agon.errors import IllegalMoveError, SettingError
from agon.match.transcript import OtherEvent, TurnEvent
from agon.match.wording import tell_outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from agon.arena.live_matches import LiveMatch
    from agon.arena.people.context import PlayContext
    from agon.arena.people.party import Party, Person
    from agon.games.clicks import Step
    from agon.games.game import Game, Outcome, Position
    from agon.match.match import Match
    from agon.match.result import MatchResult
    from agon.match.transcript import Event, Fault

LOG = logging.getLogger("agon.arena")
WITHDRAWN = "The invitation was withdrawn."


@dataclass(frozen=True, slots=True)
class PlayOutlets:
    """Where a session shows and stores its match."""

    show: Callable[[PlaySession], LiveMatch]
    """Show the match to spectators, when it begins."""
    note: Callable[[PlaySession], None]
    """Write the new events to the journal."""
    keep: Callable[[PlaySession, MatchResult], int]
    """Store the match; its number."""
    forget: Callable[[PlaySession], None]
    """Remove the match from the journal: it was not played."""


class PlaySession:
    """One match with people in it. All methods may be called from any thread."""

    def __init__(
        self,
        key: str,
        party: Party,
        match: Match,
        now_ns: int,
        context: PlayContext,
        outlets: PlayOutlets,
    ) -> None:
        """A match that waits for players, or goes on from its events: `join` and `begin`."""
        self.key = key
        self.party = party
        self.begin_ns = now_ns
        self.seen_ns = now_ns
        """When a request last asked for it."""
        self.state = State.WAITING
        self.moment = 0
        """The number of the position: 0 before the match has begun. It rises with every change."""
        self.match_id: int | None = None
        self.trouble = ""
        """Why it could not be played to its end; for people."""
        self.is_interrupted = False
        """Whether the end of the site has ended it."""
        self.rematch: str | None = None
        """The key of the match that follows."""
        self.following = Lock()
        """Held while a rematch is opened."""
        self.written = len(match.events)
        """How many events the journal has; for `PlayJournal`."""
        self.signal = Signal()
        self.streams = 0
        """How many pages follow it."""
        self.is_closed = False
        """Whether nothing will ever happen here any more."""
        self._context = context
        self._outlets = outlets
        self._lock = RLock()
        self._live: LiveMatch | None = None
        self._runner = self._new_runner(match)

    # --- what a page asks ---

    @property
    def game(self) -> Game:
        return self.party.game

    @property
    def match(self) -> Match:
        """Not to be changed here, nor read without the lock while it is played."""
        return self._runner.match

    @property
    def is_under_way(self) -> bool:
        """Whether it is played, here and now: not any more if the site is being stopped."""
        return self.state is State.PLAYING and not self.is_closed

    @property
    def now(self) -> tuple[int, Position[Any]]:
        """The number of the position, and the position."""
        with self._lock:
            return self.moment, self.match.position

    @property
    def position(self) -> Position[Any]:
        return self.now[1]

    @property
    def outcome(self) -> Outcome | None:
        with self._lock:
            return self.match.outcome

    @property
    def events(self) -> tuple[Event, ...]:
        with self._lock:
            return tuple(self.match.events)

    def fault_of(self, seat: int) -> Fault | None:
        """Why a seat plays no more; None: it plays."""
        with self._lock:
            return self.match.faults[seat]

    def thought_ns(self, seat: int) -> int:
        """How long a seat has thought in turns that are over."""
        turns = (event for event in self.events if isinstance(event, TurnEvent))
        return sum(event.ns.get(seat, 0) for event in turns)

    def may_act(self, seat: int) -> bool:
        """Whether a person owes a turn now."""
        with self._lock:
            return seat in self._runner.owed and self._runner.is_person(seat)

    def thinking(self) -> list[int]:
        """The seats that the match waits for; people before bots, which are quicker."""
        with self._lock:
            owed = self._runner.owed
            return [seat for seat in owed if self._runner.is_person(seat)] or list(owed)

    def verdict(self) -> str:
        """How it ended, in words; empty while it goes on."""
        if self.state is not State.OVER:
            return ""
        return self.trouble or tell_outcome(self.outcome, self.party.names)

    def find_step(self, seat: int, moment: int) -> Step | None:
        """The empty turn of a person in the position of that number; None if none is owed."""
        try:
            return self.step(seat, moment, [])
        except StaleError:
            return None

    def step(self, seat: int, moment: int, picks: list[str]) -> Step:
        """Where a person's picks lead in the position of that number."""
        position = self._position_at(seat, moment)
        return self.game.clicks()(position, seat, picks, self.party.names)

    # --- what people do ---

    def join(self, person: Person) -> int:
        """Give a person the free seat, or the one they have; SettingError if there is none."""
        with self._lock:
            seat = self.party.seat_of(person)
            if seat is not None:
                return seat
            seat = self.party.free
            if self.state is not State.WAITING:
                raise SettingError("this match cannot be joined any more")
            if seat is None:
                raise SettingError("all seats of this match are taken")
            self.party = self.party.with_player(seat, person)
            setup = self.party.setup(self.match.setup.seed)
            self._runner = self._new_runner(self._context.settings.new_match(setup))
        self.begin()
        return seat

    def submit(self, seat: int, moment: int, picks: list[str]) -> None:
        """Play the turn that these picks make."""
        position = self._position_at(seat, moment)
        text = self.game.clicks()(position, seat, picks).turn
        if text is None:
            raise IllegalMoveError(f"picks {', '.join(picks)!r}: expected a whole turn")
        self.submit_text(seat, moment, text)

    def submit_text(self, seat: int, moment: int, text: str) -> None:
        """Play a turn in the game's own notation."""
        with self._lock:
            turn = self._position_at(seat, moment).parse_turn(seat, text)
            self._runner.submit(seat, turn)
        self.signal.rise()

    def resign(self, seat: int) -> None:
        """A person gives up, in turn or out of turn; an invitation is withdrawn."""
        with self._lock:
            if self.state is State.WAITING:
                self.state, self.trouble = State.OVER, WITHDRAWN
                self._outlets.forget(self)
            elif not self.is_under_way or not self.moment or self.fault_of(seat):
                raise StaleError("this match is not being played")
            else:
                self._runner.resign(seat)
        self.signal.rise()

    def _position_at(self, seat: int, moment: int) -> Position[Any]:
        with self._lock:
            now, position = self.now
            if moment != now:
                raise StaleError(f"the match has gone on: position {moment} is over, this is {now}")
            if not self.may_act(seat):
                raise StaleError("it is not your turn")
            return position

    # --- what the site does ---

    def begin(self) -> None:
        """Begin to play, or go on, if all seats are taken."""
        with self._lock:
            if self.party.free is not None or self.state is not State.WAITING or self.is_closed:
                return
            self.state = State.PLAYING
            self._runner.start()
        self.signal.rise()

    def check_patience(self) -> None:
        """Fail the people who have had all the time that there is for a turn."""
        with self._lock:
            self._runner.check_patience()

    def interrupt(self, reason: str, match_id: int | None) -> None:
        """It cannot be played on; what there is of it is stored there."""
        self.trouble, self.is_interrupted = reason, True
        self.conclude(match_id)

    def conclude(self, match_id: int | None) -> None:
        """It had ended before the site did, and is stored there."""
        self.state, self.match_id = State.OVER, match_id
        self.moment = self._count_moments() if self.match.events else 0

    def expire(self) -> None:
        """Forget it: no page follows it any more."""
        with self._lock:
            if self.state is State.WAITING:
                self._outlets.forget(self)
            self.state = State.OVER
            self.close()

    def close(self) -> None:
        """Stop here, for the site is being stopped. See `pending`."""
        with self._lock:
            if self.is_under_way and self._live is not None:
                self._live.end(None)
            self.is_closed = True
            self._runner.stop()
        self.signal.rise()

    def pending(self) -> list[Future[None]]:
        """What still runs for it after `close`."""
        with self._lock:
            return self._runner.pending()

    # --- what the runner tells, with the lock held ---

    def _new_runner(self, match: Match) -> PlayRunner:
        events = RunnerEvents(self._on_start, self._on_change, self._on_end, self._on_error)
        return PlayRunner(self.party, match, self._context, self._lock, events)

    def _on_start(self) -> None:
        self._note()
        self._live = self._outlets.show(self)

    def _on_change(self) -> None:
        self._note()
        if self._live is not None:
            self._live.show(self.match.position)

    def _note(self) -> None:
        self._outlets.note(self)
        self.moment = self._count_moments()
        self.signal.rise()

    def _count_moments(self) -> int:
        return 1 + sum(not isinstance(event, OtherEvent) for event in self.match.events)

    def _on_end(self) -> None:
        self.match_id = self._outlets.keep(self, self.match.result())
        self._finish()

    def _on_error(self, error: Exception) -> None:
        if not self.is_under_way:
            return
        if isinstance(error, SettingError):  # others tell of this machine: that is for the log
            LOG.warning("play %s failed: %s", self.key, error)
            self.trouble = f"The match could not be played: {error}"
        else:
            LOG.error("play %s failed", self.key, exc_info=error)
            self.trouble = "The match could not be played: something went wrong on our side."
        if not self.moment:
            self._outlets.forget(self)
        self._finish()

    def _finish(self) -> None:
        self.state = State.OVER
        if self._live is not None:
            self._live.end(self.match_id)
        self.signal.rise()
