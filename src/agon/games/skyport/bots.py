"""The built-in bots."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agon.games.skyport.board import TIERS, state_dtype
from agon.games.skyport.position import as_skyport_position
from agon.kernel import new_records, next_random

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.games.bot import Bot, Budget
    from agon.games.game import Position
    from agon.games.skyport.action import Turn


class RandomBot:
    """Any turn without refused actions; by what chance stands in the README."""

    def __init__(self, seed: int) -> None:
        """The seed rules all that it plays."""
        self._chance = new_records(state_dtype(TIERS[0]))[0]  # a type that kernels know
        self._chance.random = seed % 2**64

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        """A turn at once."""
        return as_skyport_position(position).turn_by_chance(seat, int(next_random(self._chance)))


BOTS: Mapping[str, Callable[[int], Bot[Any]]] = MappingProxyType({"random": RandomBot})
