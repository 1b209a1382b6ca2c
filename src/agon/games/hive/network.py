"""The learnt part of Hive's evaluation: a small network of integers, kept up to date move by move.

Each side looks at the hive from its own queen. Every tile on the board is one row of weights, by
whose tile it is, its kind, whether it is covered, and where it lies from that queen; every tile in
hand is one by whose it is and its kind. The sum of a side's rows, cut off below 0 and above ONE, is
what its half of the hidden layer says. A move changes a few rows, so each ply of a search has its
sums from those of the ply before; only when a queen moves, her side's are made anew.

What changes everywhere at once is no part of the sums: which tiles are free to move, and how far
the queens are surrounded. Tables say what that is worth: how much a free or a stuck tile counts
depends on how far the other queen is surrounded.

All is integers, so it is the same on cores and GPUs. How it was learnt: docs/strength.md.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from agon.errors import MissingPartError
from agon.games.hive.board import (
    CELLS,
    KINDS,
    NO_SLOT,
    NOWHERE,
    ON_TORUS,
    QUEEN,
    find_pins,
    forget_pins,
    height,
    is_pinned,
    kind_of,
    occupied_faces,
    side_of,
)
from agon.games.hive.evaluate import FAST_FEET
from agon.games.hive.movement import slides
from agon.kernel import (
    IntArray,
    Record,
    as_int,
    bit_count,
    inlined,
    kernel,
    lowest_bit,
    new_records,
)

WIDTH = 64
ONE = 256
"""What counts as 1 in a sum."""
SHIFT = 6
"""From the network's total to points: weights of the output are in 1/64, and ONE is 256 points."""
RADIUS = 7
PLACES = 1 + 3 * RADIUS * (RADIUS + 1) + 1
"""The cells around a queen, and one for all that are farther away."""
ROWS = 2 * KINDS * 2 * PLACES
HAND_ROWS = 2 * KINDS
DANGERS = 7
"""A queen has 0 to 6 occupied neighbours."""

NETWORK = np.dtype(
    [
        ("rows", np.int16, (ROWS + HAND_ROWS, WIDTH)),
        ("bias", np.int16, (WIDTH,)),
        ("output", np.int16, (2, WIDTH)),  # for the side to move, and for the other
        ("to_move", np.int16),  # points for being on turn
        ("worth", np.int16, (DANGERS, 2, KINDS)),  # of a tile, stuck or free
        ("danger", np.int16, (DANGERS,)),  # points for what surrounds the other queen
        ("cover", np.int16),  # and if a tile of ours lies on her
        ("places", np.int16, (CELLS,)),  # by the cell less the queen's
    ],
    align=True,
)
LEARNT = tuple(name for name in NETWORK.names or () if name != "places")
FILE = "network.npz"


def place_table() -> IntArray:
    """The number of each place, counted from the queen's cell."""
    table = np.full(CELLS, PLACES - 1, np.int16)
    count = 0
    for row in range(-RADIUS, RADIUS + 1):
        for col in range(-RADIUS, RADIUS + 1):
            if distance(row, col) <= RADIUS:
                table[(32 * row + col) & ON_TORUS] = count
                count += 1
    return table


def distance(row: int, col: int) -> int:
    """In steps; a step south-east is one row and one column."""
    return max(abs(row), abs(col), abs(row - col))


@cache
def load_network() -> Any:
    """The weights that are part of Agon; MissingPartError if they are not there or not whole."""
    path = files(__package__) / FILE
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            return network_of({name: found[name] for name in LEARNT})
    except (OSError, ValueError, KeyError) as error:
        raise MissingPartError(f"{FILE} of hive: {error}: install agon anew") from error


def network_of(weights: dict[str, Any]) -> Any:
    """A network record with these weights; ValueError if one has another form."""
    network = new_records(NETWORK)
    for name in LEARNT:
        if weights[name].shape != network[name].shape[1:] or weights[name].dtype != np.int16:
            raise ValueError(f"{name} of {weights[name].dtype} {weights[name].shape}")
        network[name] = weights[name]
    network["places"] = place_table()
    return network


# --- the sums -------------------------------------------------------------------------------------


@kernel
def row_of(net: Record, viewer: int, anchor: int, slot: int, covered: int, cell: int) -> int:
    """The row of a tile on the board, as a side sees it whose queen is on `anchor`."""
    tile = (side_of(slot) ^ viewer) * KINDS + kind_of(slot)
    return (tile * 2 + covered) * PLACES + as_int(net.places[(cell - anchor) & ON_TORUS])


@inlined
def row_in_hand(viewer: int, slot: int) -> int:
    return ROWS + (side_of(slot) ^ viewer) * KINDS + kind_of(slot)


@kernel
def list_rows(state: Record, net: Record, viewer: int, rows: IntArray) -> int:
    """All rows of a side whose queen is on the board; returns how many there are."""
    count = as_int(0)
    anchor = as_int(state.queen[viewer])
    for side in range(2):
        rest = as_int(state.tiles)
        while rest != 0:
            index = lowest_bit(rest)
            rest &= rest - 1
            slot = side * 16 + index
            if as_int(state.placed[side]) >> index & 1:
                covered = as_int(state.covered[side]) >> index & 1
                cell = as_int(state.cell_of[slot])
                rows[count] = row_of(net, viewer, anchor, slot, covered, cell)
            else:
                rows[count] = row_in_hand(viewer, slot)
            count += 1
    return count


@kernel
def sum_up(state: Record, net: Record, viewer: int, rows: IntArray, sums: IntArray) -> None:
    """A side's sums from all its rows."""
    for i in range(WIDTH):
        sums[i] = net.bias[i]
    for nth in range(list_rows(state, net, viewer, rows)):
        row = net.rows[as_int(rows[nth])]
        for i in range(WIDTH):
            sums[i] += row[i]


@kernel
def exchange(net: Record, gone: int, come: int, before: IntArray, sums: IntArray) -> None:
    """Sums from those before, with one row less and another one more."""
    less, more = net.rows[gone], net.rows[come]
    for i in range(WIDTH):
        sums[i] = before[i] - less[i] + more[i]


@inlined
def update_sums(
    state: Record,
    net: Record,
    rows: IntArray,
    before: IntArray,
    sums: IntArray,
    slot: int,
    origin: int,
) -> None:
    """Both sides' sums after a tile has moved from a cell, or from the hand (-1), to where it is.

    They are not defined as long as that side's queen is in hand.
    """
    end = as_int(state.cell_of[slot])
    for viewer in range(2):
        anchor = as_int(state.queen[viewer])
        if anchor == NOWHERE:
            continue
        if kind_of(slot) == QUEEN and side_of(slot) == viewer:
            sum_up(state, net, as_int(viewer), rows, sums[viewer])
            continue
        come = row_of(net, as_int(viewer), anchor, slot, as_int(0), end)
        if origin < 0:
            exchange(net, row_in_hand(viewer, slot), come, before[viewer], sums[viewer])
            continue
        gone = row_of(net, as_int(viewer), anchor, slot, as_int(0), origin)
        exchange(net, gone, come, before[viewer], sums[viewer])
        if height(as_int(state.cells[origin])) > 0:
            swap_cover(net, as_int(viewer), anchor, as_int(state.top[origin]), origin, 1, sums)
        if as_int(state.under[slot]) != NO_SLOT:
            swap_cover(net, as_int(viewer), anchor, as_int(state.under[slot]), end, 0, sums)


@kernel
def swap_cover(
    net: Record, viewer: int, anchor: int, slot: int, cell: int, covered: int, sums: IntArray
) -> None:
    """A tile was covered (1) or not (0), and now it is the other way round."""
    gone = row_of(net, viewer, anchor, slot, as_int(covered), cell)
    come = row_of(net, viewer, anchor, slot, as_int(1 - covered), cell)
    exchange(net, gone, come, sums[viewer], sums[viewer])


# --- what a position is worth ---------------------------------------------------------------------


@inlined
def danger_of(state: Record, side: int) -> int:
    """The occupied neighbours of a side's queen."""
    return bit_count(occupied_faces(as_int(state.cells[as_int(state.queen[side])])))


@inlined
def is_held_down(state: Record, side: int) -> bool:
    """Whether a tile of the other side lies on top of the queen."""
    cell = as_int(state.queen[side])
    return height(as_int(state.cells[cell])) > 1 and side_of(as_int(state.top[cell])) != side


@kernel
def list_freedom(state: Record, work: Record, side: int, pins: int, found: IntArray) -> int:
    """Of the side's tiles that are not covered: the kind, and + KINDS if free to move."""
    count = as_int(0)
    rest = as_int(state.placed[side]) & ~as_int(state.covered[side])
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        kind = kind_of(slot)
        cell = as_int(state.cell_of[slot])
        word = as_int(state.cells[cell])
        free = True
        if height(word) == 1:
            stays = FAST_FEET >> kind & 1 and slides(occupied_faces(word)) == 0
            free = not stays and not is_pinned(state, work, cell, pins)
        found[count] = kind + (KINDS if free else 0)
        count += 1
    return count


@inlined
def judge(state: Record, work: Record, net: Record, sums: IntArray, found: IntArray) -> int:
    """Points for the side to move, once both queens are on the board."""
    side = as_int(state.turn) & 1
    pins = 0
    if as_int(state.holes) != 0:
        pins = find_pins(state, work)
    points = as_int(net.to_move)
    for nth in range(2):
        own = side ^ nth
        sign = 1 - 2 * nth
        danger = danger_of(state, 1 - own)
        worth = net.worth[danger]
        own_points = as_int(net.danger[danger])
        if is_held_down(state, 1 - own):
            own_points += as_int(net.cover)
        for i in range(list_freedom(state, work, own, pins, found)):
            kind = as_int(found[i])
            own_points += as_int(worth[kind >> 3, kind & 7])
        points += sign * own_points
    forget_pins(work)
    return points + (output_of(net, sums[side], sums[1 - side]) >> SHIFT)


@inlined
def output_of(net: Record, own: IntArray, other: IntArray) -> int:
    """What the output says of two sides' sums."""
    weights = net.output
    total = as_int(0)
    for i in range(WIDTH):
        total += min(max(as_int(own[i]), 0), ONE) * as_int(weights[0, i])
        total += min(max(as_int(other[i]), 0), ONE) * as_int(weights[1, i])
    return total
