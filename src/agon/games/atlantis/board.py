r"""The board as numbers: the records of a match, in a few sizes.

Segments are numbered from 0; fields from 1, segment by segment, so that a segment is a range of
numbers. Field 0 is the sea: a dead field that touches only itself and stands for whatever is not on
the board (R1), so that no loop has to ask whether there is a field.

    setup.neighbour[field, direction]   directions are numbered clockwise from the one above:

           0
        5 ___ 1
         /   \
         \___/
        4     2
           3

A move (R5) is one number:

    bits 0-12    how many stones, and so how many steps
    bits 13-15   the direction
    bits 16-28   the source

A field has a kind, an owner and a number of stones (R2). Two things that cost time to find again
are kept up to date by `explosion.explode`, the one function that changes kinds during a match: how
many open neighbours a field has, and how many pairs of an open and a growing field touch.

The records come in tiers by the number of fields; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.kernel import Record, as_int, kernel

SEA = 0
DIRECTIONS = 6
MAX_PLAYERS = 6
MAX_STONES = 100_000  # on a field at the start: no sum of stones can overflow
NO_OWNER = MAX_PLAYERS
OPEN, GROWING, DEAD = 0, 1, 2

TIERS = (255, 1023, 4103)  # fields; with the sea a multiple of 8: a state has no gaps


def setup_dtype(tier: int) -> np.dtype[Any]:
    """The record of what is fixed for a match: geometry, players, and the position at the start."""
    numbers = tier + 1
    return np.dtype(
        [
            ("fields", np.int32),
            ("segments", np.int32),
            ("players", np.int32),
            # the geometry
            ("neighbour", np.uint16, (numbers, DIRECTIONS)),
            ("segment", np.uint16, (numbers,)),
            ("first_field", np.uint16, (numbers + 4,)),  # of each segment; after the last, the end
            # the state before the first turn
            ("touching", np.int32),
            ("score", np.int32, (MAX_PLAYERS,)),
            ("stones", np.int32, (numbers,)),
            ("kind", np.uint8, (numbers,)),
            ("owner", np.uint8, (numbers,)),
            ("open_around", np.uint8, (numbers,)),
            ("over", np.uint8),
            ("asked", np.uint8),
        ],
        align=True,
    )


def state_dtype(tier: int) -> np.dtype[Any]:
    """The record of a position. Largest members first, no gaps: equal positions are equal bytes."""
    numbers = tier + 1
    return np.dtype(
        [
            ("random", np.uint64),  # the generator for random play
            ("turn", np.int32),  # turns played, of all seats together
            ("touching", np.int32),  # pairs of an open and a growing field that touch
            ("score", np.int32, (MAX_PLAYERS,)),  # R15, counted when the match ends
            ("stones", np.int32, (numbers,)),
            ("kind", np.uint8, (numbers,)),  # OPEN, GROWING or DEAD
            ("owner", np.uint8, (numbers,)),  # seat or NO_OWNER; a dead field keeps its last one
            ("open_around", np.uint8, (numbers,)),  # how many neighbours are open
            ("over", np.uint8),  # R14: 1 if the match has ended
            # R16: 1 if the seat whose turn it is chooses its moves; if 0 the turn has none
            ("asked", np.uint8),
            ("out", np.uint8),  # R17: a bit for each seat
            # R18: turns in a row whose seat was not asked and in which nothing exploded or grew
            ("idle_turns", np.uint8),
            ("spare", np.uint8, (4,)),  # always 0
        ],
        align=True,
    )


def work_dtype(tier: int) -> np.dtype[Any]:
    """The record of scratch space."""
    numbers = tier + 1
    return np.dtype(
        [
            ("stamp", np.int64),  # the number of the survey of areas
            ("visited", np.int64, (numbers,)),  # the last survey that came by
            ("area_size", np.int64),
            ("moves", np.int32, (numbers,)),  # of one turn: at most one per segment
            ("volatile", np.uint16, (2 * numbers,)),  # a field explodes at most twice in a phase
            ("area", np.uint16, (numbers,)),  # the fields of the area that was surveyed last
            ("waiting", np.uint8, (numbers,)),  # 1 while in `volatile`, 0 at rest
            ("used", np.uint8, (numbers,)),  # segments that a turn has used, 0 at rest
            ("holder", np.uint8, (numbers,)),  # R15: what `areas.map_areas` finds
        ],
        align=True,
    )


@kernel
def seat_to_move(setup: Record, state: Record) -> int:
    """R4: turn i belongs to seat i mod P."""
    return as_int(state.turn) % as_int(setup.players)


@kernel
def encode_move(source: int, direction: int, stones: int) -> int:
    """The move of so many stones, so many steps."""
    return source << 16 | direction << 13 | stones


@kernel
def source_of(move: int) -> int:
    return move >> 16


@kernel
def direction_of(move: int) -> int:
    """The direction of a move, 0 to 5; 6 and 7 are no directions."""
    return (move >> 13) & 7


@kernel
def stones_of(move: int) -> int:
    """How many stones a move takes, which is how many steps it goes."""
    return move & 0x1FFF


@kernel
def add_stones(state: Record, seat: int, field: int, stones: int) -> None:
    """Add stones of a seat to an open field that is empty or its own."""
    state.owner[field] = seat
    state.stones[field] += stones


@kernel
def take_stones(state: Record, field: int, stones: int) -> None:
    """Take stones off an open field. R2: if none is left it has no owner."""
    left = as_int(state.stones[field]) - stones
    state.stones[field] = left
    if left == 0:
        state.owner[field] = NO_OWNER


@kernel
def is_opponents(state: Record, seat: int, field: int) -> bool:
    """Whether an open field holds stones of another seat."""
    owner = as_int(state.owner[field])
    return owner != seat and owner != NO_OWNER
