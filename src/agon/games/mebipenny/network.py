"""The network of `search`: what it thinks of a position of two seats, from what it sees of it.

Six layers of filters look at the board, each cell with its eight neighbours. The first is told the
numbers of the whole, too, and two later ones the mean and the most of each filter over the board.
Then each cell has two figures, how good it is to play its tile and favour the own seat or the
other; and the board has two, how good it is to pass, and who will win. How it was learnt:
docs/strength.md.

A board lies in one row of numbers, with a cell of nothing after each of its rows and a row of
nothing above and below it. So a filter needs no edges: each neighbour is so many numbers away.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from agon.errors import MissingPartError
from agon.games.mebipenny.rules import PASS, favoured_by, list_moves, seat_to_move, tile_of
from agon.games.mebipenny.view import (
    BLOCKED,
    CELL_NUMBERS,
    GAIN,
    KIND,
    LEAD,
    LOSS,
    NUMBERS,
    OTHERS,
    OWN,
    SIZE,
    see,
)
from agon.kernel import JIT, IntArray, Record, as_int, inlined, kernel, new_records

LONGEST = 32
"""The longest side of a board that it looks at."""
ROOM = (LONGEST + 2) * (LONGEST + 1) + 1
CHANNELS = 48
PLANES = 8
LAYERS = 6
COMMON = 2
"""So many layers are told of the whole board: the third and the fifth."""
NEIGHBOURS = 9
SCALES = (4.0, 1.0, 1 / 6, 1 / 6, 1.0, 1.0)
OF_CELLS = (1, 1, 0, 0, 0, 1)
"""The numbers of the whole, and which of them are parts of the board."""

NETWORK = np.dtype(
    [
        ("first", np.float32, (CHANNELS, PLANES, NEIGHBOURS)),
        ("later", np.float32, (LAYERS - 1, CHANNELS, CHANNELS, NEIGHBOURS)),
        ("bias", np.float32, (LAYERS, CHANNELS)),
        ("whole", np.float32, (CHANNELS, NUMBERS + 1)),
        ("whole_bias", np.float32, (CHANNELS,)),
        ("common", np.float32, (COMMON, CHANNELS, 2 * CHANNELS)),
        ("common_bias", np.float32, (COMMON, CHANNELS)),
        ("tiles", np.float32, (2, CHANNELS)),
        ("tiles_bias", np.float32, (2,)),
        ("ending", np.float32, (CHANNELS, 2 * CHANNELS)),
        ("ending_bias", np.float32, (CHANNELS,)),
        ("verdict", np.float32, (2, CHANNELS)),
        ("verdict_bias", np.float32, (2,)),
    ],
    align=True,
)
THOUGHT = np.dtype(
    [
        ("seen", np.int32, (LONGEST * LONGEST * CELL_NUMBERS + NUMBERS,)),  # see `view.py`
        ("planes", np.float32, (PLANES, ROOM)),
        ("now", np.float32, (CHANNELS, ROOM)),
        ("next", np.float32, (CHANNELS, ROOM)),
        ("numbers", np.float32, (NUMBERS + 1,)),
        ("pooled", np.float32, (2 * CHANNELS,)),
        ("added", np.float32, (CHANNELS,)),
        ("verdict", np.float32, (2,)),  # to pass; who will win, from -1 to 1
    ],
    align=True,
)
FILE = "network.npz"


@cache
def load_network() -> Any:
    """The weights that are part of Agon; MissingPartError if they are not there or not whole."""
    path = files(__package__) / FILE
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            return network_of(dict(found))
    except (OSError, ValueError, KeyError) as error:
        raise MissingPartError(f"{FILE} of mebipenny: {error}: install agon anew") from error


def network_of(weights: dict[str, Any]) -> Any:
    """A network record with these weights; ValueError if one has another form."""
    network = new_records(NETWORK)
    for name in NETWORK.names or ():
        if weights[name].shape != network[name].shape[1:]:
            raise ValueError(f"{name} of {weights[name].shape}")
        network[name] = weights[name]
    return network


@kernel
def think(setup: Record, net: Record, mind: Record) -> None:
    """All that the network thinks of what `mind.seen` says; `tile_value` tells of a tile."""
    look(setup, mind)
    for out in range(CHANNELS):
        mind.added[out] = net.bias[0, out] + total_of(mind.numbers, net.whole[out])
        mind.added[out] += net.whole_bias[out]
    filter_all(setup, mind, mind.planes, net.first)
    keep_positive(setup, mind, False)
    for layer in range(1, LAYERS):
        for out in range(CHANNELS):
            mind.added[out] = net.bias[layer, out]
        if layer % 2 == 0:
            tell_all(setup, net, mind, layer // 2 - 1)
        filter_all(setup, mind, mind.now, net.later[layer - 1])
        keep_positive(setup, mind, True)
    judge(setup, net, mind)


# --- what it sees ---------------------------------------------------------------------------------


@kernel
def look(setup: Record, mind: Record) -> None:
    """What is seen, as numbers of about 1."""
    rows, cols = as_int(setup.rows), as_int(setup.cols)
    for plane in range(PLANES):
        for place in range(ROOM):
            mind.planes[plane, place] = 0
    for channel in range(CHANNELS):  # where a smaller board has been
        for place in range(ROOM):
            mind.now[channel, place] = 0
            mind.next[channel, place] = 0
    for cell in range(rows * cols):
        look_at(mind, cell, place_of(cell, cols))
    for number in range(NUMBERS):
        seen = as_int(mind.seen[rows * cols * CELL_NUMBERS + number])
        mind.numbers[number] = seen * SCALES[number] / (rows * cols if OF_CELLS[number] else 1)
        if number == LEAD:
            mind.numbers[NUMBERS] = scaled(seen)


@inlined
def look_at(mind: Record, cell: int, place: int) -> None:
    """A plane for each kind of cell but a wall, then armies, what would join, and both swings."""
    at = cell * CELL_NUMBERS
    kind = as_int(mind.seen[at + KIND])
    size = scaled(as_int(mind.seen[at + SIZE]))
    if kind != BLOCKED:
        mind.planes[kind, place] = 1
    if kind == OWN:
        mind.planes[BLOCKED, place] = size
    elif kind == OTHERS:
        mind.planes[BLOCKED, place] = -size
    elif kind != BLOCKED:
        mind.planes[BLOCKED + 1, place] = size
    mind.planes[BLOCKED + 2, place] = scaled(as_int(mind.seen[at + GAIN]))
    mind.planes[BLOCKED + 3, place] = scaled(as_int(mind.seen[at + LOSS]))


@kernel
def scaled(value: int) -> float:
    """A size or a lead by its logarithm: one more is much for a small army, little for a large."""
    return math.log2(abs(value) + 1) / (4 if value >= 0 else -4)


@kernel
def place_of(cell: int, cols: int) -> int:
    """Where a cell lies in the row of numbers."""
    return (cell // cols + 1) * (cols + 1) + cell % cols + 1


# --- layers ---------------------------------------------------------------------------------------


@kernel
def filter_all(setup: Record, mind: Record, source: IntArray, weights: IntArray) -> None:
    """What the filters make of the channels of a source, and what is added to each."""
    step = as_int(setup.cols) + 1
    first, last = step + 1, (as_int(setup.rows) + 1) * step
    for out in range(CHANNELS):
        for place in range(first, last):
            mind.next[out, place] = mind.added[out]
        for channel in range(len(source)):
            add_filtered(mind.next[out], source[channel], weights[out, channel], first, last, step)


def add_filtered(
    target: IntArray, source: IntArray, weights: IntArray, first: int, last: int, step: int
) -> None:
    """Add to each place what a filter makes of its neighbours and itself."""
    for nth in range(NEIGHBOURS):
        away = (nth // 3 - 1) * step + nth % 3 - 1
        target[first:last] += weights[nth] * source[first + away : last + away]


if JIT:  # the same in one loop, which is fast only when it is compiled

    @kernel
    def add_filtered(
        target: IntArray, source: IntArray, weights: IntArray, first: int, last: int, step: int
    ) -> None:
        """Add to each place what a filter makes of its neighbours and itself."""
        nw, n, ne = weights[0], weights[1], weights[2]
        w, here, e = weights[3], weights[4], weights[5]
        sw, s, se = weights[6], weights[7], weights[8]
        above = source[first - step - 1 : last - step + 1]
        beside = source[first - 1 : last + 1]
        below = source[first + step - 1 : last + step + 1]
        added = target[first:last]
        for place in range(last - first):  # from 0, so that the compiler takes many at a time
            added[place] += (
                nw * above[place]
                + n * above[place + 1]
                + ne * above[place + 2]
                + w * beside[place]
                + here * beside[place + 1]
                + e * beside[place + 2]
                + sw * below[place]
                + s * below[place + 1]
                + se * below[place + 2]
            )


@kernel
def keep_positive(setup: Record, mind: Record, adds: bool) -> None:
    """The next numbers, to which those of now are added if so, become those of now: 0 at least."""
    rows, step = as_int(setup.rows), as_int(setup.cols) + 1
    for channel in range(CHANNELS):
        for place in range(step + 1, (rows + 1) * step):
            value = mind.next[channel, place]
            if adds:
                value += mind.now[channel, place]
            mind.now[channel, place] = max(value, np.float32(0))
        for row in range(2, rows + 1):
            mind.now[channel, row * step] = 0  # the cell of nothing after a row


@kernel
def pool(setup: Record, mind: Record) -> None:
    """The mean and the most of each channel over the board."""
    rows, step = as_int(setup.rows), as_int(setup.cols) + 1
    for channel in range(CHANNELS):
        total = most = np.float32(0)  # no number is less, and cells of nothing add nothing
        for place in range(step + 1, (rows + 1) * step):
            total += mind.now[channel, place]
            most = max(most, mind.now[channel, place])
        mind.pooled[channel] = total / (rows * (step - 1))
        mind.pooled[CHANNELS + channel] = most


@kernel
def total_of(numbers: IntArray, weights: IntArray) -> float:
    """The numbers, each times its weight."""
    total: Any = np.float32(0)
    for nth in range(len(numbers)):
        total += weights[nth] * numbers[nth]
    return total  # type: ignore[no-any-return]


@kernel
def tell_all(setup: Record, net: Record, mind: Record, nth: int) -> None:
    """Add to all cells what there is on the whole board."""
    pool(setup, mind)
    for out in range(CHANNELS):
        mind.added[out] += net.common_bias[nth, out] + total_of(mind.pooled, net.common[nth, out])


# --- what it thinks -------------------------------------------------------------------------------


@kernel
def judge(setup: Record, net: Record, mind: Record) -> None:
    """How good it is to pass, and who will win."""
    pool(setup, mind)
    for out in range(CHANNELS):
        value = net.ending_bias[out] + total_of(mind.pooled, net.ending[out])
        mind.added[out] = max(value, np.float32(0))
    for nth in range(2):
        mind.verdict[nth] = net.verdict_bias[nth] + total_of(mind.added, net.verdict[nth])
    mind.verdict[1] = math.tanh(mind.verdict[1])


@kernel
def tile_value(setup: Record, net: Record, mind: Record, tile: int, favours_other: int) -> float:
    """How good it is to play a tile."""
    place = place_of(tile, as_int(setup.cols))
    value: float = net.tiles_bias[favours_other]
    for channel in range(CHANNELS):
        value += net.tiles[favours_other, channel] * mind.now[channel, place]
    return value


@kernel
def best_liked_move(setup: Record, state: Record, work: Record, net: Record, mind: Record) -> int:
    """The move that the network takes to be the best for the seat that is to move."""
    seat = seat_to_move(setup, state)
    see(setup, state, work, seat, mind.seen)
    think(setup, net, mind)
    count = list_moves(setup, state, work)
    best = PASS  # the last of the list
    most = mind.verdict[0]
    for nth in range(count - 1):
        move = as_int(work.moves[nth])
        favours_other = as_int(favoured_by(move) != seat)
        liking = tile_value(setup, net, mind, tile_of(move), favours_other)
        if liking > most:
            most = liking
            best = move
    return best
