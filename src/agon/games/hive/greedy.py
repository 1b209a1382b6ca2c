"""One ply of greed: the move after which queen liberties and mobility look best; compiled.

Tiles that are on their way to the other queen count a little too, or greed would stand still.
"""

from __future__ import annotations

from agon.games.hive.board import NOWHERE, occupied_faces
from agon.games.hive.perft import count_moves
from agon.games.hive.rules import PLAYING, list_moves, make, position_key, result, unmake
from agon.kernel import (
    IntArray,
    Record,
    as_int,
    bit_count,
    inlined,
    kernel,
    lowest_bit,
    random_below,
    u64,
)

LIBERTY = 70
REPEATED = -10_000  # a position that was there before leads nowhere
CERTAIN = 1_000_000


@kernel
def occupied_around_queen(state: Record, side: int) -> int:
    """How many of the six cells around the side's queen are taken."""
    cell = as_int(state.queen[side])
    if cell == NOWHERE:
        return 0
    return bit_count(occupied_faces(as_int(state.cells[cell])))


@inlined
def distance(cell: int, other: int) -> int:
    """Steps between two cells, as long as they are less than half the torus apart."""
    apart = (cell - other + 16 * 33) & 1023
    x = (apart & 31) - 16
    y = (apart >> 5) - 16
    return max(abs(x), abs(y), abs(x - y))


@inlined
def way_to_go(state: Record, side: int) -> int:
    """Steps that the side's tiles on the board are away from the other queen, all together."""
    queen = as_int(state.queen[1 - side])
    if queen == NOWHERE:
        return 0
    total = 0
    places = as_int(state.placed[side]) & ~1
    while places != 0:
        total += distance(as_int(state.cell_of[side * 16 + lowest_bit(places)]), queen)
        places &= places - 1
    return total


@inlined
def greedy_points(state: Record, work: Record, side: int, first: int) -> int:
    """What the side that has just moved has got: `turn` is the other's."""
    ending = result(state)
    if ending != PLAYING:
        lost_own = ending >> side & 1
        lost_other = ending >> (1 - side) & 1
        return (lost_other - lost_own) * CERTAIN
    liberties = occupied_around_queen(state, 1 - side) - occupied_around_queen(state, side)
    theirs = count_moves(state, work, first)
    state.turn += 1
    own = count_moves(state, work, first)
    state.turn -= 1
    return liberties * LIBERTY + own - theirs - 3 * way_to_go(state, side)


@inlined
def times_seen(state: Record, past: IntArray) -> int:
    """How often the position is among these hashes of earlier ones."""
    key = position_key(state)
    found = 0
    for i in range(past.shape[0]):
        found += u64(past[i]) == key
    return found


@kernel
def greedy_move(state: Record, work: Record, past: IntArray) -> int:
    """The best move by `greedy_points`; among equals one by the state's generator.

    `past` are the hashes of the positions since the last placement.
    """
    side = as_int(state.turn) & 1
    end = list_moves(state, work, as_int(0), as_int(0))
    best = -2 * CERTAIN
    chosen = 0
    equals = 0
    for i in range(end):
        move = as_int(work.moves[i])
        undo = make(state, move)
        points = greedy_points(state, work, side, end) + REPEATED * times_seen(state, past)
        unmake(state, move, undo)
        if points > best:
            best = points
            equals = 0
        if points == best:
            equals += 1
            if random_below(state, equals) == 0:
                chosen = move
    return chosen
