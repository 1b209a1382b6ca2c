"""The games that are installed, by name. Looking a game up does not load its rules.

A package offers a game by an entry point in the group `agon.games`: its name, and the `Game` object
behind it. Ours are in `pyproject.toml`; those of other packages are found in the same way.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from agon.errors import MissingPartError, SettingError
from agon.games.game import Game

GROUP = "agon.games"


@cache
def _entries() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in found and found[entry.name].value != entry.value:
            raise SettingError(
                f"game {entry.name!r} is offered twice, by {found[entry.name].value} and by"
                f" {entry.value}: uninstall one of the packages"
            )
        found[entry.name] = entry
    if not found:
        raise MissingPartError(
            f"no package offers a game (entry points {GROUP!r}): install agon anew, `make setup`"
        )
    return found


def game_names() -> tuple[str, ...]:
    """The names of all games, in order."""
    return tuple(_entries())


def find_game(game: Game | str) -> Game:
    """The game of that name, loaded, or the game itself; SettingError if there is none."""
    return game if isinstance(game, Game) else _load(game)


@cache
def _load(name: str) -> Game:
    if name not in _entries():
        raise SettingError(f"game {name!r}: expected one of {', '.join(game_names())}")
    entry = _entries()[name]
    game = entry.load()
    if not isinstance(game, Game) or game.name != name:
        raise SettingError(f"game {name!r}: expected {entry.value} to be a Game of that name")
    return game


def all_games() -> tuple[Game, ...]:
    """Every game, in the order of their names."""
    return tuple(map(find_game, game_names()))
