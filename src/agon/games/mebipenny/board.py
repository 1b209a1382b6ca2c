"""The board as numbers: the records of a match, and the armies as trees of claims.

A cell has the number row * cols + col, and its tile the same. Numbers from there on stand for what
is beyond the edge and are walls, so that no loop has to ask whether there is a cell (R1, R2). Each
cell is one word that says all about it:

    FREE = 0
    WALL = 1
    bit 20, LEADER:  bits 0-16   the size of its army       bits 17-18  the army's owner
    bit 21, MEMBER:  bits 0-15   a cell of the same army that is nearer to the leader

All claims of an army have one owner (the README proves it), so that owner and size stand in one
place, the word of its leader:

    o o x         o at 0 is the leader of 0, 1 and 3:  LEADER | owner | 3,  MEMBER | 0,  MEMBER | 0
    o . x         x at 2 is the leader of 2 and 5:     LEADER | owner | 2,  MEMBER | 2

The records come in tiers by the number of cells; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.kernel import Record, as_int, inlined, kernel

SEATS = 4
HAND = 6
SIDES = 4
LONGEST_SIDE = 256
TIERS = (24 * 24, 64 * 64, LONGEST_SIDE * LONGEST_SIDE)  # cells

FREE, WALL = 0, 1
LEADER = 1 << 20
MEMBER = 1 << 21
CELL = (1 << 16) - 1  # of a member's word
SIZE = (1 << 17) - 1  # of a leader's word
OWNER_SHIFT = 17

NO_OWNER, NATURE = -1, -2  # in place of an owner: of a free cell, of a wall

MOST_MOVES = HAND * SEATS + 1

WORK = np.dtype(
    [
        ("armies", np.int32),  # how many there are around the tile
        ("total", np.int32),  # the size of the army that the tile makes
        ("leaders", np.int32, (SIDES,)),
        ("counts", np.int32, (SEATS,)),  # claims in it, by seat
        ("moves", np.int32, (MOST_MOVES,)),
    ],
    align=True,
)


def setup_dtype(tier: int) -> np.dtype[Any]:
    """The record of what is fixed for a match."""
    return np.dtype(
        [
            ("rows", np.int32),
            ("cols", np.int32),
            ("seats", np.int32),
            ("walls", np.int32),  # how many
            ("dealt", np.int32),  # 1: as the next five say, not by chance
            ("draw_size", np.int32),
            ("stacked", np.int32),
            ("pile", np.uint16, (tier,)),
            ("hands", np.uint16, (SEATS, HAND)),
            ("hand_size", np.uint8, (SEATS,)),
            ("beside", np.int32, (tier, SIDES)),  # the cells that touch a cell
        ],
        align=True,
    )


def state_dtype(tier: int) -> np.dtype[Any]:
    """The record of a position. Largest fields first, no gaps between them."""
    return np.dtype(
        [
            ("random", np.uint64),  # the generator: draws, and in simulations the choice of moves
            ("turn", np.int32),  # turns played, of all seats together
            ("draw_size", np.int32),  # tiles left in the pile
            ("score", np.int32, (SEATS,)),  # R12
            ("cells", np.int32, (tier + 2,)),  # the words; number `tier` is beyond every edge
            ("pile", np.uint16, (tier,)),  # in no order but for the last; 0 from `draw_size` on
            ("hands", np.uint16, (SEATS, HAND)),  # 0 from `hand_size` on
            ("hand_size", np.uint8, (SEATS,)),
            ("passes", np.uint8),  # in succession, up to now
            ("over", np.uint8),  # R11: 1 if the match has ended
            ("stacked", np.uint16),  # at the end of the pile, the last first: drawn before chance
        ],
        align=True,
    )


@inlined
def leader_word(owner: int, size: int) -> int:
    """The word of an army's leader."""
    return LEADER | owner << OWNER_SHIFT | size


@kernel
def owner_in(word: int) -> int:
    return word >> OWNER_SHIFT & 3


@kernel
def size_in(word: int) -> int:
    return word & SIZE


@kernel
def find_leader(state: Record, cell: int) -> int:
    """The leader of the army that has this claim."""
    word = as_int(state.cells[cell])
    while word >= MEMBER:
        cell = word & CELL
        word = as_int(state.cells[cell])
    return cell


@inlined
def owner_at(state: Record, cell: int) -> int:
    """The seat whose claim the cell is; NO_OWNER if it is free, NATURE if it is a wall."""
    word = as_int(state.cells[cell])
    if word == FREE:
        return NO_OWNER
    if word == WALL:
        return NATURE
    return owner_in(as_int(state.cells[find_leader(state, cell)]))
