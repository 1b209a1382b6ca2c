"""`agon replay`: go through a match again: its boards, its text, its data, the lines exchanged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from agon.cli.arguments import JsonFlag
from agon.cli.console import (
    JsonValue,
    print_json,
    progress_bar,
    progress_console,
    result_console,
)
from agon.cli.printable import printable
from agon.cli.recording import Frame, Recording, board, caption, record
from agon.errors import SettingError, TranscriptError

TranscriptFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A transcript, as `agon match --save` writes it.")
]
TurnNumber = Annotated[
    int | None,
    typer.Option("--turn", metavar="N", help="Only the position after N turns; 0 is the start."),
]
SvgFolder = Annotated[
    str | None,
    typer.Option("--svg", metavar="FOLDER", help="Write a picture of every position there."),
]
WireFlag = Annotated[
    bool,
    typer.Option("--wire", metavar="", help="Print the lines that programs exchanged."),
]
SeatNumber = Annotated[
    int | None,
    typer.Option("--seat", metavar="K", help="Lines, data or pictures of this seat alone."),
]
TextFlag = Annotated[
    bool,
    typer.Option("--text", metavar="", help="Print the text that players of the game exchange."),
]


def replay(
    file: TranscriptFile,
    turn: TurnNumber = None,
    svg: SvgFolder = None,
    wire: WireFlag = False,
    seat: SeatNumber = None,
    text: TextFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Step through a match in the terminal; a pipe gets every board in order.

    \b
    Keys:
      n, space, →  next        f  first     g NUMBER  go to that turn
      p, ←         previous    l  last      ↑ ↓ scroll    q quit

    \b
    Examples:
      agon replay match.json
      agon replay match.json --turn 12 --json
      agon replay match.json --wire --seat 0
      agon replay match.json --svg pictures
    """
    from agon.cli.stepper import step_through
    from agon.transcript import load_transcript

    check_combination(turn, svg, wire, seat, text, as_json)
    recording = record(load_transcript(Path(file)))
    if seat is not None:
        check_seat(recording, seat)
    if wire:
        print_wire(recording, file, seat, as_json)
    elif text:
        recording.check_whole()
        positions = [frame.position for frame in recording.frames]
        print(recording.transcript.game.format_match(positions))
    elif svg is not None:
        write_pictures(recording, turn, Path(svg), seat)
    elif as_json:
        print_positions(recording, turn, seat)
    elif turn is not None:
        console = result_console()
        frame = frame_at(recording, turn)
        console.print(board(recording, frame, console.width), end="", soft_wrap=True)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step_through(recording, result_console())
    else:
        print_boards(recording)


def check_combination(
    turn: int | None, svg: str | None, wire: bool, seat: int | None, text: bool, as_json: bool
) -> None:
    """Refuse options that make no sense together."""
    views = {"--svg": svg is not None, "--wire": wire, "--text": text}
    chosen = [name for name, given in views.items() if given]
    if len(chosen) > 1:
        raise SettingError(f"{' with '.join(chosen)}: choose one of them")
    for view in chosen:
        if turn is not None and view != "--svg":
            raise SettingError(f"--turn with {view}: choose one of them")
        if as_json and view != "--wire":
            raise SettingError(f"--json with {view}: choose one of them")
    if seat is not None and not (wire or svg is not None or as_json):
        raise SettingError(f"--seat {seat}: goes with --wire, --json or --svg")


def frame_at(recording: Recording, turn: int) -> Frame:
    """The frame after that many turns."""
    last = len(recording.frames) - 1
    if 0 <= turn <= last:
        return recording.frames[turn]
    recording.check_whole()
    raise SettingError(f"--turn {turn}: the match has turns 0 to {last}")


def check_seat(recording: Recording, seat: int) -> None:
    """Refuse a seat that the match does not have."""
    seats = recording.frames[0].position.seats
    if not 0 <= seat < seats:
        raise SettingError(f"--seat {seat}: the match has seats 0 to {seats - 1}")


def print_boards(recording: Recording) -> None:
    """Every position in order."""
    console = result_console()
    for frame in recording.frames:
        console.print(caption(recording, frame), soft_wrap=True)
        console.print(board(recording, frame, console.width), soft_wrap=True)
    recording.check_whole()


def print_positions(recording: Recording, turn: int | None, seat: int | None) -> None:
    """One position, or all of them, in the game's own terms."""
    if turn is not None:
        print_json(frame_at(recording, turn).position.observe(seat))
        return
    recording.check_whole()
    positions: list[JsonValue] = [
        {
            "turn": frame.number,
            "played": {str(s): t for s, t in frame.turn.turns.items()} if frame.turn else {},
            "position": frame.position.observe(seat),
        }
        for frame in recording.frames
    ]
    game = recording.transcript.game.name
    print_json({"game": game, "positions": positions})


def write_pictures(recording: Recording, turn: int | None, folder: Path, seat: int | None) -> None:
    """One numbered file for each position, or for one."""
    from agon.games.svg import format_svg

    frames = recording.frames if turn is None else [frame_at(recording, turn)]
    console = progress_console()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with progress_bar(console) as bar:
            for frame in bar.track(frames, description="drawing"):
                picture = format_svg(frame.position.scene(seat))
                (folder / f"{frame.number:04}.svg").write_text(picture, "utf-8")
    except OSError as error:
        raise SettingError(f"--svg {str(folder)!r}: {error.strerror}") from None
    plural = "" if len(frames) == 1 else "s"
    print(f"wrote {len(frames)} picture{plural} to {folder}")
    recording.check_whole()


def print_wire(recording: Recording, file: str, seat: int | None, as_json: bool) -> None:
    """The lines that programs exchanged with the arbiter: `> ` to the program, `< ` from it."""
    wire = wire_of(recording, file)
    if as_json:
        print_json([*wire] if seat is None else [*wire[seat]])
        return
    if seat is not None and not wire[seat]:
        raise SettingError(
            f"{file}: seat {seat} ({recording.name(seat)}) exchanged no lines: it is no program"
        )
    from rich.text import Text

    console = result_console()
    for number, lines in enumerate(wire):
        if seat is None:
            note = "" if lines else ": no lines"
            console.print(Text(f"seat {number}, {recording.name(number)}{note}", "bold"))
        for line in lines if seat in (None, number) else ():
            shown = printable(line) if console.is_terminal else line
            style = "cyan" if line.startswith("<") else ""
            console.print(Text(shown, style), soft_wrap=True)


def wire_of(recording: Recording, file: str) -> list[list[str]]:
    """The lines by seat, as the transcript has them."""
    seats = recording.frames[0].position.seats
    wire: Any = recording.transcript.extra.get("wire")
    if wire is None:
        raise SettingError(f"{file}: no lines are stored in it; `agon match --save` stores them")
    if (
        not isinstance(wire, list)
        or len(wire) != seats
        or not all(isinstance(lines, list) for lines in wire)
        or not all(isinstance(line, str) for lines in wire for line in lines)
    ):
        raise TranscriptError(f"{file}: wire: expected a list of texts for each of {seats} seats")
    return wire
