r"""The board as numbers: the records of a match, in a few sizes.

Cells. A map of S by S hexes lies in one flat array, row by row, with a frame of EDGE cells around
it, as wide as a mortar shoots: a step or a shot is an addition, and there is no need to ask whether
a hex is on the map. The edge at the end of a row is also the one before the next row. With a frame
of 1:

    cell = (j + 1) * (S + 1) + k + 1            # # # #
                                                # a b c
    S = 3: the hexes a to i,                    # d e f
    with EDGE cells #                           # g h i
                                                # # # # #

Each cell is one byte:

    bits 0-2   the tile: GRASS, RUBIDIUM, EXPLODIUM, SCRAP, which robots enter,
               VOID, SPAWN, ROCK and EDGE, which they do not; ROCK and EDGE stop lasers
    bit  3     SECOND_UNIT: a mine with both of its units
    bits 4-7   the seat of the robot or body there, plus 1; 0: none

An action is one number: its kind in bits 0-2, above that its parameter:

    MOVE, LASER   the direction, 0 to 5: up, down, right-up, right-down, left-up, left-down
    UPGRADE       the weapon: LASER_WEAPON, MORTAR_WEAPON, DROID_WEAPON
    MORTAR        j + 128 and, 8 bits higher, k + 128
    DROID         the number of steps, then 3 bits a step; TOO_MANY is more than any level walks

The records come in tiers by the size of the map; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.kernel import Record, as_int, kernel

GRASS, RUBIDIUM, EXPLODIUM, SCRAP, VOID, SPAWN, ROCK, EDGE = range(8)
LAST_ENTERED = SCRAP
FIRST_OPAQUE = ROCK
SECOND_UNIT = 8
TILE = 7
OCCUPANT = 4  # shift

STEPS = ((-1, -1), (1, 1), (-1, 0), (0, 1), (0, -1), (1, 0))  # R1, as (j, k)
DIRECTIONS = 6
MAX_SEATS = 8
MAX_SIDE = 64
MAX_TURNS = 1 << 20  # of each seat: no score can overflow
FULL_HEALTH = 100

LASER_WEAPON, MORTAR_WEAPON, DROID_WEAPON = range(3)  # R10: in the order of their mines
WEAPONS = 3
TOP_LEVEL = 3

SLOTS = 3
INVALID, MOVE, MINE, UPGRADE, PASS, LASER, MORTAR, DROID = range(8)
FIRST_ENDING = PASS  # R7: what comes from there on ends a turn
KIND = 7
PARAMETER = 3  # shift
SHIFT_TO_POSITIVE = 128
TOO_MANY = 6

FRAME = 4  # the longest range of a mortar
NEAR = 61  # hexes within that range

TIERS = (16, 32, 64)  # sides of the maps that fit


def cell_count(side: int) -> int:
    """How many cells a map with its edge takes, rounded up to whole words."""
    return ((side + 2 * FRAME) * (side + FRAME) + FRAME + 7) // 8 * 8


def setup_dtype(tier: int) -> np.dtype[Any]:
    """The record of what is fixed for a match."""
    return np.dtype(
        [
            ("stride", np.int32),  # from a cell to the one below it in the array: a step in j
            ("seats", np.int32),
            ("turns", np.int32),  # R18: the number of the last turn
            ("steps", np.int32, (DIRECTIONS,)),  # from a cell to its neighbours
            ("spawn", np.uint16, (MAX_SEATS,)),
            ("is_ordered", np.int32),  # 1: R6, the next one is the order of the seats
            ("order", np.uint8, (MAX_SEATS,)),
            ("loadouts", np.int8, (MAX_SEATS,)),  # R5: as they are given; -1: by choice
            ("near", np.int8, (NEAR, 2)),  # j and k of the hexes around (0, 0), the nearest first
            ("cells", np.uint8, (cell_count(tier),)),  # the map at the start, with its robots
        ],
        align=True,
    )


def state_dtype(tier: int) -> np.dtype[Any]:
    """The record of a position. Largest fields first, no gaps: equal positions are equal bytes."""
    return np.dtype(
        [
            ("random", np.uint64),  # the generator: the order of seats, and random play
            ("score", np.int32, (MAX_SEATS,)),
            ("turn", np.int32),  # R6: its number; 0 while loadouts are due
            ("place", np.int32),  # R6: in the order of the seats, of the one whose turn it is
            ("health", np.int16, (MAX_SEATS,)),
            ("cell", np.uint16, (MAX_SEATS,)),
            ("units", np.uint16, (MAX_SEATS, WEAPONS)),  # mined, by the weapon they are for
            ("level", np.uint8, (MAX_SEATS, WEAPONS)),  # 0: not carried
            ("primary", np.uint8, (MAX_SEATS,)),
            ("secondary", np.uint8, (MAX_SEATS,)),
            ("order", np.uint8, (MAX_SEATS,)),  # R6: seats by their place
            ("absent", np.uint8, (MAX_SEATS,)),  # R16: turns until a dead robot acts, counting that
            ("cells", np.uint8, (cell_count(tier),)),
        ],
        align=True,
    )


WORK = np.dtype(
    [
        ("actions", np.int64, (SLOTS,)),  # of one turn
        ("refusals", np.int64, (SLOTS,)),  # what became of each
        ("origin", np.int64, (SLOTS,)),  # of a shot: the cell where it was made
        ("target", np.int64, (SLOTS,)),  # and where it ended
        ("walked", np.int64, (SLOTS,)),  # how many steps that took a laser or a droid
        ("loadouts", np.int64, (MAX_SEATS,)),  # primary * WEAPONS + secondary
        ("valid", np.int64),  # actions of this turn that were carried out, other than passes
        ("ended", np.int64),  # 1 after a shot or a pass
        ("chance", np.int64),  # random play: what is left of a random number, 56 bits
    ],
    align=True,
)


@kernel
def encode_action(kind: int, parameter: int) -> int:
    return kind | parameter << PARAMETER


@kernel
def kind_of(action: int) -> int:
    """What an action is: MOVE, MINE ..."""
    return action & KIND


@kernel
def parameter_of(action: int) -> int:
    """The direction, weapon, target or list of steps of an action."""
    return action >> PARAMETER


@kernel
def seat_to_act(state: Record) -> int:
    return as_int(state.order[as_int(state.place)])


@kernel
def tile_at(state: Record, cell: int) -> int:
    return as_int(state.cells[cell]) & TILE


@kernel
def place_robot(state: Record, seat: int, cell: int) -> None:
    """Put a robot on a free cell."""
    state.cells[cell] = as_int(state.cells[cell]) | (seat + 1) << OCCUPANT
    state.cell[seat] = cell


@kernel
def lift_robot(state: Record, seat: int) -> None:
    """Take a robot or a body off its cell."""
    cell = as_int(state.cell[seat])
    state.cells[cell] = as_int(state.cells[cell]) & (TILE | SECOND_UNIT)


@kernel
def on_spawn(state: Record, seat: int) -> bool:
    """Whether a robot stands on a spawn tile, which is its own."""
    return tile_at(state, as_int(state.cell[seat])) == SPAWN


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """R18: whether all turns are played."""
    return as_int(state.turn) > as_int(setup.turns)
