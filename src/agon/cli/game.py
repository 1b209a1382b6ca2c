"""`agon game new`: the package of a small game that works, to change into one's own."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from agon.cli.console import result_console
from agon.errors import SettingError
from agon.games.sequential.game import SequentialGame

NAME = re.compile(r"[a-z][a-z0-9_]{1,39}", re.ASCII)
TEMPLATES = {
    "pyproject.toml": "",
    "test_rules.py": "tests",
    "__init__.py": "src/{name}",
    "README.md": "src/{name}",
    "rules.py": "src/{name}",
    "game.py": "src/{name}",
}
"""The files of the skeleton, and the folder of the package in which each goes."""

game = typer.Typer(
    name="game",
    help="Begin a game of your own, as a package that Agon finds.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

GameIdentifier = Annotated[
    str, typer.Argument(metavar="NAME", help="Its name: small letters, digits and _.")
]
PackageFolder = Annotated[
    Path | None,
    typer.Argument(metavar="FOLDER", help="Where to write it; default: NAME."),
]


@game.callback()
def game_group() -> None:
    """Games of your own."""


@game.command()
def new(name: GameIdentifier, folder: PackageFolder = None) -> None:
    """Write the package of a small game: rules, a board, tests. It works as it is.

    \b
    Examples:
      agon game new reversi
      agon game new nine_holes games/nine-holes
    """
    target = folder or Path(name)
    written = write_skeleton(name, target)
    console = result_console()
    for path in written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)
    *_, usual, strongest = SequentialGame.bot_names
    quoted = shlex.quote(str(target))
    console.print(
        f"\n  pip install --editable {quoted}\n  agon show {name}\n"
        f"  agon match {name} {strongest} {usual} --watch\n  agon simulate {name}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def write_skeleton(name: str, folder: Path) -> list[Path]:
    """Write all files into a folder that is new or empty."""
    if not NAME.fullmatch(name):
        raise SettingError(f"name {name[:60]!r}: expected small letters, digits and _, 2 to 40")
    words = {
        "name": name,
        "dashed": name.replace("_", "-"),
        "title": name.replace("_", " ").title(),
        "camel": name.replace("_", " ").title().replace(" ", ""),
    }
    skeleton = files("agon.games.sequential") / "skeleton"
    written = []
    try:
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise SettingError(f"folder {str(folder)!r} is there and not empty: name a new one")
        for file, place in TEMPLATES.items():
            path = folder / place.format(name=name) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            text = Template((skeleton / f"{file}.txt").read_text("utf-8")).substitute(words)
            path.write_text(text, "utf-8")
            written.append(path)
    except OSError as error:
        raise SettingError(f"folder {str(folder)!r}: {error.strerror}") from None
    return written
