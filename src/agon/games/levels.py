"""Levels of strength for people who play: from `search:1`, a beginner, to `search:10`, all it can.

A level is two built-in bots, and how many of its turns the stronger one chooses. Up to the fifth
level these are the weakest bot and the middling one, then that and the strongest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.games.game import Game

SHARES = (0, 50, 75, 90, 100)
"""Of a hundred turns, those of the middling bot: the first levels."""
SHARES_OF_STRONGEST = (15, 35, 60, 85, 100)
"""Of a hundred turns, those of the strongest: the other levels."""
COUNT = len(SHARES) + len(SHARES_OF_STRONGEST)


@dataclass(frozen=True, slots=True)
class Level:
    """Who chooses the turns of a level."""

    weaker: str
    stronger: str
    share: int
    """Of a hundred turns, those that the stronger one chooses."""


def level_names(game: Game) -> tuple[str, ...]:
    """All levels, the weakest first; none in a game with fewer than three bots."""
    if len(game.bot_names) < 3:
        return ()
    return tuple(f"{game.bot_names[-1]}:{number}" for number in range(1, COUNT + 1))


def make_level(game: Game, number: int) -> Level:
    weakest, middling, strongest = game.bot_names[0], game.usual_opponent, game.bot_names[-1]
    if number <= len(SHARES):
        return Level(weakest, middling, SHARES[number - 1])
    return Level(middling, strongest, SHARES_OF_STRONGEST[number - len(SHARES) - 1])
