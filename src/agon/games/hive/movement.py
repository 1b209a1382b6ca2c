"""How the bugs move: rules R4 to R10 of this game's README.

Each `add_...` function appends moves to `work.moves` from index `n` on and returns the new end.
`tag` is the moving tile's part of the move. The mover counts as lifted: where a path could touch
the cell that it leaves, `hide_mover` hides it meanwhile. A marked cell is not to be listed (again):
the mover's own, and the targets that are listed already.
"""

from __future__ import annotations

from agon.games.hive.board import (
    ANT,
    BEETLE,
    BOTH_COLOURS,
    FACES,
    GRASSHOPPER,
    LADYBUG,
    MARK,
    ON_TORUS,
    PACKED_STEPS,
    PILLBUG,
    QUEEN,
    SPIDER,
    face_bit,
    flip_faces,
    height,
    is_pinned,
    kind_of,
    occupied_faces,
    opposite,
    step,
    turned_left,
    turned_right,
)
from agon.kernel import Record, as_int, inlined, kernel, lowest_bit


@kernel
def slides(faces: int) -> int:
    """R4: the free faces to which a tile slides: just one of the two cells beside is occupied."""
    return (turned_left(faces) ^ turned_right(faces)) & ~faces


@kernel
def hide_mover(state: Record, cell: int, side: int) -> int:
    """Take a lone tile off the board for a while and mark its cell. `show_mover` undoes it."""
    word = as_int(state.cells[cell])
    flip_faces(state.cells, cell, face_bit(side))
    state.cells[cell] = word & BOTH_COLOURS | MARK
    return word


@kernel
def show_mover(state: Record, cell: int, side: int, word: int) -> None:
    """Undo `hide_mover`, with the word that it returned."""
    state.cells[cell] = word
    flip_faces(state.cells, cell, face_bit(side))


@kernel
def clear_marks(state: Record, work: Record, first: int, n: int) -> None:
    """Remove the marks from the targets of the moves from `first` on."""
    for i in range(first, n):
        state.cells[as_int(work.moves[i]) & ON_TORUS] &= 0x7FFF


@kernel
def add_single_slides(state: Record, work: Record, cell: int, tag: int, n: int) -> int:
    """Queen, pillbug, beetle on the ground: one slide (R4)."""
    free = slides(occupied_faces(as_int(state.cells[cell])))
    while free != 0:
        work.moves[n] = tag | step(cell, lowest_bit(free))
        free &= free - 1
        n += 1
    return n


@kernel
def add_ant(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R6: the ant slides any number of times: a flood fill that follows the rim.

    It goes on from the cell just found; cells with faces left over wait in `work.trail`.
    """
    cells, trail = state.cells, work.trail
    word = hide_mover(state, cell, side)
    first = n
    here = cell
    free = slides(occupied_faces(word))
    waiting = 0
    while True:
        if free == 0:
            if waiting == 0:
                break
            waiting -= 1
            here = as_int(trail[waiting]) & ON_TORUS
            free = as_int(trail[waiting]) >> 10
        face = free & -free
        free ^= face
        there = step(here, lowest_bit(face))
        seen = as_int(cells[there])
        if seen < MARK:
            cells[there] = seen | MARK
            work.moves[n] = tag | there
            n += 1
            if free != 0:
                trail[waiting] = free << 10 | here
                waiting += 1
            here = there
            free = slides(occupied_faces(seen)) & ~opposite(face)
    clear_marks(state, work, first, n)
    show_mover(state, cell, side, word)
    return n


@kernel
def add_spider(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R6: the spider slides exactly three times and is on no cell of its path twice."""
    cells = state.cells
    word = hide_mover(state, cell, side)
    first = n
    free1 = slides(occupied_faces(word))
    while free1 != 0:
        one = step(cell, lowest_bit(free1))
        free1 &= free1 - 1
        free2 = slides(occupied_faces(as_int(cells[one])))
        while free2 != 0:
            two = step(one, lowest_bit(free2))
            free2 &= free2 - 1
            if two == cell:
                continue
            free3 = slides(occupied_faces(as_int(cells[two])))
            while free3 != 0:
                three = step(two, lowest_bit(free3))
                free3 &= free3 - 1
                seen = as_int(cells[three])
                if three != one and seen < MARK:  # marked: the start, or listed already
                    cells[three] = seen | MARK
                    work.moves[n] = tag | three
                    n += 1
    clear_marks(state, work, first, n)
    show_mover(state, cell, side, word)
    return n


@kernel
def add_grasshopper(state: Record, work: Record, cell: int, tag: int, n: int) -> int:
    """R6: the grasshopper jumps straight over one or more tiles to the first empty cell."""
    faces = occupied_faces(as_int(state.cells[cell]))
    while faces != 0:
        stride = PACKED_STEPS >> (10 * lowest_bit(faces))
        faces &= faces - 1
        there = (cell + stride) & ON_TORUS
        while height(as_int(state.cells[there])) != 0:
            there = (there + stride) & ON_TORUS
        work.moves[n] = tag | there
        n += 1
    return n


@kernel
def ring_heights(state: Record, cell: int) -> int:
    """Heights of the six neighbours, 3 bits each, with the last again below, the first above."""
    ring = 0
    for direction in range(6):
        ring |= height(as_int(state.cells[step(cell, direction)])) << (3 * direction + 3)
    return ring | (ring & 0o70) << 18 | (ring >> 18 & 7)


@kernel
def height_in(ring: int, direction: int) -> int:
    """Height of the neighbour in a direction; directions -1 and 6 wrap around."""
    return ring >> (3 * direction + 3) & 7


@kernel
def has_no_gate(ring: int, direction: int, level: int) -> bool:
    """R5: the way up, down or along has no gate: not both cells beside it rise above `level`.

    `level` is the greater of the heights below the mover and of the cell it steps on.
    """
    return height_in(ring, direction - 1) <= level or height_in(ring, direction + 1) <= level


@kernel
def add_climbs(state: Record, work: Record, cell: int, tag: int, below: int, n: int) -> int:
    """R5, R7: beetle steps that begin or end on top of the hive; `below` tiles lie under it."""
    ring = ring_heights(state, cell)
    for direction in range(6):
        level = max(below, height_in(ring, direction))
        if level != 0 and has_no_gate(ring, direction, level):
            work.moves[n] = tag | step(cell, direction)
            n += 1
    return n


@kernel
def add_ladybug(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R9: the ladybug climbs up, walks one step on top, and climbs down; each step obeys R5."""
    cells = state.cells
    word = hide_mover(state, cell, side)
    first = n
    ring1 = ring_heights(state, cell)
    up = occupied_faces(word)
    while up != 0:
        direction1 = lowest_bit(up)
        up &= up - 1
        level1 = height_in(ring1, direction1)
        if not has_no_gate(ring1, direction1, level1):
            continue
        one = step(cell, direction1)
        ring2 = ring_heights(state, one)
        along = occupied_faces(as_int(cells[one]))
        while along != 0:
            direction2 = lowest_bit(along)
            along &= along - 1
            level2 = height_in(ring2, direction2)
            if not has_no_gate(ring2, direction2, max(level1, level2)):
                continue
            two = step(one, direction2)
            ring3 = ring_heights(state, two)
            down = FACES & ~occupied_faces(as_int(cells[two]))
            while down != 0:
                direction3 = lowest_bit(down)
                down &= down - 1
                three = step(two, direction3)
                seen = as_int(cells[three])
                if seen < MARK and has_no_gate(ring3, direction3, level2):
                    cells[three] = seen | MARK
                    work.moves[n] = tag | three
                    n += 1
    clear_marks(state, work, first, n)
    show_mover(state, cell, side, word)
    return n


@kernel
def touching_kinds(state: Record, cell: int) -> int:
    """Bit mask of the kinds of the visible tiles next to a cell."""
    kinds = 0
    faces = occupied_faces(as_int(state.cells[cell]))
    while faces != 0:
        kinds |= 1 << kind_of(as_int(state.top[step(cell, lowest_bit(faces))]))
        faces &= faces - 1
    return kinds


@inlined
def add_mosquito(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R8: the mosquito on the ground walks like any visible tile that it touches.

    A touching mosquito gives it nothing. On top it is a beetle; throws are in `add_throws`.
    """
    kinds = touching_kinds(state, cell)
    first = n
    if kinds >> ANT & 1:
        n = add_ant(state, work, cell, tag, side, n)
    if kinds >> GRASSHOPPER & 1:
        n = add_grasshopper(state, work, cell, tag, n)
    if kinds >> SPIDER & 1:
        n = add_spider(state, work, cell, tag, side, n)
    if kinds >> LADYBUG & 1:
        n = add_ladybug(state, work, cell, tag, side, n)
    if kinds >> BEETLE & 1:
        n = add_climbs(state, work, cell, tag, as_int(0), n)
    if kinds & (1 << QUEEN | 1 << BEETLE | 1 << PILLBUG):
        n = add_single_slides(state, work, cell, tag, n)
    return drop_repeats(state, work, first, n)


@inlined
def drop_repeats(state: Record, work: Record, first: int, n: int) -> int:
    """Keep each target once among the moves of one tile from `first` on."""
    kept = first
    for i in range(first, n):
        there = as_int(work.moves[i]) & ON_TORUS
        seen = as_int(state.cells[there])
        if seen < MARK:
            state.cells[there] = seen | MARK
            work.moves[kept] = work.moves[i]
            kept += 1
    clear_marks(state, work, first, kept)
    return kept


@kernel
def add_throws(state: Record, work: Record, cell: int, pins: int, first: int, n: int) -> int:
    """R10: the thrower on this cell throws a touching lone tile over itself to an empty cell.

    The tile may have either colour; it is not pinned and did not move on the last turn. `first`
    is where the side's moves begin in the list.
    """
    word = as_int(state.cells[cell])
    lone = 0
    high = 0  # neighbours that rise above the thrower: two of them make a gate (R5)
    faces = occupied_faces(word)
    while faces != 0:
        face = faces & -faces
        faces ^= face
        if height(as_int(state.cells[step(cell, lowest_bit(face))])) == 1:
            lone |= face
        else:
            high |= face
    open_faces = FACES & ~(turned_left(high) & turned_right(high))
    landing_faces = open_faces & ~occupied_faces(word)
    lone &= open_faces
    while lone != 0:
        origin = step(cell, lowest_bit(lone))
        lone &= lone - 1
        slot = as_int(state.top[origin])
        if slot == as_int(state.moved) or is_pinned(state, work, origin, pins):
            continue
        landing = landing_faces
        while landing != 0:
            move = slot << 10 | step(cell, lowest_bit(landing))
            landing &= landing - 1
            if not is_listed(work, first, n, move):  # it may walk there as well
                work.moves[n] = move
                n += 1
    return n


@inlined
def is_listed(work: Record, first: int, n: int, move: int) -> bool:
    """Whether the move is among those from `first` on."""
    found = 0
    for i in range(first, n):  # to the end: without a way out the compiler compares many at once
        found += as_int(work.moves[i]) == move
    return found != 0
