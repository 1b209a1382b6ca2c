"""The games that there are, by name. Looking a game up does not load its rules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from agon.errors import SettingError

if TYPE_CHECKING:
    from agon.games.game import Game

NAMES = ("hive", "atlantis", "battlebots", "skyport", "mebipenny")


def find_game(name: str) -> Game:
    """The game of that name."""
    if name not in NAMES:
        raise SettingError(f"game {name!r}: expected one of {', '.join(NAMES)}")
    game: Game = import_module(f"agon.games.{name}.game").GAME
    return game


def all_games() -> tuple[Game, ...]:
    """Every game, in the order of `NAMES`."""
    return tuple(find_game(name) for name in NAMES)
