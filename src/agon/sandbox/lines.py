"""Bounded talk with a program that may do anything: say nothing, never end a line, never stop.

Nothing here waits or grows without limit. Descriptors do not block; `pump` moves what can be moved
now, so that one selector can serve many programs. `Dialogue` is the simple case of one program.
"""

from __future__ import annotations

import os
import selectors
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 64 * 1024
LONGEST_LINE = 64 * 1024
MOST_PER_TURN = 1024 * 1024
STDERR_KEPT = 64 * 1024


class Reading(Enum):
    """What there is to read."""

    LINE = "a line"
    NOTHING = "nothing yet"
    TOO_LONG = "a line longer than allowed"
    TOO_MUCH = "more output in one turn than allowed"
    END = "the end of its output"


class LineReader:
    """Lines from a descriptor, none longer than allowed, no more in a turn than allowed."""

    def __init__(
        self, descriptor: int, longest: int = LONGEST_LINE, most: int = MOST_PER_TURN
    ) -> None:
        """Read from this descriptor; lengths are in bytes and count the line's end."""
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self._longest = longest
        self._most = most
        self._taken = 0
        self._lines: deque[bytes] = deque()
        self._part = bytearray()
        self._ended = False

    def begin_turn(self) -> None:
        """Count output anew, from what has not been handed out yet."""
        self._taken = len(self._part) + sum(map(len, self._lines))

    @property
    def wants_more(self) -> bool:
        """Whether it is of use to wait for more: neither ended nor above a limit."""
        return not self._ended and self._taken <= self._most and len(self._part) <= self._longest

    def pump(self) -> None:
        """Read once what is there, if more is wanted."""
        if not self.wants_more:
            return
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._ended = True
            return
        self._taken += len(data)
        self._part += data
        if b"\n" in data:
            *whole, rest = bytes(self._part).split(b"\n")
            self._lines.extend(line + b"\n" for line in whole)
            self._part = bytearray(rest)

    def take(self) -> tuple[Reading, bytes]:
        """The next line without its end, or why there is none."""
        if self._lines:
            if len(self._lines[0]) > self._longest:
                return Reading.TOO_LONG, b""
            return Reading.LINE, self._lines.popleft()[:-1].removesuffix(b"\r")
        if len(self._part) > self._longest:
            return Reading.TOO_LONG, b""
        if self._taken > self._most:
            return Reading.TOO_MUCH, b""
        return (Reading.END if self._ended else Reading.NOTHING), b""


class Tail:
    """The last of what a descriptor gives; the rest is read and forgotten."""

    def __init__(self, descriptor: int, keep: int = STDERR_KEPT) -> None:
        """Keep this many bytes."""
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.total = 0
        self.wants_more = True
        self._keep = keep
        self._kept = bytearray()

    def pump(self) -> None:
        """Read once what is there."""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.wants_more = bool(data)
        self.total += len(data)
        self._kept += data
        del self._kept[: -self._keep]

    @property
    def text(self) -> str:
        """What was kept; bytes that are no text are marked."""
        return self._kept.decode("utf-8", "replace")


class LineWriter:
    """What a program is to be told, written as fast as it reads."""

    def __init__(self, descriptor: int) -> None:
        """Write to this descriptor."""
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.is_broken = False
        self._waiting = bytearray()

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._waiting) and not self.is_broken

    def queue(self, data: bytes) -> None:
        """Write this when it can be written."""
        self._waiting += data

    def pump(self) -> None:
        """Write once what fits; a program that has closed its input breaks the writer."""
        if not self.is_waiting:
            return
        try:
            written = os.write(self.descriptor, self._waiting[:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            self.is_broken = True
            return
        del self._waiting[:written]


class Streams(Protocol):
    """The descriptors of a program's standard streams."""

    @property
    def stdin(self) -> int:
        """Where it is told."""

    @property
    def stdout(self) -> int:
        """Where it answers."""

    @property
    def stderr(self) -> int:
        """Where it complains."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of asking: a line, or why there is none."""

    reading: Reading
    line: bytes


class Dialogue:
    """One program: tell it something, wait for a line until a deadline."""

    def __init__(
        self,
        child: Streams,
        clock: Callable[[], int],
        longest: int = LONGEST_LINE,
        most: int = MOST_PER_TURN,
    ) -> None:
        """Talk with this program; the clock gives nanoseconds."""
        self.writer = LineWriter(child.stdin)
        self.reader = LineReader(child.stdout, longest, most)
        self.complaints = Tail(child.stderr)
        self._clock = clock

    def ask(self, data: bytes, patience_ns: int) -> Reply:
        """Say this, nothing included, and wait for a line; NOTHING means that time ran out."""
        self.reader.begin_turn()
        self.writer.queue(data)
        return self.ask_on(patience_ns)

    def ask_on(self, patience_ns: int) -> Reply:
        """Wait for one more line of the same turn."""
        deadline = self._clock() + patience_ns
        while True:
            reading, line = self.reader.take()
            left = deadline - self._clock()
            if reading is not Reading.NOTHING or left <= 0:
                return Reply(reading, line)
            self._wait(left)

    def _wait(self, patience_ns: int) -> None:
        with selectors.PollSelector() as selector:
            for part in (self.reader, self.complaints):
                if part.wants_more:
                    selector.register(part.descriptor, selectors.EVENT_READ, part)
            if self.writer.is_waiting:
                selector.register(self.writer.descriptor, selectors.EVENT_WRITE, self.writer)
            for key, _ in selector.select(patience_ns / 10**9):
                key.data.pump()
