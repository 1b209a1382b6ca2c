"""The bot of a level of strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.levels import make_level
from agon.games.random_bot import Chance

if TYPE_CHECKING:
    from agon.games.bot import Budget
    from agon.games.game import Game, Position


class LevelBot:
    """Two bots, of which one is drawn for each turn."""

    def __init__(self, game: Game, number: int, seed: int) -> None:
        """The seed is that of both, and of what is drawn."""
        self._level = make_level(game, number)
        self._chance = Chance(seed)
        makers = game.bots()
        self._weaker = makers[self._level.weaker](seed)
        self._stronger = makers[self._level.stronger](seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        """A turn of one of them."""
        is_strong = self._chance.below(100) < self._level.share
        bot = self._stronger if is_strong else self._weaker
        return bot.choose(position, seat, budget)
