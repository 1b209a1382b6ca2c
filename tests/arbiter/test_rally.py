"""A rally leaves the same record as the table, turn by turn, whatever the programs do.

The programs here are in this process and answer through real pipes before they are waited for, so
that every match has its rally, on the slowest machine, too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.limits import GRACE_NS, Limits
from agon.arbiter.match import Table, nobody_watches
from agon.arbiter.program import ProgramSeat
from agon.games.hive.game import GAME
from agon.games.hive.protocol import LineDialogue
from agon.games.hive.rally import HiveRally
from agon.match.transcript import Fault, TurnEvent, verify
from benchmarks.pipes import OPTIONS, record_moves
from tests.arbiter.programs import open_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agon.games.game import Position
    from agon.games.hive.position import HivePosition
    from agon.match.result import MatchResult

TURNS = 40
MOVES = [f"{move}\n".encode() for move in record_moves(TURNS)]
ODD = 21
"""Black's turn, in the middle of everything, in which something odd happens."""
MOVE = MOVES[ODD]
LIMITS = Limits(turn_ns=10**9, turns=TURNS)


@dataclass
class Clock:
    """Goes on a little with every look at it, and at once if somebody says so."""

    now: int = 0

    def __call__(self) -> int:
        self.now += 1000
        return self.now


@dataclass(frozen=True)
class Oddity:
    """What a program does in its odd turn; as it stands, nothing odd."""

    pieces: tuple[bytes | None, ...] = (MOVE,)
    """What it says: each piece is there when the one before was read; None ends its output."""
    prints: bytes = b""
    takes: int | None = None
    """How many bytes of the question can be written at first."""
    has_closed_input: bool = False
    takes_back: bool = False
    """Whether what it has said is gone at the first look."""
    waits_ns: int = 0


class Player:
    """A process that plays the known moves through real pipes, each at once when it is asked."""

    def __init__(self, seat: int, oddity: Oddity, clock: Clock) -> None:
        self._turn = seat
        self._oddity = oddity
        self._clock = clock
        self._is_choked = oddity.takes is not None
        self._heard = b""
        self._waits_ns = 0
        self._takes_back = False
        self.has_ended = False
        self._pieces: list[bytes | None] = []
        self._unread, self.stdin_fd = os.pipe()
        self.stdout_fd, self._answers = os.pipe()
        stderr_fd, self._prints = os.pipe()
        self.print_fds = (stderr_fd,)
        self._open = {*self.print_fds, self._prints, self._unread, self._answers}
        self._open |= {self.stdin_fd, self.stdout_fd}

    def write(self, data: bytes) -> int:
        """Hear, and answer at once."""
        if self._turn == ODD and self._oddity.has_closed_input:
            self._close(self._answers)
            raise BrokenPipeError
        if self._turn == ODD and self._is_choked:
            self._is_choked = False
            if not self._oddity.takes:
                raise BlockingIOError
            data = data[: self._oddity.takes]
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            if not line.startswith((b"options", b"end", b"colour black")):
                self._answer()
        return len(data)

    def _answer(self) -> None:
        is_odd = self._turn == ODD
        self._pieces = list(self._oddity.pieces) if is_odd else [MOVES[self._turn]]
        if is_odd:
            os.write(self._prints, self._oddity.prints)
            self._waits_ns = self._oddity.waits_ns
            self._takes_back = self._oddity.takes_back
        self._turn += 2
        self._say()

    def _say(self) -> None:
        if self._pieces:
            piece = self._pieces.pop(0)
            if piece is None:
                self._close(self._answers)
            else:
                os.write(self._answers, piece)

    def read(self, most: int) -> bytes:
        """What it has said; then it says more."""
        if self._takes_back:
            self._takes_back = False
            raise BlockingIOError
        data = os.read(self.stdout_fd, most)
        self._clock.now += self._waits_ns
        self._waits_ns = 0
        self._say()
        return data

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.remove(descriptor)
            os.close(descriptor)

    def pause(self) -> None:
        """It does not think anyway."""

    def resume(self) -> None:
        """It never sleeps."""

    def stop(self) -> None:
        """Nobody stops it."""

    def end(self) -> str | None:
        self.has_ended = True
        for descriptor in tuple(self._open):
            self._close(descriptor)
        return None

    def limit_reached(self) -> str | None:
        return None


class Told(LineDialogue):
    """Counts the turns of which it hears: those of a rally are not among them."""

    def __init__(self, counted: list[int]) -> None:
        super().__init__()
        self._counted = counted

    def tell(
        self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]
    ) -> list[str]:
        self._counted.append(1)
        return super().tell(before, turns, after)


@dataclass
class Record:
    """All that is left of a match, but for the times."""

    events: list[object] = field(default_factory=list)
    result: tuple[object, ...] = ()
    wire: list[tuple[int, str, str]] = field(default_factory=list)
    stderr: list[bytes] = field(default_factory=list)
    marks: list[tuple[int, int]] = field(default_factory=list)
    running: list[bool] = field(default_factory=list)
    """Which programs are ready for another match."""


def play(
    oddity: Oddity,
    on_position: Callable[[Position[Any]], None],
    limits: Limits = LIMITS,
    make_dialogue: Callable[[Clock, list[int]], Told] = lambda _, told: Told(told),
) -> tuple[Record, int, MatchResult]:
    """A match with that oddity; its record, and of how many turns its seats heard."""
    clock, record, told, players = Clock(), Record(), list[int](), list[Player]()

    def launch(number: int) -> Player:
        players.append(Player(number, oddity, clock))
        return players[-1]

    def seat_of(number: int) -> ProgramSeat:
        return ProgramSeat(
            f"bot {number}",
            lambda: launch(number),
            lambda: make_dialogue(clock, told),
            on_line=lambda way, line: record.wire.append((number, way, line)),
        )

    def on_event() -> None:
        record.marks.append((table.event_count, len(record.wire)))

    seats = [seat_of(0), seat_of(1)]
    table = Table(GAME, OPTIONS, seats, limits, clock, on_position=on_position, on_event=on_event)
    try:
        match = table.play(0)
        record.running = [not player.has_ended for player in players]
    finally:
        for seat in seats:
            seat.close()
    assert verify(match.transcript) == match.transcript.outcome
    record.events = [
        event.turns if isinstance(event, TurnEvent) else event for event in match.transcript.events
    ]
    record.result = (match.outcome, match.faults, match.is_void)
    record.stderr = [seat.stderr for seat in seats]
    return record, len(told), match


HARMLESS = {
    "nothing": Oddity(),
    "a carriage return": Oddity((MOVE[:-1] + b"\r\n",)),
    "in pieces": Oddity((MOVE[:3], MOVE[3:5], MOVE[5:])),
    "line end later": Oddity((MOVE[:-1], b"\n")),
    "prints": Oddity(prints=b"thinking\n"),
    "question blocked": Oddity(takes=0),
    "question in parts": Oddity(takes=3),
    "slow": Oddity(waits_ns=2 * GRACE_NS),
    "takes it back": Oddity(takes_back=True),
}
FAULTS = {
    "illegal": (Oddity((b"bQ1=*bQ1\n",)), Fault.ILLEGAL),
    "no move": (Oddity((b"hello\n",)), Fault.PROTOCOL),
    "empty line": (Oddity((b"\n",)), Fault.PROTOCOL),
    "no text": (Oddity((b"\xff\xfe\n",)), Fault.PROTOCOL),
    "two lines": (Oddity((MOVE + MOVE,)), Fault.PROTOCOL),
    "another line": (Oddity((MOVE, b"again\n")), Fault.PROTOCOL),
    "hangs up": (Oddity((None,)), Fault.CRASH),
    "hangs up in a line": (Oddity((MOVE[:3], None)), Fault.CRASH),
    "closes its input": (Oddity(has_closed_input=True), Fault.CRASH),
    "too slow": (Oddity(waits_ns=2 * 10**9), Fault.TIMEOUT),
    "too much": (Oddity((b"x" * (1 << 15),) * 3), Fault.PROTOCOL),
}


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    files = open_files()
    yield
    assert open_files() == files


def watch(position: Position[Any]) -> None:
    """Whoever watches wants to see every position: then there is no rally."""


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_odd_but_allowed_interrupts_a_rally_for_a_turn(name: str) -> None:
    with_rally, heard, match = play(HARMLESS[name], nobody_watches)
    without, heard_without, _ = play(HARMLESS[name], watch)
    assert with_rally == without
    assert with_rally.result[1] == (None, None)
    assert heard_without == 2 * TURNS
    assert heard <= 2 * 8, "all but the first turns, the last and the odd one are of a rally"
    turns = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    times = [ns for event in turns for ns in event.ns.values()]
    assert len(times) == TURNS
    assert min(times) > 0
    assert sum(times) == sum(match.thought_ns)
    assert max(times) == max(match.slowest_ns)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_rally_is_the_fault_that_it_is_without(name: str) -> None:
    oddity, fault = FAULTS[name]
    with_rally, heard, match = play(oddity, nobody_watches)
    without, heard_without, _ = play(oddity, watch)
    assert with_rally == without
    assert match.faults == (None, fault)
    assert with_rally.running[0], "who has done nothing wrong plays on"
    assert heard < heard_without


@pytest.mark.parametrize("turns", range(1, 9))
def test_the_turn_limit_holds(turns: int) -> None:
    limits = Limits(turn_ns=10**9, turns=turns)
    with_rally, _, match = play(Oddity(), nobody_watches, limits)
    assert with_rally == play(Oddity(), watch, limits)[0]
    assert match.turns == turns


def test_without_a_turn_limit_it_ends_with_what_there_is() -> None:
    """Here with the end of the known moves, after which a program fails."""
    limits = Limits(turn_ns=10**9)
    oddity = Oddity((None,))
    with_rally, _, match = play(oddity, nobody_watches, limits)
    assert with_rally == play(oddity, watch, limits)[0]
    assert match.turns == ODD


@pytest.mark.parametrize("turn_ns", [GRACE_NS, None])
def test_no_time_limit_permits_a_rally_and_a_very_short_one_does_not(turn_ns: int | None) -> None:
    limits = Limits(turn_ns=turn_ns, turns=TURNS)
    _, heard, match = play(Oddity(), nobody_watches, limits)
    assert match.turns == TURNS
    assert (heard == 2 * TURNS) == (turn_ns is not None)


@pytest.mark.parametrize("name", HARMLESS)
def test_the_time_that_a_rally_takes_is_nobodys(name: str) -> None:
    """It may have to be compiled first."""
    clocks = list[Clock]()

    class SlowRally(HiveRally):
        def play(self, line: bytes) -> tuple[str, bytes] | None:
            clocks[0].now += 2 * 10**9
            return super().play(line)

        def position(self) -> HivePosition:
            clocks[0].now += 2 * 10**9
            return super().position()

    class SlowlyTold(Told):
        rally = SlowRally

    def make_dialogue(clock: Clock, told: list[int]) -> Told:
        clocks.append(clock)
        return SlowlyTold(told)

    record, heard, match = play(HARMLESS[name], nobody_watches, make_dialogue=make_dialogue)
    assert record == play(HARMLESS[name], nobody_watches)[0]
    assert heard < TURNS
    assert max(match.slowest_ns) < 10**9


def test_who_is_told_of_events_can_stop_a_match_in_a_rally() -> None:
    class EnoughError(Exception):
        pass

    clock, told = Clock(), list[int]()
    players = [
        ProgramSeat("bot", lambda n=n: Player(n, Oddity(), clock), lambda: Told(told))
        for n in range(2)
    ]

    def stop_later() -> None:
        if table.event_count == ODD:
            raise EnoughError

    table = Table(GAME, OPTIONS, players, LIMITS, clock, on_event=stop_later)
    try:
        with pytest.raises(EnoughError):
            table.play(0)
    finally:
        for seat in players:
            seat.close()
    assert len(told) < ODD
