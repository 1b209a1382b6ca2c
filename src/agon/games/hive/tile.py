"""Tiles and cells of Hive, as people name them.

Cells are axial coordinates (q, r) on a grid of pointy-top hexes: q grows to the east, r to the
south-east. The first tile of a match lies at (0, 0).

        NW (0,-1)   NE (+1,-1)
    W (-1,0)    *    E (+1,0)
        SW (-1,+1)  SE (0,+1)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]

ORIGIN: Cell = (0, 0)

WHITE, BLACK = 0, 1
SIDE_LETTERS = "wb"
SIDE_NAMES = ("White", "Black")


class Kind(IntEnum):
    """The eight kinds of tile, in the order in which the rules number them."""

    QUEEN = 0
    SPIDER = 1
    BEETLE = 2
    GRASSHOPPER = 3
    ANT = 4
    MOSQUITO = 5
    LADYBUG = 6
    PILLBUG = 7

    @property
    def letter(self) -> str:
        """The letter that stands for this kind in every notation."""
        return KIND_LETTERS[self]

    @property
    def per_side(self) -> int:
        """How many tiles of this kind a side has (expansions: if they are in the game)."""
        return PER_SIDE[self]


KIND_LETTERS = "QSBGAMLP"
PER_SIDE = (1, 2, 2, 3, 3, 1, 1, 1)


class Direction(IntEnum):
    """The six faces of a tile, clockwise."""

    NW = 0
    NE = 1
    E = 2
    SE = 3
    SW = 4
    W = 5


STEPS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def neighbour(cell: Cell, direction: Direction) -> Cell:
    """The cell next to `cell` on that face.

    >>> neighbour((0, 0), Direction.NE)
    (1, -1)
    """
    step = STEPS[direction]
    return cell[0] + step[0], cell[1] + step[1]


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One tile: the `number`-th of its kind that its side plays."""

    side: int
    kind: Kind
    number: int

    def __str__(self) -> str:
        """Name of the tile in Agon's notation, three characters.

        >>> str(Tile(WHITE, Kind.GRASSHOPPER, 2))
        'wG2'
        """
        return f"{SIDE_LETTERS[self.side]}{self.kind.letter}{self.number}"


@dataclass(frozen=True, slots=True)
class LastMove:
    """What the last turn moved; `origin` is None if the tile came from the hand."""

    tile: Tile
    origin: Cell | None
    target: Cell
