"""The rules of Hive, once, for all callers. The numbers R1 to R14 are those of this game's README.

A move is one 16-bit number: the cell where the tile ends (bits 0-9), the tile's slot (bits 10-14)
and whether it comes from the hand (bit 15). A tile that walks and a tile that is thrown to the same
cell make the same move. `PASS` names a slot that no tile has.
"""

from __future__ import annotations

from agon.games.hive.board import (
    ANTS,
    BASE_SET,
    BEETLES,
    BLACK,
    CELLS,
    FACES,
    FIRST_OF_KIND,
    GRASSHOPPERS,
    LADYBUG_INDEX,
    LADYBUGS,
    MOSQUITO_INDEX,
    MOSQUITOES,
    NO_SLOT,
    NOWHERE,
    ON_TORUS,
    PILLBUG,
    PILLBUG_INDEX,
    PILLBUGS,
    QUEEN,
    QUEENS,
    SLOTS,
    SPARE,
    SPIDERS,
    START,
    WHITE,
    find_pins,
    forget_pins,
    height,
    is_pinned,
    kind_of,
    lift_tile,
    occupied_faces,
    opposite,
    put_tile,
    step,
)
from agon.games.hive.movement import (
    add_ant,
    add_climbs,
    add_grasshopper,
    add_ladybug,
    add_mosquito,
    add_single_slides,
    add_spider,
    add_throws,
    touching_kinds,
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
    for slot in range(SLOTS):
        state.cell_of[slot] = 0
        state.under[slot] = 0
    for side in range(2):
        state.placed[side] = 0
        state.queen[side] = NOWHERE
    state.tiles = BASE_SET | expansions << MOSQUITO_INDEX
    for i in range(SPARE):
        state.spare[i] = 0
    state.holes = 1  # so that the first tile, which joins no arc, makes it 0
    state.turn = 0
    state.moved = NO_SLOT
    state.queen_first = queen_first
    state.hash = 0
    state.random = seed


@kernel
def slot_of(side: int, tiles: int) -> int:
    """The slot of the first tile in a mask of one side's tiles."""
    return side * 16 + lowest_bit(tiles)


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
    """Play a legal move. Returns what `unmake` needs: the last `moved`, and the cell left."""
    before = as_int(state.moved) << 10
    slot = (move >> 10) & 31
    state.moved = NO_SLOT  # R10, R11: after a placement or a pass no tile is stunned
    if move != PASS:
        if move & FROM_HAND:
            state.placed[slot >> 4] |= 1 << (slot & 15)
        else:
            before |= lift_tile(state, slot)
            state.moved = slot
        put_tile(state, slot, move & ON_TORUS)
    state.turn += 1
    return before


@kernel
def unmake(state: Record, move: int, before: int) -> None:
    """Take back the last move, with what `make` returned: every byte is as it was."""
    slot = (move >> 10) & 31
    state.turn -= 1
    state.moved = before >> 10
    if move == PASS:
        return
    lift_tile(state, slot)
    if move & FROM_HAND:
        state.placed[slot >> 4] ^= 1 << (slot & 15)
        state.cell_of[slot] = 0
        if kind_of(slot) == QUEEN:
            state.queen[slot >> 4] = NOWHERE
    else:
        put_tile(state, slot, before & ON_TORUS)


@inlined
def position_key(state: Record) -> int:
    """R14: hash of what makes a position: where which kinds lie, and the side to move.

    In matches with the pillbug also the cell of the tile that moved last, which R10 protects.
    """
    turn = as_int(state.turn)
    stunned = CELLS
    if as_int(state.tiles) & PILLBUGS and as_int(state.moved) != NO_SLOT:
        stunned = as_int(state.cell_of[as_int(state.moved)])
    outside_tile_keys = 1 << 20
    return u64(state.hash) ^ mix64(u64(outside_tile_keys + (stunned << 1 | turn & 1)))


@kernel
def list_moves(state: Record, work: Record, first: int, count_placements: int) -> int:
    """All legal moves of a match that is not over, into `work.moves` from `first`; returns the end.

    With `count_placements`, placements are not listed but counted in `work.counted`: then the
    number of legal moves is that plus the length of the list.
    """
    n = first
    side = as_int(state.turn) & 1
    if (
        as_int(state.queen[side]) != NOWHERE
    ):  # R2: no walk and no throw before the own queen is placed
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
    own_shift = 6 * side
    opponent_shift = 6 - own_shift
    count = 0
    rest = as_int(state.placed[side])
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        cell = as_int(state.cell_of[slot])
        if as_int(state.top[cell]) != slot:
            continue
        free = FACES & ~occupied_faces(as_int(state.cells[cell]))
        while free != 0:
            face = free & -free
            free ^= face
            there = step(cell, lowest_bit(face))
            word = as_int(state.cells[there])
            own = word >> own_shift & FACES
            # a cell with several own neighbours is listed from the one behind its lowest face
            if (word >> opponent_shift & FACES) == 0 and (own & -own) == opposite(face):
                work.free[count] = there
                count += 1
    return count


@inlined
def add_placements(work: Record, cells: int, tiles: int, side: int, n: int) -> int:
    """Each of the tiles on each of the free cells."""
    for i in range(cells):
        rest = tiles
        while rest != 0:
            work.moves[n] = FROM_HAND | slot_of(side, rest) << 10 | as_int(work.free[i])
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
    rest = placed
    while rest != 0:
        tile = rest & -rest
        rest ^= tile
        slot = slot_of(side, tile)
        cell = as_int(state.cell_of[slot])
        if as_int(state.top[cell]) != slot:
            continue  # R7: covered
        if slot == as_int(state.moved):
            stunned = tile  # R10: an own tile that moved last turn was thrown by the opponent
        elif height(as_int(state.cells[cell])) > 1:
            upper |= tile  # R3: on top of another a tile is never pinned
        elif not is_pinned(state, work, cell, pins):
            ground |= tile
    n = add_walks(state, work, ground, upper, first)
    if placed & (PILLBUGS | MOSQUITOES):
        n = add_all_throws(state, work, placed & ~stunned, pins, first, n)
    forget_pins(work)
    return n


@inlined
def add_walks(state: Record, work: Record, ground: int, upper: int, n: int) -> int:
    """The walks of the free tiles on the ground and of the tiles on top of others."""
    side = as_int(state.turn) & 1
    rest = ground & ANTS
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        n = add_ant(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    rest = ground & GRASSHOPPERS
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        n = add_grasshopper(state, work, as_int(state.cell_of[slot]), slot << 10, n)
    rest = ground & SPIDERS
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        n = add_spider(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    rest = ground & BEETLES | upper  # R7, R8: only beetles and mosquitoes get on top, both climb
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        cell = as_int(state.cell_of[slot])
        below = height(as_int(state.cells[cell])) - 1
        n = add_climbs(state, work, cell, slot << 10, below, n)
    rest = ground & (QUEENS | BEETLES | PILLBUGS)
    while rest != 0:
        slot = slot_of(side, rest)
        rest &= rest - 1
        n = add_single_slides(state, work, as_int(state.cell_of[slot]), slot << 10, n)
    if ground & LADYBUGS:
        slot = side * 16 + LADYBUG_INDEX
        n = add_ladybug(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    if ground & MOSQUITOES:
        slot = side * 16 + MOSQUITO_INDEX
        n = add_mosquito(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    return n


@inlined
def add_all_throws(state: Record, work: Record, awake: int, pins: int, first: int, n: int) -> int:
    """R10, R8: throws by the pillbug, and by a mosquito on the ground that touches a pillbug.

    Those that are not stunned and not covered throw, pinned or not.
    """
    side = as_int(state.turn) & 1
    if awake & PILLBUGS:
        slot = side * 16 + PILLBUG_INDEX
        cell = as_int(state.cell_of[slot])
        if height(as_int(state.cells[cell])) == 1:
            n = add_throws(state, work, cell, pins, first, n)
    if awake & MOSQUITOES:
        slot = side * 16 + MOSQUITO_INDEX
        cell = as_int(state.cell_of[slot])
        on_ground = height(as_int(state.cells[cell])) == 1
        if on_ground and touching_kinds(state, cell) >> PILLBUG & 1:
            n = add_throws(state, work, cell, pins, first, n)
    return n
