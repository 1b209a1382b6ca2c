"""Stepping through a match with the keyboard: what the keys mean, and the screen they change."""

from __future__ import annotations

import os
import select
import shutil
import sys
from bisect import bisect_left
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.cli.recording import board, caption, told_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console, Group
    from rich.text import Text

    from agon.cli.recording import Recording

KEYS = {
    b"\x1b[C": "next",
    b"\x1bOC": "next",
    b"\x1b[D": "previous",
    b"\x1bOD": "previous",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\x1b[H": "first",
    b"\x1b[1~": "first",
    b"\x1b[F": "last",
    b"\x1b[4~": "last",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x1b": "escape",
    b"n": "next",
    b" ": "next",
    b"p": "previous",
    b"f": "first",
    b"l": "last",
    b"g": "go",
    b"q": "quit",
    b"\r": "enter",
    b"\n": "enter",
    b"\x7f": "erase",
    b"\x08": "erase",
    b"\x03": "quit",
    b"\x04": "quit",
}
LONGEST_KEY = 4
PAGE = 10
MOMENT_SECONDS = 0.3  # between looks at the size of the terminal
FRAME_LINES = 5  # of the screen that are not the board's
HELP = "n next  p previous  g NUMBER go to  f first  l last  ↑↓ scroll  q quit"


def parse_keys(data: bytes) -> Iterator[str]:
    """What was pressed: names of keys, and digits as they are; the rest is nothing.

    >>> list(parse_keys(b"n\\x1b[Dg12\\r"))
    ['next', 'previous', 'go', '1', '2', 'enter']
    """
    place = 0
    while place < len(data):
        for length in range(LONGEST_KEY, 0, -1):
            key = data[place : place + length]
            if len(key) == length and (key in KEYS or (length == 1 and key.isdigit())):
                yield KEYS.get(key) or key.decode("ascii")
                place += length
                break
        else:
            place += 1


@dataclass(slots=True)
class Stepper:
    """The turn shown of a match of `last` turns."""

    last: int
    turn: int = 0
    scroll: int = 0
    typed: str | None = None
    """The number being typed after `g`; None: none is being typed."""
    has_quit: bool = False
    turns: Sequence[int] = ()
    """The turn of each frame, where turns are shown in stages."""

    def press(self, key: str) -> None:
        if self.typed is not None:
            self._type(self.typed, key)
        elif key in ("up", "down", "page up", "page down"):
            lines = {"up": -1, "down": 1, "page up": -PAGE, "page down": PAGE}
            self.scroll = max(0, self.scroll + lines[key])
        elif key == "go":
            self.typed = ""
        elif key == "quit":
            self.has_quit = True
        else:
            wanted = {"next": self.turn + 1, "previous": self.turn - 1, "first": 0}
            self.go_to(self.last if key == "last" else wanted.get(key, self.turn))

    def _type(self, typed: str, key: str) -> None:
        if key.isdigit():
            self.typed = (typed + key)[:9]
        elif key == "erase":
            self.typed = typed[:-1]
        else:
            self.typed = None
            if key == "enter" and typed:
                self.go_to(bisect_left(self.turns, int(typed)) if self.turns else int(typed))

    def go_to(self, turn: int) -> None:
        """Show that turn, or the nearest that there is."""
        self.turn = min(max(0, turn), self.last)


def draw(recording: Recording, stepper: Stepper, width: int, height: int) -> Group:
    """The screen: who plays, how far the match is, the board, and the keys."""
    from rich.console import Group
    from rich.text import Text

    frame = recording.frames[stepper.turn]
    told = caption(recording, frame)
    if frame.number == 0 and stepper.last:
        for line in told_faults(recording):
            told.append("\n").append_text(line)
    if recording.damage is not None and stepper.turn == stepper.last:
        told.append(f"\n{recording.damage}", "bold red")
    lines = board(recording, frame, width - 2).split("\n", allow_blank=False)
    room = max(1, height - FRAME_LINES - told.plain.count("\n"))
    stepper.scroll = min(stepper.scroll, max(0, len(lines) - room))
    shown = [Text("  ") + line for line in lines[stepper.scroll : stepper.scroll + room]]
    blank = [Text("")] * (room - len(shown))
    hidden = len(lines) - stepper.scroll - len(shown)
    keys = Text(HELP, "dim", overflow="ellipsis", no_wrap=True)
    if stepper.typed is not None:
        keys = Text(f"go to turn 0 to {recording.frames[-1].number}: {stepper.typed}_", "bold")
    elif hidden > 0:
        keys = Text(f"↓ {hidden} more lines  {HELP}", "dim", overflow="ellipsis", no_wrap=True)
    return Group(headline(recording, stepper, width), told, "", *shown, *blank, keys)


def headline(recording: Recording, stepper: Stepper, width: int) -> Text:
    """The game, the players, and a bar for how far the match is."""
    from rich.text import Text

    seats = recording.frames[0].position.seats
    names = " - ".join(recording.name(seat) for seat in range(seats))
    title = Text(f" {recording.transcript.game.title}  {names} ", "bold reverse")
    title.truncate(width, overflow="ellipsis")
    count = f" {stepper.turn}/{stepper.last}"
    room = max(4, width - title.cell_len - len(count) - 3)
    filled = room * stepper.turn // max(1, stepper.last)
    return Text.assemble(
        title, " ", ("━" * filled, "cyan"), ("─" * (room - filled), "dim"), (count, "bold")
    )


def step_through(recording: Recording, console: Console) -> None:
    """Show the match on this terminal until the user quits."""
    turns = [frame.number for frame in recording.frames]
    stepper = Stepper(len(recording.frames) - 1, turns=turns)
    with raw_keys() as read, console.screen(hide_cursor=True) as screen:
        while not stepper.has_quit:
            size = shutil.get_terminal_size()
            screen.update(draw(recording, stepper, size.columns, size.lines))
            keys = b""
            while not keys and shutil.get_terminal_size() == size:
                keys = read()
            for key in parse_keys(keys):
                stepper.press(key)
    console.print(caption(recording, recording.frames[stepper.turn]), soft_wrap=True)
    recording.check_whole()


@contextmanager
def raw_keys() -> Iterator[Callable[[], bytes]]:
    """The keyboard, key by key and without an echo: a function that waits a moment for keys."""
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)

    def read() -> bytes:
        ready, _, _ = select.select([descriptor], [], [], MOMENT_SECONDS)
        return (os.read(descriptor, 64) or b"q") if ready else b""

    tty.setcbreak(descriptor)
    try:
        yield read
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
