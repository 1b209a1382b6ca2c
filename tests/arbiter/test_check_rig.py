"""The parts of a check: its stopwatch, how it ends a program's input, how it listens."""

from __future__ import annotations

import select
import time
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import play_match
from agon.arbiter.bot_process import Program
from agon.arbiter.check_rig import (
    MOST_LINES,
    STAYS,
    CheckOpponent,
    Recorder,
    Stopwatch,
    close_input,
    listen,
    told_warnings,
)
from agon.arbiter.dial_in import DialInProcess
from agon.arbiter.entrant import launch_on_host
from agon.arbiter.host import HostProcess
from agon.arbiter.limits import Limits
from agon.arbiter.seat import Answer
from agon.games.bot import no_time
from agon.games.check_opponents import Situation
from agon.games.registry import find_game
from agon.match.transcript import TurnEvent
from tests.arbiter.programs import PYTHON, children, open_files
from tests.arbiter.script_seat import ScriptSeat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.arbiter.bot_process import Process
    from agon.match.result import MatchResult

MS = 10**6


def match_of(took_ms: Sequence[int]) -> MatchResult:
    """A match in which seat 0 took so long for its turns, one after the other."""
    game = find_game("hive")
    players = [game.bot("random", seed) for seed in (1, 2)]
    match = play_match(game, players, Limits(turns=2 * len(took_ms)), seed=1, clock=lambda: 0)
    times = iter(took_ms)
    events = [
        replace(event, ns={0: next(times) * MS})
        if isinstance(event, TurnEvent) and 0 in event.ns
        else event
        for event in match.transcript.events
    ]
    return replace(match, transcript=replace(match.transcript, events=tuple(events)))


@pytest.mark.parametrize(
    ("took", "bank", "late", "excess"),
    [
        ((900, 150, 200), 0, 0, 0),  # the first turn does not count
        ((0, 150, 270), 0, 0, 70),
        ((0, 150, 270), 0, 70, 0),
        ((0, 150, 270), 100, 0, 0),
        ((0, 270, 270), 100, 0, 40),  # a bank is for a whole match
        ((0, 2000, 1), 100, 0, 1700),
    ],
)
def test_what_a_match_would_not_bear(
    took: tuple[int, ...], bank: int, late: int, excess: int
) -> None:
    watch = Stopwatch(200 * MS, bank * MS)
    watch.note(match_of(took), 0, late * MS)
    assert watch.excess_ns == excess * MS
    assert watch.slowest_ns == max(took[1:]) * MS


def test_without_a_limit_nothing_is_too_slow() -> None:
    watch = Stopwatch(None)
    watch.note(match_of((0, 5000)), 0, 0)
    assert (watch.excess_ns, watch.slowest_ns) == (0, 5000 * MS)


# --- the end of the input ------------------------------------------------------------------------


@pytest.fixture
def _nothing_is_left() -> Iterator[None]:
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


def end_input(process: Process, lines: Sequence[str]) -> tuple[str | None, int]:
    """How it ended, and how often the clock was read: every reading is a millisecond later."""
    how, took = close_input(process, lines, 60_000 * MS, count(0, MS).__next__)
    return how, took // MS


READS_ALL = "import sys; data = sys.stdin.read(); sys.exit(len(data) % 256)"
DIALS = "import socket, sys; c = socket.create_connection((sys.argv[1], int(sys.argv[2])));"


@pytest.mark.usefixtures("_nothing_is_left")
@pytest.mark.parametrize(
    ("code", "lines", "how"),
    [
        (READS_ALL, [], "exit status 0"),
        (READS_ALL, ["a", "bc"], "exit status 5"),
        ("import sys; print('x' * 500_000); sys.exit(3)", [], "exit status 3"),
        ("import sys; print('x' * 500_000, file=sys.stderr); sys.exit(4)", [], "exit status 4"),
        # it says as much as it hears, and more than a pipe holds
        ("import sys; [print(line) for line in sys.stdin]", ["y" * 1000] * 500, "exit status 0"),
        ("import sys; sys.stdin.close(); sys.exit(6)", ["y" * 1000] * 500, "exit status 6"),
    ],
)
def test_a_program_that_ends_with_its_input(code: str, lines: list[str], how: str) -> None:
    process = HostProcess([*PYTHON, "-c", code])
    ended, readings = end_input(process, lines)
    assert ended == how
    assert readings < 10_000, "its end is seen: the check does not wait until time is over"


@pytest.mark.usefixtures("_nothing_is_left")
@pytest.mark.parametrize(
    ("code", "lines", "how"),
    [
        (DIALS + "sys.exit(len(c.makefile().read()))", ["abc"], "exit status 4"),
        (DIALS + "c.close(); sys.exit(7)", ["y" * 1000] * 5000, "exit status 7"),
    ],
)
def test_a_program_that_ends_with_its_connection(code: str, lines: list[str], how: str) -> None:
    program = Program("bot", (*PYTHON, "-c", code, "{host}", "{port}"))
    ended, readings = end_input(DialInProcess(program, "bot", launch_on_host), lines)
    assert ended == how
    assert readings < 10_000


@pytest.mark.usefixtures("_nothing_is_left")
@pytest.mark.parametrize("lines", [[], ["y" * 1000] * 500])
def test_a_program_that_goes_on_without_its_input(lines: list[str]) -> None:
    process = HostProcess([*PYTHON, "-c", "import time; time.sleep(600)"])
    how, took = close_input(process, lines, 50 * MS, time.monotonic_ns)
    assert how is None
    assert took >= 50 * MS


# --- opponents, warnings, lines ------------------------------------------------------------------


@pytest.mark.parametrize("seen_at", [1, 3, None])
def test_an_opponent_leaves_some_turns_after_it_has_got_what_it_wanted(seen_at: int | None) -> None:
    game = find_game("hive")
    turns = iter(range(1, 100))
    situation = Situation("it", "", game.bots()["random"], lambda _, __: next(turns) == seen_at)
    seat = CheckOpponent(situation, 1, 0, no_time)
    for _ in range(2):  # a second match is as the first
        turns = iter(range(1, 100))
        position = game.start()
        seat.begin(position, 0, Limits(), ("a", "b"))
        for _ in range(STAYS + (seen_at or 80) - 1):
            seat.tell(position, {}, position)
        seat.ask(position, None)
        assert seat.answer is not None
        assert seat.answer.failure is None
        assert seat.seen_at == seen_at
        seat.tell(position, {}, position)
        seat.ask(position, None)
        assert (seat.answer.failure is not None) is (seen_at is not None)


@pytest.mark.parametrize(
    ("warnings", "told"),
    [
        ([None, None, None], ""),
        ([None, {"1": ["not ours"]}, None], ""),
        ([None, {"0": ["late"], "1": ["x"]}, None], "; warned once at turn 2: late"),
        ([{"0": ["a", "b"]}, None, {"0": ["c"]}], "; warned 3 times, first at turn 1: a"),
    ],
)
def test_how_often_a_seat_was_warned(warnings: list[Any], told: str) -> None:
    match = match_of((0, 0))
    assert match.turns == 4
    given = iter(warnings)
    events = [
        replace(event, extra={"warnings": value})
        if isinstance(event, TurnEvent) and (value := next(given, None)) is not None
        else event
        for event in match.transcript.events
    ]
    assert (
        told_warnings(replace(match, transcript=replace(match.transcript, events=tuple(events))), 0)
        == told
    )


def test_the_last_lines_are_recorded() -> None:
    recorder = Recorder()
    for number in range(MOST_LINES + 1):
        recorder.hear(">", str(number))
    assert (len(recorder.lines), recorder.lines[0]) == (MOST_LINES, "> 1")
    recorder.add_complaint("no compiler")
    assert recorder.stderr() == "no compiler"
    recorder.clear()
    assert (len(recorder.lines), recorder.stderr()) == (0, "")


class Chatty(ScriptSeat):
    """Something can be read from it, again and again."""

    def __init__(self, descriptor: int) -> None:
        super().__init__("chatty", [])
        self.descriptor = descriptor
        self.events = 0

    def waits_on(self) -> Sequence[tuple[int, int]]:
        return ((self.descriptor, select.POLLIN),)

    def on_event(self, descriptor: int) -> None:
        assert descriptor == self.descriptor
        self.events += 1


def test_listening_ends_when_it_is_done_or_time_is_over() -> None:
    with open("/dev/zero", "rb") as zero:
        seat = Chatty(zero.fileno())
        listen(seat, lambda: seat.events == 3, 10 * MS, no_time)
        assert seat.events == 3
        listen(seat, lambda: False, 5 * MS, count(0, MS).__next__)
        assert seat.events == 3 + 5
        seat.answer = Answer()
        listen(seat, lambda: False, 5 * MS, no_time)
        assert seat.events == 3 + 5
    listen(ScriptSeat("no pipes", []), lambda: False, 10**9, no_time)
