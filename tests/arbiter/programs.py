"""Small programs that play Hive, well or not at all: written to a folder and run as bots."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass, field
from random import Random
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.host import HostProcess
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.seat import BotSeat
from agon.games.bot import no_time
from agon.games.hive.game import GAME
from agon.match.transcript import FaultEvent, format_transcript, parse_transcript, verify
from agon.sandbox import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agon.arbiter.seat import Seat
    from agon.games.bot import Budget
    from agon.games.dialogue import Dialogue
    from agon.games.game import Position
    from agon.match.result import MatchResult

PYTHON = ["python3", "-I", "-S"]
TURNS = 8
SECOND = 10**9
SHORT = SECOND * 15 // 100
PATIENT = Limits(turn_ns=120 * SECOND, turns=TURNS)
PATIENCE_MS = 300_000


def known_moves() -> list[str]:
    """The moves of the one match that all these bots play."""
    rng, position, moves = Random(4), GAME.start(), []  # noqa: S311
    for _ in range(TURNS):
        move = position.random_turn(position.side_to_move, rng)
        moves.append(position.format_turn(position.side_to_move, move))
        position = position.play_move(move)
    return moves


MOVES = known_moves()

LINES = f"""
import os, signal, subprocess, sys, time
MOVES = {MOVES!r}

def asked():
    "The move to answer with, every time that it is this bot's turn."
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "colour":
            mine = iter(MOVES[rest == "black"::2])
        if word not in ("options", "end") and rest != "black":
            yield next(mine)

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def play():
    for move in asked():
        say(move + "\\n")

def sleep():
    time.sleep(600)
"""

UHP = """
import sys, time

def say(*lines):
    sys.stdout.write("".join(line + "\\n" for line in lines))
    sys.stdout.flush()

def greet():
    say("id Fake v1", "", "ok")

def commands():
    for line in sys.stdin:
        yield line.strip()
"""


def write_program(path: Path, body: str, prelude: str = LINES) -> list[str]:
    """A program with this body, and the command that runs it."""
    path.write_text(prelude + dedent(body))
    return [*PYTHON, str(path)]


@dataclass
class KnownBot:
    """Plays the same match, in this process; before every turn it does what it is told."""

    first: Callable[[], None]

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        self.first()
        return position.parse_turn(seat, MOVES[position.turn])


def known_seat(first: Callable[[], None] = lambda: None) -> Seat:
    return BotSeat("known", lambda _: KnownBot(first), 0, no_time)


@dataclass
class Launcher:
    """Starts a command as a bot, and remembers what it started and what was said."""

    command: Sequence[str]
    protocol: str | None = None
    make_dialogue: Callable[[], Dialogue] | None = None
    folder: Path | None = None
    processes: list[HostProcess] = field(default_factory=list)
    wire: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self) -> HostProcess:
        self.processes.append(HostProcess(self.command, self.folder))
        return self.processes[-1]

    def seat(self) -> ProgramSeat:
        dialogue = self.make_dialogue or (lambda: GAME.dialogue(self.protocol))
        return ProgramSeat("bot", self, dialogue, {}, self._note)

    def _note(self, way: str, line: str) -> None:
        self.wire.append((way, line))

    def lines(self, way: str) -> list[str]:
        """What was sent to it (`>`) or what it said (`<`)."""
        return [line for direction, line in self.wire if direction == way]


def open_files() -> int:
    """How many file descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


def children() -> set[int]:
    """The processes that this one has started and not yet ended."""
    return {*processes.children(os.getpid())}


def play(
    launcher: Launcher, limits: Limits = PATIENT, own: int = 0, matches: int = 1
) -> MatchResult:
    """The last of some matches that a program plays against the known moves."""
    program = launcher.seat()
    seats = (program, known_seat()) if own == 0 else (known_seat(), program)
    try:
        played_at = table(seats[0], seats[1], limits)
        for _ in range(matches):
            match = played_at.play(0)
    finally:
        program.close()
    assert parse_transcript(format_transcript(match.transcript)) == match.transcript
    assert verify(match.transcript) == match.transcript.outcome
    return match


def table(white: Seat, black: Seat, limits: Limits = PATIENT) -> Arbiter:
    return Arbiter(GAME, GAME.options(), [white, black], limits, time.monotonic_ns)


def told(match: MatchResult) -> str:
    """What the author of the bot that failed is told."""
    (event,) = (e for e in match.transcript.events if isinstance(e, FaultEvent))
    return event.whole


def wait_until_readable(descriptor: int) -> None:
    """Until something can be read there; for a process's descriptor: until it has ended."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    assert poll.poll(PATIENCE_MS), "waited in vain"
