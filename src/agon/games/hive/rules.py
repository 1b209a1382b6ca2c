"""The rules of Hive, once, for everybody. The numbers R1 to R13 are those of this game's README.

A move is one 16-bit number: the cell where the tile ends (bits 0-9), the tile's slot (bits 10-14)
and whether it comes from the hand (bit 15). A tile that walks and a tile that is thrown to the same
cell make the same move. `PASS` names a slot that no tile has.
"""

from __future__ import annotations

from agon.games.hive.board import (
    BLACK,
    CELLS,
    FACES,
    NO_SLOT,
    NOWHERE,
    PILLBUG,
    QUEEN,
    START,
    WHITE,
    find_pins,
    forget_pins,
    height,
    is_pinned,
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
from agon.kernel import Record, as_int, bit_count, kernel, lowest_bit, mix64, u64

PLACE = 1 << 15
PASS = PLACE | (31 << 10)

PLAYING, WHITE_WINS, BLACK_WINS, DRAW = 0, 2, 1, 3  # bits: white queen lost, black queen lost

# Where the kinds stand in a side's mask of places.
QUEEN_PLACES = 0b1
SPIDER_PLACES = 0b110
BEETLE_PLACES = 0b11000
GRASSHOPPER_PLACES = 0b1110_0000
ANT_PLACES = 0b111_0000_0000
MOSQUITO_PLACE = 1 << 11
LADYBUG_PLACE = 1 << 12
PILLBUG_PLACE = 1 << 13
BASE_PLACES = MOSQUITO_PLACE - 1
FIRST_PLACES = 0b11_1001_0010_1011  # the first place of each kind


@kernel
def start(state: Record, expansions: int, queen_first: int, seed: int) -> None:
    """Set up: all tiles in hand. Bits of `expansions`: 1 mosquito, 2 ladybug, 4 pillbug."""
    for i in range(CELLS):
        state.cells[i] = 0
        state.top[i] = 0
    for slot in range(32):
        state.cell_of[slot] = 0
        state.under[slot] = 0
    for side in range(2):
        state.placed[side] = 0
        state.queen[side] = NOWHERE
    state.places = BASE_PLACES | expansions * MOSQUITO_PLACE
    state.holes = 1  # so that the first tile, which joins no arc, makes it 0
    state.turn = 0
    state.moved = NO_SLOT
    state.queen_first = queen_first
    state.hash = 0
    state.random = seed


@kernel
def result(state: Record) -> int:
    """R12: a queen with six occupied neighbours has lost, whoever closed the ring."""
    lost = 0
    white = as_int(state.queen[WHITE])
    black = as_int(state.queen[BLACK])
    if white != NOWHERE and occupied_faces(as_int(state.cells[white])) == FACES:
        lost = BLACK_WINS
    if black != NOWHERE and occupied_faces(as_int(state.cells[black])) == FACES:
        lost |= WHITE_WINS
    return lost


@kernel
def make(state: Record, move: int) -> int:
    """Play a legal move. Returns what `unmake` needs to take it back."""
    before = as_int(state.moved) << 10
    slot = (move >> 10) & 31
    state.moved = NO_SLOT  # R11: a pass clears the stun
    if move != PASS:
        if move & PLACE:
            state.placed[slot >> 4] |= 1 << (slot & 15)
        else:
            before |= lift_tile(state, slot)
            state.moved = slot
        put_tile(state, slot, move & 1023)
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
    if move & PLACE:
        state.placed[slot >> 4] ^= 1 << (slot & 15)
        state.cell_of[slot] = 0
        if slot & 15 == QUEEN:
            state.queen[slot >> 4] = NOWHERE
    else:
        put_tile(state, slot, before & 1023)


@kernel
def position_key(state: Record) -> int:
    """R14: hash of the position: the tiles, the side to move, the cell of the stunned tile."""
    turn = as_int(state.turn)
    stunned = CELLS
    if as_int(state.places) & PILLBUG_PLACE and as_int(state.moved) != NO_SLOT:
        stunned = as_int(state.cell_of[as_int(state.moved)])
    return u64(state.hash) ^ mix64(u64((stunned << 1 | turn & 1) + (1 << 20)))


@kernel
def list_moves(state: Record, work: Record, first: int, count_placements: int) -> int:
    """All legal moves of a match that is not over, into `work.moves` from `first`; returns the end.

    With `count_placements`, placements are not listed but counted in `work.counted`.
    """
    n = first
    side = as_int(state.turn) & 1
    if as_int(state.queen[side]) != NOWHERE:  # R2: nothing moves before the own queen is placed
        n = add_walks_and_throws(state, work, n)
    work.counted = 0
    tiles = places_to_play(state)
    if tiles != 0:
        rooms = find_room(state, work)
        if count_placements:
            work.counted = rooms * bit_count(tiles)
        else:
            n = add_placements(work, rooms, tiles, side, n)
    if n == first and as_int(work.counted) == 0:  # R11: a pass only when nothing else is legal
        work.moves[n] = PASS
        n += 1
    return n


@kernel
def places_to_play(state: Record) -> int:
    """R1, R2: the tiles that the side may place on this turn, the next one of each kind."""
    turn = as_int(state.turn)
    placed = as_int(state.placed[turn & 1])
    tiles = as_int(state.places) & ~placed & (placed << 1 | FIRST_PLACES)
    if tiles & QUEEN_PLACES:
        if turn < 2 and not as_int(state.queen_first):
            tiles ^= QUEEN_PLACES
        elif turn >= 6:
            tiles = QUEEN_PLACES  # the fourth turn at the latest
    return tiles


@kernel
def find_room(state: Record, work: Record) -> int:
    """R1: the cells that take a new tile, into `work.room`; returns their number."""
    turn = as_int(state.turn)
    if turn == 0:
        work.room[0] = START
        return 1
    if turn == 1:
        for direction in range(6):
            work.room[direction] = step(as_int(START), direction)
        return 6
    side = turn & 1
    own_shift = 6 * side
    opponent_shift = 6 - own_shift
    count = 0
    places = as_int(state.placed[side])
    while places != 0:
        slot = side * 16 + lowest_bit(places)
        places &= places - 1
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
            # listed once: from the own neighbour behind the cell's lowest face
            if word >> opponent_shift & FACES == 0 and own & -own == opposite(face):
                work.room[count] = there
                count += 1
    return count


@kernel
def add_placements(work: Record, rooms: int, tiles: int, side: int, n: int) -> int:
    """Each of the tiles on each cell with room."""
    for i in range(rooms):
        rest = tiles
        while rest != 0:
            work.moves[n] = PLACE | (side * 16 + lowest_bit(rest)) << 10 | as_int(work.room[i])
            rest &= rest - 1
            n += 1
    return n


@kernel
def add_walks_and_throws(state: Record, work: Record, first: int) -> int:
    """Every move of a tile on the board, kind by kind (neighbouring GPU threads do the same)."""
    side = as_int(state.turn) & 1
    placed = as_int(state.placed[side])
    pins = 0
    if as_int(state.holes) != 0:
        pins = find_pins(state, work)
    ground = 0  # places of tiles that may move on the ground
    upper = 0  # places of tiles on top of others
    stunned = 0
    rest = placed
    while rest != 0:
        place = rest & -rest
        rest ^= place
        slot = side * 16 + lowest_bit(place)
        cell = as_int(state.cell_of[slot])
        if as_int(state.top[cell]) != slot:
            continue  # R7: covered
        if slot == as_int(state.moved):
            stunned = place  # R10: thrown by the opponent on the last turn
        elif height(as_int(state.cells[cell])) > 1:
            upper |= place  # R3: on top of another a tile is never pinned
        elif not is_pinned(state, work, cell, pins):
            ground |= place
    n = add_walks(state, work, ground, upper, first)
    if placed & (PILLBUG_PLACE | MOSQUITO_PLACE):
        n = add_all_throws(state, work, placed & ~stunned, pins, first, n)
    if pins != 0 or as_int(state.holes) != 0:
        forget_pins(work)
    return n


@kernel
def add_walks(state: Record, work: Record, ground: int, upper: int, n: int) -> int:
    """The own moves of the tiles in these places."""
    side = as_int(state.turn) & 1
    rest = ground & ANT_PLACES
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        n = add_ant(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    rest = ground & GRASSHOPPER_PLACES
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        n = add_grasshopper(state, work, as_int(state.cell_of[slot]), slot << 10, n)
    rest = ground & SPIDER_PLACES
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        n = add_spider(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    rest = ground & BEETLE_PLACES | upper
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        cell = as_int(state.cell_of[slot])
        below = height(as_int(state.cells[cell])) - 1
        n = add_climbs(state, work, cell, slot << 10, below, n)
    rest = ground & (QUEEN_PLACES | BEETLE_PLACES | PILLBUG_PLACE)
    while rest != 0:
        slot = side * 16 + lowest_bit(rest)
        rest &= rest - 1
        n = add_single_slides(state, work, as_int(state.cell_of[slot]), slot << 10, n)
    if ground & LADYBUG_PLACE:
        slot = side * 16 + lowest_bit(as_int(LADYBUG_PLACE))
        n = add_ladybug(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    if ground & MOSQUITO_PLACE:
        slot = side * 16 + lowest_bit(as_int(MOSQUITO_PLACE))
        n = add_mosquito(state, work, as_int(state.cell_of[slot]), slot << 10, side, n)
    return n


@kernel
def add_all_throws(state: Record, work: Record, placed: int, pins: int, first: int, n: int) -> int:
    """R10, R8: throws by the pillbug, and by a mosquito on the ground that touches a pillbug."""
    side = as_int(state.turn) & 1
    if placed & PILLBUG_PLACE:
        slot = side * 16 + lowest_bit(as_int(PILLBUG_PLACE))
        cell = as_int(state.cell_of[slot])
        if as_int(state.top[cell]) == slot:
            n = add_throws(state, work, cell, pins, first, n)
    if placed & MOSQUITO_PLACE:
        slot = side * 16 + lowest_bit(as_int(MOSQUITO_PLACE))
        cell = as_int(state.cell_of[slot])
        on_ground = height(as_int(state.cells[cell])) == 1
        if on_ground and touching_kinds(state, cell) >> PILLBUG & 1:
            n = add_throws(state, work, cell, pins, first, n)
    return n
