"""`agon show`: a position as a board in the terminal, as a picture, or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.arguments import GameName, JsonFlag
from agon.cli.console import (
    compile_notice,
    print_json,
    print_notes,
    progress_console,
    result_console,
)
from agon.errors import AgonError, SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Game, Position

LONGEST_PATH = 4096

MatchText = Annotated[
    str | None,
    typer.Argument(
        metavar="MATCH|FILE",
        help="The match so far (Hive: a GameString, or a variant alone), or a file with it or with"
        " a transcript. Without it: the start.",
        show_default=False,
    ),
]
SvgFile = Annotated[
    str | None,
    typer.Option(
        "--svg", metavar="FILE", help="Write a picture instead; [bold]-[/] writes it to stdout."
    ),
]


def show(
    game: GameName, match: MatchText = None, svg: SvgFile = None, as_json: JsonFlag = False
) -> None:
    """Show a position: the board, or a picture, or JSON.

    \b
    Examples:
      agon show hive
      agon show hive 'Base+MLP;InProgress;White[2];wS1;bS1 wS1-'
      agon show hive 'Base+MLP;InProgress;White[2];wS1;bS1 wS1-' --svg board.svg
      agon show hive Base+P --json
      agon show atlantis board.json --svg board.svg
    """
    from agon.games.registry import find_game

    if as_json and svg == "-":
        raise SettingError("--json with --svg -: both would go to stdout; name a file")
    chosen = find_game(game)
    with compile_notice(chosen.title):
        positions, notes = ([chosen.start()], ()) if match is None else read_match(chosen, match)
        position = positions[-1]
        observation = position.observe(None)
    print_notes(notes)
    if svg is not None:
        from agon.games.svg import format_svg

        write_picture(format_svg(position.scene(None)), svg)
    if as_json:
        text = chosen.format_match(positions)
        print_json({"game": chosen.name, "match": text, "position": observation})
    elif svg is None:
        console = result_console()
        board = chosen.terminal_board(position, console.width)
        console.print(board, end="", soft_wrap=True)


def read_match(game: Game, text: str) -> tuple[Sequence[Position[Any]], tuple[str, ...]]:
    """A match from its text, or from a file with that or a transcript; and notes about it."""
    from agon.match.transcript import parse_transcript, played_positions, read_text

    path = Path(text)
    if len(text) > LONGEST_PATH or not path.is_file():
        return game.parse_match(text), ()
    found = read_text(path).strip()
    try:
        if found.startswith("{") or game.parse_log(found) is not None:
            transcript = parse_transcript(found, [game])
            return played_positions(transcript), transcript.notes
        return game.parse_match(found), ()
    except AgonError as error:
        raise type(error)(f"{text}: {error}") from None


def write_picture(picture: str, file: str) -> None:
    """Write the picture to the file, or to stdout for `-`."""
    if file == "-":
        print(picture.rstrip("\n"))
        return
    path = Path(file)
    if not path.parent.is_dir():
        raise SettingError(
            f"--svg {file!r}: there is no folder {str(path.parent)!r}; make it first"
        )
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise SettingError(f"--svg {file!r}: cannot be written: {error.strerror}") from None
    progress_console().print(f"wrote {file}", markup=False, soft_wrap=True)
