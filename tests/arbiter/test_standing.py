"""Protocols in which nothing is too late, and all is told at once: real processes play Skyport.

Time is over when a program says `late`: the clock of these matches jumps then.
"""

from __future__ import annotations

import json
import os
import select
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.host import HostProcess
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.seat import BotSeat
from agon.games.bot import no_time
from agon.games.skyport.check_opponents import LARGEST
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.move import DEFAULT_LOADOUT, PASS
from agon.games.skyport.position import SkyportPosition
from agon.match.transcript import (
    Fault,
    FaultEvent,
    TurnEvent,
    format_transcript,
    parse_transcript,
    verify,
)
from tests.arbiter.programs import children, open_files, write_program
from tests.games.skyport.situation import DUEL, drawn_map, options_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from agon.games.bot import Budget
    from agon.games.game import Position
    from agon.games.skyport.move import Turn
    from agon.match.result import MatchResult
    from agon.sandbox.core_times import CoreTimes

HOUR = 3600 * 10**9
TURNS = 3
LIMITS = Limits(turn_ns=HOUR, start_ns=HOUR)
CONNECT = {"message": "connect", "revision": 1, "name": "walker"}

PRELUDE = f"""
import json, os, sys

def say(*messages):
    lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    sys.stdout.write("".join(line + "\\n" for line in lines))
    sys.stdout.flush()

def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()

def act(kind, **more):
    return {{"message": "action", "type": kind, **more}}

def states():
    "Every gamestate in which it is this bot's turn."
    while True:
        message = hear()
        if message.get("message") == "gamestate":
            if message["turn"] == 0 or message["players"][0]["name"] == "walker":
                yield message

CONNECT = {CONNECT!r}
LOADOUT = {{"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "laser"}}
PASS = act("pass")
"""


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


class Passer:
    """Passes; before that it does what it is told."""

    def __init__(self, first: Callable[[Position[Any]], None]) -> None:
        self._first = first

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        self._first(position)
        return (PASS,) if SkyportPosition.of(position).turn else DEFAULT_LOADOUT


@dataclass
class Studio:
    """Matches of a program against one that passes, with all lines and a clock of their own."""

    command: Sequence[str]
    options: SkyportOptions = field(default_factory=lambda: options_for(drawn_map(DUEL), TURNS))
    lines: list[tuple[str, str]] = field(default_factory=list)
    processes: list[HostProcess] = field(default_factory=list)
    offset: int = 0

    def clock(self) -> int:
        return time.monotonic_ns() + self.offset

    def hear(self, way: str, line: str) -> None:
        self.lines.append((way, line))
        if (way, line) == ("<", "late"):
            self.offset += 3 * HOUR

    def launch(self) -> HostProcess:
        self.processes.append(HostProcess(self.command))
        return self.processes[-1]

    def play(
        self,
        first: Callable[[Position[Any]], None] = lambda position: None,
        matches: int = 1,
    ) -> list[MatchResult]:
        bot = ProgramSeat("bot", self.launch, lambda: GAME.dialogue(None), {}, self.hear)
        other = BotSeat("other", lambda _: Passer(first), 0, no_time)
        table = Arbiter(GAME, self.options, [bot, other], LIMITS, self.clock)
        try:
            played = [table.play(seed) for seed in range(matches)]
        finally:
            bot.close()
        for match in played:
            assert parse_transcript(format_transcript(match.transcript)) == match.transcript
            assert verify(match.transcript) == match.transcript.outcome
        return played

    @property
    def told(self) -> list[dict[str, Any]]:
        """The messages that the program was sent."""
        return [json.loads(line) for way, line in self.lines if way == ">"]

    @property
    def errors(self) -> list[str]:
        return [message["error"] for message in self.told if "error" in message]


@pytest.fixture
def studio(tmp_path: Path) -> Callable[[str], Studio]:
    return lambda body: Studio(write_program(tmp_path / "bot.py", body, PRELUDE))


def turns_of(match: MatchResult, seat: int = 0) -> list[str]:
    events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    return [event.turns[seat] for event in events if seat in event.turns]


def warnings_of(match: MatchResult, seat: int = 0) -> list[Any]:
    events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    warned: list[Any] = [event.extra.get("warnings") for event in events]
    return [by_seat[str(seat)] for by_seat in warned if by_seat and str(seat) in by_seat]


LATE = "time was over after 7200 s: what had come by then counts"
"""On its first turn, with the time for starting."""


def test_silence_is_an_empty_turn_and_no_fault(studio: Callable[[str], Studio]) -> None:
    recorded = studio("""
        say(CONNECT)
        for state in states():
            say("late")
    """)
    (match,) = recorded.play()
    assert match.faults == (None, None)
    assert turns_of(match) == ["loadout laser mortar", *["nothing"] * TURNS]
    assert match.outcome.scores == (-20 * TURNS, -20 * TURNS)  # no robot has left its spawn
    warned = warnings_of(match)
    assert [len(warnings) for warnings in warned] == [2] * (TURNS + 1)
    assert warned[0] == [LATE, '"late": not JSON']


@pytest.mark.parametrize(
    ("said", "turn"),
    [
        ("act('move', direction='down'), 'late'", "move down"),
        ("act('move', direction='down'), 'late', PASS", "move down; pass"),
        ("act('mine'), 'late'", "mine"),
    ],
)
def test_what_had_come_counts(studio: Callable[[str], Studio], said: str, turn: str) -> None:
    """Also a turn that was complete before the clock was read."""
    recorded = studio(f"""
        say(CONNECT, LOADOUT)
        for state in states():
            if state["turn"]:
                say({said})
    """)
    (match,) = recorded.play()
    assert match.faults == (None, None)
    turns = turns_of(match)
    assert turns[0] == "loadout droid laser"
    assert turns[1:] == [turn] * TURNS
    assert all(warnings[0].startswith("time was over") for warnings in warnings_of(match))


def test_answers_come_at_once(studio: Callable[[str], Studio]) -> None:
    """A program that waits for each of them before it goes on gets on."""
    recorded = studio("""
        say("rubbish")
        assert "not JSON" in hear()["error"]
        say(CONNECT)
        assert hear() == {"message": "connect", "status": True}
        assert hear()["turn"] == 0
        say(PASS)
        assert "not your turn" in hear()["error"]
        say(LOADOUT)
        for state in states():
            os.write(1, b"\\xff\\n")
            assert "not UTF-8" in hear()["error"]
            say(PASS)
    """)
    (match,) = recorded.play()
    assert match.faults == (None, None)
    assert turns_of(match) == ["loadout droid laser", *["pass"] * TURNS]


def kind_of(message: dict[str, Any]) -> str:
    kind: str = message.get("message", "error")
    return f"turn {message['turn']}" if kind == "gamestate" else message.get("type", kind)


def test_every_seat_is_told_every_turn_in_order(studio: Callable[[str], Studio]) -> None:
    recorded = studio("""
        say(CONNECT, LOADOUT)
        for state in states():
            if state["turn"]:
                say(act("mine"), act("move", direction="down"), PASS, PASS)
    """)
    seen: list[tuple[int, str]] = []

    def look(position: Position[Any]) -> None:
        turn = SkyportPosition.of(position).turn
        seen.append((turn, kind_of(recorded.told[-1])))

    (match,) = recorded.play(look)
    assert match.faults == (None, None)
    heard = [kind_of(message) for message in recorded.told]
    expected = ["connect", "turn 0"]
    first = GAME.start(recorded.options, 0, 2).order[0]
    own_turns = range(1 + first, 2 * TURNS + 1, 2)
    for turn in range(1, 2 * TURNS + 1):
        if turn in own_turns[1:]:  # the pass too many of the turn before
            expected.append("error")
        done = ["move", "pass", "error"] if turn in own_turns else ["pass"]
        expected += [f"turn {turn}", "endturn", *done]
    assert heard == [*expected, f"turn {2 * TURNS + 1}"]
    others_turns = [turn for turn in range(1, 2 * TURNS + 1) if turn not in own_turns]
    assert seen[1:] == [(turn, f"turn {turn}") for turn in others_turns]
    assert recorded.errors.count("pass: it is not your turn") == TURNS - 1


def test_who_crashes_stays_on_the_board(studio: Callable[[str], Studio]) -> None:
    recorded = studio("""
        say(CONNECT, LOADOUT)
        for state in states():
            if state["turn"]:
                say(act("move", direction="down"))
                sys.exit(7)
    """)
    (match,) = recorded.play()
    assert match.faults == (Fault.CRASH, None)
    (fault,) = [event for event in match.transcript.events if isinstance(event, FaultEvent)]
    assert fault.detail == "exit status 7"
    assert turns_of(match) == ["loadout droid laser", *["nothing"] * TURNS]
    assert turns_of(match, 1) == ["loadout laser mortar", *["pass"] * TURNS]
    assert match.outcome.winner == 1


def test_who_never_connects_stays_on_the_board(studio: Callable[[str], Studio]) -> None:
    (match,) = studio("""
        say({**CONNECT, "revision": 2}, "late")
        hear()
    """).play()
    assert match.faults == (Fault.NO_START, None)
    assert turns_of(match) == ["loadout laser mortar", *["nothing"] * TURNS]
    assert match.outcome.winner == 1


def test_a_line_without_an_end_is_a_fault(studio: Callable[[str], Studio]) -> None:
    (match,) = studio("""
        say(CONNECT, LOADOUT)
        for state in states():
            if state["turn"]:
                say("x" * 2**16 + "x")
    """).play()
    assert match.faults == (Fault.PROTOCOL, None)
    assert match.outcome.winner == 1


def test_a_program_plays_one_match_and_may_end_after_it(studio: Callable[[str], Studio]) -> None:
    recorded = studio(f"""
        say(CONNECT, LOADOUT)
        for state in states():
            if state["turn"]:
                say(PASS)
            if state["turn"] > {2 * TURNS - 2}:
                sys.exit(3)
    """)
    matches = recorded.play(matches=3)
    assert [match.faults for match in matches] == [(None, None)] * 3
    assert len(recorded.processes) == 3
    assert len({process.pid for process in recorded.processes}) == 3


class PausedProcess:
    """A program that is not there: pipes, and how often it was told to go on."""

    def __init__(self) -> None:
        self._read_fd, self.stdin_fd = os.pipe()
        self.stdout_fd, self._say_fd = os.pipe()
        self.print_fds = ()
        self.calls: list[str] = []

    def read(self, most: int) -> bytes:
        return os.read(self.stdout_fd, most)

    def write(self, data: bytes) -> int:
        return os.write(self.stdin_fd, data)

    def say(self, *messages: dict[str, Any]) -> None:
        os.write(self._say_fd, "".join(f"{json.dumps(m)}\n" for m in messages).encode())

    def hear(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in os.read(self._read_fd, 1 << 16).splitlines()]

    def hear_all(self) -> list[dict[str, Any]]:
        """All that it is told until its input ends; for a thread of its own."""
        with os.fdopen(os.dup(self._read_fd), "rb") as lines:
            return [json.loads(line) for line in lines]

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")

    def stop(self) -> None:
        self.calls.append("stop")

    def end(self) -> str | None:
        for descriptor in (self._read_fd, self.stdin_fd, self.stdout_fd, self._say_fd):
            os.close(descriptor)
        return None

    def core_times(self) -> CoreTimes:
        return {}

    def limit_reached(self) -> str | None:
        return None


def seated(process: PausedProcess, start: SkyportPosition) -> ProgramSeat:
    """A seat in a match that begins; the program has connected."""
    seat = ProgramSeat("bot", lambda: process, lambda: GAME.dialogue(None))
    seat.begin(start, 0, LIMITS, ("bot", "other"))
    process.say(CONNECT)
    seat.on_event(process.stdout_fd)
    assert seat.is_ready()
    return seat


def test_news_does_not_wake_who_is_paused() -> None:
    process, start = PausedProcess(), GAME.start()
    seat = seated(process, start)
    assert seat.is_live
    seat.pause()
    turns: dict[int, Any] = {0: DEFAULT_LOADOUT, 1: DEFAULT_LOADOUT}
    position = start.play(turns)
    seat.tell(start, turns, position)
    seat.watch(position)
    assert [kind_of(message) for message in process.hear()] == ["connect", "turn 1"]
    assert process.calls == ["pause"]
    seat.end(None)
    assert process.calls == ["pause", "resume"]
    assert seat.waits_on() == ()


@pytest.mark.parametrize("reads", [True, False])
def test_the_end_reaches_all_who_read(reads: bool) -> None:
    """Though more waits for them than a pipe holds; one that does not read is not waited for."""
    process = PausedProcess()
    start = GAME.start(options_for(LARGEST))
    seat = seated(process, start)
    for _ in range(20):
        seat.watch(start)
    assert (process.stdin_fd, select.POLLOUT) in seat.waits_on()
    process.say({"message": "dance"})
    with ThreadPoolExecutor(1) as thread:
        heard = thread.submit(process.hear_all if reads else list)
        seat.end(None)
        assert seat.waits_on() == ()
        messages = heard.result()
    assert [kind_of(m) for m in messages] == (["connect", *["turn 0"] * 21] if reads else [])
