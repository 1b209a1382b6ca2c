"""Areas of open fields: which are stable, and who holds them (R13, R15).

On most boards all open fields are one area for most of a match. `state.areas` says so, and then
nothing has to be surveyed. An explosion may make it uncertain; `rules.appraise` has it found out at
the end of the turn, by `settle_areas`.
"""

from __future__ import annotations

from agon.games.atlantis.board import (
    DIRECTIONS,
    GROWING,
    MAX_PLAYERS,
    NO_OWNER,
    ONE_AREA,
    SEA,
    SEVERAL_AREAS,
    TO_BE_SURVEYED,
    is_in,
    next_field,
    take_out,
)
from agon.kernel import Record, as_int, inlined, kernel

UNSTABLE = NO_OWNER + 1


@kernel
def begin_survey(state: Record, work: Record) -> None:
    """No open field has been visited yet."""
    for word in range(state.open.shape[0]):
        work.unvisited[word] = state.open[word]


@kernel
def visit_area(setup: Record, work: Record, first: int) -> int:
    """R13: put the area of an open field into `work.area`; returns its size."""
    take_out(work.unvisited, first)
    work.area[0] = first
    size = as_int(1)
    looked = 0
    while looked < size:
        field = as_int(work.area[looked])
        looked += 1
        for direction in range(DIRECTIONS):
            other = as_int(setup.neighbour[field, direction])
            if is_in(work.unvisited, other):
                take_out(work.unvisited, other)
                work.area[size] = other
                size += 1
    return size


@kernel
def holder_of_area(setup: Record, state: Record, work: Record, size: int) -> int:
    """R13: whose stones lie in the area in `work.area`: a seat's, NO_OWNER, or UNSTABLE.

    Unstable is an area that touches a growing field, or has stones of two seats.
    """
    holder = as_int(NO_OWNER)
    looked = 0
    while looked < size and holder != UNSTABLE:
        field = as_int(work.area[looked])
        looked += 1
        owner = as_int(state.owner[field])
        if owner != NO_OWNER and owner != holder:
            holder = owner if holder == NO_OWNER else as_int(UNSTABLE)
        for direction in range(DIRECTIONS):
            if as_int(state.kind[as_int(setup.neighbour[field, direction])]) == GROWING:
                holder = as_int(UNSTABLE)
    return holder


@kernel
def settle_areas(setup: Record, state: Record, work: Record) -> None:
    """Find out whether all open fields are one area, if an explosion made that uncertain."""
    if as_int(state.areas) == TO_BE_SURVEYED:
        begin_survey(state, work)
        first = next_field(setup, work.unvisited, SEA)
        if first != SEA:
            visit_area(setup, work, first)
        is_one = next_field(setup, work.unvisited, SEA) == SEA
        state.areas = ONE_AREA if is_one else SEVERAL_AREAS


@kernel
def has_stacks(setup: Record, state: Record, seat: int) -> bool:
    """Whether the seat has a stone on an open field."""
    return next_field(setup, state.stacks[seat], SEA) != SEA


@kernel
def growth_touches_open(setup: Record, state: Record) -> bool:
    """R13: whether an open field touches a growing one."""
    for seat in range(as_int(setup.players)):
        field = next_field(setup, state.growing[seat], SEA)
        while field != SEA:
            if as_int(state.open_around[field]) > 0:
                return True
            field = next_field(setup, state.growing[seat], field)
    return False


@kernel
def has_unstable_area(setup: Record, state: Record, work: Record, seat: int) -> bool:
    """R16: whether the seat has a stone on an open field of an unstable area.

    `settle_areas` must have been called.
    """
    if as_int(state.areas) == ONE_AREA:
        return has_stacks(setup, state, seat) and not is_stable_island(setup, state)
    begin_survey(state, work)
    field = next_field(setup, state.stacks[seat], SEA)
    while field != SEA:
        if is_in(work.unvisited, field):
            size = visit_area(setup, work, field)
            if holder_of_area(setup, state, work, size) == UNSTABLE:
                return True
        field = next_field(setup, state.stacks[seat], field)
    return False


@kernel
def is_stable_island(setup: Record, state: Record) -> bool:
    """R13: whether all open fields, which are one area, are a stable one."""
    holders = 0
    for seat in range(as_int(setup.players)):
        if has_stacks(setup, state, seat):
            holders += 1
    return holders <= 1 and not growth_touches_open(setup, state)


@inlined
def all_stable(setup: Record, state: Record, work: Record) -> bool:
    """R14: whether no open field touches a growing one, and no area has stones of two seats.

    `settle_areas` must have been called, as for `has_unstable_area`.
    """
    if growth_touches_open(setup, state):  # in areas without stones, too
        return False
    for seat in range(as_int(setup.players)):
        if has_unstable_area(setup, state, work, seat):
            return False
    return True


@inlined
def map_areas(setup: Record, state: Record, work: Record) -> None:
    """R15: in `work.holder`, who holds the area of each open field; NO_OWNER for other fields."""
    for field in range(as_int(setup.fields) + 1):  # and the sea
        work.holder[field] = NO_OWNER
    begin_survey(state, work)
    first = next_field(setup, work.unvisited, SEA)
    while first != SEA:
        size = visit_area(setup, work, first)
        holder = holder_of_area(setup, state, work, size)
        for i in range(size):
            work.holder[as_int(work.area[i])] = holder
        first = next_field(setup, work.unvisited, first)


@kernel
def count_scores(setup: Record, state: Record, work: Record) -> None:
    """R15: all fields of the stable areas that a seat holds, into `state.score`."""
    map_areas(setup, state, work)
    for seat in range(MAX_PLAYERS):
        state.score[seat] = 0
    for field in range(1, as_int(setup.fields) + 1):
        holder = as_int(work.holder[field])
        if holder < MAX_PLAYERS:
            state.score[holder] += 1
