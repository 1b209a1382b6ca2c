"""The games: rules, notation, protocol, scene and bots of each. No input, output or clock.

Called, the package gives all games that are installed: `agon.games()`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.games.game import Game


class _Games(ModuleType):
    def __call__(self) -> tuple[Game, ...]:
        from agon.games.registry import all_games

        return all_games()


sys.modules[__name__].__class__ = _Games
