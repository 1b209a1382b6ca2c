"""What the network of `search` sees of a position of two seats: each cell, and the whole."""

from __future__ import annotations

from agon.games.mebipenny.army import muster
from agon.games.mebipenny.board import FREE, WALL, find_leader, owner_in, size_in
from agon.games.mebipenny.greedy import find_lead, lead_after
from agon.kernel import IntArray, Record, as_int, bit_count, inlined, kernel, lowest_bit

OPEN, HELD, OWN, OTHERS, BLOCKED = range(5)
"""What a cell is: free, free with its tile in the own hand, a claim, a wall."""
KIND, SIZE, GAIN, LOSS = range(4)
"""What is seen of a cell: the above; of the army that it belongs to, or would make; and how much
farther ahead the seat is if it claims the cell, or if the other seat does."""
CELL_NUMBERS = 4
LEAD, PILE, TILES, MORE_TILES, PASSES, FREE_CELLS = range(6)
"""What is seen of the whole."""
NUMBERS = 6


@kernel
def see(setup: Record, state: Record, work: Record, seat: int, seen: IntArray) -> None:
    """Write all that the network sees: the numbers of each cell, then those of the whole."""
    cells = as_int(setup.rows) * as_int(setup.cols)
    for cell in range(cells):
        see_cell(setup, state, work, seat, cell, seen)
    for place in range(as_int(state.hand_size[seat])):
        seen[as_int(state.hands[seat, place]) * CELL_NUMBERS + KIND] = HELD
    see_whole(setup, state, seat, seen, cells)


@kernel
def see_cell(
    setup: Record, state: Record, work: Record, seat: int, cell: int, seen: IntArray
) -> None:
    """What a cell is for a seat, but for its hand."""
    at = cell * CELL_NUMBERS
    word = as_int(state.cells[cell])
    kind, size, gain, loss = as_int(BLOCKED), as_int(0), as_int(0), as_int(0)
    if word == FREE:
        kind = as_int(OPEN)
        lead = find_lead(setup, state, seat)
        gain = lead_if_claimed(setup, state, work, seat, cell, seat) - lead
        loss = lead_if_claimed(setup, state, work, 1 - seat, cell, seat) - lead
        size = as_int(work.total)
    elif word != WALL:
        leader = as_int(state.cells[find_leader(state, cell)])
        kind = as_int(OWN) if owner_in(leader) == seat else as_int(OTHERS)
        size = size_in(leader)
    seen[at + KIND] = kind
    seen[at + SIZE] = size
    seen[at + GAIN] = gain
    seen[at + LOSS] = loss


@inlined
def lead_if_claimed(
    setup: Record, state: Record, work: Record, mover: int, cell: int, seat: int
) -> int:
    """How far the seat is ahead when the mover has claimed the cell; ties go to the mover."""
    leading = muster(setup, state, work, mover, cell)
    owner = lowest_bit(leading) if bit_count(leading) == 1 else mover
    lead = lead_after(state, work, mover, owner)
    return lead if mover == seat else -lead


@inlined
def see_whole(setup: Record, state: Record, seat: int, seen: IntArray, cells: int) -> None:
    at = cells * CELL_NUMBERS
    own, other = as_int(state.hand_size[seat]), as_int(state.hand_size[1 - seat])
    seen[at + LEAD] = find_lead(setup, state, seat)
    seen[at + PILE] = state.draw_size
    seen[at + TILES] = own
    seen[at + MORE_TILES] = other - own
    seen[at + PASSES] = state.passes
    seen[at + FREE_CELLS] = as_int(state.draw_size) + own + other
