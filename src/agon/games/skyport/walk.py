"""Walks: how a robot gets to another robot or to a mine, and where a droid can go.

Both are floods over the map from the robot's hex, the nearest hexes first. Their marks lie in a
scratch record, which is never cleared: a mark counts if it is the one of this flood.

A way is a list of steps in the form of a droid's parameter: their number, then 3 bits a step. Of a
robot's way no more steps are kept than it takes in a turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.games.skyport.board import (
    DIRECTIONS,
    DROID_WEAPON,
    GRASS,
    LAST_ENTERED,
    OCCUPANT,
    SLOTS,
    SPAWN,
    TILE,
    TOP_LEVEL,
    tile_at,
)
from agon.games.skyport.weapons import DROID_RANGE, by_level, distance
from agon.kernel import Record, as_int, inlined, kernel, random_below

NOWHERE = -1
NO_STEPS = 0
LENGTH = 7  # the bits of a way that say how long it is
FAR = 1 << 20


def scratch_dtype(cells: int) -> np.dtype[Any]:
    """The record for floods on maps with room for so many cells, and for what was found there."""
    return np.dtype(
        [
            ("flood", np.int64),  # the number of the last one
            ("count", np.int64),  # how many cells it has come to
            ("plan", np.int64),  # a way for this turn
            ("shot", np.int64),  # the best shot that was found, an action
            ("worth", np.int64),  # and its worth in points
            ("mark", np.int64, (cells,)),  # the last flood that came here
            ("way", np.int32, (cells,)),  # how it came here
            ("queue", np.uint16, (cells,)),  # the cells, the nearest first
        ],
        align=True,
    )


@kernel
def begin_flood(scratch: Record, cell: int) -> None:
    """A new flood, from this cell."""
    scratch.flood += 1
    scratch.mark[cell] = scratch.flood
    scratch.way[cell] = NO_STEPS
    scratch.queue[0] = cell
    scratch.count = 1


@kernel
def is_reached(scratch: Record, cell: int) -> bool:
    return as_int(scratch.mark[cell]) == as_int(scratch.flood)


@kernel
def reach(scratch: Record, cell: int, beyond: int, direction: int, longest: int) -> None:
    """From a cell the flood comes to the one beyond; of the way so many steps are kept."""
    way = as_int(scratch.way[cell])
    length = way & LENGTH
    if length < longest:
        way = way + 1 | direction << 3 * (length + 1)
    count = as_int(scratch.count)
    scratch.mark[beyond] = scratch.flood
    scratch.way[beyond] = way
    scratch.queue[count] = beyond
    scratch.count = count + 1


@inlined
def first_step(way: int) -> int:
    """The direction in which a way begins."""
    return way >> 3 & 7


@inlined
def later_steps(way: int) -> int:
    """The way without its first step."""
    return (way & LENGTH) - 1 | way >> 6 << 3


# --- robots ---------------------------------------------------------------------------------------


@kernel
def apart(setup: Record, one: int, other: int) -> int:
    """R1: steps between two cells, whatever lies between them."""
    stride = as_int(setup.stride)
    return distance(one // stride - other // stride, one % stride - other % stride)


@kernel
def haunt_of(setup: Record, state: Record, seat: int) -> int:
    """Where to look for a robot: on its hex, or on its spawn if it is dead."""
    if as_int(state.health[seat]) == 0:
        return as_int(setup.spawn[seat])
    return as_int(state.cell[seat])


@kernel
def distance_to_others(setup: Record, state: Record, seat: int, cell: int) -> int:
    """Steps from a cell to the nearest of the others."""
    least = as_int(FAR)
    for other in range(as_int(setup.seats)):
        if other != seat:
            least = min(least, apart(setup, cell, haunt_of(setup, state, other)))
    return least


@kernel
def is_of_use(state: Record, seat: int, cell: int) -> bool:
    """Whether there is a mine for a weapon that the robot carries and can still upgrade."""
    tile = tile_at(state, cell)
    return GRASS < tile <= LAST_ENTERED and 0 < as_int(state.level[seat, tile - 1]) < TOP_LEVEL


@inlined
def is_other(setup: Record, state: Record, seat: int, cell: int) -> bool:
    """Whether another robot is to be looked for on this cell."""
    word = as_int(state.cells[cell])
    there = (word >> OCCUPANT) - 1
    if there >= 0 and there != seat and as_int(state.health[there]) > 0:
        return True
    if word & TILE == SPAWN:
        for other in range(as_int(setup.seats)):
            if other != seat and haunt_of(setup, state, other) == cell:
                return True
    return False


@kernel
def flood(setup: Record, state: Record, scratch: Record, seat: int, to_mines: bool) -> int:
    """The nearest cell with a mine of use, or beside another robot; NOWHERE if there is none.

    Of ways that are equally long the state's generator chooses one.
    """
    start = as_int(state.cell[seat])
    turned = random_below(state, as_int(DIRECTIONS))
    begin_flood(scratch, start)
    first = as_int(0)
    while first < as_int(scratch.count):
        cell = as_int(scratch.queue[first])
        first += 1
        for place in range(turned, turned + DIRECTIONS):
            direction = place if place < DIRECTIONS else place - DIRECTIONS
            beyond = cell + as_int(setup.steps[direction])
            word = as_int(state.cells[beyond])
            if word & TILE > LAST_ENTERED or word >> OCCUPANT:
                if not to_mines and is_other(setup, state, seat, beyond):
                    return cell
            elif not is_reached(scratch, beyond):
                reach(scratch, cell, beyond, direction, as_int(SLOTS))
                if to_mines and is_of_use(state, seat, beyond):
                    return beyond
    return as_int(NOWHERE)


@inlined
def nearest_reached(setup: Record, state: Record, scratch: Record, seat: int) -> int:
    """Of all cells that a flood has come to, the one that is nearest to another robot."""
    chosen = as_int(state.cell[seat])
    least = distance_to_others(setup, state, seat, chosen)
    for i in range(1, as_int(scratch.count)):
        cell = as_int(scratch.queue[i])
        left = distance_to_others(setup, state, seat, cell)
        if left < least:
            least = left
            chosen = cell
    return chosen


@inlined
def way_to_mine(setup: Record, state: Record, scratch: Record, seat: int) -> int:
    """A robot's next steps to the nearest mine of use; NO_STEPS if it gets to none."""
    mine = flood(setup, state, scratch, seat, True)
    return as_int(scratch.way[mine]) if mine != NOWHERE else as_int(NO_STEPS)


@inlined
def way_to_others(setup: Record, state: Record, scratch: Record, seat: int) -> int:
    """A robot's next steps to the nearest of the others, or towards them; NO_STEPS: it is there."""
    beside = flood(setup, state, scratch, seat, False)
    if beside == NOWHERE:
        beside = nearest_reached(setup, state, scratch, seat)
    return as_int(scratch.way[beside])


# --- droids ---------------------------------------------------------------------------------------


@inlined
def send_droids(setup: Record, state: Record, scratch: Record, seat: int) -> None:
    """R14: mark all cells that a droid gets to."""
    begin_flood(scratch, as_int(state.cell[seat]))
    longest = by_level(as_int(DROID_RANGE), as_int(state.level[seat, DROID_WEAPON]))
    first = as_int(0)
    while first < as_int(scratch.count):
        cell = as_int(scratch.queue[first])
        first += 1
        if as_int(scratch.way[cell]) & LENGTH == longest:
            return
        for direction in range(DIRECTIONS):
            beyond = cell + as_int(setup.steps[direction])
            if tile_at(state, beyond) <= LAST_ENTERED and not is_reached(scratch, beyond):
                reach(scratch, cell, beyond, direction, longest)
