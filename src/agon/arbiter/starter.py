"""Starter bots: short bots that choose among the legal moves, one per language, to begin from.

They are files of the package, in the game's folder `starters/LANGUAGE`, and are copied as they are,
but for the name in `bot.toml`, and for the game where a starter is for several.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.entrant import SETTINGS, load_program
from agon.errors import SettingError
from agon.sandbox.command import search_path
from agon.sandbox.installations import find_allowed

if TYPE_CHECKING:
    from pathlib import Path

    from agon.arbiter.bot_process import Program
    from agon.games.game import Game

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
NAME_LINE = re.compile(r'^name = "[^"\n]*" *', re.MULTILINE)
COMMENT_COLUMN = 30
STARTERS = "starters"
ANY_GAME = 'games = ["GAME"]'
"""What the settings of a starter say that is for several games."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A starter bot, written to a folder."""

    program: Program
    written: tuple[Path, ...]


def missing_tools(program: Program) -> tuple[str, ...]:
    """Commands that it is built or run with, and that bots do not have on this machine."""
    words = dict.fromkeys(command[0] for command in (program.build, program.run) if command)
    places = search_path(find_allowed())
    return tuple(word for word in words if "/" not in word and not shutil.which(word, path=places))


def starter_languages(game: Game) -> tuple[str, ...]:
    """The languages in which there is a starter for the game."""
    folder = game.find_file(STARTERS)
    if folder is None:
        return ()
    return tuple(sorted(entry.name for entry in folder.iterdir() if (entry / SETTINGS).is_file()))


def write_starter(game: Game, language: str, name: str, folder: Path) -> Starter:
    """Write a starter bot of that name to a folder that is new or empty."""
    known = starter_languages(game)
    if language not in known:
        expected = ", ".join(known) or "no language yet"
        raise SettingError(f"language {language!r}: {game.name} has starters in {expected}")
    check_bot_name(game, name)
    try:
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise SettingError(f"folder {str(folder)!r} is there and not empty: name a new one")
        folder.mkdir(parents=True, exist_ok=True)
        texts = starter_files(game, language, name)
        for file, text in texts.items():
            (folder / file).write_text(text, "utf-8")
    except OSError as error:
        raise SettingError(f"folder {str(folder)!r}: {error.strerror}") from None
    return Starter(load_program(folder), tuple(folder / file for file in texts))


def check_bot_name(game: Game, name: str) -> None:
    """Refuse a name that tables could not show, or that belongs to a built-in bot."""
    if not NAME.fullmatch(name):
        raise SettingError(
            f"name {name[:70]!r}: expected letters, digits, '-', '_' and '.', 64 at most"
        )
    if name in game.bot_names:
        raise SettingError(f"name {name!r}: a built-in bot has it; take another")


def starter_files(game: Game, language: str, bot_name: str | None = None) -> dict[str, str]:
    """The texts of a starter's files, by file name; its settings name the bot as asked."""
    folder = game.find_file(STARTERS)
    if folder is None:
        return {}
    sources = sorted((folder / language).iterdir(), key=lambda source: source.name)
    texts = {source.name: source.read_text("utf-8") for source in sources if source.is_file()}
    settings = texts[SETTINGS].replace(ANY_GAME, f'games = ["{game.name}"]')
    if bot_name is not None:
        line = f'name = "{bot_name}"'.ljust(COMMENT_COLUMN)
        settings = NAME_LINE.sub(lambda _: line, settings, count=1)
    return texts | {SETTINGS: settings}
