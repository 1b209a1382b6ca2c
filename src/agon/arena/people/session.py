"""One match with people in it: who sits where, where it stands, how it ended.

Until all seats are taken it waits; then it is played in a thread of its own. Whoever looks at it
waits for its signal, which rises with everything that happens. What happens is written down before
anybody sees it, so that a match goes on where it was when the site comes back.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from agon.arbiter.pool import SeatPool, StoppedError
from agon.arena.live_matches import Signal
from agon.arena.people.context import StaleError, State
from agon.arena.people.party import Opponent, Person
from agon.arena.people.person import PersonSeat
from agon.arena.people.table import OpponentSeat, PlayTable
from agon.errors import IllegalMoveError, SettingError
from agon.match.replay_steps import count_positions
from agon.match.transcript import Fault
from agon.match.wording import tell_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.seat import Seat
    from agon.arena.live_matches import LiveMatch
    from agon.arena.people.context import PlayContext
    from agon.arena.people.party import Party
    from agon.games.clicks import Step
    from agon.games.game import Game, Outcome, Position
    from agon.match.result import MatchResult
    from agon.match.transcript import Event

LOG = logging.getLogger("agon.website")
WITHDRAWN = "The invitation was withdrawn."


class PlaySession:
    """One match with people in it. All methods may be called from any thread."""

    def __init__(
        self,
        key: str,
        party: Party,
        start: Position[Any],
        seed: int,
        now_ns: int,
        house: PlayContext,
        past: Sequence[Event] = (),
    ) -> None:
        """Nobody plays yet: `join` and `begin`. `start` follows from the seed.

        With a `past` the match was interrupted and goes on from there.
        """
        self.key = key
        self.party = party
        self.seed = seed
        self.past = tuple(past)
        self.begin_ns = now_ns
        self.seen_ns = now_ns
        """When somebody last had to do with it."""
        self.state = State.WAITING
        self.position = start
        self.moment = 0
        """The number of the position: 0 before the match has begun. It rises with every turn, and
        when somebody leaves."""
        self.outcome: Outcome | None = None
        self.match_id: int | None = None
        self.trouble = ""
        """Why it could not be played to its end; for people."""
        self.is_interrupted = False
        """Whether the end of the site has ended it."""
        self.rematch: str | None = None
        """The key of the match that follows."""
        self.following = Lock()
        """Held while somebody asks for it."""
        self.written = len(self.past)
        """How many events stand in the journal; for `House.note`."""
        self.signal = Signal()
        self.streams = 0
        """How many pages follow it."""
        self.is_closed = False
        """Whether nothing will ever happen here any more."""
        self._house = house
        self._lock = Lock()
        self._pool = SeatPool()
        self._people: dict[int, PersonSeat] = {}
        self._table: PlayTable | None = None
        self._thread: Thread | None = None
        self._live: LiveMatch | None = None

    @property
    def game(self) -> Game:
        """What is played."""
        return self.party.game

    @property
    def table(self) -> PlayTable | None:
        """Where it is played, once it has begun."""
        return self._table

    def join(self, person: Person) -> int:
        """Give somebody the free seat, or the one that they have; SettingError if there is none."""
        with self._lock:
            seat = self.party.seat_of(person)
            if seat is not None:
                return seat
            seat = self.party.free
            if self.state is not State.WAITING:
                raise SettingError("nobody can join this match any more")
            if seat is None:
                raise SettingError("all seats of this match are taken")
            self.party = self.party.with_player(seat, person)
        self.begin()
        return seat

    def begin(self) -> None:
        """Begin to play, if all seats are taken."""
        with self._lock:
            if self.party.free is not None or self.state is not State.WAITING or self.is_closed:
                return
            patience_ns = self._house.settings.patience_ns
            self._people = {
                seat: PersonSeat(self.party.names[seat], patience_ns, self._check)
                for seat, player in enumerate(self.party.players)
                if isinstance(player, Person)
            }
            self.state = State.PLAYING
            self._thread = Thread(target=self._run, name=f"play {self.key}", daemon=True)
            self._thread.start()
        self.signal.rise()

    def may_act(self, seat: int) -> bool:
        """Whether a person owes a turn now."""
        person, position = self._people.get(seat), self.position
        if person is None or not self.is_under_way or not self.moment:
            return False
        owes = seat in position.to_act and seat not in position.forced
        return owes and self.fault_of(seat) is None and not person.has_given(position)

    @property
    def is_under_way(self) -> bool:
        """Whether it is played, here and now: not any more if the site is being stopped."""
        return self.state is State.PLAYING and not self.is_closed

    @property
    def now(self) -> tuple[int, Position[Any]]:
        """The number of the position, and the position."""
        with self._lock:
            return self.moment, self.position

    def thinking(self) -> list[int]:
        """The seats for which everybody waits; bots that are asked at the same time are quicker."""
        if not self.is_under_way or not self.moment:
            return []
        position = self.position
        people = [seat for seat in position.to_act if self.may_act(seat)]
        bots = [seat for seat in position.to_act if seat not in self._people]
        return people or [seat for seat in bots if seat not in position.forced]

    def find_step(self, seat: int, moment: int) -> Step | None:
        """The empty turn of a person in the position of that number; None if none is owed."""
        try:
            return self.step(seat, moment, [])
        except StaleError:
            return None

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far."""
        return self.past if self._table is None else self._table.events

    def fault_of(self, seat: int) -> Fault | None:
        """Why the player in that seat plays no more; None: they do.

        The table knows; who has just given up is out before it has noticed.
        """
        fault = None if self._table is None else self._table.fault_of(seat)
        if fault is None and seat in self._people and self._people[seat].has_left:
            return Fault.RESIGNED
        return fault

    def step(self, seat: int, moment: int, picks: list[str]) -> Step:
        """Where a person's picks lead in the position of that number."""
        position = self._position_at(seat, moment)
        return self.game.clicks()(position, seat, picks, self.party.names)

    def submit(self, seat: int, moment: int, picks: list[str]) -> None:
        """Play the turn that these picks make."""
        position = self._position_at(seat, moment)
        text = self.game.clicks()(position, seat, picks).turn
        if text is None:
            raise IllegalMoveError(f"picks {', '.join(picks)!r}: expected a whole turn")
        self._give(position, seat, text)

    def submit_text(self, seat: int, moment: int, text: str) -> None:
        """Play a turn in the game's own notation."""
        self._give(self._position_at(seat, moment), seat, text)

    def _give(self, position: Position[Any], seat: int, text: str) -> None:
        turn = position.parse_turn(seat, text)
        self._people[seat].give(position, turn)
        self.signal.rise()

    def _position_at(self, seat: int, moment: int) -> Position[Any]:
        with self._lock:
            position, now = self.position, self.moment
        if moment != now:
            raise StaleError(f"the match has gone on: position {moment} is over, this is {now}")
        if not self.may_act(seat):
            raise StaleError("it is not your turn")
        return position

    def resign(self, seat: int) -> None:
        """A person gives up, whoever's turn it is; an invitation is withdrawn."""
        with self._lock:
            is_withdrawn = self.state is State.WAITING
            if is_withdrawn:
                self.state, self.trouble = State.OVER, WITHDRAWN
        if is_withdrawn:
            self._house.forget(self)
        elif not self.is_under_way or seat not in self._people or self.fault_of(seat):
            raise StaleError("this match is not being played")
        else:
            self._people[seat].leave()
            self._wake()
        self.signal.rise()

    def interrupt(self, reason: str, match_id: int | None, last: Position[Any] | None) -> None:
        """It cannot be played on from that position, and what there is of it is stored there."""
        self.state, self.trouble, self.match_id = State.OVER, reason, match_id
        self.is_interrupted = True
        if last is not None:
            self.position, self.moment = last, count_positions(self.past)

    def conclude(self, last: Position[Any], match_id: int) -> None:
        """It had ended in that position before the site did, and is stored there."""
        self.state, self.outcome, self.match_id = State.OVER, last.outcome, match_id
        self.position, self.moment = last, count_positions(self.past)

    def expire(self) -> None:
        """Nobody comes back to it: no page follows it any more."""
        is_waiting = self.state is State.WAITING
        self.state = State.OVER
        self.close()
        if is_waiting:
            self._house.forget(self)

    def close(self) -> None:
        """The site is being stopped, and the match with it; `wait` for it."""
        with self._lock:
            self.is_closed = True
        self._pool.stop()
        self._wake()
        self.signal.rise()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of its thread; whether it has ended."""
        thread = self._thread
        if thread is None:
            return True
        thread.join(seconds)
        return not thread.is_alive()

    def verdict(self) -> str:
        """How it ended, in words; empty while it goes on."""
        if self.state is not State.OVER:
            return ""
        return self.trouble or tell_outcome(self.outcome, self.party.names)

    # --- in the match's own thread ---

    def _run(self) -> None:
        is_stopped = False
        try:
            match = self._play()
            self.outcome = match.outcome
            self.match_id = self._house.keep(self, match)
        except StoppedError:
            is_stopped = True  # it stands in the journal
        except SettingError as error:  # others tell of this machine: that is for the log
            LOG.warning("play %s failed: %s", self.key, error)
            self.trouble = f"The match could not be played: {error}"
        except Exception:  # nobody else would hear of it
            LOG.exception("play %s failed", self.key)
            self.trouble = "The match could not be played: something went wrong on our side."
        finally:
            self._end(is_stopped=is_stopped)

    def _end(self, *, is_stopped: bool) -> None:
        if not is_stopped:
            self.state = State.OVER
            if not self.moment:  # it has never begun
                self._house.forget(self)
        if self._live is not None:
            self._live.end(self.match_id)
        self.signal.rise()

    def _play(self) -> MatchResult:
        house, party = self._house, self.party
        with ExitStack() as stack:
            for person in self._people.values():
                stack.callback(person.close)
            seats = [self._seat(number, stack) for number in range(len(party.players))]
            self._live = house.show(self)
            self._table = PlayTable(
                party.game,
                party.options,
                seats,
                house.settings.limits,
                house.clock,
                self._on_position,
                self.past,
            )
            match = self._table.play(self.seed)
            self._pool.check()  # programs that were stopped look like ones that crashed
        return match

    def _seat(self, number: int, stack: ExitStack) -> Seat:
        player, house = self.party.players[number], self._house
        seed = self.seed * len(self.party.players) + number
        if not isinstance(player, Opponent):
            return self._people[number]
        name = self.party.names[number]
        if player.version_id is None:
            make_bot = self.game.bots()[player.built_in]
            return OpponentSeat(name, make_bot, seed, house.clock, self._is_watched)
        entrant = house.find_entrant(player.version_id)
        pooled = self._pool.seats(self.game, [entrant], [seed], house.clock, house.launch)
        seat = stack.enter_context(pooled)[0].seat
        seat.name = name
        return seat

    def _is_watched(self) -> bool:
        return self._table is None or self._table.has_people

    def _check(self) -> None:
        """A bell has rung: is it all over, or has somebody left?"""
        self._pool.check()
        if self._table is not None:
            self._table.check_departures()

    def _on_position(self, position: Position[Any]) -> None:
        self._pool.check()
        self._house.note(self)
        with self._lock:
            self.position = position
            self.moment = max(self.moment, count_positions(self.past) - 1) + 1
        if self._live is not None and self.moment > 1:
            self._live.show(position)
        self.signal.rise()

    def _wake(self) -> None:
        for person in self._people.values():
            person.ring()
