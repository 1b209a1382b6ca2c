"""The hive as numbers: the records, and how a tile is put on the board and lifted off it.

Cells. The board is a torus of 32 x 32 cells in one flat array, so that a step in a direction is an
addition and a mask. A connected hive of 28 tiles cannot meet itself around it (R13: no edge).
Directions are numbered clockwise; a face is a direction as a mask, 1 << direction.

        0 NW -33   1 NE -32
     5 W -1      c      2 E +1
        4 SW +32   3 SE +33

Each cell is one 16-bit word that holds all that a slide looks at:

    bits 0-5    faces behind which a tile lies
    bits 6-11   those of them where the tile on top is black
    bits 12-14  height of the stack: at most one tile, four beetles and two mosquitoes
    bit  15     0

Slots. A tile is a slot number, side * 16 + index, and a set of one side's tiles is a mask of
indices. They are ordered by kind; the first tile of its kind that is played has the kind's first
index, the second the next one:

    Q 0   S 1-2   B 3-4   G 5-7   A 8-10   M 11   L 12   P 13

Moves. A move is one 16-bit number:

    bits 0-9    the cell where the tile ends
    bits 10-14  the tile's slot
    bit  15     whether it comes from the hand

Everything that costs time to find again is kept up to date by `put_tile` and `lift_tile`: the
faces, the heights, the number of holes (enclosed empty regions), and the hash of the position.
"""

from __future__ import annotations

import numpy as np

from agon.kernel import IntArray, Record, as_int, bit_count, inlined, kernel, lowest_bit, mix64, u64

CELLS = 1024
ON_TORUS = CELLS - 1  # mask that takes a sum of cells and steps back onto the torus
START = 16 * 32 + 16
SLOTS = 32
NOWHERE = 65535  # the queen's cell while she is in hand
NO_SLOT = 255
SPARE = 2

WHITE, BLACK = 0, 1
QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
KINDS = 8

FACES = 0x3F
ALL_FACES = 0xFFF  # of both kinds
ONE_HIGH = 1 << 12

QUEENS, SPIDERS, BEETLES, GRASSHOPPERS, ANTS = 1, 0b11 << 1, 0b11 << 3, 0b111 << 5, 0b111 << 8
MOSQUITO_INDEX, LADYBUG_INDEX, PILLBUG_INDEX = 11, 12, 13
MOSQUITOES, LADYBUGS, PILLBUGS = 1 << MOSQUITO_INDEX, 1 << LADYBUG_INDEX, 1 << PILLBUG_INDEX
BASE_SET = QUEENS | SPIDERS | BEETLES | GRASSHOPPERS | ANTS

_STEPS = (-33, -32, 1, 33, 32, -1)
PACKED_STEPS = sum((step % CELLS) << (10 * d) for d, step in enumerate(_STEPS))
_KIND_AT = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7)
PACKED_KIND_AT = sum(kind << (3 * index) for index, kind in enumerate(_KIND_AT))
FIRST_OF_KIND = sum(1 << _KIND_AT.index(kind) for kind in range(KINDS))

# The largest fields first, and no gap between them: equal positions are equal byte by byte.
STATE = np.dtype(
    [
        ("hash", np.uint64),
        ("random", np.uint64),  # the generator for random play
        ("turn", np.int32),  # turns played, of both sides together
        ("marks", np.uint32, (CELLS // 32,)),  # by the move generator: a bit per cell, 0 at rest
        ("cells", np.uint16, (CELLS,)),
        ("cell_of", np.uint16, (SLOTS,)),  # per slot on the board
        ("placed", np.uint16, (2,)),  # per side, the tiles that are on the board
        ("covered", np.uint16, (2,)),  # per side, those of them with another on top
        ("queen", np.uint16, (2,)),  # her cell, or NOWHERE
        ("tiles", np.uint16),  # the tiles that each side has in this match
        ("holes", np.int16),  # enclosed empty regions
        ("top", np.uint8, (CELLS,)),  # slot of the visible tile, where the height is not 0
        ("under", np.uint8, (SLOTS,)),  # slot directly below, or NO_SLOT
        ("last_moved", np.uint8),  # slot of the tile that the last turn moved or threw, or NO_SLOT
        ("queen_first", np.uint8),  # option: a side may begin with its queen
        ("spare", np.uint8, (SPARE,)),  # always 0
    ],
    align=True,
)

MAX_MOVES = 1024  # more than any position has
POOL = 8192  # room for the moves of all positions on one line of a search
WORK = np.dtype(
    [
        ("moves", np.uint16, (POOL,)),
        # `find_pins`: the depth-first number of each cell, 0 at rest, and by that number
        ("number", np.uint8, (CELLS,)),
        ("parent", np.uint8, (SLOTS,)),
        ("low", np.uint8, (SLOTS,)),
        ("rest", np.uint8, (SLOTS,)),  # faces not looked at yet
        ("at", np.uint16, (SLOTS,)),  # the cell; [0] is how many there are
        ("trail", np.uint16, (128,)),  # `add_ant`: faces left << 10 | cell, to turn back to
        ("reached", np.uint32, (CELLS // 32,)),  # a bit for each cell the mosquito has a move to
        ("begins", np.uint16, (8,)),  # where the walks of each way begin in `moves`; then their end
        ("free", np.uint16, (64,)),  # cells that take a new tile
        ("counted", np.int32),  # moves that were counted, not listed
    ],
    align=True,
)


@kernel
def step(cell: int, direction: int) -> int:
    return (cell + (PACKED_STEPS >> (10 * direction))) & ON_TORUS  # the mask drops other steps too


@kernel
def touches(cell: int, other: int) -> bool:
    """Whether two cells are neighbours."""
    found = 0
    for direction in range(6):
        found += step(cell, direction) == other
    return found != 0


@inlined
def copy_state(source: Record, target: Record) -> None:
    """All of a state, field by field."""
    target.hash = source.hash
    target.random = source.random
    target.turn = source.turn
    for i in range(len(source.marks)):
        target.marks[i] = source.marks[i]
    for i in range(len(source.cells)):
        target.cells[i] = source.cells[i]
    for i in range(len(source.cell_of)):
        target.cell_of[i] = source.cell_of[i]
    for i in range(len(source.placed)):
        target.placed[i] = source.placed[i]
    for i in range(len(source.covered)):
        target.covered[i] = source.covered[i]
    for i in range(len(source.queen)):
        target.queen[i] = source.queen[i]
    target.tiles = source.tiles
    target.holes = source.holes
    for i in range(len(source.top)):
        target.top[i] = source.top[i]
    for i in range(len(source.under)):
        target.under[i] = source.under[i]
    target.last_moved = source.last_moved
    target.queen_first = source.queen_first
    for i in range(len(source.spare)):
        target.spare[i] = source.spare[i]


@kernel
def occupied_faces(word: int) -> int:
    """Faces of a cell behind which any tile lies."""
    return word & FACES


@kernel
def black_faces(word: int) -> int:
    """Faces of a cell behind which a black tile is on top."""
    return (word >> 6) & FACES


@kernel
def height(word: int) -> int:
    """Number of tiles on a cell, at most 7."""
    return (word >> 12) & 7


@kernel
def turned_right(faces: int) -> int:
    """The faces one step clockwise of these."""
    return ((faces << 1) | (faces >> 5)) & FACES


@kernel
def turned_left(faces: int) -> int:
    """The faces one step anticlockwise of these."""
    return ((faces >> 1) | (faces << 5)) & FACES


@kernel
def opposite(face: int) -> int:
    """The same border seen from the other side, as a one-bit mask."""
    return ((face << 3) | (face >> 3)) & FACES


@kernel
def arc_starts(faces: int) -> int:
    """The first face of each unbroken arc of faces."""
    return faces & ~turned_right(faces)


@kernel
def arc_count(faces: int) -> int:
    """Number of unbroken arcs among the six faces (a full ring counts as none)."""
    return bit_count(arc_starts(faces))


@kernel
def slot_of(side: int, tiles: int) -> int:
    """The slot of the first tile in a mask of one side's tiles."""
    return side * 16 + lowest_bit(tiles)


@inlined
def side_of(slot: int) -> int:
    return slot >> 4


@inlined
def index_of(slot: int) -> int:
    return slot & 15


@kernel
def kind_of(slot: int) -> int:
    return (PACKED_KIND_AT >> (3 * index_of(slot))) & 7


@inlined
def tag_of(slot: int) -> int:
    """The tile's part of a move."""
    return slot << 10


@inlined
def slot_in(move: int) -> int:
    return (move >> 10) & 31


@inlined
def end_of(move: int) -> int:
    """The cell where the tile of a move ends."""
    return move & ON_TORUS


@kernel
def tile_key(slot: int, cell: int, level: int) -> int:
    """Hash of one tile on its cell with `level` tiles below; tiles of a kind and side are alike."""
    kind = side_of(slot) * KINDS + kind_of(slot)
    return mix64(u64(((kind * 8 + level) << 10) + cell + 1))


@kernel
def flip_faces(cells: IntArray, cell: int, bits: int) -> None:
    """Flip what the six neighbours keep about this cell: 1 that a tile is there, 64 its colour.

    The north-western neighbour sees it behind its south-eastern face 3, and so on.
    """
    cells[(cell - 33) & ON_TORUS] ^= bits << 3
    cells[(cell - 32) & ON_TORUS] ^= bits << 4
    cells[(cell + 1) & ON_TORUS] ^= bits << 5
    cells[(cell + 33) & ON_TORUS] ^= bits
    cells[(cell + 32) & ON_TORUS] ^= bits << 1
    cells[(cell - 1) & ON_TORUS] ^= bits << 2


@kernel
def face_bits(side: int) -> int:
    """The bits that `flip_faces` flips where a lone tile of this side comes or goes."""
    return 1 | side << 6


@kernel
def flip_cover(state: Record, slot: int, cell: int, side: int) -> None:
    """A tile of that side gets onto the tile in this slot, or off it."""
    state.covered[side_of(slot)] ^= 1 << index_of(slot)
    if side_of(slot) != side:
        flip_faces(state.cells, cell, as_int(64))


@kernel
def put_tile(state: Record, slot: int, cell: int) -> None:
    """Put a tile on top of whatever is on the cell."""
    word = as_int(state.cells[cell])
    level = height(word)
    side = side_of(slot)
    state.cells[cell] = word + ONE_HIGH
    if level == 0:
        # the tile joins the arcs around it: each one beyond the first closes off a new hole;
        # inside a full ring, which has no arc, it fills one
        state.holes += arc_count(occupied_faces(word)) - 1
        flip_faces(state.cells, cell, face_bits(side))
    else:
        below = as_int(state.top[cell])
        state.under[slot] = below
        flip_cover(state, below, cell, side)
    state.top[cell] = slot
    state.cell_of[slot] = cell
    state.hash = u64(state.hash) ^ tile_key(slot, cell, level)
    if kind_of(slot) == QUEEN:
        state.queen[side] = cell


@kernel
def lift_tile(state: Record, slot: int) -> int:
    """Take a visible tile off the board; the inverse of `put_tile`. Returns its cell."""
    cell = as_int(state.cell_of[slot])
    word = as_int(state.cells[cell]) - ONE_HIGH
    level = height(word)
    side = side_of(slot)
    state.cells[cell] = word
    if level == 0:
        state.holes -= arc_count(occupied_faces(word)) - 1
        flip_faces(state.cells, cell, face_bits(side))
        state.top[cell] = 0
    else:
        below = as_int(state.under[slot])
        state.under[slot] = NO_SLOT
        flip_cover(state, below, cell, side)
        state.top[cell] = below
    state.hash = u64(state.hash) ^ tile_key(slot, cell, level)
    return cell


@kernel
def visible_tiles(state: Record, side: int) -> int:
    """The side's tiles on the board with no other on top."""
    return as_int(state.placed[side]) & ~as_int(state.covered[side])


@kernel
def is_marked(state: Record, cell: int) -> bool:
    return ((as_int(state.marks[cell >> 5]) >> (cell & 31)) & 1) != 0


@kernel
def mark(state: Record, cell: int) -> None:
    state.marks[cell >> 5] = as_int(state.marks[cell >> 5]) | 1 << (cell & 31)


@kernel
def clear_marks(state: Record) -> None:
    for i in range(len(state.marks)):
        state.marks[i] = 0


@kernel
def find_pins(state: Record, work: Record) -> int:
    """All cells whose emptying would split the hive, in one depth-first pass (Tarjan).

    Returns a bit mask over depth-first numbers; `work.number` maps cells to them and must be
    cleared with `forget_pins`. White must have a tile on the board.
    """
    number, low, parent, rest, at = work.number, work.low, work.parent, work.rest, work.at
    first = as_int(state.cell_of[lowest_bit(as_int(state.placed[WHITE]))])
    number[first] = 1
    low[1] = 1
    parent[1] = 0
    at[1] = first
    rest[1] = occupied_faces(as_int(state.cells[first]))
    count = 1
    current = 1
    branches_of_first = 0
    pins = 0
    while True:
        faces = as_int(rest[current])
        if faces != 0:
            direction = lowest_bit(faces)
            rest[current] = faces & (faces - 1)
            other = step(as_int(at[current]), direction)
            seen = as_int(number[other])
            if seen == 0:  # a new cell: go there
                count += 1
                number[other] = count
                low[count] = count
                parent[count] = current
                at[count] = other
                way_back = opposite(1 << direction)
                rest[count] = occupied_faces(as_int(state.cells[other])) & ~way_back
                current = count
            elif seen < as_int(low[current]):  # seen before: a way around
                low[current] = seen
        else:  # done: back; a cell is a pin if nothing found from the next gets behind it
            before = as_int(parent[current])
            if before == 0:
                break
            if as_int(low[current]) >= before:
                if before == 1:
                    branches_of_first += 1
                else:
                    pins |= 1 << before
            if as_int(low[current]) < as_int(low[before]):
                low[before] = low[current]
            current = before
    if branches_of_first > 1:  # nothing lies behind the first: it is a pin if it joins branches
        pins |= 1 << 1
    at[0] = count
    return pins


@kernel
def forget_pins(work: Record) -> None:
    """Clear the numbers that `find_pins` wrote."""
    for i in range(1, as_int(work.at[0]) + 1):
        work.number[as_int(work.at[i])] = 0
    work.at[0] = 0


@kernel
def is_pinned(state: Record, work: Record, cell: int, pins: int) -> bool:
    """R3: lifting the lone tile of this cell would split the hive.

    A tile whose neighbours form one arc, or the full ring, is never pinned. If there are more arcs,
    a way from one to the other that avoids the tile would go around a hole. So without a hole the
    tile is pinned; with one, `pins` from `find_pins` tells.
    """
    starts = arc_starts(occupied_faces(as_int(state.cells[cell])))
    if (starts & (starts - 1)) == 0:
        return False
    if as_int(state.holes) == 0:
        return True
    return ((pins >> as_int(work.number[cell])) & 1) != 0
