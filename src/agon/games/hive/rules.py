"""The rules of Hive, once, for all callers. The numbers R1 to R14 are those of this game's README.

Here: placing (R1, R2), who may walk or throw (R3, R7, R8, R10), passing (R11), the end (R12) and
the key of a position (R14). How the bugs move (R4 to R10) stands in movement.py; which tiles are
pinned (R3), and the board without an edge (R13), in board.py. R14: position.py counts the
positions: the third occurrence is a draw, if the option is on.

A move is one number (see board.py). A tile that walks and a tile that is thrown to the same cell
make the same move. `PASS` names a slot that no tile has.
"""

from __future__ import annotations

from agon.games.hive.board import (
    BASE_SET,
    BLACK,
    CELLS,
    FACES,
    FIRST_OF_KIND,
    MOSQUITO_INDEX,
    MOSQUITOES,
    NO_SLOT,
    NOWHERE,
    ON_TORUS,
    PILLBUGS,
    QUEEN,
    QUEENS,
    SLOTS,
    SPARE,
    START,
    WHITE,
    black_faces,
    clear_marks,
    end_of,
    find_pins,
    forget_pins,
    height,
    index_of,
    is_pinned,
    kind_of,
    lift_tile,
    occupied_faces,
    opposite,
    put_tile,
    side_of,
    slot_in,
    slot_of,
    step,
    tag_of,
    visible_tiles,
)
from agon.games.hive.movement import (
    CLIMB,
    WAYS,
    add_throws,
    add_walk,
    drop_repeats,
    touching_indices,
    walkers,
)
from agon.kernel import Record, as_int, bit_count, inlined, kernel, lowest_bit, mix64, u64

FROM_HAND = 1 << 15
PASS = FROM_HAND | (31 << 10)

PLAYING = 0
BLACK_WINS = 1  # bit 0: the white queen is surrounded
WHITE_WINS = 2  # bit 1: the black queen is surrounded
DRAW = 3


@inlined
def start(state: Record, expansions: int, queen_first: int, seed: int) -> None:
    """Set up: all tiles in hand. Bits of `expansions`: 1 mosquito, 2 ladybug, 4 pillbug."""
    for i in range(CELLS):
        state.cells[i] = 0
        state.top[i] = 0
    clear_marks(state)
    for slot in range(SLOTS):
        state.cell_of[slot] = 0
        state.under[slot] = NO_SLOT
    for side in range(2):
        state.placed[side] = 0
        state.covered[side] = 0
        state.queen[side] = NOWHERE
    state.tiles = BASE_SET | expansions << MOSQUITO_INDEX
    for i in range(SPARE):
        state.spare[i] = 0
    state.holes = 1  # so that the first tile, which joins no arc, makes it 0
    state.turn = 0
    state.last_moved = NO_SLOT
    state.queen_first = queen_first
    state.hash = 0
    state.random = seed


@kernel
def result(state: Record) -> int:
    """R12: a queen with six occupied neighbours has lost, no matter which side closed the ring."""
    ending = PLAYING
    white = as_int(state.queen[WHITE])
    black = as_int(state.queen[BLACK])
    if white != NOWHERE and occupied_faces(as_int(state.cells[white])) == FACES:
        ending |= BLACK_WINS
    if black != NOWHERE and occupied_faces(as_int(state.cells[black])) == FACES:
        ending |= WHITE_WINS
    return ending


@kernel
def make(state: Record, move: int) -> int:
    """Play a legal move. Returns what `unmake` needs."""
    undo = as_int(state.last_moved) << 10  # below it: the cell that a tile of the board leaves
    slot = slot_in(move)
    state.last_moved = NO_SLOT  # R10, R11: after a placement or a pass no tile is stunned
    if move != PASS:
        if move & FROM_HAND:
            state.placed[side_of(slot)] |= 1 << index_of(slot)
        else:
            undo |= lift_tile(state, slot)
            state.last_moved = slot
        put_tile(state, slot, end_of(move))
    state.turn += 1
    return undo


@kernel
def unmake(state: Record, move: int, undo: int) -> None:
    """Take back the last move, with what `make` returned: every byte is as it was."""
    slot = slot_in(move)
    state.turn -= 1
    state.last_moved = undo >> 10
    if move == PASS:
        return
    lift_tile(state, slot)
    if move & FROM_HAND:
        state.placed[side_of(slot)] ^= 1 << index_of(slot)
        state.cell_of[slot] = 0
        if kind_of(slot) == QUEEN:
            state.queen[side_of(slot)] = NOWHERE
    else:
        put_tile(state, slot, undo & ON_TORUS)


@inlined
def position_key(state: Record) -> int:
    """R14: hash of what makes a position: where which kinds lie, and the side to move.

    In matches with the pillbug also the cell of the tile that moved last, which R10 protects.
    """
    turn = as_int(state.turn)
    moved_to = CELLS  # no cell: after a placement or a pass, or without the pillbug
    if as_int(state.tiles) & PILLBUGS and as_int(state.last_moved) != NO_SLOT:
        moved_to = as_int(state.cell_of[as_int(state.last_moved)])
    outside_tile_keys = 1 << 20
    return u64(state.hash) ^ mix64(u64(outside_tile_keys + (moved_to << 1 | turn & 1)))


@kernel
def list_moves(state: Record, work: Record, first: int, count_placements: int) -> int:
    """All legal moves of a match that is not over, into `work.moves` from `first`; returns the end.

    With `count_placements`, placements are not listed but counted in `work.counted`: then the
    number of legal moves is that plus the length of the list.
    """
    n = first
    side = as_int(state.turn) & 1
    # R2: no walk and no throw before the own queen is placed
    if as_int(state.queen[side]) != NOWHERE:
        n = add_walks_and_throws(state, work, n)
    work.counted = 0
    tiles = tiles_to_place(state)
    if tiles != 0:
        cells = find_free_cells(state, work)
        if count_placements:
            work.counted = cells * bit_count(tiles)
        else:
            n = add_placements(work, cells, tiles, side, n)
    if n == first and as_int(work.counted) == 0:  # R11: a pass only when nothing else is legal
        work.moves[n] = PASS
        n += 1
    return n


@inlined
def survey(state: Record, work: Record) -> int:
    """All about a position in one call: its result and, times four, the number of legal moves."""
    ending = result(state)
    if ending != PLAYING:
        return ending
    return list_moves(state, work, as_int(0), as_int(0)) << 2 | PLAYING


@inlined
def tiles_to_place(state: Record) -> int:
    """R1, R2: the tiles that the side may place on this turn, the next one of each kind."""
    turn = as_int(state.turn)
    placed = as_int(state.placed[turn & 1])
    # the tile after each one placed, and the first of each kind
    tiles = as_int(state.tiles) & ~placed & (placed << 1 | FIRST_OF_KIND)
    if tiles & QUEENS:
        if turn < 2 and not as_int(state.queen_first):
            tiles ^= QUEENS
        elif turn >= 6:
            tiles = QUEENS  # from the side's fourth turn on
    return tiles


@inlined
def find_free_cells(state: Record, work: Record) -> int:
    """R1: the cells that take a new tile, into `work.free`; returns their number."""
    turn = as_int(state.turn)
    if turn == 0:
        work.free[0] = START
        return 1
    if turn == 1:
        for direction in range(6):
            work.free[direction] = step(as_int(START), direction)
        return 6
    side = turn & 1
    count = 0
    rest = visible_tiles(state, side)
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        cell = as_int(state.cell_of[slot])
        free = FACES & ~occupied_faces(as_int(state.cells[cell]))
        while free != 0:
            face = free & -free
            free ^= face
            there = step(cell, lowest_bit(face))
            word = as_int(state.cells[there])
            around = occupied_faces(word)
            # a cell would be found from each own neighbour: list it from the first only
            if touches_only(word, side) and (around & -around) == opposite(face):
                work.free[count] = there
                count += 1
    return count


@inlined
def touches_only(word: int, side: int) -> bool:
    """R1: whether all tiles visible around a cell are of one side."""
    return black_faces(word) == occupied_faces(word) * side


@inlined
def add_placements(work: Record, cells: int, tiles: int, side: int, n: int) -> int:
    """The tiles of a mask, each on the first `cells` cells of `work.free`."""
    for i in range(cells):
        rest = tiles
        while rest != 0:
            work.moves[n] = FROM_HAND | tag_of(slot_of(side, rest)) | as_int(work.free[i])
            rest &= rest - 1
            n += 1
    return n


@inlined
def add_walks_and_throws(state: Record, work: Record, first: int) -> int:
    """Every move of a tile on the board, kind by kind: GPU threads in step take the same branch."""
    side = as_int(state.turn) & 1
    placed = as_int(state.placed[side])
    pins = 0
    if as_int(state.holes) != 0:
        pins = find_pins(state, work)
    ground = 0  # the tiles that may move on the ground
    upper = 0  # the tiles on top of others
    stunned = 0
    rest = visible_tiles(state, side)  # R7: a covered tile does not move
    while rest != 0:
        tile = rest & -rest
        rest ^= tile
        slot = slot_of(side, tile)
        cell = as_int(state.cell_of[slot])
        if slot == as_int(state.last_moved):
            stunned = tile  # R10: an own tile that moved last turn was thrown by the opponent
        elif height(as_int(state.cells[cell])) > 1:
            upper |= tile  # R3: on top of another a tile is never pinned
        elif not is_pinned(state, work, cell, pins):
            ground |= tile
    n = add_walks(state, work, ground, upper, first)
    if placed & (PILLBUGS | MOSQUITOES):
        n = add_all_throws(state, work, placed & ~stunned, pins, n)
    forget_pins(work)
    return n


@inlined
def add_walks(state: Record, work: Record, ground: int, upper: int, n: int) -> int:
    """The walks of the free tiles on the ground and of the tiles on top of others.

    R8: the mosquito on the ground walks in each way of the tiles that it touches.
    """
    side = as_int(state.turn) & 1
    mosquito = ground & MOSQUITOES
    touched = 0
    if mosquito != 0:
        cell = as_int(state.cell_of[slot_of(side, mosquito)])
        touched = touching_indices(state, cell) & ~MOSQUITOES
        for i in range(len(work.reached)):
            work.reached[i] = 0
    for way in range(WAYS):
        work.begins[way] = n
        rest = ground & walkers(way)
        if (touched & walkers(way)) == 0:
            rest &= ~MOSQUITOES
        if way == CLIMB:
            rest |= upper  # R7, R8: only beetles and mosquitoes get on top, and both climb
        while rest != 0:
            tile = rest & -rest
            rest ^= tile
            first = n
            n = add_walk(state, work, way, slot_of(side, tile), n)
            if (tile & mosquito) != 0:
                n = drop_repeats(work, first, n)
    work.begins[WAYS] = n
    return n


@inlined
def add_all_throws(state: Record, work: Record, awake: int, pins: int, n: int) -> int:
    """R10, R8: throws by the pillbug, and by a mosquito on the ground that touches a pillbug.

    Those that are not stunned and not covered throw, pinned or not.
    """
    side = as_int(state.turn) & 1
    first_throw = as_int(n)
    if awake & PILLBUGS:
        cell = as_int(state.cell_of[slot_of(side, as_int(PILLBUGS))])
        if height(as_int(state.cells[cell])) == 1:
            n = add_throws(state, work, cell, pins, first_throw, n)
    if awake & MOSQUITOES:
        cell = as_int(state.cell_of[slot_of(side, as_int(MOSQUITOES))])
        on_ground = height(as_int(state.cells[cell])) == 1
        if on_ground and touching_indices(state, cell) & PILLBUGS:
            n = add_throws(state, work, cell, pins, first_throw, n)
    return n
