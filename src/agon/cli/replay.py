"""`agon replay`: go through a match again: its boards, its text, its data, the lines exchanged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from agon.cli.arguments import Data, JsonFlag
from agon.cli.console import (
    JsonValue,
    print_json,
    print_notes,
    progress_bar,
    progress_console,
    result_console,
)
from agon.cli.logs import print_stderr, print_wire
from agon.cli.recording import (
    Frame,
    Recording,
    board,
    caption,
    in_stages,
    record,
    told_faults,
)
from agon.cli.stored import MatchId, read_transcript, source_name
from agon.errors import SettingError

FRAME_MS = 700

TranscriptFile = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="A transcript, as `agon match --save` writes it, or a game's own log or map; or else"
        " --match.",
        show_default=False,
    ),
]
TurnNumber = Annotated[
    str | None,
    typer.Option(
        "--turn",
        metavar="N",
        help="Only the position after N turns; 0 is the start, [bold]last[/] the end.",
    ),
]
SvgFolder = Annotated[
    str | None,
    typer.Option("--svg", metavar="FOLDER", help="Write a picture of every position there."),
]
WireFlag = Annotated[
    bool,
    typer.Option("--wire", metavar="", help="Print the lines that programs exchanged."),
]
StderrFlag = Annotated[
    bool,
    typer.Option(
        "--stderr", metavar="", help="Print the end of what programs wrote to standard error."
    ),
]
RawFlag = Annotated[
    bool,
    typer.Option(
        "--raw",
        metavar="",
        help="With --wire or --stderr: as it was, control characters and all.",
    ),
]
SeatNumber = Annotated[
    int | None,
    typer.Option("--seat", metavar="K", help="Lines, data or pictures of this seat only."),
]
TextFlag = Annotated[
    bool,
    typer.Option(
        "--text",
        "--log",
        metavar="",
        help="Print the match in the game's own text format.",
    ),
]


FilmFile = Annotated[
    str | None,
    typer.Option("--film", metavar="FILE", help="Write one moving picture (SVG) of the match."),
]
BothFlag = Annotated[
    bool,
    typer.Option(
        "--both-notations",
        metavar="",
        help="Show turns in the notation of bots, too, where players have another.",
    ),
]
StagesFlag = Annotated[
    bool,
    typer.Option(
        "--stages",
        metavar="",
        help="Show the stages of each turn, too: moves, each wave of explosions, growth.",
    ),
]


def replay(
    file: TranscriptFile = None,
    match: MatchId = None,
    turn: TurnNumber = None,
    svg: SvgFolder = None,
    film: FilmFile = None,
    wire: WireFlag = False,
    stderr: StderrFlag = False,
    raw: RawFlag = False,
    seat: SeatNumber = None,
    text: TextFlag = False,
    stages: StagesFlag = False,
    both_notations: BothFlag = False,
    data: Data = None,
    as_json: JsonFlag = False,
) -> None:
    """Step through a match in the terminal; a pipe gets every board in order.

    A match of a file, or a stored one: tournaments store theirs.

    \b
    Keys:
      n, space, →  next        f  first     g NUMBER  go to that turn
      p, ←         previous    l  last      ↑ ↓ scroll    q quit

    \b
    Examples:
      agon replay match.json
      agon replay match.json --turn 12 --json
      agon replay match.json --turn last --both-notations
      agon replay match.json --wire --seat 0
      agon replay --match 12 --stderr --seat 1
      agon replay match.json --svg pictures
      agon replay match.json --stages --film match.svg
    """
    from agon.cli.stepper import step_through

    views = {
        "--svg": svg is not None,
        "--film": film is not None,
        "--wire": wire,
        "--stderr": stderr,
        "--text": text,
    }
    check_combination(views, turn, seat, as_json, both_notations, raw)
    recording = record(read_transcript(file, match, data))
    recording.both_notations = both_notations
    if any(views.values()) or turn is not None or as_json:  # else they stand at the start
        print_notes(recording.transcript.notes)
    source = source_name(file, match)
    if seat is not None:
        check_seat(recording, seat)
    shown = in_stages(recording) if stages else recording
    if wire:
        print_wire(recording, source, seat, as_json=as_json, raw=raw)
    elif stderr:
        print_stderr(recording, source, seat, as_json=as_json, raw=raw)
    elif text:
        print_text(recording)
    elif film is not None:
        write_film(shown, turn, film, seat)
    elif svg is not None:
        write_pictures(shown, turn, Path(svg), seat)
    elif as_json:
        print_positions(shown, turn, seat)
    elif turn is None and sys.stdin.isatty() and sys.stdout.isatty():
        step_through(shown, result_console())
    else:
        print_boards(shown, turn)


def check_combination(
    views: dict[str, bool],
    turn: str | None,
    seat: int | None,
    as_json: bool,
    both: bool,
    raw: bool,
) -> None:
    """Refuse options that make no sense together."""
    chosen = [name for name, given in views.items() if given]
    if raw and (as_json or not (views["--wire"] or views["--stderr"])):
        raise SettingError("--raw: goes with --wire or --stderr, without --json")
    if both and (as_json or chosen):
        raise SettingError("--both-notations: goes with boards in the terminal only")
    if len(chosen) > 1:
        raise SettingError(f"{' with '.join(chosen)}: choose one of them")
    for view in chosen:
        if turn is not None and view not in ("--svg", "--film"):
            raise SettingError(f"--turn with {view}: choose one of them")
        if as_json and view not in ("--wire", "--stderr"):
            raise SettingError(f"--json with {view}: choose one of them")
    if seat is not None and not as_json and chosen in ([], ["--text"]):
        raise SettingError(f"--seat {seat}: goes with --wire, --stderr, --json or --svg")


def frames_at(recording: Recording, turn: str) -> list[Frame]:
    """The frame after that many turns; with its stages, if those are shown."""
    last = recording.frames[-1].number
    is_number = turn.isascii() and turn.isdigit()
    wanted = last if turn == "last" else int(turn[:9]) if is_number else last + 1
    if wanted <= last:
        return [frame for frame in recording.frames if frame.number == wanted]
    if is_number:
        recording.check_whole()
    raise SettingError(
        f"--turn {turn[:40]}: the match has turns 0 to {last}; expected one, or last"
    )


def check_seat(recording: Recording, seat: int) -> None:
    """Refuse a seat that the match does not have."""
    seats = recording.frames[0].position.seats
    if not 0 <= seat < seats:
        raise SettingError(f"--seat {seat}: the match has seats 0 to {seats - 1}")


def print_text(recording: Recording) -> None:
    """The match in the game's own text format."""
    recording.check_whole()
    positions = [frame.position for frame in recording.frames]
    print(recording.transcript.game.format_match(positions))


def print_boards(recording: Recording, turn: str | None) -> None:
    """One position; or every one in order, and before them what went wrong and where."""
    console = result_console()
    if turn is not None:
        for frame in frames_at(recording, turn):
            console.print(caption(recording, frame), soft_wrap=True)
            console.print(board(recording, frame, console.width), end="", soft_wrap=True)
        return
    for line in told_faults(recording):
        console.print(line, soft_wrap=True)
    for frame in recording.frames:
        console.print(caption(recording, frame), soft_wrap=True)
        console.print(board(recording, frame, console.width), soft_wrap=True)
    recording.check_whole()


def print_positions(recording: Recording, turn: str | None, seat: int | None) -> None:
    """One position, or all of them, in the game's own terms."""
    if turn is not None:
        for frame in frames_at(recording, turn):
            print_json(frame.position.observe(seat))
        return
    recording.check_whole()
    positions: list[JsonValue] = [
        {
            "turn": frame.number,
            **({"stage": frame.stage} if frame.stage else {}),
            "played": {str(s): t for s, t in frame.turn.turns.items()} if frame.turn else {},
            "ns": {str(s): ns for s, ns in frame.turn.ns.items()} if frame.turn else {},
            "faults": [
                {"seat": fault.player, "fault": fault.fault.value, "detail": fault.whole}
                for fault in frame.faults
            ],
            "position": frame.position.observe(seat),
        }
        for frame in recording.frames
    ]
    game = recording.transcript.game.name
    print_json({"game": game, "positions": positions})


def write_film(recording: Recording, turn: str | None, file: str, seat: int | None) -> None:
    """One picture that goes through all positions, or through the stages of one turn."""
    from agon.games.animation import format_animation

    frames = recording.frames if turn is None else frames_at(recording, turn)
    with progress_bar(progress_console()) as bar:
        drawn = bar.track(frames, description="drawing")
        scenes = [frame.position.scene(seat, recording.names) for frame in drawn]
    try:
        Path(file).write_text(format_animation(scenes, FRAME_MS), "utf-8")
    except OSError as error:
        raise SettingError(f"--film {file!r}: {error.strerror}") from None
    print(f"wrote {len(scenes)} frames to {file}")
    recording.check_whole()


def write_pictures(recording: Recording, turn: str | None, folder: Path, seat: int | None) -> None:
    """One numbered file for each position, or for one."""
    from agon.games.svg import format_svg

    frames = recording.frames if turn is None else frames_at(recording, turn)
    console = progress_console()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with progress_bar(console) as bar:
            for frame in bar.track(frames, description="drawing"):
                picture = format_svg(frame.position.scene(seat, recording.names))
                stage = f" {frame.stage}" if frame.stage else ""
                (folder / f"{frame.number:04}{stage}.svg").write_text(picture, "utf-8")
    except OSError as error:
        raise SettingError(f"--svg {str(folder)!r}: {error.strerror}") from None
    plural = "" if len(frames) == 1 else "s"
    print(f"wrote {len(frames)} picture{plural} to {folder}")
    recording.check_whole()
