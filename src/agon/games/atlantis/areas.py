"""Areas of open fields: which are stable, and who holds them (R13, R15)."""

from __future__ import annotations

from agon.games.atlantis.board import DIRECTIONS, GROWING, MAX_PLAYERS, NO_OWNER, OPEN
from agon.kernel import Record, as_int, inlined, kernel

UNSTABLE = NO_OWNER + 1


@kernel
def begin_survey(work: Record) -> None:
    """Forget which fields were visited."""
    work.stamp += 1


@kernel
def is_new_ground(state: Record, work: Record, field: int) -> bool:
    """Whether a field is open and was not visited since the survey began."""
    return as_int(state.kind[field]) == OPEN and as_int(work.visited[field]) != as_int(work.stamp)


@kernel
def visit(work: Record, field: int, size: int) -> int:
    """Add a field to `work.area`; returns its new size."""
    work.visited[field] = work.stamp
    work.area[size] = field
    return size + 1


@kernel
def survey_area(setup: Record, state: Record, work: Record, first: int, thorough: bool) -> int:
    """R13: whose stones lie in the area of an open field: a seat's, NO_OWNER, or UNSTABLE.

    Unstable is an area that touches a growing field, or has stones of two seats. Leaves its fields
    in `work.area`; of an unstable area all of them only if `thorough`.
    """
    holder = as_int(state.owner[first])
    size = visit(work, first, as_int(0))
    looked = 0
    while looked < size and (thorough or holder != UNSTABLE):
        field = as_int(work.area[looked])
        looked += 1
        for direction in range(DIRECTIONS):
            other = as_int(setup.neighbour[field, direction])
            if as_int(state.kind[other]) == GROWING:
                holder = UNSTABLE
            elif is_new_ground(state, work, other):
                size = visit(work, other, size)
                owner = as_int(state.owner[other])
                if owner != NO_OWNER and owner != holder:
                    holder = owner if holder == NO_OWNER else UNSTABLE
    work.area_size = size
    return holder


@kernel
def has_unstable_area(setup: Record, state: Record, work: Record, seat: int) -> bool:
    """R16: whether the seat has a stone on an open field of an unstable area.

    `begin_survey` comes first. What was visited since then is known to be stable.
    """
    for field in range(1, as_int(setup.fields) + 1):
        if (
            as_int(state.owner[field]) == seat
            and is_new_ground(state, work, field)
            and survey_area(setup, state, work, field, False) == UNSTABLE
        ):
            return True
    return False


@inlined
def all_stable(setup: Record, state: Record, work: Record) -> bool:
    """R14: whether no open field touches a growing one, and no area has stones of two seats.

    `begin_survey` comes first, as for `has_unstable_area`.
    """
    if as_int(state.touching) > 0:  # in areas without stones, too
        return False
    for seat in range(as_int(setup.players)):
        if has_unstable_area(setup, state, work, seat):
            return False
    return True


@inlined
def map_areas(setup: Record, state: Record, work: Record) -> None:
    """R15: for each open field, in `work.holder`, what `survey_area` says; NO_OWNER for others."""
    begin_survey(work)
    for field in range(as_int(setup.fields) + 1):  # and the sea
        if as_int(state.kind[field]) != OPEN:
            work.holder[field] = NO_OWNER
        elif is_new_ground(state, work, field):
            holder = survey_area(setup, state, work, field, True)
            for i in range(as_int(work.area_size)):
                work.holder[as_int(work.area[i])] = holder


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
