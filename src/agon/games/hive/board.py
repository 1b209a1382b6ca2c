"""The hive as numbers: the records, and how a tile is put on the board and lifted off it.

Cells. The board is a torus of 32 x 32 cells in one flat array, so that a step in a direction is an
addition and a mask. A connected hive of 28 tiles cannot meet itself around it (R13: no edge).
Directions are numbered clockwise; a face is a direction as a mask, 1 << direction.

        0 NW -33   1 NE -32
     5 W -1      c      2 E +1
        4 SW +32   3 SE +33

Each cell is one 16-bit word that holds all that a slide looks at:

    bits 0-5    faces behind which a white tile is on top
    bits 6-11   the same for black
    bits 12-14  height of the stack: at most one tile, four beetles and two mosquitoes
    bit  15     scratch mark of the move generator, 0 at rest

Slots. A tile is a slot number, side * 16 + index, and a set of one side's tiles is a mask of
indices. They are ordered by kind; the first tile of its kind that is played has the kind's first
index, the second the next one:

    Q 0   S 1-2   B 3-4   G 5-7   A 8-10   M 11   L 12   P 13

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
SPARE = 6

WHITE, BLACK = 0, 1
QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
KINDS = 8

FACES = 0x3F
BOTH_COLOURS = 0xFFF
ONE_HIGH = 1 << 12
MARK = 1 << 15

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
        ("cells", np.uint16, (CELLS,)),
        ("cell_of", np.uint16, (SLOTS,)),  # per slot on the board
        ("placed", np.uint16, (2,)),  # per side, the tiles that are on the board
        ("queen", np.uint16, (2,)),  # her cell, or NOWHERE
        ("tiles", np.uint16),  # the tiles that each side has in this match
        ("holes", np.int16),  # enclosed empty regions
        ("top", np.uint8, (CELLS,)),  # slot of the visible tile, where the height is not 0
        ("under", np.uint8, (SLOTS,)),  # slot directly below, where there is one
        ("moved", np.uint8),  # slot of the tile that walked or was thrown last turn, or NO_SLOT
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
        ("trail", np.uint16, (128,)),  # `add_ant`: where a flood fill turns back to
        ("free", np.uint16, (64,)),  # cells that take a new tile
        ("counted", np.int32),  # moves that were counted, not listed
    ],
    align=True,
)


@kernel
def step(cell: int, direction: int) -> int:
    """The neighbour of a cell."""
    return (cell + (PACKED_STEPS >> (10 * direction))) & ON_TORUS  # the mask drops other steps too


@inlined
def copy_state(source: Record, target: Record) -> None:
    """All of a state, field by field."""
    target.hash = source.hash
    target.random = source.random
    target.turn = source.turn
    for i in range(len(source.cells)):
        target.cells[i] = source.cells[i]
    for i in range(len(source.cell_of)):
        target.cell_of[i] = source.cell_of[i]
    for i in range(len(source.placed)):
        target.placed[i] = source.placed[i]
    for i in range(len(source.queen)):
        target.queen[i] = source.queen[i]
    target.tiles = source.tiles
    target.holes = source.holes
    for i in range(len(source.top)):
        target.top[i] = source.top[i]
    for i in range(len(source.under)):
        target.under[i] = source.under[i]
    target.moved = source.moved
    target.queen_first = source.queen_first
    for i in range(len(source.spare)):
        target.spare[i] = source.spare[i]


@kernel
def occupied_faces(word: int) -> int:
    """Faces of a cell behind which any tile lies."""
    return (word | (word >> 6)) & FACES


@kernel
def height(word: int) -> int:
    """Number of tiles on a cell."""
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
def kind_of(slot: int) -> int:
    """Kind of the tile in a slot."""
    return (PACKED_KIND_AT >> (3 * (slot & 15))) & 7


@kernel
def tile_key(slot: int, cell: int, level: int) -> int:
    """Hash of one tile on its cell with `level` tiles below; tiles of a kind and side are alike."""
    kind = (slot >> 4) * KINDS + kind_of(slot)
    return mix64(u64(((kind * 8 + level) << 10) + cell + 1))


@kernel
def flip_faces(cells: IntArray, cell: int, colours: int) -> None:
    """Flip what the six neighbours keep about this cell: 1 white, 64 black, 65 both.

    The north-western neighbour sees it behind its south-eastern face 3, and so on.
    """
    cells[(cell - 33) & ON_TORUS] ^= colours << 3
    cells[(cell - 32) & ON_TORUS] ^= colours << 4
    cells[(cell + 1) & ON_TORUS] ^= colours << 5
    cells[(cell + 33) & ON_TORUS] ^= colours
    cells[(cell + 32) & ON_TORUS] ^= colours << 1
    cells[(cell - 1) & ON_TORUS] ^= colours << 2


@kernel
def face_bit(side: int) -> int:
    """The bit that `flip_faces` flips for a tile of this side."""
    return 1 << (6 * side)


@kernel
def put_tile(state: Record, slot: int, cell: int) -> None:
    """Put a tile on top of whatever is on the cell."""
    word = as_int(state.cells[cell])
    level = height(word)
    side = slot >> 4
    state.cells[cell] = word + ONE_HIGH
    if level == 0:
        # the tile joins the arcs around it: each one beyond the first closes off a new hole;
        # inside a full ring, which has no arc, it fills one
        state.holes += arc_count(occupied_faces(word)) - 1
        flip_faces(state.cells, cell, face_bit(side))
    else:
        below = as_int(state.top[cell])
        state.under[slot] = below
        if below >> 4 != side:
            flip_faces(state.cells, cell, as_int(65))
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
    side = slot >> 4
    state.cells[cell] = word
    if level == 0:
        state.holes -= arc_count(occupied_faces(word)) - 1
        flip_faces(state.cells, cell, face_bit(side))
        state.top[cell] = 0
    else:
        below = as_int(state.under[slot])
        state.under[slot] = 0
        if below >> 4 != side:
            flip_faces(state.cells, cell, as_int(65))
        state.top[cell] = below
    state.hash = u64(state.hash) ^ tile_key(slot, cell, level)
    return cell


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
    children_of_first = 0
    pins = 0
    while True:
        faces = as_int(rest[current])
        if faces != 0:
            direction = lowest_bit(faces)
            rest[current] = faces & (faces - 1)
            other = step(as_int(at[current]), direction)
            seen = as_int(number[other])
            if seen == 0:
                count += 1
                number[other] = count
                low[count] = count
                parent[count] = current
                at[count] = other
                way_back = opposite(1 << direction)
                rest[count] = occupied_faces(as_int(state.cells[other])) & ~way_back
                current = count
            elif seen < as_int(low[current]):
                low[current] = seen
        else:
            above = as_int(parent[current])
            if above == 0:
                break
            if as_int(low[current]) >= above:
                if above == 1:
                    children_of_first += 1
                else:
                    pins |= 1 << above
            if as_int(low[current]) < as_int(low[above]):
                low[above] = low[current]
            current = above
    if children_of_first > 1:
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
