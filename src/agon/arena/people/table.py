"""The table at which people sit: they have patience of their own, and may get up at any time."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from agon.arbiter.match import Table, nobody_watches
from agon.arbiter.seat import Answer, BotSeat
from agon.arena.people.person import RESIGNED, PersonSeat
from agon.errors import AgonError
from agon.games.bot import Budget
from agon.games.reasons import format_failure
from agon.match.result import Failure
from agon.match.transcript import Fault, FaultEvent, LimitEvent, TurnEvent, outcome_of_limit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.limits import Limits, SeatClock
    from agon.arbiter.seat import Seat
    from agon.games.bot import Bot
    from agon.games.game import Game, Options, Position
    from agon.match.result import MatchResult
    from agon.match.transcript import Event

HURRIED_NS = 20 * 10**6
"""How long a bot thinks when no person plays any more."""


class DepartureError(AgonError):
    """Somebody got up while others were waited for."""


class AloneError(AgonError):
    """There is one player left, and nobody to play with."""


class OpponentSeat(BotSeat):
    """A built-in bot that takes its time for people alone."""

    def __init__(
        self,
        name: str,
        make_bot: Callable[[int], Bot[Any]],
        seed: int,
        clock: Callable[[], int],
        is_watched: Callable[[], bool],
    ) -> None:
        """`is_watched`: whether a person still plays."""
        super().__init__(name, make_bot, seed, clock)
        self._is_watched = is_watched

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """Think; not for long if nobody waits to play on."""
        if self._is_watched():
            super().ask(position, deadline)
            return
        budget = Budget(self._clock, self._clock() + HURRIED_NS)
        self.answer = Answer(self._bot.choose(position, self._seat, budget))


class PlayTable(Table):
    """People are not held to the bots' time, and whoever leaves is not waited for.

    A bell rings when somebody leaves: `check_departures` raises then, whoever is asked; the seat is
    dropped, and whoever owes a turn then is asked again. A match in which one player is left is
    stopped, whatever the game would do with it.

    A match that was interrupted goes on from the events that were written down of it. Nobody is
    asked for those turns again, and nobody is shown them.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        seats: Sequence[Seat],
        limits: Limits,
        clock: Callable[[], int],
        on_position: Callable[[Position[Any]], None] = nobody_watches,
        past: Sequence[Event] = (),
    ) -> None:
        """`past` is what was played already."""
        super().__init__(game, options, seats, limits, clock, on_position=self._note)
        self._past = [event for event in past if not isinstance(event, LimitEvent)]
        self._on_news = on_position

    def play(self, seed: int) -> MatchResult:
        """Play to the end, also to one that is none by the rules of the game."""
        try:
            return super().play(seed)
        except AloneError:
            failed = enumerate(self._faults)
            reason = ", ".join(format_failure(seat, fault) for seat, fault in failed if fault)
            self._events.append(LimitEvent({"reason": reason}))
            outcome = outcome_of_limit(len(self.seats), self._events)
            self._note(self._latest.stop(outcome))
            for number in self._staying:
                self.seats[number].end(outcome)
            return self._record(outcome)

    def check_departures(self) -> None:
        """Raise DepartureError if somebody has left who is still counted in.

        A program that thinks is not interrupted in a match that goes on: it could not be asked
        again. It does not think for long, and whoever has left fails at the next question.
        """
        departed = self._departed()
        if departed and (not self._awaits_program() or self._would_end(departed)):
            raise DepartureError("somebody has left the table")

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far. From any thread."""
        return tuple(getattr(self, "_events", ()))

    def fault_of(self, seat: int) -> Fault | None:
        """Why a seat plays no more; None: it is not out. From any thread."""
        faults: list[Fault | None] = getattr(self, "_faults", [])
        return faults[seat] if faults else None

    def thought_ns(self, seat: int) -> int:
        """How long a seat has thought in turns that are over. From any thread."""
        clocks: list[SeatClock] = getattr(self, "_clocks", [])
        return clocks[seat].thought if clocks else 0

    @property
    def has_people(self) -> bool:
        """Whether a person still plays."""
        people = (self.seats[n] for n in self._staying)
        return any(isinstance(seat, PersonSeat) and not seat.has_left for seat in people)

    def _note(self, position: Position[Any]) -> None:
        """Remember the position; it is news unless it is of the past."""
        self._latest = position
        if not self._past:
            self._on_news(position)

    def _departed(self) -> list[int]:
        people = ((number, self.seats[number]) for number in self._staying)
        return [n for n, seat in people if isinstance(seat, PersonSeat) and seat.has_left]

    def _awaits_program(self) -> bool:
        asked = (self.seats[number] for number in self._latest.to_act)
        return any(not isinstance(seat, PersonSeat) and not seat.keeps_time for seat in asked)

    def _would_end(self, departed: Sequence[int]) -> bool:
        left = [n for n in self._staying if n not in departed]
        after = self._latest.drop(dict.fromkeys(departed, Fault.RESIGNED.value))
        return len(left) <= 1 or after.outcome is not None

    def _play_turns(self, before: Position[Any]) -> Position[Any]:
        if self._past:
            after = self._catch_up(before)
        else:
            try:
                after = super()._play_turns(before)
            except DepartureError:
                after = self._drop(self._latest, dict.fromkeys(self._departed(), RESIGNED))
        if after.outcome is None and self._faults.count(None) <= 1:
            raise AloneError("one player is left")
        return after

    def _catch_up(self, position: Position[Any]) -> Position[Any]:
        """Go through what was played already."""
        for is_fault, group in groupby(self._past, lambda one: isinstance(one, FaultEvent)):
            events = list(group)
            if is_fault:
                faults = [event for event in events if isinstance(event, FaultEvent)]
                failures = {one.player: Failure(one.fault, one.detail, one.said) for one in faults}
                position = self._drop(position, failures)
                continue
            for event in events:
                if isinstance(event, TurnEvent):
                    position = self._play_again(position, event)
        self._played += max(0, sum(isinstance(event, TurnEvent) for event in self._past) - 1)
        self._past = []
        self._note(position)
        return position

    def _play_again(self, before: Position[Any], event: TurnEvent) -> Position[Any]:
        """The turns of an event, as they were played then, with the time that they took."""
        turns = {seat: before.parse_turn(seat, text) for seat, text in event.turns.items()}
        after = before.play(turns)
        for seat, taken in event.ns.items():
            clock = self._clocks[seat]
            clock.thought += taken
            clock.slowest = max(clock.slowest, taken)
        self._events.append(event)
        for number in self._staying:
            self.seats[number].tell(before, turns, after)
        return after

    def _deadline(self, clock: SeatClock, now: int) -> int | None:
        number = next(n for n, one in enumerate(self._clocks) if one is clock)
        seat = self.seats[number]
        if isinstance(seat, PersonSeat):
            return now + seat.patience_ns
        return super()._deadline(clock, now)
