"""A seat whose player is a program on the other side of a pipe.

Everything that a program can do wrong ends as a failure of its own seat: it may crash, flood,
stall in the middle of a line, never read, or say what its protocol does not allow.
"""

from __future__ import annotations

import errno
import os
import select
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agon.arbiter.seat import Answer, Seat
from agon.errors import AgonError, ArbiterError, ExhaustedError, IllegalMoveError, ProtocolError
from agon.games.dialogue import LEGAL
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.bot_process import Process
    from agon.arbiter.limits import Limits
    from agon.games.dialogue import Briefing, Dialogue
    from agon.games.game import JsonObject, Outcome, Position
    from agon.sandbox.core_times import CoreTimes

CHUNK = 1 << 16
MOST_CHUNKS = 32  # as much as the largest pipe holds, and no more of an endless flood
LONGEST_COMPLAINT = 200
HOST_ERRORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC})
NO_TEXT = "(an empty line)"
HUNG_UP = Failure(Fault.CRASH, "it closed its output")
MOST_WAITING = 1 << 22  # bytes that wait for a program which does not read
LOOK_MS = 10
PARTING_LOOKS = 50  # whether a program reads what waits for it at the end of its match


class ProgramSeat(Seat):
    """A program that speaks one of the game's protocols on its standard input and output."""

    def __init__(
        self,
        name: str,
        launch: Callable[..., Process],
        make_dialogue: Callable[[], Dialogue],
        describe: JsonObject | None = None,
        on_line: Callable[[str, str], None] | None = None,
    ) -> None:
        """`launch` starts it, with words more on its command line, if there are any.

        `on_line` is told every line with its direction, `>` to the program.

        It is started by the first match and lives until `close`; after a failure, until the end of
        that match.
        """
        self.name = name
        self._launch = launch
        self._make_dialogue = make_dialogue
        self._describe = describe or {}
        self._on_line = on_line
        self._process: Process | None = None
        self._is_paused = False
        self.stderr = b""

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "program", **self._describe}

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        """Start the program if it does not run, and tell it of the match."""
        self.answer = None
        self._seat = seat
        self._limits = limits
        self._position: Position[Any] | None = None
        self._said = 0
        self._played: list[tuple[Position[Any], Mapping[int, Any], Position[Any]]] = []
        briefing = limits.briefing(names)
        if self._process is None:
            self._start(briefing)
        if self._process is not None:
            self._send(self._dialogue.open(start, seat, briefing))

    def _start(self, briefing: Briefing) -> None:
        self._inbox = b""
        self._outbox = b""
        self._has_spoken = False
        self._dialogue = self._make_dialogue()
        try:
            self._dialogue.check_time(briefing.turn_ns)
            arguments = self._dialogue.arguments(self._seat, briefing)
            self._process = process = self._launch(*arguments)
        except ArbiterError:
            raise
        except (OSError, AgonError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            if isinstance(cause, OSError) and cause.errno in HOST_ERRORS:
                raise ExhaustedError(f"{self.name} cannot be started: {cause.strerror}") from None
            self._fail(Fault.NO_START, str(error))
            return
        self.is_live = self._dialogue.is_live
        for descriptor in (process.stdin_fd, process.stdout_fd, *process.print_fds):
            os.set_blocking(descriptor, False)
        pipes = (process.stdout_fd, *process.print_fds)
        self._sources = tuple((pipe, select.POLLIN) for pipe in pipes)
        self._speaking = select.poll()
        self._speaking.register(process.stdout_fd, select.POLLIN)

    def is_ready(self) -> bool:
        """Whether the protocol's greeting is over."""
        return self._process is not None and self._dialogue.is_ready()

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """Send the question; what the program said unasked before is looked at first.

        Where programs may write ahead, that is looked at after it: it is the answer.
        """
        self.answer = None
        self._said = 0
        self._position = None
        if self._process is None:
            self._fail(Fault.CRASH, "it does not run any more")
            return
        if self._is_paused:
            self._resume()
        may_write_ahead = self._dialogue.may_write_ahead
        if not may_write_ahead and (self._inbox or self._speaking.poll(0)):
            self._read_stdout()
        if self.answer is None:
            self._position = position
            self._send(self._take_news() + self._dialogue.ask(position))
            text = self._dialogue.given()
            if text is not None:
                self._take_turn(text)
            elif self._dialogue.lists_moves:
                self._send((self._dialogue.legal_line(position, self._seat),))
            if may_write_ahead and self._inbox:
                self._take_lines()

    def watch(self, position: Position[Any]) -> None:
        """Others are asked. A paused program finds the lines when it goes on."""
        self._send(self._dialogue.watch(position))

    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        """What was played is sent with the next question: a quick answer cannot come too early.

        In a live protocol it is sent now; there an answer that comes too early is no fault.
        """
        self._position = None
        self._played.append((before, turns, after))
        if self.is_live:
            self._send(self._take_news())

    @property
    def can_pause(self) -> bool:
        return self._process is not None and not self._is_paused

    def core_times(self) -> CoreTimes:
        return self._process.core_times() if self._process is not None else {}

    def pause(self) -> None:
        if self._process is not None and not self._is_paused:
            self._process.pause()
            self._is_paused = True

    def _resume(self) -> None:
        if self._process is not None and self._is_paused:
            self._process.resume()
            self._is_paused = False

    def _take_news(self) -> list[str]:
        played, self._played = self._played, []
        return [line for turn in played for line in self._dialogue.tell(*turn)]

    def end(self, outcome: Outcome | None) -> None:
        """Send how the match ended; a program that failed in it is ended, too."""
        if self._process is None:
            return
        self._resume()
        has_failed = self.answer is not None and self.answer.failure is not None
        is_asked = self._position is not None and self.answer is None
        can_go_on = self._dialogue.is_ready() and not has_failed and not is_asked
        self._position = None
        self._send(self._take_news() + self._dialogue.close(outcome))
        if self._dialogue.is_for_one_match:
            self._part()
        if not can_go_on or self._dialogue.is_for_one_match:
            self._stop()

    def _part(self) -> None:
        """Let a program hear the end before it is ended, unless it does not read.

        What it has said is taken from it: a connection with something unread breaks when it is
        closed, and the last lines with it.
        """
        looks = PARTING_LOOKS
        while self._process is not None and self._outbox and looks:
            poll = select.poll()
            poll.register(self._process.stdin_fd, select.POLLOUT)
            if poll.poll(LOOK_MS):
                self._send(())
            else:
                looks -= 1
        with suppress(BlockingIOError):
            for _ in range(MOST_CHUNKS):
                if self._process is None or not self._process.read(CHUNK):
                    break

    def close(self) -> None:
        if self._process is not None:
            self._send(self._dialogue.leave())
            self._stop()

    def _stop(self) -> tuple[str | None, str | None]:
        """End it; how it had ended by itself, and the resource limit that had ended it."""
        if self._process is None:
            return None, None
        self._resume()
        self.read_prints()
        process, self._process, self.is_live = self._process, None, False
        return process.end(), process.limit_reached()

    def waits_on(self) -> Sequence[tuple[int, int]]:
        """Its output, its complaints, and its input while something waits to be written there."""
        if self._process is None:
            return ()
        if self._outbox:
            return (*self._sources, (self._process.stdin_fd, select.POLLOUT))
        return self._sources

    def on_event(self, descriptor: int) -> None:
        if self._process is None:
            return
        if descriptor == self._process.stdout_fd:
            self._read_stdout()
        elif descriptor == self._process.stdin_fd:
            self._send(())
        else:
            self._read_prints(descriptor, 1)
            if len(self._sources) == 1:
                self._read_stdout()  # a program that ended before it dialled in says nothing there

    def settle(self, allowed: str) -> bool:
        if self._position is None:
            return False
        standing = self._dialogue.standing()
        if standing is None:
            return False
        if self.answer is None:
            self._take_turn(standing)
        if self.answer is not None:
            late = f"time was over after {allowed}: what had come by then counts"
            self.answer = self.answer._replace(warnings=(late, *self.answer.warnings))
        return True

    def stop_waiting(self) -> str:
        if self._outbox:
            return "it does not read its input"
        if self._inbox:
            start = self._inbox[:40].decode("utf-8", "backslashreplace")
            return f"half a line {start!r}, no line end"
        return ""

    def _fail(self, fault: Fault, detail: str) -> None:
        if self.answer is None or self.answer.failure is None:
            self.answer = Answer(failure=Failure(fault, detail))

    def _send(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._outbox += line.encode("utf-8") + b"\n"
            if self._on_line is not None:
                self._on_line(">", line)
        if self._process is None or not self._outbox:
            return
        try:
            self._outbox = self._outbox[self._process.write(self._outbox) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._outbox = b""  # it has closed its input; what it still says counts
        if len(self._outbox) > MOST_WAITING:
            self._fail(Fault.PROTOCOL, "it does not read its input")

    def _read_stdout(self) -> None:
        if self._process is None:
            return
        has_ended = False
        try:
            data = self._process.read(CHUNK)
            has_ended = not data
            self._said += len(data)
            self._inbox += data
        except BlockingIOError:
            pass
        if self._said > self._limits.turn_bytes:
            self._fail(Fault.PROTOCOL, f"more than {self._limits.turn_bytes} bytes for one turn")
        elif self._inbox and (self._position is not None or not self._dialogue.may_write_ahead):
            self._take_lines()
        if has_ended and self.answer is None:
            self.answer = Answer(failure=HUNG_UP)

    def _take_lines(self) -> None:
        """Take the lines that are there, up to an answer: more may belong to the next question."""
        begin = 0
        while self.answer is None and (end := self._inbox.find(b"\n", begin)) >= 0:
            self._take_line(self._inbox[begin:end])
            begin = end + 1
        self._inbox = self._inbox[begin:]
        if self.answer is None and len(self._inbox) > self._limits.line_bytes:
            self._fail(Fault.PROTOCOL, self._too_long(self._inbox))

    def _take_line(self, raw: bytes) -> None:
        if len(raw) > self._limits.line_bytes:
            self._fail(Fault.PROTOCOL, self._too_long(raw))
            return
        raw = raw.removesuffix(b"\r")
        if self._on_line is not None:
            self._on_line("<", raw.decode("utf-8", "backslashreplace"))
        text = None
        try:
            line = raw.decode("utf-8")
            wants_moves = line == LEGAL and not self._has_spoken
            self._has_spoken = True
            if wants_moves:
                self._list_moves()
            else:
                text = self._dialogue.read(line)
        except UnicodeDecodeError:
            self._refuse(f"{raw[:40]!r} is not UTF-8")
        except AgonError as error:
            self._blame(error, line)
        replies = self._dialogue.replies()
        if replies:
            self._send(replies)
        if text is not None:
            self._take_turn(text)

    def _list_moves(self) -> None:
        """Its first line asks for the legal moves: of this question too, if it has one."""
        if not self._dialogue.lists_moves:
            self._dialogue.list_moves()
            if self._position is not None:
                self._send((self._dialogue.legal_line(self._position, self._seat),))

    def _refuse(self, complaint: str) -> None:
        try:
            self._dialogue.refuse(complaint)
        except ProtocolError as error:
            self._blame(error, complaint)

    def _take_turn(self, text: str) -> None:
        """This is its turn, if it is one."""
        try:
            if self._position is None:
                raise ProtocolError(f"{text[:40]!r}: it was not asked for a turn")
            turn = self._dialogue.parse(self._position, self._seat, text)
            self.answer = Answer(turn, warnings=self._dialogue.warnings)
        except AgonError as error:
            self._blame(error, text)

    def _blame(self, error: AgonError, said: str) -> None:
        is_illegal = isinstance(error, IllegalMoveError)
        detail = str(error) if said.strip() else str(error).replace("''", NO_TEXT)
        self._fail(Fault.ILLEGAL if is_illegal else Fault.PROTOCOL, detail)

    def _too_long(self, raw: bytes) -> str:
        return f"{raw[:40]!r}: a line of more than {self._limits.line_bytes} bytes"

    def explain(self, failure: Failure) -> Failure:
        """A program that said its last has ended, or is ended now: how, and why."""
        if failure is not HUNG_UP:
            return failure
        how, limit = self._stop()
        if limit is not None:
            return Failure(Fault.RESOURCE, limit)
        return Failure(Fault.CRASH, how or "it closed its output", self._last_complaint())

    def read_prints(self) -> None:
        """Keep what it has printed until now, too."""
        if self._process is not None:
            for descriptor in self._process.print_fds:
                self._read_prints(descriptor, MOST_CHUNKS)

    def _last_complaint(self) -> str:
        """The last line on its standard error, which tells most about a crash."""
        last = self.stderr.rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")
        return "".join(c if c.isprintable() else "?" for c in last[:LONGEST_COMPLAINT]).strip()

    def _read_prints(self, descriptor: int, most_chunks: int) -> None:
        """Keep the end of what it prints; all of it comes in the order in which it is read."""
        for _ in range(most_chunks):
            try:
                data = os.read(descriptor, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._sources = tuple(source for source in self._sources if source[0] != descriptor)
                return
            kept = self.stderr + data
            self.stderr = kept[max(0, len(kept) - self._limits.stderr_bytes) :]
