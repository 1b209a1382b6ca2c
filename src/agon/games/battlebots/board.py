r"""Forts, roads and armies as numbers: the records of a match, in a few sizes.

Forts and roads are numbered from 0. A road has two lanes, one in each direction: lane 2 * road goes
from the road's first fort to its second, lane 2 * road + 1 back.

A seat is a player's number, a side is a seat or NEUTRAL. Forts belong to sides, armies to seats.

Places. A road of L steps has the places 0 to L, and all roads lie in a row in two flat arrays,
`there` for the armies on even lanes and `back` for those on odd ones. At rest, between turns,
no army stands at the ends of a road, and two armies at one place have the same owner (R7). An army
that has just left stands at its own end, one that arrives at the other.

    place       0   1   2   3 | 0   1 | 0   1   2 |
    there       .   x   x   . | .   . | .   x   . |      armies go to the right
    back        .   .   x   . | .   . | .   x   . |      armies go to the left
                road 0, L = 3 | L = 1 | road 2, L = 2

So a step of all armies is a shift of two arrays, whatever the roads: before it the last place of
`there` and the first of `back` are empty on every road, and no army crosses into the next road.

An army is one number, `soldiers << 3 | owner`, and 0 is none. One lane and place never has two
owners: all that stand there left the same fort in the same turn, and that had one owner; or the
setup put one army there.

The records come in tiers; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agon.kernel import Record, as_int, kernel

MOST_SEATS = 8
NEUTRAL = MOST_SEATS
SIDES = MOST_SEATS + 1  # the seats and NEUTRAL
MOST_SOLDIERS = 100_000_000  # of all sides at the start; with all growth they fit into one army


class Tier(NamedTuple):
    """How much the records hold."""

    forts: int
    roads: int
    places: int


TIERS = (Tier(32, 128, 1024), Tier(128, 512, 8192), Tier(512, 2048, 32768))


def setup_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of what is fixed for a match: the field, the options, and the start."""
    forts, roads, places = tier
    return np.dtype(
        [
            ("seats", np.int32),
            ("forts", np.int32),
            ("roads", np.int32),
            ("places", np.int32),  # of all roads together
            ("turn_limit", np.int32),  # R11
            ("most_soldiers", np.int32),  # R11: 1 if they decide at the limit
            ("departure", np.int32, (2 * roads,)),  # per lane, the place where armies leave
            ("origin", np.uint16, (2 * roads,)),  # per lane, the fort
            ("exits", np.uint16, (2 * roads,)),  # the lanes that leave a fort, fort by fort
            ("first_exit", np.uint16, (forts + 2,)),  # per fort; after the last, the end; a spare
            # the position before the first turn
            ("garrison", np.int32, (forts,)),
            ("there", np.int32, (places,)),
            ("back", np.int32, (places,)),
            ("owner", np.uint8, (forts,)),
        ],
        align=True,
    )


def state_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of a position. Largest fields first, no gaps: equal positions are equal bytes."""
    forts, _, places = tier
    return np.dtype(
        [
            ("random", np.uint64),  # the generator for random play
            ("standing", np.int64, (MOST_SEATS,)),  # R11: see `rules.py`
            ("turn", np.int32),  # turns played
            ("garrison", np.int32, (forts,)),
            ("there", np.int32, (places,)),
            ("back", np.int32, (places,)),
            ("owner", np.uint8, (forts,)),  # per fort, a seat or NEUTRAL
            ("still_in", np.uint8),  # R10, R12: a bit for each seat
            ("failed", np.uint8),  # R12: a bit for each seat
            ("over", np.uint8),  # R11: 1 if the match has ended
            ("spare", np.uint8),  # always 0
        ],
        align=True,
    )


def work_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of scratch space: all 0 at rest."""
    forts, roads, _ = tier
    return np.dtype(
        [
            ("orders", np.int32, (2 * roads,)),  # per lane, the soldiers that are to leave
            ("attackers", np.int32, (forts, SIDES)),  # per fort and side, strangers that arrive
            ("besieged", np.uint8, (forts,)),  # 1 if there are any
        ],
        align=True,
    )


@kernel
def encode_army(owner: int, soldiers: int) -> int:
    """The army of so many soldiers."""
    return soldiers << 3 | owner


@kernel
def owner_of(army: int) -> int:
    return army & 7


@kernel
def soldiers_of(army: int) -> int:
    return army >> 3


@kernel
def is_in(state: Record, seat: int) -> bool:
    """R10, R12: whether the seat is still in; NEUTRAL never is."""
    return (as_int(state.still_in) >> seat) & 1 == 1
