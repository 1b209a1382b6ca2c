"""The parts of a check: an opponent that leaves early, a recorder of lines, a closed input."""

from __future__ import annotations

import os
import select
import socket
import stat
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agon.arbiter.program import ProgramSeat
from agon.arbiter.seat import Answer, BotSeat
from agon.match.result import Failure
from agon.match.transcript import Fault, TurnEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.bot_process import Process
    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.check_opponents import Situation
    from agon.games.game import Json, Position
    from agon.match.result import MatchResult
    from agon.match.transcript import Event

STAYS = 12  # turns that an opponent plays after its situation has come up
MOST_LINES = 10_000
CHUNK = 1 << 16
MILLISECOND = 10**6
LOOK_MS = 10  # between two looks whether a program has dialled in or read on
LAST_BREATH_NS = 200 * MILLISECOND  # between the end of a program's output and its own


@dataclass(frozen=True, slots=True)
class CheckTimes:
    """How long a check waits."""

    spare_ns: int = 5 * 10**9
    """For a turn, beyond the arena's limit: a slow bot gets to the step about time."""
    settle_ns: int = 300 * 10**6
    """How long a bot must keep quiet before it is asked."""
    closing_ns: int = 5 * 10**9
    """How long it may take to end."""


class CheckedSeat(ProgramSeat):
    """The bot under examination: it is told a time per turn, but given more.

    Where a turn counts as it stands at the end of its time, nothing at all counts only once: before
    a match there may be nothing to say, but a bot that is always silent is one with a mistake.
    """

    told_ns: int | None = None
    _questions = 0

    @property
    def is_ahead(self) -> bool:
        """Whether it has said something that its protocol keeps for the next question."""
        return bool(self._inbox) and self._dialogue.may_write_ahead

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        """A match begins; the program hears of the time that it has in the arena."""
        super().begin(start, seat, replace(limits, turn_ns=self.told_ns), names)
        self._questions = 0

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        self._questions += 1
        super().ask(position, deadline)

    def settle(self, allowed: str) -> bool:
        """Not if it has said nothing."""
        if self._questions > 1 and not self._said:
            return False
        return super().settle(allowed)


class CheckOpponent(BotSeat):
    """Steers towards a situation; some turns after it has come up, it leaves the match."""

    def __init__(
        self, situation: Situation, place: int, seed: int, clock: Callable[[], int]
    ) -> None:
        """`place` is where the examined bot sits."""
        super().__init__("opponent", situation.opponent, seed, clock)
        self._situation = situation
        self._place = place
        self._turns = 0
        self.seen_at: int | None = None

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        super().begin(start, seat, limits, names)
        self._turns = 0
        self.seen_at = None

    def tell(self, before: Position[Any], turns: Any, after: Position[Any]) -> None:
        self._turns += 1
        if self.seen_at is None and self._situation.occurs(after, self._place):
            self.seen_at = self._turns

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        if self.seen_at is not None and self._turns >= self.seen_at + STAYS:
            self.answer = Answer(failure=Failure(Fault.CRASH, "it has seen enough"))
        else:
            super().ask(position, deadline)


class Recorder:
    """The last lines that a bot exchanged, and what it wrote to its standard error."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=MOST_LINES)
        self._seat: ProgramSeat | None = None
        self._complaint = ""

    def clear(self) -> None:
        self.lines.clear()
        self._complaint = ""

    def hear(self, direction: str, line: str) -> None:
        """Record a line."""
        self.lines.append(f"{direction} {line}")

    def attach(self, seat: ProgramSeat) -> None:
        """Record this bot from now on."""
        self.clear()
        self._seat = seat

    def add_complaint(self, text: str) -> None:
        """Record a message that is not from a running bot."""
        self._complaint = text

    def stderr(self) -> str:
        """The end of what the bot wrote to its standard error."""
        if self._seat is not None and not self._complaint:
            return self._seat.stderr.decode("utf-8", "replace")
        return self._complaint


class Stopwatch:
    """The slowest turn of a bot over several matches, and by how much one was too slow."""

    def __init__(self, limit_ns: int | None, bank_ns: int = 0) -> None:
        """The time for a turn, and the time that all turns of a match may take beyond it."""
        self._limit_ns = limit_ns
        self._bank_ns = bank_ns
        self.slowest_ns = 0
        self.excess_ns = 0

    def note(self, match: MatchResult, place: int, late_ns: int) -> None:
        """Look at a match during which this machine was late by that much.

        The first turn does not count: a program may still be starting.
        """
        events = match.transcript.events
        self.slowest_ns = max([self.slowest_ns, *_later_turns(events, place)])
        self.excess_ns = max(self.excess_ns, self.measure(events, place) - late_ns)

    def measure(self, events: Sequence[Event], place: int) -> int:
        """By how much these turns take more than a match has; below 0 there is some left."""
        if self._limit_ns is None:
            return 0
        turns = _later_turns(events, place)
        return sum(max(0, ns - self._limit_ns) for ns in turns) - self._bank_ns


def _later_turns(events: Sequence[Event], place: int) -> list[int]:
    """How long a seat took for each of its turns but the first."""
    turns = [event for event in events if isinstance(event, TurnEvent)]
    return [event.ns[place] for event in turns if place in event.ns][1:]


def told_warnings(match: MatchResult, place: int) -> str:
    """How often a seat was warned in a match, and of what first; nothing if it never was."""
    turns = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    told: list[tuple[int, Json]] = []
    for number, event in enumerate(turns, 1):
        by_seat = event.extra.get("warnings")
        warnings = by_seat.get(str(place)) if isinstance(by_seat, dict) else None
        if isinstance(warnings, list):
            told += [(number, warning) for warning in warnings]
    if not told:
        return ""
    number, warning = told[0]
    often = "once" if len(told) == 1 else f"{len(told)} times, first"
    return f"; warned {often} at turn {number}: {warning}"


def listen(
    seat: Seat, is_done: Callable[[], bool], deadline: int, clock: Callable[[], int]
) -> None:
    """Serve a seat that was not asked, until it is done, has failed, or time is over."""
    while (left := deadline - clock()) > 0 and seat.answer is None and not is_done():
        wanted = seat.waits_on()
        if not wanted:
            return
        poll = select.poll()
        for descriptor, events in wanted:
            poll.register(descriptor, events)
        for descriptor, _ in poll.poll(left // MILLISECOND + 1):
            seat.on_event(descriptor)


def close_input(
    process: Process, lines: Sequence[str], limit_ns: int, clock: Callable[[], int]
) -> tuple[str | None, int]:
    """Send the lines, close the program's input, and wait: how it ended, or None; and how long."""
    begin = clock()
    _say(process, "".join(f"{line}\n" for line in lines).encode(), begin + limit_ns, clock)
    if stat.S_ISSOCK(os.fstat(process.stdin_fd).st_mode):
        with socket.socket(fileno=os.dup(process.stdin_fd)) as connection, suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, process.stdin_fd)  # closes the pipe, and leaves a number to be closed later
    os.close(nothing)
    _drain(process, begin + limit_ns, clock)
    took = clock() - begin
    select.select([], [], [], LAST_BREATH_NS / 10**9)
    return process.end(), took


def _say(process: Process, data: bytes, deadline: int, clock: Callable[[], int]) -> None:
    """Say all of this to a program, which may still have to dial in, unless it has ended.

    Even if there is nothing to say, it is there then.
    """
    for descriptor in (process.stdin_fd, process.stdout_fd):
        os.set_blocking(descriptor, False)
    poll = select.poll()
    poll.register(process.stdout_fd, select.POLLIN)
    is_said = False
    while not is_said and clock() < deadline:
        try:
            data = data[process.write(data) :]
            is_said = not data
        except BrokenPipeError:
            return
        except BlockingIOError:
            poll.poll(LOOK_MS)
            with suppress(BlockingIOError):
                if not process.read(CHUNK):
                    return


def _drain(process: Process, deadline: int, clock: Callable[[], int]) -> None:
    """Read all that a program says and prints until it is closed, or time is over."""
    reads: dict[int, Callable[[int], bytes]]
    reads = {descriptor: partial(os.read, descriptor) for descriptor in process.print_fds}
    reads[process.stdout_fd] = process.read  # which need not be a pipe
    poll = select.poll()
    for descriptor in reads:
        poll.register(descriptor, select.POLLIN)
    while reads and (left := deadline - clock()) > 0:
        for descriptor, _ in poll.poll(left // MILLISECOND + 1):
            data = b""
            try:
                data = reads[descriptor](CHUNK)
            except BlockingIOError:
                continue
            except ConnectionError:
                pass
            if not data:
                poll.unregister(descriptor)
                del reads[descriptor]
