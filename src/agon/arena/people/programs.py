"""A program of a user at a table with people: one thread starts it, asks it and tells it.

The session's calls return at once; the thread carries them out one after the other, and reports
back. While the program is not asked, it is paused.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import format_ns
from agon.arbiter.pool import SeatPool
from agon.arbiter.seat import Answer
from agon.arbiter.waiting import Waiting
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from agon.arbiter.bot_process import Launch
    from agon.arbiter.entrant import Entrant
    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.game import Game, JsonObject, Outcome, Position
    from agon.match.match import Change


@dataclass(frozen=True, slots=True)
class BotReports:
    """Whom a bot answers, in its own thread."""

    on_ready: Callable[[int, Failure | None, JsonObject], None]
    """A program has started, or failed to; and what the transcript says of it."""
    on_answer: Callable[[int, Position[Any], Answer, int], None]
    """The answer of a seat in this position, and how many nanoseconds it took."""
    on_error: Callable[[Exception], None]
    """The arena failed, not the bot."""


@dataclass(frozen=True, slots=True)
class ProgramStart:
    """How the program of a seat is started."""

    game: Game
    number: int
    """Of its seat."""
    names: tuple[str, ...]
    """Of all players."""
    seed: int
    find_entrant: Callable[[], Entrant]
    launch: Launch
    limits: Limits
    clock: Callable[[], int]


class ProgramPlayer:
    """The program of one seat in one match. Its methods do not wait."""

    def __init__(self, start: ProgramStart, reports: BotReports) -> None:
        """Call `start` first, and `end` or `stop` last."""
        self._start = start
        self._reports = reports
        self._limits, self._clock = start.limits, start.clock
        self._pool = SeatPool()
        self._open = ExitStack()
        self._thread = ThreadPoolExecutor(1, f"play program {start.number}")
        self._seat: Seat
        self._has_begun = self._is_asked = False
        self.ended: Future[None] | None = None
        """Done when the program has ended."""

    def start(self, position: Position[Any]) -> None:
        self._thread.submit(self._try, self._begin, position)

    def ask(self, position: Position[Any], allowed_ns: int | None) -> None:
        """Ask for a turn, to be given within that time."""
        self._is_asked = True
        self._thread.submit(self._try, self._ask, position, allowed_ns)

    def tell(self, change: Change) -> None:
        self._thread.submit(self._try, self._tell, change)

    def watch(self, position: Position[Any]) -> None:
        """The match stands here; other seats may be asked."""
        self._thread.submit(self._try, self._watch, position)

    def end(self, outcome: Outcome | None) -> None:
        """Tell it how the match ended, and end it; while it thinks, it is killed."""
        if self._is_asked:
            self._pool.stop()
        if self.ended is None:
            self.ended = self._thread.submit(self._try, self._end, outcome)
            self._thread.shutdown(wait=False)

    def stop(self) -> None:
        self._pool.stop()
        self.end(None)

    # --- in its thread ---

    def _try(self, work: Callable[..., None], *given: Any) -> None:
        try:
            work(*given)
        except Exception as error:  # noqa: BLE001  the session logs it
            if not self._pool.is_stopped:
                self._reports.on_error(error)

    def _begin(self, position: Position[Any]) -> None:
        start = self._start
        entrants, seeds = [start.find_entrant()], [start.seed]
        seats = self._pool.seats(start.game, entrants, seeds, self._clock, start.launch)
        self._seat = seat = self._open.enter_context(seats)[0].seat
        self._has_begun = True
        seat.name = start.names[start.number]
        deadline = self._clock() + self._limits.start_ns
        seat.begin(position, start.number, self._limits, start.names)
        self._wait(deadline, lambda seat: seat.answer is not None or seat.is_ready())
        failure = None
        if seat.answer is not None and seat.answer.failure is not None:
            failure = replace(seat.explain(seat.answer.failure), fault=Fault.NO_START)
        elif not seat.is_ready():
            told = f"not ready within {format_ns(self._limits.start_ns)}"
            failure = Failure(Fault.NO_START, told)
        self._pause()
        self._reports.on_ready(start.number, failure, seat.describe())

    def _ask(self, position: Position[Any], allowed_ns: int | None) -> None:
        seat, begin = self._seat, self._clock()
        seat.answer = None
        seat.ask(position, None if allowed_ns is None else begin + allowed_ns)
        if seat.answer is None:
            begin = self._clock()  # its time runs from when it could know
        deadline = None if allowed_ns is None else begin + allowed_ns
        self._wait(deadline, lambda seat: seat.answer is not None)
        took = self._clock() - begin
        answer = self._judge(seat, took, allowed_ns)
        self._is_asked = False
        self._pause()
        if not self._pool.is_stopped:  # a program that was killed looks like one that crashed
            self._reports.on_answer(self._start.number, position, answer, took)

    def _judge(self, seat: Seat, took: int, allowed_ns: int | None) -> Answer:
        if seat.answer is not None and seat.answer.failure is not None:
            return Answer(failure=seat.explain(seat.answer.failure))
        if allowed_ns is None or took <= allowed_ns or seat.settle(format_ns(allowed_ns)):
            assert seat.answer is not None  # noqa: S101  it was waited for, or settled
            return seat.answer
        allowed = format_ns(allowed_ns)
        if seat.answer is not None:
            told = f"turn after {format_ns(took)}, {allowed} allowed"
        else:
            told = ": ".join(filter(None, (f"no turn within {allowed}", seat.stop_waiting())))
        return Answer(failure=Failure(Fault.TIMEOUT, told))

    def _wait(self, deadline: int | None, is_done: Callable[[Seat], bool]) -> None:
        waiting = Waiting([self._seat], self._clock, lambda asked: 0)
        waiting.questions[0].deadline = deadline
        waiting.wait([] if is_done(self._seat) else [0], is_done)

    def _pause(self) -> None:
        if self._seat.can_pause:
            self._seat.pause()

    def _tell(self, change: Change) -> None:
        self._seat.tell(*change)
        self._watch(change.after)

    def _watch(self, position: Position[Any]) -> None:
        is_others_turn = position.to_act and self._start.number not in position.to_act
        if self._seat.is_live and is_others_turn:
            self._seat.watch(position)

    def _end(self, outcome: Outcome | None) -> None:
        with self._open:
            if self._has_begun and not self._pool.is_stopped:
                self._seat.end(outcome)
