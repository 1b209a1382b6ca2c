"""How the bugs move: rules R4 to R10 of this game's README.

Each `add_...` function appends moves to `work.moves` from index `n` on and returns the new end.
`tag` is the moving tile's part of the move. The mover counts as lifted: where a path could touch
the cell that it leaves, `hide_mover` hides it meanwhile. Marked cells are done with: the mover's
own, targets that are listed, and tiles from which the ladybug has come down. The marks go when the
tile is done.
"""

from __future__ import annotations

from agon.games.hive.board import (
    ALL_FACES,
    ANTS,
    BEETLES,
    FACES,
    GRASSHOPPERS,
    LADYBUGS,
    MOSQUITOES,
    ON_TORUS,
    PACKED_STEPS,
    PILLBUGS,
    QUEENS,
    SPIDERS,
    clear_marks,
    end_of,
    face_bits,
    flip_faces,
    height,
    index_of,
    is_marked,
    is_pinned,
    mark,
    occupied_faces,
    opposite,
    side_of,
    step,
    tag_of,
    turned_left,
    turned_right,
)
from agon.kernel import Record, as_int, inlined, kernel, lowest_bit

WAYS = 6
RUN, JUMP, THREE_STEPS, CLIMB, SLIDE, OVER_THE_TOP = range(WAYS)
"""The ways to walk, in the order in which walks are listed."""


@kernel
def walkers(way: int) -> int:
    """The tiles that walk in this way on the ground.

    The mosquito is in every one: the caller asks whether it touches another tile that is (R8).
    """
    if way == RUN:
        return ANTS | MOSQUITOES
    if way == JUMP:
        return GRASSHOPPERS | MOSQUITOES
    if way == THREE_STEPS:
        return SPIDERS | MOSQUITOES
    if way == CLIMB:
        return BEETLES | MOSQUITOES
    if way == SLIDE:
        return QUEENS | BEETLES | PILLBUGS | MOSQUITOES
    return LADYBUGS | MOSQUITOES


@kernel
def slides(faces: int) -> int:
    """R4: the free faces to which a tile slides: just one of the two cells beside is occupied."""
    return (turned_left(faces) ^ turned_right(faces)) & ~faces


@kernel
def hide_mover(state: Record, cell: int, side: int) -> int:
    """Take a lone tile off the board for a while and mark its cell. `show_mover` undoes it."""
    word = as_int(state.cells[cell])
    flip_faces(state.cells, cell, face_bits(side))
    state.cells[cell] = word & ALL_FACES
    mark(state, cell)
    return word


@kernel
def show_mover(state: Record, cell: int, side: int, word: int) -> None:
    """Undo `hide_mover`, with the word that it returned, and remove all marks."""
    clear_marks(state)
    state.cells[cell] = word
    flip_faces(state.cells, cell, face_bits(side))


@kernel
def add_single_slides(state: Record, work: Record, cell: int, tag: int, n: int) -> int:
    """R4: one slide, of a queen, a pillbug, or a beetle or mosquito on the ground."""
    free = slides(occupied_faces(as_int(state.cells[cell])))
    while free != 0:
        work.moves[n] = tag | step(cell, lowest_bit(free))
        free &= free - 1
        n += 1
    return n


@kernel
def add_ant(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R6: the ant slides any number of times: a flood fill that follows the rim.

    It goes on from the cell just found; cells with faces left over wait in `work.trail`. The start
    is marked from the outset, and so not listed.
    """
    cells, trail = state.cells, work.trail
    word = hide_mover(state, cell, side)
    here = cell
    free = slides(occupied_faces(word))
    waiting = 0
    while True:
        if free == 0:  # dead end: back to the last cell with faces left
            if waiting == 0:
                break
            waiting -= 1
            here = as_int(trail[waiting]) & ON_TORUS
            free = as_int(trail[waiting]) >> 10
        face = free & -free
        there = step(here, lowest_bit(free))
        free ^= face
        if not is_marked(state, there):
            mark(state, there)
            work.moves[n] = tag | there
            n += 1
            if free != 0:
                trail[waiting] = free << 10 | here
                waiting += 1
            here = there
            way_back = opposite(face)  # to where it came from
            free = slides(occupied_faces(as_int(cells[there]))) & ~way_back
    show_mover(state, cell, side, word)
    return n


@kernel
def add_spider(state: Record, work: Record, cell: int, tag: int, side: int, n: int) -> int:
    """R6: the spider slides exactly three times and is on no cell of its path twice."""
    cells = state.cells
    word = hide_mover(state, cell, side)
    free1 = slides(occupied_faces(word))
    while free1 != 0:
        one = step(cell, lowest_bit(free1))
        free1 &= free1 - 1
        free2 = slides(occupied_faces(as_int(cells[one])))
        while free2 != 0:
            two = step(one, lowest_bit(free2))
            free2 &= free2 - 1
            if two == cell:  # the start, which is marked: `three` is not there either
                continue
            free3 = slides(occupied_faces(as_int(cells[two])))
            while free3 != 0:
                three = step(two, lowest_bit(free3))
                free3 &= free3 - 1
                if three != one and not is_marked(state, three):
                    mark(state, three)
                    work.moves[n] = tag | three
                    n += 1
    show_mover(state, cell, side, word)
    return n


@kernel
def add_grasshopper(state: Record, work: Record, cell: int, tag: int, n: int) -> int:
    """R6: the grasshopper jumps straight over one or more tiles to the first empty cell."""
    faces = occupied_faces(as_int(state.cells[cell]))
    while faces != 0:
        stride = PACKED_STEPS >> (10 * lowest_bit(faces))  # masked below, as in `step`
        faces &= faces - 1
        there = (cell + stride) & ON_TORUS
        while height(as_int(state.cells[there])) != 0:
            there = (there + stride) & ON_TORUS
        work.moves[n] = tag | there
        n += 1
    return n


@kernel
def ring_heights(state: Record, cell: int) -> int:
    """Heights of the six neighbours, 3 bits each, so that each stands between those beside it.

    bits       0-2  3-5  6-8  9-11  12-14  15-17  18-20  21-23
    direction   5    0    1    2      3      4      5      0
    """
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
    """R5, R7: steps of a beetle or mosquito that begin or end on top of the hive.

    `below` tiles lie under it.
    """
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
            two = step(one, direction2)
            if is_marked(state, two) or not has_no_gate(ring2, direction2, max(level1, level2)):
                continue
            mark(state, two)  # the rest depends on `two` alone: a second way to it adds nothing
            ring3 = ring_heights(state, two)
            down = FACES & ~occupied_faces(as_int(cells[two]))
            while down != 0:
                direction3 = lowest_bit(down)
                down &= down - 1
                three = step(two, direction3)
                if has_no_gate(ring3, direction3, level2) and not is_marked(state, three):
                    mark(state, three)
                    work.moves[n] = tag | three
                    n += 1
    show_mover(state, cell, side, word)
    return n


@kernel
def touching_indices(state: Record, cell: int) -> int:
    """The visible tiles of both sides next to a cell, as one mask of indices.

    Whose they are is dropped: R8 does not ask.
    """
    indices = 0
    faces = occupied_faces(as_int(state.cells[cell]))
    while faces != 0:
        indices |= 1 << index_of(as_int(state.top[step(cell, lowest_bit(faces))]))
        faces &= faces - 1
    return indices


@inlined
def add_walk(state: Record, work: Record, way: int, slot: int, n: int) -> int:
    """`way` is one of the tile's; for a tile on top of others it is CLIMB."""
    cell, tag, side = as_int(state.cell_of[slot]), tag_of(slot), side_of(slot)
    if way == RUN:
        return add_ant(state, work, cell, tag, side, n)
    if way == JUMP:
        return add_grasshopper(state, work, cell, tag, n)
    if way == THREE_STEPS:
        return add_spider(state, work, cell, tag, side, n)
    if way == CLIMB:
        return add_climbs(state, work, cell, tag, height(as_int(state.cells[cell])) - 1, n)
    if way == SLIDE:
        return add_single_slides(state, work, cell, tag, n)
    return add_ladybug(state, work, cell, tag, side, n)


@inlined
def drop_repeats(work: Record, first: int, n: int) -> int:
    """R8: of the mosquito's moves from `first` on, drop those it has already, as another kind."""
    reached = work.reached
    kept = first
    for i in range(first, n):
        there = end_of(as_int(work.moves[i]))
        if ((as_int(reached[there >> 5]) >> (there & 31)) & 1) == 0:
            reached[there >> 5] = as_int(reached[there >> 5]) | 1 << (there & 31)
            work.moves[kept] = work.moves[i]
            kept += 1
    return kept


@kernel
def add_throws(state: Record, work: Record, cell: int, pins: int, first_throw: int, n: int) -> int:
    """R10: the thrower on this cell throws a touching lone tile over itself to an empty cell.

    The tile may have either colour; it is not pinned and did not move on the last turn.
    `first_throw` is where the throws of the side begin in the list.
    """
    faces = throw_faces(state, cell)
    origins = faces >> 6
    landings = faces & FACES
    while origins != 0 and landings != 0:
        origin = step(cell, lowest_bit(origins))
        origins &= origins - 1
        slot = as_int(state.top[origin])
        if slot == as_int(state.last_moved) or is_pinned(state, work, origin, pins):
            continue
        # an own tile may walk there too: one move (R10); the walks of its kind lie in this stretch
        # of the list
        first = end = as_int(0)
        if side_of(slot) == (as_int(state.turn) & 1):
            for way in range(WAYS):
                if (walkers(as_int(way)) >> index_of(slot)) & 1:
                    first = as_int(work.begins[way]) if end == 0 else first
                    end = as_int(work.begins[way + 1])
        rest = landings
        while rest != 0:
            move = tag_of(slot) | step(cell, lowest_bit(rest))
            rest &= rest - 1
            if not (is_listed(work, move, first, end) or is_listed(work, move, first_throw, n)):
                work.moves[n] = move
                n += 1
    return n


@inlined
def throw_faces(state: Record, cell: int) -> int:
    """The faces of a thrower on this cell: those it throws from << 6 | those it throws to.

    It throws lone tiles, to empty cells, and neither through a gate.
    """
    faces = occupied_faces(as_int(state.cells[cell]))
    lone = 0
    high = 0
    rest = faces
    while rest != 0:
        face = rest & -rest
        rest ^= face
        if height(as_int(state.cells[step(cell, lowest_bit(face))])) == 1:
            lone |= face
        else:
            high |= face
    # R5: closed is a face with a high neighbour on both sides; ground and thrower are at most 1
    open_faces = FACES & ~(turned_left(high) & turned_right(high))
    return (lone & open_faces) << 6 | (open_faces & ~faces)


@inlined
def is_listed(work: Record, move: int, first: int, end: int) -> bool:
    """Whether a move is in this part of the list."""
    i = first
    while i < end and as_int(work.moves[i]) != move:
        i += 1
    return i < end
