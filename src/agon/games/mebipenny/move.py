"""Moves of MebiPenny: the number that the rules use; and the tiles that they place."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from agon.games.mebipenny import rules

Move: TypeAlias = int
PASS: Move = rules.PASS


class Tile(NamedTuple):
    """A tile, and the cell that it belongs to."""

    row: int
    col: int
