"""`agon board`: a starting board of Atlantis as a document, to play on or to change by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agon.cli.arguments import check_amount
from agon.cli.console import format_json, progress_console
from agon.errors import SettingError

WITH_BOARDS = ("atlantis",)

GameWithBoards = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help=f"Which game: {', '.join(WITH_BOARDS)}.", show_default=False
    ),
]
Shape = Annotated[
    str,
    typer.Argument(metavar="SHAPE", help="triangle, hexagon or rhombus.", show_default=False),
]
Size = Annotated[
    int, typer.Argument(metavar="SIZE", help="Segments along a side.", show_default=False)
]
Players = Annotated[
    int, typer.Option(metavar="N", help="How many play; 0: the board without players.")
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
    if game not in WITH_BOARDS:
        raise SettingError(f"game {game!r}: boards can be made for {', '.join(WITH_BOARDS)}")
    from agon.games.atlantis.game import GAME, MAX_SIZE, AtlantisOptions
    from agon.games.atlantis.match_text import VERSION

    check_amount("SIZE", size, 2, MAX_SIZE)
    check_amount("--players", players, 0, GAME.seats[-1])
    setup = GAME.form.format_setup(GAME, AtlantisOptions(shape, size), 0, [{}] * players)
    document = {"format": f"{GAME.title} transcript", "version": VERSION, **setup}
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
