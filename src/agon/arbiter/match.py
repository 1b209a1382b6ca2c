"""Play one match between seats of any kind, and write down what happened.

Nothing here prints or looks at a clock of its own. What a seat's failure means, the game says: the
match ends, or goes on without it. A failure of the arbiter itself is an exception, and nobody's
loss.
"""

from __future__ import annotations

import select
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.arbiter.limits import GRACE_NS, MILLISECOND_NS, SeatClock, format_ns
from agon.arbiter.seat import BotSeat
from agon.games.bot import Bot, no_time
from agon.games.game import Outcome
from agon.match.result import Failure, MatchResult
from agon.match.transcript import (
    Event,
    Fault,
    FaultEvent,
    LimitEvent,
    Transcript,
    TurnEvent,
    outcome_of_limit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.game import Game, JsonObject, Options, Position

LONGEST_WAIT = 60 * 10**9  # then somebody looks again; a system knows no time without an end

Sources: TypeAlias = "tuple[tuple[int, Sequence[tuple[int, int]]], ...]"
"""Seats with the file descriptors and events that they wait for."""


def nobody_watches(position: Position[Any]) -> None:
    """For matches without a spectator."""


def _nobody_counts() -> None:
    """For matches of which nobody keeps a diary."""


def _never_late(begin: int) -> int:
    """For machines whose lateness nobody measures."""
    return 0


def _has_begun(seat: Seat) -> bool:
    return seat.answer is not None or seat.is_ready()


def _has_answered(seat: Seat) -> bool:
    return seat.answer is not None


class Table:
    """Seats around a game: plays one match after another, each with `play`."""

    def __init__(
        self,
        game: Game,
        options: Options,
        seats: Sequence[Seat],
        limits: Limits,
        clock: Callable[[], int] = no_time,
        late_since: Callable[[int], int] = _never_late,
        on_position: Callable[[Position[Any]], None] = nobody_watches,
        on_event: Callable[[], None] = _nobody_counts,
    ) -> None:
        """The clock counts nanoseconds; `late_since` is `HostWatch.late_since`, or nothing.

        Who only wants to know that something has happened is told by `on_event`: it comes before
        `on_position`, and for it alone no position need be made.
        """
        self.game = game
        self.options = options
        self.seats = seats
        self.limits = limits
        self.clock = clock
        self.late_since = late_since
        self.on_position = on_position
        self.on_event = on_event
        self._polls: dict[Sources, tuple[select.poll, dict[int, Seat]]] = {}

    def play(self, seed: int) -> MatchResult:
        """Play to the end, to a fault that ends it, or to the turn limit."""
        seats = len(self.seats)
        self._seed = seed
        self._events: list[Event] = []
        self._clocks = [SeatClock(self.limits.bank_ns) for _ in range(seats)]
        self._faults: list[Fault | None] = [None] * seats
        self._staying = list(range(seats))
        self._live: list[int] = []
        self._is_void = False
        self._late = 0
        self._played = 0
        position = self.game.start(self.options, seed, seats)
        self._show(position)
        position = self._drop(position, self._start_seats(position))
        self._live = [number for number in self._staying if self.seats[number].is_live]
        while position.to_act and self._played != self.limits.turns and not self._is_void:
            position = self._play_turns(position)
            self._played += 1
        outcome = position.outcome
        if position.to_act and not self._is_void:
            self._events.append(LimitEvent())
            outcome = outcome_of_limit(seats, self._events)
            self.on_position(position.stop(outcome))
        for number in self._staying:
            self.seats[number].end(outcome)
        return self._record(outcome)

    @property
    def event_count(self) -> int:
        """How many events of the match under way are written down."""
        return len(self._events)

    def _show(self, position: Position[Any]) -> None:
        self.on_event()
        self.on_position(position)

    def _record(self, outcome: Outcome | None) -> MatchResult:
        players = tuple(seat.describe() for seat in self.seats)
        transcript = Transcript(
            self.game, self.options, self._seed, players, tuple(self._events), outcome
        )
        return MatchResult(
            transcript,
            outcome or Outcome((0,) * len(self.seats), "void"),
            tuple(self._faults),
            tuple(clock.thought for clock in self._clocks),
            tuple(clock.slowest for clock in self._clocks),
            self._late,
            self._is_void,
        )

    def _start_seats(self, position: Position[Any]) -> dict[int, Failure]:
        """Have everybody sit down; those who cannot."""
        begin = self.clock()
        names = tuple(seat.name for seat in self.seats)
        for number, seat in enumerate(self.seats):
            seat.answer = None
            self._clocks[number].start(begin, begin + self.limits.start_ns)
            seat.begin(position, number, self.limits, names)
        waiting = [n for n, seat in enumerate(self.seats) if not _has_begun(seat)]
        self._wait(waiting, _has_begun)
        failures = {}
        for number, seat in enumerate(self.seats):
            failure = seat.answer.failure if seat.answer is not None else None
            if failure is not None:
                failures[number] = replace(seat.explain(failure), fault=Fault.NO_START)
            elif not seat.is_ready():
                detail = f"not ready within {format_ns(self.limits.start_ns)}"
                failures[number] = Failure(Fault.NO_START, detail)
        return failures

    def _play_turns(self, before: Position[Any]) -> Position[Any]:
        """Play the turns of all seats that owe one; who fails is out, and others may owe one then.

        The position as it was, if the match ends or is void before they can be played.
        """
        for number in self._live:
            if number not in before.to_act:
                self.seats[number].watch(before)
        turns: dict[int, Any] = {}
        while owing := [s for s in before.to_act if s not in turns and s not in before.forced]:
            before, asked = self._ask(before, owing)
            failures = self._judge(asked)
            if self._is_void:
                return before
            turns |= {s: self._turn_of(s) for s in asked if s not in failures}
            if failures:
                before = self._drop(before, failures)
        if not before.to_act:
            return before
        forced = before.forced
        turns = {s: forced[s] if s in forced else turns[s] for s in before.to_act}
        texts = {seat: before.format_turn(seat, turn) for seat, turn in turns.items()}
        after = before.play(turns)
        ns = {seat: self._clocks[seat].took for seat in turns if seat not in forced}
        self._events.append(TurnEvent(texts, ns, self._warnings(ns)))
        for number in self._staying:
            self.seats[number].tell(before, turns, after)
        self._show(after)
        return after

    def _warnings(self, asked: Iterable[int]) -> JsonObject:
        """What the seats' answers were warned of, for the record."""
        answers = {number: self.seats[number].answer for number in asked}
        warned: JsonObject = {
            str(n): list(a.warnings) for n, a in answers.items() if a and a.warnings
        }
        return {"warnings": warned} if warned else {}

    def _turn_of(self, number: int) -> Any:
        answer = self.seats[number].answer
        return None if answer is None else answer.turn

    def _drop(self, position: Position[Any], failures: Mapping[int, Failure]) -> Position[Any]:
        """The position without the seats that failed."""
        if not failures:
            return position
        for number, failure in failures.items():
            self._faults[number] = failure.fault
            self._events.append(
                FaultEvent(number, failure.fault, failure.detail, said=failure.said)
            )
        after = position.drop({number: f.fault.value for number, f in failures.items()})
        if after.outcome is None:
            for number in failures:
                self._staying.remove(number)
                self.seats[number].end(None)
            self._live = [number for number in self._live if number not in failures]
        self._show(after)
        return after

    def _ask(
        self, position: Position[Any], owing: Sequence[int]
    ) -> tuple[Position[Any], Sequence[int]]:
        """Ask these seats for their turns, and wait; the turns are in `seat.answer` then.

        The position, and who was asked in it: others than those here if there was a rally.
        """
        waiting = []
        for number in self._order(owing):
            seat, clock = self.seats[number], self._clocks[number]
            seat.answer = None
            if seat.keeps_time and (clock.is_first_turn or clock.took > GRACE_NS):
                for other in self._idle((number,)):
                    other.pause()
            now = self.clock()
            clock.start(now, self._deadline(clock, now))
            seat.ask(position, clock.deadline)
            now = self.clock()
            if seat.answer is not None:
                clock.answered = now
            else:  # its time runs from when it could know, not from when we began to write
                clock.start(now, self._deadline(clock, now))
                waiting.append(number)
        self._wait(waiting, _has_answered)
        return position, owing

    def _order(self, owing: Sequence[int]) -> Sequence[int]:
        """Seats that think here and now are first: while they do, nobody else's time may run."""
        if len(owing) == 1:
            return owing
        return sorted(owing, key=lambda number: not self.seats[number].keeps_time)

    def _deadline(self, clock: SeatClock, now: int) -> int | None:
        if self.limits.turn_ns is None:
            return None
        free = self.limits.turn_ns + (self.limits.start_ns if clock.is_first_turn else 0)
        return now + free + clock.bank

    def _wait(self, waiting: Sequence[int], is_done: Callable[[Seat], bool]) -> None:
        """Serve the seats until each is done or out of time, and note when each was done."""
        while waiting:
            milliseconds, overdue = self._patience(waiting, self.clock())
            idle = self._idle(waiting)
            patience = min(milliseconds, GRACE_NS // MILLISECOND_NS) if idle else milliseconds
            if not self._serve(waiting, patience):
                for seat in idle:
                    seat.pause()
            now = self.clock()
            left = []
            for number in waiting:
                if is_done(self.seats[number]):
                    self._clocks[number].answered = now
                elif number not in overdue:  # those have had their last chance
                    left.append(number)
            waiting = left

    def _patience(self, waiting: Sequence[int], now: int) -> tuple[int, Sequence[int]]:
        """How long to wait for something to happen, and for whom this is the last chance.

        A seat has its time, and as much more as this machine was late since it was asked.
        """
        soonest = LONGEST_WAIT
        overdue = []
        for number in waiting:
            clock = self._clocks[number]
            if clock.deadline is None:
                continue
            if now > clock.deadline:
                soonest = 0
                if now > clock.deadline + self.late_since(clock.asked):
                    overdue.append(number)
            elif clock.deadline - now < soonest:
                soonest = clock.deadline - now
        return 0 if overdue else soonest // MILLISECOND_NS + 1, overdue

    def _idle(self, waiting: Sequence[int]) -> list[Seat]:
        """Those who are not asked now, and could think all the same."""
        return [s for n, s in enumerate(self.seats) if s.can_pause and n not in waiting]

    def _serve(self, waiting: Sequence[int], milliseconds: int) -> bool:
        """Wait for one of these seats, let those that are ready read or write; were there any?"""
        sources = tuple((number, self.seats[number].waits_on()) for number in waiting)
        known = self._polls.get(sources)
        if known is None:
            known = self._polls[sources] = self._new_poll(sources)
        poll, owner = known
        ready = poll.poll(milliseconds)
        for descriptor, _ in ready:
            owner[descriptor].on_event(descriptor)
        return bool(ready)

    def _new_poll(self, sources: Sources) -> tuple[select.poll, dict[int, Seat]]:
        poll = select.poll()
        owner = {}
        for number, waits_on in sources:
            for descriptor, events in waits_on:
                poll.register(descriptor, events)
                owner[descriptor] = self.seats[number]
        return poll, owner

    def _judge(self, asked: Sequence[int]) -> dict[int, Failure]:
        """Book the time that the seats took; which of them failed."""
        failures = {}
        for number in asked:
            failure = self._account(number)
            if failure is not None:
                failures[number] = failure
        return failures

    def _account(self, number: int) -> Failure | None:
        """Book the time that a seat took; its failure, if it has one."""
        seat, clock = self.seats[number], self._clocks[number]
        end = self.clock() if clock.answered is None else clock.answered
        allowed = None if clock.deadline is None else clock.deadline - clock.asked
        took = clock.stop(end, None if allowed is None else allowed - clock.bank)
        if seat.answer is not None and seat.answer.failure is not None:
            return seat.explain(seat.answer.failure)
        if allowed is None or took <= allowed or seat.keeps_time:
            return None
        late = self.late_since(clock.asked)
        self._late = max(self._late, late)
        if seat.settle(format_ns(allowed)):
            return None
        if seat.answer is None:
            hint = seat.stop_waiting()
            told = f"no turn within {format_ns(allowed)}"
            return Failure(Fault.TIMEOUT, f"{told}: {hint}" if hint else told)
        if took - allowed <= late:
            self._is_void = True  # this machine was late, not the seat
            return None
        return Failure(Fault.TIMEOUT, f"turn after {format_ns(took)}, {format_ns(allowed)} allowed")


def play_match(
    game: Game,
    players: Sequence[Bot[Any]],
    limits: Limits,
    options: Options | None = None,
    seed: int = 0,
    clock: Callable[[], int] = no_time,
) -> MatchResult:
    """Play one match between objects that choose turns, such as `game.bot("greedy", 0)`."""

    def seat_for(bot: Bot[Any]) -> Seat:
        return BotSeat(type(bot).__name__, lambda _: bot, 0, clock)

    seats = [seat_for(bot) for bot in players]
    return Table(game, options or game.options(), seats, limits, clock).play(seed)
