"""A move as the rules number it, and the tiles by the slots in which the rules keep them."""

from __future__ import annotations

from types import MappingProxyType
from typing import NewType

from agon.games.hive import rules
from agon.games.hive.tile import BLACK, WHITE, Kind, Tile

Move = NewType("Move", int)
PASS = Move(rules.PASS)

KIND_AT = tuple(kind for kind in Kind for _ in range(kind.per_side))
"""The kind of each of a side's slots."""
_FIRST_INDEX = (0, 1, 3, 5, 8, 11, 12, 13)


def _tiles_by_slot() -> dict[int, Tile]:
    indexed = list(enumerate(KIND_AT))
    return {
        side * 16 + index: Tile(side, kind, index - _FIRST_INDEX[kind] + 1)
        for side in (WHITE, BLACK)
        for index, kind in indexed
    }


TILES = MappingProxyType(_tiles_by_slot())
"""The tile that the rules keep in each slot."""
_SLOTS = {tile: slot for slot, tile in TILES.items()}


def slot_of_tile(tile: Tile) -> int:
    """The slot in which the rules keep this tile."""
    return _SLOTS[tile]
