"""Starter bots: short bots that choose among the legal moves, one per language, to begin from.

They are files of the package, in the game's folder `starters/LANGUAGE`, and are copied as they are,
but for the name in `bot.toml`, and for the game where a starter is for several.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.entrant import SETTINGS, Program, load_program
from agon.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path

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

    @property
    def missing_tools(self) -> tuple[str, ...]:
        """Commands that it is built or run with, and that this machine does not have."""
        commands = (self.program.build, self.program.run)
        first_words = dict.fromkeys(command[0] for command in commands if command)
        return tuple(word for word in first_words if "/" not in word and not shutil.which(word))


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
        written = tuple(
            _write(folder / file, text, name)
            for file, text in starter_files(game, language).items()
        )
    except OSError as error:
        raise SettingError(f"folder {str(folder)!r}: {error.strerror}") from None
    return Starter(load_program(folder), written)


def check_bot_name(game: Game, name: str) -> None:
    """Refuse a name that tables could not show, or that belongs to a built-in bot."""
    if not NAME.fullmatch(name):
        raise SettingError(
            f"name {name[:70]!r}: expected letters, digits, '-', '_' and '.', 64 at most"
        )
    if name in game.bot_names:
        raise SettingError(f"name {name!r}: a built-in bot has it; take another")


def starter_files(game: Game, language: str) -> dict[str, str]:
    """The files of a starter, by name."""
    folder = game.find_file(STARTERS)
    if folder is None:
        return {}
    sources = sorted((folder / language).iterdir(), key=lambda source: source.name)
    texts = {source.name: source.read_text("utf-8") for source in sources if source.is_file()}
    texts[SETTINGS] = texts[SETTINGS].replace(ANY_GAME, f'games = ["{game.name}"]')
    return texts


def _write(target: Path, text: str, name: str) -> Path:
    if target.name == SETTINGS:
        line = f'name = "{name}"'.ljust(COMMENT_COLUMN)
        text = NAME_LINE.sub(lambda _: line, text, count=1)
    target.write_text(text, "utf-8")
    return target
