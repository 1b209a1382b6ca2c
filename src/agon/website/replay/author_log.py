"""What a match has left for the author of one of its bots, turn by turn.

A stored transcript holds the lines that a program exchanged (`wire`), the end of its standard
error (`stderr`), and how far both had come after which event (`marks`). Older records have no
marks: then all of it stands at the last turn.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import Limits
from agon.match.transcript import FaultEvent, TurnEvent
from agon.website.render.filters import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.match.transcript import Transcript

LEFT_OUT = re.compile(r"… (\d{1,9}) lines are left out here …")
STDERR_BYTES = Limits().stderr_bytes


@dataclass(frozen=True, slots=True)
class LogPage:
    """What belongs to one turn; turn 0 is before the first."""

    turn: int
    ns: int | None
    """How long the bot thought; None: it was not asked, or failed."""
    lines: tuple[str, ...]
    """What was said: `> ` to the bot, `< ` from it."""
    stderr: str
    failure: str = ""
    """How the bot failed when it was asked next."""

    @property
    def words(self) -> str:
        if self.ns is None:
            return f"it failed: {self.failure}" if self.failure else "it was not asked"
        thought = f"it thought for {seconds(self.ns)}"
        return f"{thought}, then it failed: {self.failure}" if self.failure else thought

    def text(self) -> str:
        """The page as a text; what it printed is marked with `! `."""
        printed = [f"! {line}" for line in self.stderr.splitlines()]
        return "\n".join([f"--- turn {self.turn}: {self.words} ---", *self.lines, *printed])


@dataclass(frozen=True, slots=True)
class AuthorLog:
    """All of it, for one seat."""

    seat: int
    pages: tuple[LogPage, ...]

    def page(self, turn: int) -> LogPage:
        """What belongs to that turn, or to the last one."""
        return self.pages[min(turn, len(self.pages) - 1)]

    def text(self) -> str:
        return "\n\n".join(page.text() for page in self.pages) + "\n"


def read_author_log(transcript: Transcript, seat: int) -> AuthorLog:
    """What is there of that seat; the pages of a seat that was no program are empty."""
    wire = tuple(line for line in _of_seat(transcript, "wire", seat, []) if isinstance(line, str))
    stderr = str(_of_seat(transcript, "stderr", seat, ""))
    marks = _marks(_of_seat(transcript, "marks", seat, []))
    was_cut = len(stderr.encode(errors="replace")) >= STDERR_BYTES
    numbered = _Wire(wire)
    pages = []
    said, printed = 0, 0
    for turn, (ns, events, failure) in enumerate(_turns(transcript, seat)):
        is_last = events is None
        to_line, to_character = (None, None) if is_last else _reached(marks, events or 0)
        text = "" if was_cut and not is_last else stderr[0 if was_cut else printed : to_character]
        pages.append(LogPage(turn, ns, numbered.cut(said, to_line), text, failure))
        said, printed = to_line or 0, to_character or 0
    return AuthorLog(seat, tuple(pages))


def _of_seat(transcript: Transcript, key: str, seat: int, nothing: Any) -> Any:
    by_seat = transcript.extra.get(key)
    if not isinstance(by_seat, list) or seat >= len(by_seat):
        return nothing
    found = by_seat[seat]
    return found if isinstance(found, type(nothing)) else nothing


def _marks(found: list[Any]) -> list[tuple[int, int, int]]:
    """The marks, if they are what they should be."""
    marks = [tuple(mark) for mark in found if isinstance(mark, list) and len(mark) == 3]
    return [mark for mark in marks if all(isinstance(number, int) for number in mark)]


def _turns(transcript: Transcript, seat: int) -> list[tuple[int | None, int | None, str]]:
    """For each turn how long the seat thought, the events to its end, and how it failed then.

    The last one has no end: whatever came after it belongs to it.
    """
    turns: list[tuple[int | None, int | None, str]] = []
    ns: int | None = None
    failure = ""
    for number, event in enumerate(transcript.events):
        if isinstance(event, TurnEvent):
            turns.append((ns, number, failure))
            ns, failure = event.ns.get(seat), ""
        elif isinstance(event, FaultEvent) and event.player == seat:
            failure = f"{event.fault}: {event.whole}" if event.whole else event.fault.value
    return [*turns, (ns, None, failure)]


def _reached(marks: Sequence[tuple[int, int, int]], events: int) -> tuple[int, int]:
    """How many lines and characters there were after this number of events."""
    lines, characters = 0, 0
    for after, line, character in marks:
        if after > events:
            break
        lines, characters = line, character
    return lines, characters


class _Wire:
    """The lines by their numbers, as they were said; a note has the number of its first line."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines
        self._numbers: list[int] = []
        number = 0
        for line in lines:
            self._numbers.append(number)
            note = LEFT_OUT.fullmatch(line)
            number += 1 if note is None else int(note[1])

    def cut(self, begin: int, end: int | None) -> tuple[str, ...]:
        """The lines from one number to before another."""
        first = bisect_left(self._numbers, begin)
        return self._lines[first : None if end is None else bisect_left(self._numbers, end)]
