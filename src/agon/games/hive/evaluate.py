"""How good a position of Hive is, in points, for the side to move; compiled, for the bots.

A hundred points are about the worth of one more tile beside the other queen in mid-game.
"""

from __future__ import annotations

from agon.games.hive.board import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    KINDS,
    LADYBUG,
    MOSQUITO,
    NOWHERE,
    PILLBUG,
    QUEEN,
    SPIDER,
    find_pins,
    forget_pins,
    height,
    is_pinned,
    kind_of,
    occupied_faces,
)
from agon.games.hive.movement import slides
from agon.kernel import Record, as_int, bit_count, inlined, kernel, lowest_bit


def _by_kind(points: dict[int, int]) -> int:
    """Points per kind as one number, 8 bits each."""
    return sum(points[kind] << (8 * kind) for kind in range(KINDS))


# What a tile is worth when it can move, when it cannot, and while it is in hand.
FREE = _by_kind(
    {QUEEN: 45, SPIDER: 26, BEETLE: 55, GRASSHOPPER: 32, ANT: 70}
    | {MOSQUITO: 60, LADYBUG: 48, PILLBUG: 50}
)
STUCK = _by_kind(
    {QUEEN: 0, SPIDER: 4, BEETLE: 8, GRASSHOPPER: 6, ANT: 8}
    | {MOSQUITO: 8, LADYBUG: 6, PILLBUG: 30}
)
IN_HAND = _by_kind(
    {QUEEN: 0, SPIDER: 14, BEETLE: 30, GRASSHOPPER: 20, ANT: 40}
    | {MOSQUITO: 36, LADYBUG: 28, PILLBUG: 30}
)
# What the occupied faces of a queen cost her side, 10 bits each for 0 to 5 of them.
_DANGER = (0, 30, 75, 150, 270, 430)
PACKED_DANGER = sum(points << (10 * faces) for faces, points in enumerate(_DANGER))
COVERED_QUEEN = 120
FAST_FEET = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # kinds that only slide


@kernel
def points_of(table: int, kind: int) -> int:
    """One kind's entry of a packed table."""
    return table >> (8 * kind) & 255


@kernel
def queen_danger(state: Record, side: int) -> int:
    """How close the side's queen is to being surrounded, or held down by a tile on top."""
    cell = as_int(state.queen[side])
    if cell == NOWHERE:
        return 0
    word = as_int(state.cells[cell])
    faces = bit_count(occupied_faces(word))
    danger = PACKED_DANGER >> (10 * min(faces, 5)) & 1023
    if height(word) > 1 and as_int(state.top[cell]) >> 4 != side:
        danger += COVERED_QUEEN
    return danger


@kernel
def tile_points(state: Record, work: Record, side: int, pins: int) -> int:
    """What the side's tiles are worth: free ones most, those in hand less, stuck ones little."""
    points = 0
    placed = as_int(state.placed[side])
    places = placed
    while places != 0:
        slot = side * 16 + lowest_bit(places)
        places &= places - 1
        kind = kind_of(slot)
        cell = as_int(state.cell_of[slot])
        word = as_int(state.cells[cell])
        free = as_int(state.covered[side]) >> (slot & 15) & 1 == 0
        if free and height(word) == 1:
            stays = FAST_FEET >> kind & 1 and slides(occupied_faces(word)) == 0
            free = not stays and not is_pinned(state, work, cell, pins)
        points += points_of(FREE if free else STUCK, kind)
    rest = as_int(state.tiles) & ~placed
    while rest != 0:
        points += points_of(IN_HAND, kind_of(lowest_bit(rest)))
        rest &= rest - 1
    return points


@inlined
def evaluate(state: Record, work: Record) -> int:
    """Points of the side to move minus points of the other."""
    side = as_int(state.turn) & 1
    other = 1 - side
    pins = 0
    if as_int(state.holes) != 0:
        pins = find_pins(state, work)
    points = tile_points(state, work, side, pins) - tile_points(state, work, other, pins)
    forget_pins(work)
    return points + queen_danger(state, other) - queen_danger(state, side)
