"""What single moves are worth: a turn is played to its end before it is judged."""

from __future__ import annotations

from agon.games.atlantis.board import (
    DIRECTIONS,
    SEA,
    encode_move,
    next_field,
    pass_to_next,
    source_of,
)
from agon.games.atlantis.evaluate import evaluate
from agon.games.atlantis.explosion import explosion_phase, growth_phase
from agon.games.atlantis.movement import carry_out, count_moves, reach
from agon.kernel import IntArray, Record, as_int, inlined, kernel, mix64, u64

NOISE = 16  # points, a power of two: so that matches of the same bots differ
NO_MOVE_ANY_MORE = -(1 << 62)


@kernel
def copy_position(setup: Record, state: Record, copy: Record) -> None:
    """Copy what the rules need of a state; what is beyond the fields of the board stays."""
    numbers = as_int(setup.fields) + 1
    for field in range(numbers):
        copy.stones[field] = state.stones[field]
    for field in range(numbers):
        copy.kind[field] = state.kind[field]
    for field in range(numbers):
        copy.owner[field] = state.owner[field]
    for field in range(numbers):
        copy.open_around[field] = state.open_around[field]
    for word in range(numbers // 32 + 1):
        copy.open[word] = state.open[word]
    for seat in range(as_int(setup.players)):
        for word in range(numbers // 32 + 1):
            copy.stacks[seat, word] = state.stacks[seat, word]
            copy.growing[seat, word] = state.growing[seat, word]
    copy.areas = state.areas
    copy.turn = state.turn
    copy.seat = state.seat
    copy.out = state.out


@kernel
def rate_pass(setup: Record, base: Record, trial: Record, work: Record, judge: Record) -> int:
    """What it is worth to the seat to end its turn after the moves that were made on `base`."""
    copy_position(setup, base, trial)
    return rate_end(setup, trial, work, judge)


@inlined
def rate_move(
    setup: Record, base: Record, trial: Record, work: Record, judge: Record, move: int
) -> int:
    """What it is worth to make one more move and to end the turn then."""
    copy_position(setup, base, trial)
    carry_out(setup, trial, move)
    return rate_end(setup, trial, work, judge) + noise_of(base, judge, move)


@inlined
def rate_end(setup: Record, state: Record, work: Record, judge: Record) -> int:
    """What the position is worth to the seat when its turn has ended. Spoils the state."""
    seat = as_int(state.seat)
    explosion_phase(setup, state, work)
    growth_phase(setup, state)
    pass_to_next(setup, state)
    return evaluate(setup, state, work, judge, seat)


@inlined
def noise_of(state: Record, judge: Record, move: int) -> int:
    """A few points for a move, by the bot's seed."""
    word = mix64(u64(move) ^ (u64(state.turn) << u64(32)))
    return as_int(mix64(word ^ u64(judge.noise)) & u64(NOISE - 1))


@kernel
def rate_moves(
    setup: Record,
    base: Record,
    trial: Record,
    work: Record,
    judge: Record,
    moves: IntArray,
    values: IntArray,
    first: int,
    last: int,
) -> None:
    """Rate moves; those of the segments in `work.used` are none any more (R6)."""
    for i in range(first, last):
        move = as_int(moves[i])
        values[i] = NO_MOVE_ANY_MORE
        if as_int(work.used[as_int(setup.segment[source_of(move)])]) == 0:
            values[i] = rate_move(setup, base, trial, work, judge, move)


@kernel
def list_some_moves(setup: Record, state: Record, moves: IntArray) -> int:
    """List the single moves of the seat to move, or every second one, or third, if they are many.

    Returns how many.
    """
    stride = count_moves(setup, state) // moves.shape[0] + 1
    seat = as_int(state.seat)
    number = as_int(0)
    count = as_int(0)
    field = next_field(setup, state.stacks[seat], SEA)
    while field != SEA:
        for direction in range(DIRECTIONS):
            for steps in range(1, reach(setup, state, field, direction) + 1):
                if number % stride == 0:
                    moves[count] = encode_move(field, direction, steps)
                    count += 1
                number += 1
        field = next_field(setup, state.stacks[seat], field)
    return count
