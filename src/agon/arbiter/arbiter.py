"""Plays a match between seats: asks, waits, judges who is late, and tells what was played.

The `Match` decides what an answer means and records it; the game says what a failure means. Nothing
here prints or reads a clock of its own. A failure of the arbiter itself is an exception and not
charged to any seat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import GRACE_NS, format_ns
from agon.arbiter.seat import BotSeat
from agon.arbiter.waiting import Waiting
from agon.games.bot import Bot, no_time
from agon.match.match import Match
from agon.match.result import Failure
from agon.match.transcript import Fault, Transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.game import Game, Options, Position
    from agon.match.match import Change
    from agon.match.result import MatchResult


def _never_late(begin: int) -> int:
    """The machine's lateness is not measured."""
    return 0


def _has_begun(seat: Seat) -> bool:
    return seat.answer is not None or seat.is_ready()


def _has_answered(seat: Seat) -> bool:
    return seat.answer is not None


class Arbiter:
    """Plays one match after another between the same seats, each with `play`."""

    match: Match
    """The match under way, or the last one."""

    def __init__(
        self,
        game: Game,
        options: Options,
        seats: Sequence[Seat],
        limits: Limits,
        clock: Callable[[], int] = no_time,
        late_since: Callable[[int], int] = _never_late,
        on_position: Callable[[Position[Any]], None] | None = None,
        on_change: Callable[[Match], None] | None = None,
    ) -> None:
        """The clock counts nanoseconds; `late_since` is `HostWatch.late_since`.

        `on_change` is called at the start and after every change, before `on_position`; it may stop
        the match.
        """
        self.game = game
        self.options = options
        self.seats = seats
        self.limits = limits
        self.clock = clock
        self.late_since = late_since
        self.on_position = on_position
        self.on_change = on_change

    def play(self, seed: int) -> MatchResult:
        """Play to the end, to a fault that ends it, or to the turn limit."""
        players = tuple(seat.describe() for seat in self.seats)
        setup = Transcript(self.game, self.options, seed, players)
        self.match = match = Match(setup, self.limits.time_control, self.limits.turns)
        self._waiting = Waiting(self.seats, self.clock, self.late_since)
        self._seated = list(range(len(self.seats)))
        self._live: list[int] = []
        self._late = 0
        self._show()
        if failures := self._start_seats():
            self._tell(match.drop(failures))
        self._live = [n for n in self._seated if self.seats[n].is_live]
        self._watch()
        while not match.is_over:
            if match.owed:
                self._ask(match.owed)
            for change in match.changes():
                self._tell(change)
        for number in self._seated:
            self.seats[number].end(match.outcome)
        return match.result(self._late)

    def _show(self) -> None:
        if self.on_change is not None:
            self.on_change(self.match)
        if self.on_position is not None:
            self.on_position(self.match.position)

    def _start_seats(self) -> dict[int, Failure]:
        """Begin at every seat; the seats that cannot."""
        begin, start = self.clock(), self.match.position
        names = tuple(seat.name for seat in self.seats)
        for seat, question in zip(self.seats, self._waiting.questions, strict=True):
            seat.answer = None
            question.asked, question.deadline = begin, begin + self.limits.start_ns
        for number, seat in enumerate(self.seats):
            seat.begin(start, number, self.limits, names)
        starting = [n for n, seat in enumerate(self.seats) if not _has_begun(seat)]
        self._waiting.wait(starting, _has_begun)
        failures = {}
        for number, seat in enumerate(self.seats):
            failure = seat.answer.failure if seat.answer is not None else None
            if failure is not None:
                failures[number] = replace(seat.explain(failure), fault=Fault.NO_START)
            elif not seat.is_ready():
                detail = f"not ready within {format_ns(self.limits.start_ns)}"
                failures[number] = Failure(Fault.NO_START, detail)
        return failures

    def _tell(self, change: Change) -> None:
        """Tell the seats and the spectators of a change."""
        before, turns, after = change
        if turns:
            for number in self._seated:
                self.seats[number].tell(before, turns, after)
        elif after.outcome is None:
            self._dismiss()
        self._show()
        if turns and self._live:
            self._watch()

    def _dismiss(self) -> None:
        """The match goes on without the seats that have just been dropped."""
        faults = self.match.faults
        for number in [n for n in self._seated if faults[n] is not None]:
            self.seats[number].end(None)
        self._seated = self.match.staying
        self._live = [n for n in self._live if faults[n] is None]

    def _watch(self) -> None:
        """Seats with a live protocol are told whose turn it is."""
        position = self.match.position
        for number in self._live:
            if position.to_act and number not in position.to_act:
                self.seats[number].watch(position)

    def _ask(self, owed: Sequence[int]) -> None:
        """Ask these seats for their turns, wait, and submit what they answer."""
        position, waiting = self.match.position, []
        for number in owed if len(owed) == 1 else self._order(owed):
            seat, question = self.seats[number], self._waiting.questions[number]
            seat.answer = question.answered = None
            question.forget()
            if seat.keeps_time and (self.match.clocks[number].is_first or question.is_slow):
                for other in self._waiting.idle((number,)):
                    other.pause()
            allowed = self.match.clocks[number].allowed_ns
            question.asked = now = self.clock()
            question.deadline = None if allowed is None else now + allowed
            seat.ask(position, question.deadline)
            now = self.clock()
            if seat.answer is not None:
                question.answered = now
            else:  # its time runs from when it could know, not from when we began to write
                question.asked = now
                question.deadline = None if allowed is None else now + allowed
                if question.is_slow:
                    self._waiting.look(number)
                waiting.append(number)
        self._waiting.wait(waiting, _has_answered)
        for number in owed:
            if self.match.void_reason is None:
                self._judge(number)

    def _order(self, owed: Sequence[int]) -> Sequence[int]:
        """Seats that think in this process come first: no other time may run meanwhile."""
        return sorted(owed, key=lambda number: not self.seats[number].keeps_time)

    def _judge(self, number: int) -> None:
        """Submit the seat's turn, or its failure; a match that the machine spoiled is void."""
        seat, question = self.seats[number], self._waiting.questions[number]
        end = self.clock() if question.answered is None else question.answered
        if end - question.asked > GRACE_NS:
            self._waiting.measure(number, end)
        question.took = took = end - question.asked - question.waited
        allowed = None if question.deadline is None else question.deadline - question.asked
        failure = None
        if allowed is not None and took > allowed and not seat.keeps_time:
            failure = self._judge_late(number, took, allowed)
            if self.match.void_reason is not None:
                return
        answer = seat.answer
        if failure is None and answer is not None and answer.failure is not None:
            failure = seat.explain(answer.failure)
        if failure is not None or answer is None:
            self.match.fail(number, failure or Failure(Fault.TIMEOUT), took)
        else:
            self.match.submit(number, answer.turn, took, answer.warnings)

    def _judge_late(self, number: int, took: int, allowed: int) -> Failure | None:
        """The failure of a seat that was late, unless its answer counts or the match is void."""
        seat = self.seats[number]
        if seat.answer is not None and seat.answer.failure is not None:
            return None
        question = self._waiting.questions[number]
        late = self.late_since(question.asked)
        self._late = max(self._late, late)
        if seat.settle(format_ns(allowed)):
            return None
        if seat.answer is None:
            hint = seat.stop_waiting()
            told = f"no turn within {format_ns(allowed)}"
            return Failure(Fault.TIMEOUT, f"{told}: {hint}" if hint else told)
        if took - allowed <= late and question.ran <= allowed:
            self.match.void(seat=number, elapsed_ns=took)  # this machine was late, not the seat
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
    return Arbiter(game, options or game.options(), seats, limits, clock).play(seed)
