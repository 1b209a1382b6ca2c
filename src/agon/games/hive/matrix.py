r"""Cells as the published notation draws them: a matrix with x to the right and y downwards.

      / \ / \ / \
     |0,0|1,0|2,0|
      \ / \ / \ / \
       |0,1|1,1|2,1|      odd rows are shifted to the right
      / \ / \ / \ /
     |0,2|1,2|2,2|

The first tile of a match lies at 0,0; what lies to its left or above it has negative numbers. A
move is the tile and the cell where it ends: `wG2(3,-1)`; a pass is `pass`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agon.errors import IllegalMoveError, NotationError
from agon.games.hive.move import PASS, Move
from agon.games.hive.notation import check_tile, legal_pass, parse_tile, why_not

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition
    from agon.games.hive.tile import Cell

_NUMBER = r"0|-?[1-9][0-9]{0,2}"
_MOVE = re.compile(rf"(?P<tile>\w{{3}})\((?P<x>{_NUMBER}),(?P<y>{_NUMBER})\)", re.ASCII)


def to_matrix(cell: Cell) -> tuple[int, int]:
    """The x and y of a cell.

    >>> to_matrix((0, 1)), to_matrix((-1, 2)), to_matrix((1, -1))
    ((0, 1), (0, 2), (0, -1))
    """
    q, r = cell
    return q + r // 2, r


def from_matrix(x: int, y: int) -> Cell:
    """The cell at x and y.

    >>> from_matrix(0, 2)
    (-1, 2)
    """
    return x - y // 2, y


def format_matrix_move(position: HivePosition, move: Move) -> str:
    """The move by the cell where it ends; `parse_matrix_move` gives it back."""
    if move == PASS:
        return "pass"
    x, y = to_matrix(position.target_of(move))
    return f"{position.tile_of(move)}({x},{y})"


def parse_matrix_move(position: HivePosition, text: str) -> Move:
    """Read a move that is legal in this position."""
    if text == "pass":
        return legal_pass(position)
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"move {text[:40]!r}: expected a tile and the cell where it ends, such as wG2(3,-1)"
        )
    tile = parse_tile(match["tile"])
    check_tile(position, text, tile)
    target = from_matrix(int(match["x"]), int(match["y"]))
    move = position.find_move(tile, target)
    if move is None:
        raise IllegalMoveError(f"move {text!r}: {why_not(position, tile, target)}")
    return move
