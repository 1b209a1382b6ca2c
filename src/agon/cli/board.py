"""`agon board`: a starting board as a document, to play on or to change by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agon.cli.console import format_json, progress_console
from agon.errors import SettingError

GameWithBoards = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Which game; it must have boards.", show_default=False),
]
Shape = Annotated[
    str,
    typer.Argument(metavar="SHAPE", help="triangle, hexagon or rhombus.", show_default=False),
]
Size = Annotated[
    int, typer.Argument(metavar="SIZE", help="Segments along a side.", show_default=False)
]
Players = Annotated[
    int, typer.Option(metavar="N", help="Number of players; 0: the board without players.")
]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write it there instead of stdout."),
]


def board(
    game: GameWithBoards, shape: Shape, size: Size, players: Players = 2, output: Output = None
) -> None:
    """Write a starting board: its segments, and the players' stones on its corners.

    The document is a transcript without turns; fields and stones may be changed by hand.

    \b
    Examples:
      agon board atlantis triangle 6
      agon board atlantis hexagon 5 --players 6 --output island.json
    """
    from agon.games.registry import all_games

    makers = {one.name: one for one in all_games() if one.has_boards}
    if game not in makers:
        raise SettingError(f"game {game!r}: boards can be made for {', '.join(makers)}")
    document = makers[game].part("board_maker").make_board(shape, size, players)
    write_document(format_json(document), output)


def write_document(document: str, output: str | None) -> None:
    """Write it to the file, or to stdout."""
    if output is None:
        print(document)
        return
    path = Path(output)
    if not path.parent.is_dir():
        folder = str(path.parent)
        raise SettingError(f"--output {output!r}: there is no folder {folder!r}; make it first")
    try:
        path.write_text(document + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingError(f"--output {output!r}: cannot be written: {error.strerror}") from None
    progress_console().print(f"wrote {output}", markup=False, soft_wrap=True)
