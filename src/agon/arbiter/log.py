"""What a match leaves for the authors of its bots: the lines exchanged, and the standard error."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from agon.arbiter.program import ProgramSeat

if TYPE_CHECKING:
    from agon.arbiter.seat import Seat

FIRST_CHARACTERS = 1 << 16
LAST_CHARACTERS = 3 << 16
"""Of one seat's lines in a long match, the part that is kept from the beginning and the end."""


class SeatLog:
    """The lines that one seat exchanged in one match: `> ` to the program, `< ` from it."""

    def __init__(self, first: int = FIRST_CHARACTERS, last: int = LAST_CHARACTERS) -> None:
        """How many characters are kept from the beginning, and how many from the end."""
        self._room = first
        self._last = last
        self.clear()

    def clear(self) -> None:
        self._head: list[str] = []
        self._tail: deque[str] = deque()
        self._head_room = self._room
        self._tail_size = 0
        self._left_out = 0
        self.count = 0
        """Lines heard so far, those included that are left out."""

    def on_line(self, direction: str, line: str) -> None:
        """Keep a line; of those in the middle of a long match, only the number."""
        self.count += 1
        text = f"{direction} {line}"
        if self._head_room > 0:
            self._head_room -= len(text)
            self._head.append(text)
            return
        self._tail.append(text)
        self._tail_size += len(text)
        while self._tail_size > self._last and len(self._tail) > 1:
            self._tail_size -= len(self._tail.popleft())
            self._left_out += 1

    def lines(self) -> list[str]:
        """The lines; where some are left out, a note says how many."""
        note = [left_out_note(self._left_out)] if self._left_out else []
        return [*self._head, *note, *self._tail]


class SeatMarks:
    """How far one seat's log had come after which event, so that its parts are found by turn.

    A mark is `[events, lines, characters]`: after this number of events of the
    transcript, how many lines had been exchanged and how many characters the standard error had.
    """

    def __init__(self) -> None:
        self.marks: list[list[int]] = []
        self._printed = b""
        self._characters = 0

    def note(self, events: int, log: SeatLog, seat: Seat) -> None:
        """Another event has happened; if nothing was said since the last, no mark is made.

        What a program prints before its answer is there with it; the rest counts for its next turn.
        """
        printed = seat.stderr if isinstance(seat, ProgramSeat) else b""
        if printed is not self._printed:
            self._printed, self._characters = printed, len(_as_text(printed))
        lines, characters = log.count, self._characters
        if not self.marks or self.marks[-1][1] != lines or self.marks[-1][2] != characters:
            self.marks.append([events, lines, characters])


def left_out_note(lines: int) -> str:
    """The line that stands for those that are left out."""
    return f"… {lines} lines are left out here …"


def stderr_of(seat: Seat) -> str:
    """The end of what a program wrote to its standard error; nothing for others."""
    if not isinstance(seat, ProgramSeat):
        return ""
    seat.read_prints()
    return _as_text(seat.stderr)


def _as_text(printed: bytes) -> str:
    return printed.decode("utf-8", "backslashreplace")
