"""The hive as numbers: the records, and how a tile is put on the board and lifted off it.

Cells. The board is a torus of 32 x 32 cells in one flat array, so that a step in a direction is an
addition and a mask. A connected hive of 28 tiles cannot meet itself around it: there is no edge.

        NW -33   NE -32
     W -1     c     E +1
        SW +32   SE +33

Each cell is one 16-bit word that holds all that a slide looks at:

    bits 0-5    faces (direction numbers) behind which a white tile is on top
    bits 6-11   the same for black
    bits 12-14  height of the stack, 0 to 7
    bit  15     scratch mark of the move generator, 0 at rest

Slots. A tile is a slot number, side * 16 + place, where the places are ordered by kind; the first
tile of its kind that is played takes the kind's first place, the second the next one:

    Q 0   S 1-2   B 3-4   G 5-7   A 8-10   M 11   L 12   P 13

Everything that costs time to find again is kept up to date by `put_tile` and `lift_tile`: the
faces, the heights, the number of holes (enclosed empty regions), and the hash of the position.
"""

from __future__ import annotations

import numpy as np

from agon.kernel import IntArray, Record, as_int, bit_count, kernel, lowest_bit, mix64, u64

CELLS = 1024
START = 16 * 33
SLOTS = 32
NOWHERE = 65535  # the queen's cell while she is in hand
NO_SLOT = 255

WHITE, BLACK = 0, 1
QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
KINDS = 8

FACES = 0x3F
BOTH_FACES = 0xFFF
ONE_HIGH = 1 << 12
MARK = 1 << 15

_STEPS = (-33, -32, 1, 33, 32, -1)
PACKED_STEPS = sum((step % CELLS) << (10 * d) for d, step in enumerate(_STEPS))
_KIND_AT = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7)
PACKED_KIND_AT = sum(kind << (3 * place) for place, kind in enumerate(_KIND_AT))

STATE = np.dtype(
    [
        ("cells", np.uint16, (CELLS,)),
        ("top", np.uint8, (CELLS,)),  # slot of the visible tile, where the height is not 0
        ("cell_of", np.uint16, (SLOTS,)),  # per slot on the board
        ("under", np.uint8, (SLOTS,)),  # slot directly below, where there is one
        ("places", np.uint16),  # bit mask of the places that this match has tiles for
        ("placed", np.uint16, (2,)),  # per side, those whose tile is on the board
        ("queen", np.uint16, (2,)),  # her cell, or NOWHERE
        ("holes", np.int16),  # enclosed empty regions
        ("turn", np.int32),  # plies played
        ("moved", np.uint8),  # slot of the tile that walked or was thrown on the last ply (R10)
        ("queen_first", np.uint8),  # option: a side may begin with its queen
        ("hash", np.uint64),
        ("random", np.uint64),
    ],
    align=True,
)

MAX_MOVES = 1024  # more than any position has
POOL = 8192  # room for the moves of all positions on one line of a search
WORK = np.dtype(
    [
        ("moves", np.uint16, (POOL,)),
        ("number", np.uint8, (CELLS,)),  # depth-first number per cell, 0 at rest
        ("parent", np.uint8, (SLOTS,)),
        ("low", np.uint8, (SLOTS,)),
        ("rest", np.uint8, (SLOTS,)),
        ("at", np.uint16, (SLOTS,)),
        ("trail", np.uint16, (128,)),  # where a flood fill turns back to
        ("room", np.uint16, (64,)),  # cells that take a new tile
        ("counted", np.int32),  # moves that were counted, not listed
    ],
    align=True,
)


@kernel
def step(cell: int, direction: int) -> int:
    """The neighbour of a cell."""
    return (cell + (PACKED_STEPS >> (10 * direction))) & (CELLS - 1)


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
    """Hash of one tile on its cell and level; tiles of one kind and side are alike."""
    kind = (slot >> 4) * KINDS + kind_of(slot)
    return mix64(u64(((kind * 8 + level) << 10) + cell + 1))


@kernel
def flip_faces(cells: IntArray, cell: int, colours: int) -> None:
    """Flip the face bits that the neighbours keep about this cell: 1 white, 64 black, 65 both."""
    cells[(cell - 33) & 1023] ^= colours << 3
    cells[(cell - 32) & 1023] ^= colours << 4
    cells[(cell + 1) & 1023] ^= colours << 5
    cells[(cell + 33) & 1023] ^= colours
    cells[(cell + 32) & 1023] ^= colours << 1
    cells[(cell - 1) & 1023] ^= colours << 2


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
        # the tile joins the arcs around it: each one beyond the first closes off a new hole
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
    if slot & 15 == QUEEN:
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
    cleared with `forget_pins`.
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
        pins |= 2
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

    A tile whose neighbours form one arc is never pinned. Without a hole in the hive any other tile
    is; with one, `pins` from `find_pins` tells.
    """
    starts = arc_starts(occupied_faces(as_int(state.cells[cell])))
    if starts & (starts - 1) == 0:
        return False
    if as_int(state.holes) == 0:
        return True
    return (pins >> as_int(work.number[cell])) & 1 != 0
