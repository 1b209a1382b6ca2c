"""The movement phase: which moves there are, and what they do (R5 to R7)."""

from __future__ import annotations

from agon.games.atlantis.board import (
    DIRECTIONS,
    OPEN,
    SEA,
    add_stones,
    direction_of,
    encode_move,
    is_in,
    is_opponents,
    next_field,
    source_of,
    stones_of,
    take_stones,
)
from agon.kernel import IntArray, Record, as_int, inlined, kernel, random_below

LEGAL = 0
NOT_A_MOVE = 1  # no such field or direction, or zero stones asked for
SOURCE_NOT_OPEN = 2
NOT_OWN_STONES = 3  # the source is empty, or an opponent's
TOO_FEW_STONES = 4
WAY_NOT_OPEN = 5  # a field on the way, or the destination, is growing, dead or sea
SEGMENT_USED = 6  # an earlier move of the turn starts in the same segment


@kernel
def may_move_from(state: Record, seat: int, field: int) -> bool:
    """R5: whether the field is open and holds stones of the seat."""
    return is_in(state.stacks[seat], field)


@kernel
def reach(setup: Record, state: Record, field: int, direction: int) -> int:
    """R5: how far stones of the field may go: as far as there are stones and open fields."""
    stones = as_int(state.stones[field])
    steps = 0
    ahead = as_int(setup.neighbour[field, direction])
    while steps < stones and is_in(state.open, ahead):
        steps += 1
        ahead = as_int(setup.neighbour[ahead, direction])
    return steps


@kernel
def count_moves_from(setup: Record, state: Record, field: int) -> int:
    """R5: how many moves the stones of a field have."""
    if as_int(state.stones[field]) == 1:
        return as_int(state.open_around[field])  # a step to any of them
    count = 0
    for direction in range(DIRECTIONS):
        count += reach(setup, state, field, direction)
    return count


@inlined
def pick_move_from(setup: Record, state: Record, field: int, number: int) -> int:
    """The move of that number, which is from 0 to below `count_moves_from`."""
    direction = 0
    steps = reach(setup, state, field, direction)
    while number >= steps:
        number -= steps
        direction += 1
        steps = reach(setup, state, field, direction)
    return encode_move(field, direction, number + 1)


@kernel
def count_moves(setup: Record, state: Record) -> int:
    """How many single moves the seat has whose turn it is."""
    seat = as_int(state.seat)
    count = 0
    field = next_field(setup, state.stacks[seat], SEA)
    while field != SEA:
        count += count_moves_from(setup, state, field)
        field = next_field(setup, state.stacks[seat], field)
    return count


@kernel
def list_moves(setup: Record, state: Record, moves: IntArray) -> None:
    """All single moves of the seat whose turn it is: as many as `count_moves` says."""
    seat = as_int(state.seat)
    count = 0
    field = next_field(setup, state.stacks[seat], SEA)
    while field != SEA:
        for direction in range(DIRECTIONS):
            for steps in range(1, reach(setup, state, field, direction) + 1):
                moves[count] = encode_move(field, direction, steps)
                count += 1
        field = next_field(setup, state.stacks[seat], field)


@inlined
def check_move(setup: Record, state: Record, move: int) -> int:
    """R5: LEGAL, or why the seat whose turn it is cannot make the move."""
    source, direction, stones = source_of(move), direction_of(move), stones_of(move)
    known = 1 <= source <= as_int(setup.fields) and direction < DIRECTIONS
    if not known or stones == 0:
        return NOT_A_MOVE
    if as_int(state.kind[source]) != OPEN:
        return SOURCE_NOT_OPEN
    if not may_move_from(state, as_int(state.seat), source):
        return NOT_OWN_STONES
    if as_int(state.stones[source]) < stones:
        return TOO_FEW_STONES
    if reach(setup, state, source, direction) < stones:
        return WAY_NOT_OPEN
    return LEGAL


@kernel
def check_turn(setup: Record, state: Record, work: Record, count: int) -> int:
    """R6: LEGAL, or why the first bad one of `work.moves` is bad: its index * 8 + the reason.

    All of them are checked against the position before the turn. Reasons are below 8.
    """
    verdict = LEGAL
    checked = 0
    while checked < count and verdict == LEGAL:
        move = as_int(work.moves[checked])
        reason = check_move(setup, state, move)
        if reason == LEGAL:
            segment = as_int(setup.segment[source_of(move)])
            if as_int(work.used[segment]) == 1:
                reason = SEGMENT_USED
            work.used[segment] = 1
        if reason != LEGAL:
            verdict = checked * 8 + reason
        checked += 1
    for i in range(checked):  # put `work.used` to rest; the last source may be no field
        source = source_of(as_int(work.moves[i]))
        if 1 <= source <= as_int(setup.fields):
            work.used[as_int(setup.segment[source])] = 0
    return verdict


@kernel
def carry_out(setup: Record, state: Record, move: int) -> None:
    """R7: the stones go field by field and fight on the way; what is left arrives."""
    seat = as_int(state.seat)
    field, direction, steps = source_of(move), direction_of(move), stones_of(move)
    moving = steps
    take_stones(state, field, moving)
    for _ in range(steps):
        field = as_int(setup.neighbour[field, direction])
        if is_opponents(state, seat, field):
            fallen = min(moving, as_int(state.stones[field]))
            take_stones(state, field, fallen)
            moving -= fallen
            if moving == 0:
                return
    add_stones(state, seat, field, moving)


@kernel
def choose_random_turn(setup: Record, state: Record, work: Record) -> int:
    """Put a random turn into `work.moves`, by the state's own generator; returns its length.

    For each segment in which the seat has a move a coin; then one of those moves, each with the
    same chance.
    """
    seat = as_int(state.seat)
    chosen = 0
    first = next_field(setup, state.stacks[seat], SEA)
    while first != SEA:
        beyond = as_int(setup.first_field[as_int(setup.segment[first]) + 1])
        count, field = 0, first
        while SEA < field < beyond:
            count += count_moves_from(setup, state, field)
            field = next_field(setup, state.stacks[seat], field)
        if count > 0:
            number = random_below(state, 2 * count)  # the coin and the choice in one
            if number < count:
                work.moves[chosen] = pick_move(setup, state, seat, first, number)
                chosen += 1
        first = field
    return chosen


@inlined
def pick_move(setup: Record, state: Record, seat: int, field: int, number: int) -> int:
    """The move of that number, counted from 0, among those from a field and the ones after it."""
    count = count_moves_from(setup, state, field)
    while number >= count:
        number -= count
        field = next_field(setup, state.stacks[seat], field)
        count = count_moves_from(setup, state, field)
    return pick_move_from(setup, state, field, number)
