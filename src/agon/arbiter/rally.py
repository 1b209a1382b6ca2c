"""Two programs that answer each other at once: lines go back and forth, and all is written down.

It goes on for as long as each says one whole line, in no time, that is a plain turn, and nobody
says anything else meanwhile. Then the table takes over, with a seat that is asked for a turn.
"""

from __future__ import annotations

import select
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from agon.arbiter.limits import GRACE_NS, MILLISECOND_NS
from agon.match.transcript import TurnEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.limits import SeatClock
    from agon.arbiter.process import Process
    from agon.games.game import Position
    from agon.games.rally import Rally
    from agon.match.transcript import Event

MOST_BYTES = 1 << 12  # of a line that is a plain turn


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two programs: its process, and how its protocol plays lines."""

    process: Process
    rally: type[Rally]
    sources: Sequence[tuple[int, int]]
    """Where it may say something, and the poll event for that."""
    on_line: Callable[[str, str], None] | None


class Pending(NamedTuple):
    """How a rally ended: who is asked in which position, since when."""

    position: Position[Any]
    seat: int
    asked: int
    unsent: bytes
    """Of the question, what could not be written yet."""
    heard: bytes
    """Of the answer, what was read."""
    heard_at: int
    """When that was."""


@dataclass(frozen=True, slots=True)
class Diary:
    """Where the turns of a rally are written down, as those of any match."""

    clock: Callable[[], int]
    clocks: Sequence[SeatClock]
    events: list[Event]
    on_event: Callable[[], None]


def exchange(
    sides: Sequence[Side], position: Position[Any], seat: int, most: int | None, diary: Diary
) -> Pending:
    """Play from a position in which this seat was just asked, at most so many turns."""
    poll = select.poll()
    for side in sides:
        for source in side.sources:
            poll.register(*source)
    answers = [[(side.process.stdout_fd, select.POLLIN)] for side in sides]
    clock, events = diary.clock, diary.events
    asked, unsent, heard = diary.clocks[seat].asked, b"", b""
    now = asked
    rally: Rally | None = None
    end = None if most is None else len(events) + most
    while not unsent and len(events) != end:
        if poll.poll(GRACE_NS // MILLISECOND_NS) != answers[seat]:
            break
        heard = read_some(sides[seat].process)
        now = clock()
        if rally is None:
            rally = sides[seat].rally(position)
        told = rally.play(heard) if now - asked <= GRACE_NS else None
        if told is None:
            break
        text, line = told
        diary.clocks[seat].stop_at(asked, now)
        events.append(TurnEvent({seat: text}, {seat: now - asked}))
        log_line(sides[seat], "<", heard)
        diary.on_event()
        seat, heard = 1 - seat, b""
        log_line(sides[seat], ">", line)
        unsent = write_some(sides[seat].process, line)
        asked = clock()
    if rally is not None:
        begin = now if now > asked else clock()  # since it was read, or since nothing came
        position = rally.position()
        busy = clock() - begin  # with what is nobody's affair: nobody's time has run
        asked, now = asked + busy, now + busy
    return Pending(position, seat, asked, unsent, heard, now)


def log_line(side: Side, direction: str, line: bytes) -> None:
    """Let who keeps the lines know of one."""
    if side.on_line is not None:
        side.on_line(direction, line[:-1].decode())


def read_some(process: Process) -> bytes:
    """What it says; nothing if that is gone again, for some can take back what they said."""
    try:
        return process.read(MOST_BYTES)
    except BlockingIOError:
        return b""


def write_some(process: Process, data: bytes) -> bytes:
    """Say this to it, as far as it can be said now; what is left."""
    try:
        return data[process.write(data) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return b""  # it has closed its input; what it still says counts
