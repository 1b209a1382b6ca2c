"""Stepping through a match with the keyboard."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from agon.cli.recording import record
from agon.cli.stepper import Stepper, draw, parse_keys
from agon.match.transcript import Fault
from tests.cli.samples import OPENING, forfeit, saved, transcript_of

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.transcript import Transcript


def after(keys: bytes, last: int = 9, turn: int = 4) -> Stepper:
    stepper = Stepper(last, turn)
    for key in parse_keys(keys):
        stepper.press(key)
    return stepper


@pytest.mark.parametrize(
    ("keys", "turn"),
    [
        (b"n", 5),
        (b" ", 5),
        (b"\x1b[C", 5),
        (b"p", 3),
        (b"\x1b[D", 3),
        (b"f", 0),
        (b"l", 9),
        (b"nnnnnnnn", 9),
        (b"pppppppp", 0),
        (b"g7\r", 7),
        (b"g12\r", 9),
        (b"g0\n", 0),
        (b"g77\x7f\x7f6\r", 6),
        (b"g7\x1b", 4),
        (b"g\r", 4),
        (b"g7n", 4),
        (b"?x\x1b[Z\xff7", 4),
        (b"\x1bOCn", 6),
    ],
)
def test_keys(keys: bytes, turn: int) -> None:
    stepper = after(keys)
    assert (stepper.turn, stepper.typed, stepper.has_quit) == (turn, None, False)


@pytest.mark.parametrize("keys", [b"q", b"\x04", b"nq"])
def test_quitting(keys: bytes) -> None:
    assert after(keys).has_quit


def test_scrolling_stops_at_the_top() -> None:
    assert after(b"\x1b[B\x1b[B\x1b[A").scroll == 1
    assert after(b"\x1b[B\x1b[A\x1b[A\x1b[5~").scroll == 0
    assert after(b"\x1b[6~").scroll == 10


def screen(
    transcript: Transcript, stepper: Stepper, width: int = 80, height: int = 24
) -> list[str]:
    console = Console(file=StringIO(), width=width, height=height)
    with console.capture() as captured:
        console.print(draw(record(transcript), stepper, width, height))
    return captured.get().splitlines()


def test_the_screen_has_who_plays_what_and_the_board() -> None:
    lines = screen(transcript_of(*OPENING), Stepper(4, 3))
    assert lines[0].startswith(" Hive  ada - bob  ━")
    assert lines[0].endswith(" 3/4")
    assert lines[1] == "turn 3  ada (seat 0) wQ -wS1 3.0 ms"
    assert any("[wQ1]wS1|bG1|" in line for line in lines)
    assert "n next" in lines[-1]
    assert len(lines) == 23


def test_a_number_being_typed_is_shown() -> None:
    assert screen(transcript_of(*OPENING), Stepper(4, 3, typed="1"))[-1] == "go to turn 0 to 4: 1_"


def test_a_small_screen_shows_a_part_of_the_board() -> None:
    stepper = Stepper(4, 4)
    top = screen(transcript_of(*OPENING), stepper, 60, 10)
    assert "more lines" in top[-1]
    stepper.scroll = 99
    bottom = screen(transcript_of(*OPENING), stepper, 60, 10)
    assert "Turn 4: ada (White) to move" in "\n".join(bottom)
    assert len(top) == len(bottom) == 9
    assert stepper.scroll < 99


def test_a_fault_and_damage_are_on_the_screen() -> None:
    faulty = forfeit(transcript_of("wS1"), 1, Fault.TIMEOUT, "no turn within 1 s")
    assert "bob: timeout: no turn within 1 s" in screen(faulty, Stepper(1, 1))
    damaged = transcript_of("wS1", "wS2")
    assert any("events[1].turns.1" in line for line in screen(damaged, Stepper(1, 1)))


def read_until(descriptor: int, wanted: str) -> str:
    """What a terminal has shown when the text is there."""
    shown = ""
    while wanted not in shown:
        ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready, shown
        shown += os.read(descriptor, 1 << 16).decode("utf-8", "replace")
    return shown


@pytest.mark.system
def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    file = saved(tmp_path, transcript_of(*OPENING))
    command = "import sys; from tests.cli.samples import app; app(prog_name='agon')"
    terminal, inner = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", command, "replay", file],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
    )
    os.close(inner)
    read_until(terminal, "0/4")
    os.write(terminal, b"n")
    assert "wS1" in read_until(terminal, "1/4")
    os.write(terminal, b"l")
    read_until(terminal, "4/4")
    os.write(terminal, b"q")
    assert "turn 4" in read_until(terminal, "4.0 ms")
    assert child.wait(60) == 0
    os.close(terminal)
