r"""Forts, roads and armies as numbers: the records of a match, in a few sizes.

Forts and roads are numbered from 0. A road has two lanes, one in each direction: lane 2 * road goes
from the road's first fort to its second, lane 2 * road + 1 back.

A seat is a player's number, a side is a seat or NEUTRAL. Forts belong to sides, armies to seats.

Places. A road of L steps has L + 1 places, and those of all roads lie in a row, once for the armies
on even lanes, which go THERE, and once for those on odd ones, which go BACK. At rest, between
turns, no army stands at the ends of a road, and two armies at one place have the same owner (R7).
An army that has just left stands at the end where its lane begins, one that arrives at the other.

    place       0   1   2   3 | 4   5 | 6   7   8 |
    THERE       .   x   x   . | .   . | .   x   . |      armies go to the right
    BACK        .   .   x   . | .   . | .   x   . |      armies go to the left
                road 0, L = 3 | L = 1 | road 2, L = 2

So in a step all armies of a direction shift by a place, whatever the roads: before it the last
place of THERE and the first of BACK are empty on every road, and no army crosses into the next one.

`occupied` has a bit for each place where an army stands, the lowest for place 0; a step shifts it.
The armies themselves stay in their slots of `armies`. Which place a slot stands for follows from
the turn: place = slot + turn for THERE, slot - turn for BACK, around a ring of as many slots as the
tier has places. So a step is done by `turn += 1` and the shift. Slots of empty places are 0.

An army is one number, `soldiers << 3 | owner`, and 0 is none. One lane and place never has two
owners: all that stand there left the same fort in the same turn, and that had one owner; or the
setup put one army there.

The records come in tiers; the kernels are compiled for each that is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agon.kernel import IntArray, Record, as_int, kernel, lowest_bit

THERE, BACK = range(2)  # the direction of a lane: its lowest bit
WORD_BITS = 32  # of the words of `occupied`
NOWHERE = -1  # in place of a place
MOST_SEATS = 8
NEUTRAL = MOST_SEATS
SIDES = MOST_SEATS + 1  # the seats and NEUTRAL
MOST_SOLDIERS = 100_000_000  # of all sides at the start; with all growth they fit into one army


class Tier(NamedTuple):
    """How much the records hold. The places are a power of 2: rings turn easily then."""

    forts: int
    roads: int
    places: int


TIERS = (
    Tier(32, 64, 512),  # generated maps for 2 or 3
    Tier(32, 128, 1024),
    Tier(128, 512, 8192),
    Tier(512, 2048, 32768),
)


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
            ("soldiers_decide", np.int32),  # R11: 1 if they decide at the limit
            ("departure", np.uint16, (2 * roads,)),  # per lane, the place where armies leave
            ("origin", np.uint16, (2 * roads,)),  # per lane, the fort
            ("road_at", np.uint16, (places,)),  # per place, the road
            ("exits", np.uint16, (2 * roads,)),  # the lanes that leave a fort, fort by fort
            ("first_exit", np.uint16, (forts + 2,)),  # per fort; after the last, the end; a spare
            ("ends", np.uint32, (2, places // WORD_BITS)),  # per direction, where armies arrive
            # the position before the first turn
            ("garrison", np.int32, (forts,)),
            ("armies", np.int32, (2, places)),
            ("occupied", np.uint32, (2, places // WORD_BITS)),
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
            ("turn", np.int32),  # turns played; `rules.step` raises it, and with it all places
            ("garrison", np.int32, (forts,)),
            ("armies", np.int32, (2, places)),  # per direction and slot, see `slot_of`
            ("occupied", np.uint32, (2, places // WORD_BITS)),  # per direction, a bit per place
            ("owner", np.uint8, (forts,)),  # per fort, a seat or NEUTRAL
            ("still_in", np.uint8),  # R10, R12: a bit for each seat
            ("failed", np.uint8),  # R12: a bit for each seat
            ("over", np.uint8),  # R11: 1 if the match has ended
            ("spare", np.uint8),  # always 0
        ],
        align=True,
    )


def work_dtype(tier: Tier) -> np.dtype[Any]:
    """The record of scratch space: all 0 at rest, but for `marks`."""
    return np.dtype(
        [
            ("orders", np.int32, (2 * tier.roads,)),  # per lane, the soldiers that are to leave
            ("strength", np.int32, (tier.forts, SIDES)),  # per fort, the soldiers of each side
            ("arrived", np.uint8, (tier.forts,)),  # per fort, a bit for each seat whose armies have
            ("marks", np.uint32, (tier.places // WORD_BITS,)),  # a bit for each place
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
def slot_of(state: Record, way: int, place: int) -> int:
    """Where the ring of a direction holds the army of a place: one slot until it arrives."""
    turn = as_int(state.turn)
    slot = place - turn if way == THERE else place + turn
    return slot & (as_int(state.armies.shape[1]) - 1)


@kernel
def army_at(state: Record, way: int, place: int) -> int:
    """The army that goes this way, or 0."""
    return as_int(state.armies[way, slot_of(state, way, place)])


@kernel
def put_army(state: Record, way: int, place: int, army: int) -> None:
    """Let this army stand there, or none."""
    state.armies[way, slot_of(state, way, place)] = army
    occupied, word, bit = state.occupied, place // WORD_BITS, 1 << place % WORD_BITS
    others = as_int(occupied[way, word]) & ~bit
    occupied[way, word] = others | bit if army != 0 else others


@kernel
def target_of(setup: Record, lane: int) -> int:
    """The fort to which a lane leads."""
    return as_int(setup.origin[lane ^ 1])


@kernel
def count_words(setup: Record) -> int:
    """How many words of `occupied` the map needs."""
    return (as_int(setup.places) + WORD_BITS - 1) // WORD_BITS


@kernel
def take_army(state: Record, way: int, place: int) -> int:
    """The army that goes this way, whose slot is empty from now on; `occupied` stays as it is."""
    slot = slot_of(state, way, place)
    army = as_int(state.armies[way, slot])
    state.armies[way, slot] = 0
    return army


@kernel
def stands_at(occupied: IntArray, way: int, place: int) -> bool:
    """Whether an army that goes this way is there."""
    return as_int(occupied[way, place // WORD_BITS]) >> place % WORD_BITS & 1 == 1


@kernel
def next_place(marks: IntArray, words: int, place: int) -> int:
    """The first place from this one on that has its bit in these words; NOWHERE if none has.

    One loop with it over all words takes a GPU, whose threads wait for the slowest in each loop,
    less time than a loop over the bits of each word.
    """
    word = place // WORD_BITS
    left = as_int(0)
    if word < words:
        left = as_int(marks[word]) >> place % WORD_BITS << place % WORD_BITS
    while left == 0:
        word += 1
        if word >= words:
            return as_int(NOWHERE)
        left = as_int(marks[word])
    return word * WORD_BITS + lowest_bit(left)


@kernel
def is_in(state: Record, seat: int) -> bool:
    """R10, R12: whether the seat is still in; NEUTRAL never is."""
    return (as_int(state.still_in) >> seat) & 1 == 1
