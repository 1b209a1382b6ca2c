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

A field has a kind, an owner and a number of stones (R2). What costs time to find again is kept up
to date by `explosion.explode`, the one function that changes kinds during a match: how many open
neighbours a field has, whether there may be more than one area (`areas.py`), and sets of fields. A
set has a bit for each number, in words of 32; `next_field` leads from member to member.

    state.open              the open fields
    state.stacks[seat]      open fields with stones of the seat
    state.growing[seat]     growing fields of the seat; a growing field always has one

The records come in tiers by the number of fields; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.kernel import IntArray, Record, as_int, kernel, lowest_bit

SEA = 0
DIRECTIONS = 6
MAX_PLAYERS = 6
MAX_STONES = 100_000  # on a field at the start: no sum of stones can overflow
NO_OWNER = MAX_PLAYERS
OPEN, GROWING, DEAD = 0, 1, 2
ONE_AREA, SEVERAL_AREAS, TO_BE_SURVEYED = 0, 1, 2  # of open fields; one, or none at all

TIERS = (159, 447, 1023, 4103)  # fields; with the sea a multiple of 8: a state has no gaps


def set_words(tier: int) -> int:
    """The words of a set of fields: an even number, and one to spare, for `next_field`."""
    return (tier + 1) // 64 * 2 + 2


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
            ("score", np.int32, (MAX_PLAYERS,)),
            ("open", np.uint32, (set_words(tier),)),
            ("stacks", np.uint32, (MAX_PLAYERS, set_words(tier))),
            ("growing", np.uint32, (MAX_PLAYERS, set_words(tier))),
            ("stones", np.int32, (numbers,)),
            ("kind", np.uint8, (numbers,)),
            ("owner", np.uint8, (numbers,)),
            ("open_around", np.uint8, (numbers,)),
            ("areas", np.uint8),
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
            ("score", np.int32, (MAX_PLAYERS,)),  # R15, counted when the match ends
            ("open", np.uint32, (set_words(tier),)),  # sets of fields: see above
            ("stacks", np.uint32, (MAX_PLAYERS, set_words(tier))),
            ("growing", np.uint32, (MAX_PLAYERS, set_words(tier))),
            ("stones", np.int32, (numbers,)),
            ("kind", np.uint8, (numbers,)),  # OPEN, GROWING or DEAD
            ("owner", np.uint8, (numbers,)),  # seat or NO_OWNER; a dead field keeps its last one
            ("open_around", np.uint8, (numbers,)),  # how many neighbours are open
            ("seat", np.uint8),  # R4: whose turn it is: `turn` mod the number of seats
            ("areas", np.uint8),  # R13: ONE_AREA, SEVERAL_AREAS or TO_BE_SURVEYED
            ("over", np.uint8),  # R14: 1 if the match has ended
            # R16: 1 if the seat whose turn it is chooses its moves; if 0 the turn has none
            ("asked", np.uint8),
            ("out", np.uint8),  # R17: a bit for each seat
            # R18: turns in a row whose seat was not asked and in which nothing exploded or grew
            ("idle_turns", np.uint8),
            ("spare", np.uint8, (6,)),  # always 0
        ],
        align=True,
    )


def work_dtype(tier: int) -> np.dtype[Any]:
    """The record of scratch space."""
    numbers = tier + 1
    return np.dtype(
        [
            ("unvisited", np.uint32, (set_words(tier),)),  # open fields not yet surveyed
            ("waiting", np.uint32, (set_words(tier),)),  # fields in `volatile`; empty at rest
            ("moves", np.int32, (numbers,)),  # of one turn: at most one per segment
            ("volatile", np.uint16, (2 * numbers,)),  # a field explodes at most twice in a phase
            ("area", np.uint16, (numbers,)),  # the fields of the area that was surveyed last
            ("used", np.uint8, (numbers,)),  # segments that a turn has used, 0 at rest
            ("holder", np.uint8, (numbers,)),  # R15: what `areas.map_areas` finds
        ],
        align=True,
    )


@kernel
def pass_to_next(setup: Record, state: Record) -> None:
    """R4: the next turn, which belongs to the next seat."""
    is_last = as_int(state.seat) == as_int(setup.players) - 1
    state.seat = 0 if is_last else as_int(state.seat) + 1
    state.turn += 1


@kernel
def is_in(fields: IntArray, field: int) -> bool:
    """Whether a set of fields has that one."""
    return (as_int(fields[field >> 5]) >> (field & 31)) & 1 == 1


@kernel
def put_in(fields: IntArray, field: int) -> None:
    """Add a field to a set."""
    fields[field >> 5] = as_int(fields[field >> 5]) | 1 << (field & 31)


@kernel
def take_out(fields: IntArray, field: int) -> None:
    """Remove a field from a set that has it; it would be added to one that has not."""
    fields[field >> 5] = as_int(fields[field >> 5]) ^ 1 << (field & 31)


@kernel
def next_field(setup: Record, fields: IntArray, field: int) -> int:
    """The next member of a set after a field; the first after SEA, and SEA after the last."""
    word, skipped = (field + 1) >> 5, (field + 1) & 31
    last = as_int(setup.fields) >> 5
    members = (as_int(fields[word]) >> skipped) << skipped  # without those up to the field
    while members == 0 and word < last:
        word += 1
        members = as_int(fields[word])
    return SEA if members == 0 else (word << 5) + lowest_bit(members)


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
    put_in(state.stacks[seat], field)
    state.stones[field] += stones


@kernel
def take_stones(state: Record, field: int, stones: int) -> None:
    """Take stones off an open field. R2: if none is left it has no owner."""
    left = as_int(state.stones[field]) - stones
    state.stones[field] = left
    if left == 0:
        take_out(state.stacks[as_int(state.owner[field])], field)
        state.owner[field] = NO_OWNER


@kernel
def is_opponents(state: Record, seat: int, field: int) -> bool:
    """Whether an open field holds stones of another seat."""
    return not is_in(state.stacks[seat], field) and as_int(state.owner[field]) != NO_OWNER
