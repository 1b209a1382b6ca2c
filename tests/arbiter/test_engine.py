"""Engines of the Universal Hive Protocol as bots, through real processes: ours, and bad ones."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.check_rig import listen
from agon.arbiter.limits import Limits
from agon.arbiter.seat import BotSeat
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from tests.arbiter.programs import (
    MOVES,
    SECOND,
    SHORT,
    UHP,
    Launcher,
    children,
    open_files,
    play,
    table,
    told,
    write_program,
)
from tests.arbiter.script_seat import ScriptSeat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Every test here ends all that it starts, down to the last descriptor."""
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


def uhp(tmp_path: Path, body: str) -> Launcher:
    return Launcher(write_program(tmp_path / "engine.py", body, UHP), protocol="uhp")


def fast(tmp_path: Path, body: str) -> Launcher:
    """An engine that may be given less than a second."""
    return replace(uhp(tmp_path, body), protocol="uhp-fractions")


def test_our_own_engine_has_a_seat() -> None:
    """`agon uhp`, unchanged, against the built-in greedy bot."""
    launcher = Launcher([sys.executable, "-m", "agon", "uhp"], protocol="uhp-fractions")
    limits = Limits(turn_ns=3 * SHORT, bank_ns=60 * SECOND, start_ns=300 * SECOND, turns=5)
    seat = launcher.seat()
    greedy = BotSeat("greedy", GAME.bots()["greedy"], 1, time.monotonic_ns)
    played_at = table(seat, greedy, limits)
    for _ in range(2):
        match = played_at.play(0)
        assert (match.faults, match.turns) == ((None, None), 5)
    seat.close()
    assert len(launcher.processes) == 1
    sent = launcher.lines(">")
    assert [line.split()[0] for line in sent] == [
        *("newgame", "bestmove", *("play", "play", "bestmove") * 2, "play") * 2,
        "exit",
    ]
    assert "bestmove time 00:00:00.391" in sent


def test_a_quick_engine_answers_all_questions(tmp_path: Path) -> None:
    moves = ["wS1", "wQ -wS1"]
    body = f"""
        greet()
        moves = iter({moves!r})
        for command in commands():
            say(next(moves) if command.startswith("bestmove") else "Base;InProgress", "ok")
    """
    launcher = uhp(tmp_path, body)
    seat = launcher.seat()
    limits = Limits(turn_ns=120 * SECOND, turns=3)
    match = table(seat, ScriptSeat("b", ["bG1*|wS1"]), limits).play(0)
    seat.close()
    assert (match.faults, match.turns) == ((None, None), 3)
    assert launcher.lines(">") == [
        *("newgame Base", "bestmove time 00:01:57", "play wS1", "play bG1 wS1-"),
        *("bestmove time 00:01:57", "play wQ -wS1", "exit"),
    ]


BAD_ENGINES: dict[str, tuple[str, Fault, str]] = {
    "exits": ("sys.exit(2)", Fault.NO_START, "exit status 2"),
    "greets with an error": (
        "say('err no licence', 'ok')",
        Fault.NO_START,
        "greeting: the engine answered 'err no licence'",
    ),
    "knows no such game": (
        "greet(); next(commands()); say('err what?', 'ok'); next(commands())",
        Fault.NO_START,
        "newgame Base: the engine answered 'err what?'",
    ),
    "refuses": (
        "greet(); say('game', 'ok')\n"
        "for c in commands(): c.startswith('best') and say('err too tired', 'ok')",
        Fault.PROTOCOL,
        "bestmove time 00:01:57: the engine answered 'err too tired'",
    ),
    "has no move": (
        "greet(); say('game', 'ok')\nfor c in commands(): c.startswith('best') and say('ok')",
        Fault.PROTOCOL,
        "bestmove time 00:01:57: expected a move before the line ok",
    ),
    "plays what is not allowed": (
        "greet(); say('game', 'ok')\nfor c in commands(): c.startswith('best') and say('wQ', 'ok')",
        Fault.ILLEGAL,
        "move 'wQ': that kind of tile cannot be placed on this turn",
    ),
    "says more than it is asked": (
        "greet(); say('game', 'ok')\n"
        f"for c in commands(): c.startswith('best') and say('{MOVES[0]}', 'ok', 'bye', 'ok')",
        Fault.PROTOCOL,
        "a line ok, but no command was waiting for an answer",
    ),
    "floods with short lines": (
        "greet(); say('game', 'ok')\n"
        "for c in commands():\n while c.startswith('best'): say('info ' * 10)",
        Fault.PROTOCOL,
        "an answer of 10000 lines: expected a line ok",
    ),
    "floods with long lines": (
        "greet(); say('game', 'ok')\n"
        "for c in commands():\n while c.startswith('best'): say('info ' * 10_000)",
        Fault.PROTOCOL,
        "more than 1048576 bytes for one turn",
    ),
    "floods in place of a greeting": (
        "while True: say('welcome ' * 1000)",
        Fault.NO_START,
        "more than 1048576 bytes for one turn",
    ),
}


@pytest.mark.parametrize("name", BAD_ENGINES)
def test_a_bad_engine_loses_and_its_author_is_told_why(tmp_path: Path, name: str) -> None:
    body, fault, detail = BAD_ENGINES[name]
    match = play(uhp(tmp_path, body), matches=2)
    assert match.faults == (fault, None)
    assert told(match) == detail


def test_an_engine_that_never_greets_could_not_start(tmp_path: Path) -> None:
    launcher = uhp(tmp_path, "time.sleep(600)")
    match = play(launcher, Limits(turn_ns=2 * SECOND, start_ns=SHORT))
    assert match.faults == (Fault.NO_START, None)
    assert told(match) == "not ready within 0.15 s"
    assert launcher.lines(">") == ["newgame Base"]


@pytest.mark.parametrize("too_much", [False, True])
def test_what_an_engine_says_before_the_first_turn_is_bounded_too(
    tmp_path: Path, too_much: bool
) -> None:
    greeting = len("id Fake v1\n\nok\n")
    seat = uhp(tmp_path, "greet(); sys.stdin.read()").seat()
    limits = Limits(turn_ns=60 * SECOND, turn_bytes=greeting - too_much)
    seat.begin(GAME.start(), 0, limits, ("a", "b"))
    end = time.monotonic_ns() + 60 * SECOND
    listen(seat, lambda: seat._said >= greeting, end, time.monotonic_ns)
    assert (seat.answer is not None) is too_much
    seat.close()


def test_an_engine_that_never_answers_loses_on_time(tmp_path: Path) -> None:
    body = """
        greet(); say("game", "ok")
        for command in commands():
            pass
    """
    match = play(fast(tmp_path, body), Limits(turn_ns=SHORT // 2, start_ns=60 * SECOND, turns=0))
    assert match.faults == (None, None)
    body = """
        greet(); say("game", "ok")
        for command in commands():
            if command.startswith("best"): say("wS1", "ok"); break
        for command in commands():
            pass
    """
    limits = Limits(turn_ns=SHORT, start_ns=60 * SECOND)
    seat = fast(tmp_path, body).seat()
    match = table(seat, ScriptSeat("b", ["bG1*|wS1"]), limits).play(0)
    seat.close()
    assert match.faults == (Fault.TIMEOUT, None)
    assert told(match) == "no turn within 0.15 s"


def test_an_engine_that_cannot_be_told_its_time_is_not_started(tmp_path: Path) -> None:
    """The last line of defence: who arranges matches refuses such a time before."""
    launcher = uhp(tmp_path, "greet()")
    match = play(launcher, Limits(turn_ns=SECOND))
    assert match.faults == (Fault.NO_START, None)
    assert told(match).startswith("protocol uhp: 'bestmove time' counts whole seconds")
    assert not launcher.processes
