"""Hive for `learn`: moves as numbers of a fixed space, and the hive as a list of tiles.

Both are told from the side of the one to move: its own tiles have the places 0 to 13, in the order
of their slots, those of the opponent 14 to 27. A move is (tile * 28 + beside) * 7 + direction: the
tile ends where that direction leads from the tile `beside`, or, direction 6, on top of it. Of
several tiles to be beside, the one counts that lies in the first direction, 0 to 5, as seen from
the end of the move. The very first tile lies on itself. The last number is the pass.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from agon.games.hive import playout
from agon.games.hive.board import (
    MAX_MOVES,
    NO_SLOT,
    NOWHERE,
    ON_TORUS,
    START,
    STATE,
    WORK,
    height,
    occupied_faces,
    step,
)
from agon.games.hive.move import Move
from agon.games.hive.rules import FROM_HAND, PASS, list_moves, make
from agon.games.learning import Learning, Part, nothing_to_settle
from agon.kernel import IntArray, Record, as_int, inlined, kernel, lowest_bit, new_records, u64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.hive.game import HiveOptions
    from agon.games.hive.position import HivePosition

TILES = 14  # of a side
BOTH = 2 * TILES
WAYS = 7  # six directions, and on top
ON_TOP = 6
OPPOSITE_WAYS = 0o6210543  # of each way, 3 bits
PASS_ACTION = BOTH * BOTH * WAYS

IN_HAND, ON_BOARD = 1, 2
FIELDS = 6  # of a tile
LONGEST = 127  # turns are counted so far

ACTIONS = (
    Part(
        "move",
        (BOTH, BOTH, WAYS),
        "which tile (own 0-13: Q S1 S2 B1 B2 G1 G2 G3 A1 A2 A3 M L P, opponent's 14-27), beside"
        " which tile, in which direction from that (NW NE E SE SW W, on top)",
    ),
    Part("pass", (1,), "only when nothing else is legal"),
)
OBSERVATION = (
    Part(
        "tiles",
        (BOTH, FIELDS),
        "of each tile, in the order of the actions: 0 not in this match, 1 in hand, 2 on the board;"
        " row and column from the own queen, or else the opponent's, or else the first cell, on a"
        " torus of 32 by 32; level; 1 if covered; 1 if it moved or was thrown last turn",
        -16,
        15,
    ),
    Part("seat", (1,), "of the one who looks", 0, 1),
    Part("to_move", (1,), "1 if it is that seat's turn", 0, 1),
    Part("turn", (1,), f"turns played, at most {LONGEST}", 0, LONGEST),
    Part("queen_first", (1,), "1 if a side may begin with its queen", 0, 1),
)


@lru_cache(16)
def make_learning(options: HiveOptions) -> Learning:
    """Decisions with these options, but without R14, which belongs to matches."""
    setup = new_records(playout.SETUP)
    setup[0].expansions = options.expansion_bits
    setup[0].queen_first = options.queen_first
    return Learning(
        options=replace(options, repetition=False),
        seats=2,
        setup=setup,
        state=STATE,
        work=WORK,
        at_once=1,
        most_actions=MAX_MOVES,
        actions=ACTIONS,
        observation=OBSERVATION,
        observed=np.dtype(np.int8),
        start=playout.start,
        is_over=playout.is_over,
        seat_to_act=seat_to_act,
        list_actions=list_actions,
        play_action=play_action,
        encode=encode,
        score=playout.score,
        redeal=redeal,
        settle=nothing_to_settle,
        load=load,
        turn_of=turn_of,
        actions_of=actions_of,
    )


def load(position: HivePosition, seat: int, states: IntArray) -> None:
    states[0] = position.copy_state()


def turn_of(position: HivePosition, seat: int, actions: Sequence[int]) -> Move | None:
    if not actions:
        return None
    return Move(int(move_of(position.copy_state(), as_int(actions[0]), as_int(seat))))


def actions_of(position: HivePosition, seat: int, turn: Move) -> list[int]:
    return [int(action_of(position.copy_state(), as_int(turn), as_int(seat)))]


@inlined
def seat_to_act(setup: Record, state: Record) -> int:
    return as_int(state.turn) & 1


@kernel
def place_of(slot: int, side: int) -> int:
    """The place of a tile as that side counts them."""
    return (slot & 15) + TILES * ((slot >> 4) ^ side)


@kernel
def slot_at(place: int, side: int) -> int:
    """The tile at a place as that side counts them."""
    if place < TILES:
        return side * 16 + place
    return (1 - side) * 16 + place - TILES


@kernel
def action_of(state: Record, move: int, side: int) -> int:
    """The number of a legal move.

    It may be told by the tile in the first way from its end or, if that is the mover, in the next.
    Both are looked up, as a choice is cheaper than a branch that nothing foretells.
    """
    if move == PASS:
        return PASS_ACTION
    slot = (move >> 10) & 31
    end = move & ON_TORUS
    word = as_int(state.cells[end])
    ways = occupied_faces(word) if height(word) == 0 else 0
    way = lowest_bit(ways | 1 << ON_TOP)
    next_way = lowest_bit(ways & (ways - 1) | 1 << ON_TOP)
    beside = as_int(state.top[step(end, way)])
    next_beside = as_int(state.top[step(end, next_way)])
    is_mover = beside == slot
    below = as_int(state.under[slot])
    if is_mover and below != NO_SLOT:
        beside = below
    elif as_int(state.turn) == 0:
        beside = slot
    else:
        way = next_way if is_mover else way
        beside = next_beside if is_mover else beside
    direction = OPPOSITE_WAYS >> (3 * way) & 7
    return (place_of(slot, side) * BOTH + place_of(beside, side)) * WAYS + direction


@kernel
def move_of(state: Record, action: int, side: int) -> int:
    """The move of a legal action."""
    if action == PASS_ACTION:
        return PASS
    direction = action % WAYS
    slot = slot_at(action // (BOTH * WAYS), side)
    beside = slot_at(action // WAYS % BOTH, side)
    hand = 0 if as_int(state.placed[slot >> 4]) >> (slot & 15) & 1 else FROM_HAND
    end = as_int(START)
    if beside != slot:
        end = as_int(state.cell_of[beside])
        if direction != ON_TOP:
            end = step(end, direction)
    return hand | slot << 10 | end


@inlined
def list_actions(setup: Record, state: Record, work: Record, seat: int, actions: IntArray) -> int:
    count = list_moves(state, work, as_int(0), as_int(0))
    for i in range(count):
        actions[i] = action_of(state, as_int(work.moves[i]), seat)
    return count


@inlined
def play_action(setup: Record, state: Record, work: Record, seat: int, action: int) -> None:
    make(state, move_of(state, action, seat))


@inlined
def origin_for(state: Record, side: int) -> int:
    """The cell from which that side counts rows and columns."""
    own = as_int(state.queen[side])
    other = as_int(state.queen[1 - side])
    if own != NOWHERE:
        return own
    return other if other != NOWHERE else as_int(START)


@kernel
def encode(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    for i in range(BOTH * FIELDS):
        row[i] = 0
    origin = origin_for(state, seat)
    for owner in range(2):
        placed = as_int(state.placed[owner])
        rest = as_int(state.tiles)
        while rest != 0:
            index = lowest_bit(rest)
            rest &= rest - 1
            slot = owner * 16 + index
            first = place_of(slot, seat) * FIELDS
            row[first] = IN_HAND
            if placed >> index & 1:
                encode_tile(state, slot, origin, first, row)
    if as_int(state.last_moved) != NO_SLOT:
        row[place_of(as_int(state.last_moved), seat) * FIELDS + 5] = 1
    last = BOTH * FIELDS
    row[last] = seat
    row[last + 1] = 1 if as_int(state.turn) & 1 == seat else 0
    row[last + 2] = min(as_int(state.turn), as_int(LONGEST))
    row[last + 3] = as_int(state.queen_first)


@inlined
def encode_tile(state: Record, slot: int, origin: int, first: int, row: IntArray) -> None:
    """What there is to say of a tile on the board, but for whether it moved."""
    cell = as_int(state.cell_of[slot])
    row[first] = ON_BOARD
    row[first + 1] = (((cell >> 5) - (origin >> 5) + 16) & 31) - 16
    row[first + 2] = (((cell & 31) - (origin & 31) + 16) & 31) - 16
    row[first + 3] = level_of(state, slot)
    row[first + 4] = as_int(state.covered[slot >> 4]) >> (slot & 15) & 1


@inlined
def level_of(state: Record, slot: int) -> int:
    """How many tiles are below this one."""
    level = 0
    below = as_int(state.under[slot])
    while below != NO_SLOT:
        below = as_int(state.under[below])
        level += 1
    return level


@inlined
def redeal(setup: Record, state: Record, work: Record, seat: int, seed: int) -> None:
    """Nothing is hidden; chance plays no part but in random play."""
    state.random = u64(seed)
