"""The explosion phase, as a list of volatile fields that is worked off in waves, and growth.

R11: within a phase the seat's stones only get more, until they explode, and open neighbours only
fewer: what is volatile stays so, and the order makes no difference. So a field joins the list when
it becomes volatile, and the board is looked through only once, at the beginning of the phase. Waves
are for display.
"""

from __future__ import annotations

from agon.games.atlantis.board import (
    DEAD,
    DIRECTIONS,
    GROWING,
    OPEN,
    SEA,
    add_stones,
    is_opponents,
    seat_to_move,
    take_stones,
)
from agon.kernel import Record, as_int, inlined, kernel


@inlined
def is_volatile(state: Record, seat: int, field: int) -> bool:
    """R9: an open or growing field of the seat with at least as many stones as open neighbours.

    A growing field that has neither is volatile, too.
    """
    return (
        as_int(state.owner[field]) == seat
        and as_int(state.stones[field]) >= as_int(state.open_around[field])
        and as_int(state.kind[field]) != DEAD
    )


@kernel
def add_if_volatile(state: Record, work: Record, seat: int, field: int, count: int) -> int:
    """Put a field on the list, if it belongs there and is not waiting already."""
    if is_volatile(state, seat, field) and as_int(work.waiting[field]) == 0:
        work.waiting[field] = 1
        work.volatile[count] = field
        count += 1
    return count


@kernel
def find_volatile(setup: Record, state: Record, work: Record) -> int:
    """R9: the first wave: all volatile fields of the seat whose turn it is, in `work.volatile`."""
    seat = seat_to_move(setup, state)
    count = as_int(0)  # literals are pinned to one type: see docs/add-a-game.md
    for field in range(1, as_int(setup.fields) + 1):
        count = add_if_volatile(state, work, seat, field, count)
    return count


@inlined
def land_stone(state: Record, seat: int, field: int) -> None:
    """R10: a stone lands on an open field: it joins, or it takes an opponent's stone with it."""
    if is_opponents(state, seat, field):
        take_stones(state, field, as_int(1))
    else:
        add_stones(state, seat, field, as_int(1))


@inlined
def explode(setup: Record, state: Record, work: Record, field: int, count: int) -> int:
    """R10: a stone to each open neighbour; open turns to growing, and growing to dead.

    The field's other stones are lost. What becomes volatile by it is added to the list; returns the
    list's new length.
    """
    seat = as_int(state.owner[field])
    was_open = as_int(state.kind[field]) == OPEN
    state.kind[field] = GROWING if was_open else DEAD
    state.stones[field] = 0
    for direction in range(DIRECTIONS):
        other = as_int(setup.neighbour[field, direction])
        kind = as_int(state.kind[other])
        if kind == OPEN:
            land_stone(state, seat, other)
            state.touching += 1 if was_open else -1  # a new pair, or the end of one
        elif kind == GROWING and was_open:
            state.touching -= 1  # both are growing now
        if was_open and other != SEA:  # the sea, which touches only itself, stays at 0
            state.open_around[other] -= 1
        count = add_if_volatile(state, work, seat, other, count)
    # R11: if it grows now without an open neighbour it dies in the same phase
    return add_if_volatile(state, work, seat, field, count)


@kernel
def explode_wave(setup: Record, state: Record, work: Record, first: int, last: int) -> int:
    """R11: explode what stands on the list from `first` to before `last`: it is volatile still.

    What that makes volatile, the next wave, stands from `last` to before the number returned.
    """
    count = last
    for i in range(first, last):
        field = as_int(work.volatile[i])
        work.waiting[field] = 0
        count = explode(setup, state, work, field, count)
    return count


@kernel
def explosion_phase(setup: Record, state: Record, work: Record) -> int:
    """R11: wave after wave, until nothing is volatile. Returns the number of explosions."""
    exploded = as_int(0)
    listed = find_volatile(setup, state, work)
    while exploded < listed:
        count = explode_wave(setup, state, work, exploded, listed)
        exploded = listed
        listed = count
    return exploded


@kernel
def growth_phase(setup: Record, state: Record) -> int:
    """R12: each growing field of the seat gains a stone. Returns how many there are."""
    seat = seat_to_move(setup, state)
    count = 0
    for field in range(1, as_int(setup.fields) + 1):
        if as_int(state.kind[field]) == GROWING and as_int(state.owner[field]) == seat:
            state.stones[field] += 1
            count += 1
    return count
