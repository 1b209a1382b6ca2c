"""The explosion phase, as a list of volatile fields that is worked off, and growth.

R11: within a phase the seat's stones only get more, until they explode, and open neighbours only
fewer: what is volatile stays so, and the order makes no difference. So a field joins the list when
it becomes volatile, and the board is looked through only once, at the beginning of the phase. Waves
are for display: `explode_wave`.
"""

from __future__ import annotations

from agon.games.atlantis.board import (
    DEAD,
    DIRECTIONS,
    GROWING,
    ONE_AREA,
    SEA,
    TO_BE_SURVEYED,
    add_stones,
    is_in,
    is_opponents,
    next_field,
    put_in,
    take_out,
    take_stones,
)
from agon.kernel import Record, as_int, bit_count, inlined, kernel


@inlined
def is_volatile(state: Record, seat: int, field: int) -> bool:
    """R9: an open or growing field of the seat with at least as many stones as open neighbours.

    A growing field that has neither is volatile, too.
    """
    own = is_in(state.stacks[seat], field) or is_in(state.growing[seat], field)
    return own and as_int(state.stones[field]) >= as_int(state.open_around[field])


@kernel
def add_if_volatile(state: Record, work: Record, seat: int, field: int, count: int) -> int:
    """Put a field on the list, if it belongs there and is not waiting already."""
    if is_volatile(state, seat, field) and not is_in(work.waiting, field):
        put_in(work.waiting, field)
        work.volatile[count] = field
        count += 1
    return count


@kernel
def find_volatile(setup: Record, state: Record, work: Record) -> int:
    """R9: the first wave: all volatile fields of the seat whose turn it is, in `work.volatile`."""
    seat = as_int(state.seat)
    count = as_int(0)  # literals are pinned to one type: see docs/add-a-game.md
    field = next_field(setup, state.stacks[seat], SEA)
    while field != SEA:
        count = add_if_volatile(state, work, seat, field, count)
        field = next_field(setup, state.stacks[seat], field)
    field = next_field(setup, state.growing[seat], SEA)
    while field != SEA:
        count = add_if_volatile(state, work, seat, field, count)
        field = next_field(setup, state.growing[seat], field)
    return count


@inlined
def land_stone(state: Record, seat: int, field: int) -> None:
    """R10: a stone lands on an open field: it joins, or it takes an opponent's stone with it."""
    if is_opponents(state, seat, field):
        take_stones(state, field, as_int(1))
    else:
        add_stones(state, seat, field, as_int(1))


@inlined
def change_kind(state: Record, seat: int, field: int, was_open: bool) -> None:
    """R10: a field of the seat that was open is growing now; one that was growing is dead."""
    if was_open:
        state.kind[field] = GROWING
        take_out(state.open, field)
        take_out(state.stacks[seat], field)
        put_in(state.growing[seat], field)
    else:
        state.kind[field] = DEAD
        take_out(state.growing[seat], field)


@inlined
def count_arcs(around: int) -> int:
    """In how many pieces the open neighbours of a field lie around it; a bit for each direction.

    Neighbours in directions that follow on each other touch: a piece begins where the one before is
    not open. With one piece, all six (then none begins) or no neighbour at all, the field's area
    stays together without it.
    """
    before = (around << 1) | (around >> 5)
    return bit_count(around & ~before)


@inlined
def explode(setup: Record, state: Record, work: Record, field: int, count: int) -> int:
    """R10: a stone to each open neighbour; open turns to growing, and growing to dead.

    The field's other stones are lost. What becomes volatile by it is added to the list; returns the
    list's new length.
    """
    seat = as_int(state.owner[field])
    was_open = is_in(state.open, field)
    change_kind(state, seat, field, was_open)
    state.stones[field] = 0
    around = 0  # a bit for each direction in which an open field is
    for direction in range(DIRECTIONS):
        other = as_int(setup.neighbour[field, direction])
        if is_in(state.open, other):
            land_stone(state, seat, other)
            around |= 1 << direction
        if was_open and other != SEA:  # the sea, which touches only itself, stays at 0
            state.open_around[other] -= 1
        count = add_if_volatile(state, work, seat, other, count)
    # one area may have come apart; of several the last but one may be gone
    if was_open and (as_int(state.areas) != ONE_AREA or count_arcs(around) > 1):
        state.areas = TO_BE_SURVEYED
    # R11: if it grows now without an open neighbour it dies in the same phase
    return add_if_volatile(state, work, seat, field, count)


@kernel
def explode_next(setup: Record, state: Record, work: Record, index: int, count: int) -> int:
    """Explode the field that stands there on the list: it is volatile still (R11)."""
    field = as_int(work.volatile[index])
    take_out(work.waiting, field)
    return explode(setup, state, work, field, count)


@kernel
def explode_wave(setup: Record, state: Record, work: Record, first: int, last: int) -> int:
    """R11: explode what stands on the list from `first` to before `last`.

    What that makes volatile, the next wave, stands from `last` to before the number returned.
    """
    count = last
    for i in range(first, last):
        count = explode_next(setup, state, work, i, count)
    return count


@kernel
def explosion_phase(setup: Record, state: Record, work: Record) -> int:
    """R11: until nothing is volatile. Returns the number of explosions."""
    exploded = as_int(0)
    listed = find_volatile(setup, state, work)
    while exploded < listed:
        listed = explode_next(setup, state, work, exploded, listed)
        exploded += 1
    return exploded


@kernel
def growth_phase(setup: Record, state: Record) -> int:
    """R12: each growing field of the seat gains a stone. Returns how many there are."""
    seat = as_int(state.seat)
    count = 0
    field = next_field(setup, state.growing[seat], SEA)
    while field != SEA:
        state.stones[field] += 1
        count += 1
        field = next_field(setup, state.growing[seat], field)
    return count
