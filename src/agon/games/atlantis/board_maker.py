"""Starting boards of Atlantis for `agon board`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.atlantis.game import GAME, MAX_SIZE, AtlantisOptions
from agon.games.atlantis.match_text import VERSION

if TYPE_CHECKING:
    from agon.games.game import JsonObject


def make_board(shape: str, size: int, players: int) -> JsonObject:
    """A transcript without turns."""
    for name, number, least, most in (
        ("SIZE", size, 2, MAX_SIZE),
        ("--players", players, 0, GAME.seats[-1]),
    ):
        if not least <= number <= most:
            raise SettingError(f"{name} {number}: expected a whole number from {least} to {most}")
    setup = GAME.form.format_setup(GAME, AtlantisOptions(shape, size), 0, [{}] * players)
    return {"format": f"{GAME.title} transcript", "version": VERSION, **setup}
