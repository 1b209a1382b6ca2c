"""The record of what is fixed for a match: the size of the board, and which cells touch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.mebipenny.board import SIDES, TIERS, setup_dtype, state_dtype
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.mebipenny.deal import Deal
    from agon.kernel import IntArray, Record


@dataclass(frozen=True, slots=True)
class Setup:
    """A setup for kernels, and the type of the states that go with it."""

    records: Any
    """An array of one record; it is never changed."""
    state: np.dtype[Any]

    @property
    def record(self) -> Any:
        return self.records[0]


@lru_cache(maxsize=16)
def build_setup(rows: int, cols: int, seats: int, walls: int, deal: Deal | None = None) -> Setup:
    """The setup of a match; the smallest tier that has room for the board."""
    cells = rows * cols
    tier = next(tier for tier in TIERS if tier >= cells)
    records = new_records(setup_dtype(tier))
    setup = records[0]
    setup.rows, setup.cols, setup.seats, setup.walls = rows, cols, seats, walls
    setup.beside[:] = tier
    setup.beside[:cells] = touching_cells(rows, cols, tier)
    if deal is not None:
        _fill_deal(setup, deal, cells)
    records.flags.writeable = False
    return Setup(records, state_dtype(tier))


def _fill_deal(setup: Record, deal: Deal, cells: int) -> None:
    """R14: the hands, and the pile with what is drawn first at its end."""
    placed = {*deal.walls, *deal.pile}.union(*deal.hands)
    pile = [tile for tile in range(cells) if tile not in placed] + [*reversed(deal.pile)]
    setup.dealt, setup.draw_size, setup.stacked = 1, len(pile), len(deal.pile)
    setup.pile[: len(pile)] = pile
    for seat, hand in enumerate(deal.hands):
        setup.hand_size[seat] = len(hand)
        setup.hands[seat, : len(hand)] = hand


def touching_cells(rows: int, cols: int, beyond: int) -> IntArray:
    """R1: of each cell the ones above, left, right and below; `beyond` where there is none."""
    board = np.full((rows + 2, cols + 2), beyond, np.int32)
    board[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    sides = (board[:-2, 1:-1], board[1:-1, :-2], board[1:-1, 2:], board[2:, 1:-1])
    return np.stack(sides, axis=-1).reshape(rows * cols, SIDES)
