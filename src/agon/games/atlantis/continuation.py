"""Playing on: quick turns for all seats, compiled.

A quick turn is a greedy one at a fraction of the price. Evaluation takes two looks, not three. All
single moves are rated once, and from then on only the best of them. After a move is made, the
others are supposed to gain what it gained, until the one that leads then has been rated again; but
the turn does not end before all of the best have been. It must not be cheaper than that: trying the
best moves just once, in order, made search weaker, though it could play on more often.
"""

from __future__ import annotations

from agon.games.atlantis.board import source_of
from agon.games.atlantis.movement import carry_out
from agon.games.atlantis.rating import (
    NO_MOVE_ANY_MORE,
    copy_position,
    list_some_moves,
    rate_moves,
    rate_pass,
)
from agon.games.atlantis.rules import play_turn
from agon.kernel import IntArray, Record, as_int, inlined, kernel

POOL = 32  # moves that are rated again after each that is made


@inlined
def find_top(values: IntArray, first: int, count: int) -> int:
    """The index of the highest value."""
    top = first
    for i in range(first + 1, count):
        if as_int(values[i]) > as_int(values[top]):
            top = as_int(i)
    return top


@inlined
def pick_pool(moves: IntArray, values: IntArray, listed: int) -> int:
    """Bring the best moves to the front; returns how many."""
    pool = min(listed, as_int(POOL))
    for i in range(pool):
        top = find_top(values, as_int(i), listed)
        move, value = as_int(moves[top]), as_int(values[top])
        moves[top], values[top] = moves[i], values[i]
        moves[i], values[i] = move, value
    return pool


@inlined
def lift(values: IntArray, count: int, gain: int) -> None:
    """Suppose that the moves are worth as much more as the turn is now."""
    for i in range(count):
        if as_int(values[i]) > NO_MOVE_ANY_MORE:
            values[i] = as_int(values[i]) + gain


@inlined
def find_again(
    setup: Record,
    base: Record,
    trial: Record,
    work: Record,
    judge: Record,
    moves: IntArray,
    values: IntArray,
    pool: int,
    value: int,
) -> int:
    """The index of the best move now: one that is still the best when it has been rated again.

    Before it says that none makes the turn better, all of them are rated again.
    """
    fresh = as_int(-1)
    top = find_top(values, as_int(0), pool)
    while fresh != top and as_int(values[top]) > value:
        rate_moves(setup, base, trial, work, judge, moves, values, top, top + 1)
        fresh = top
        top = find_top(values, as_int(0), pool)
    if as_int(values[top]) <= value:
        rate_moves(setup, base, trial, work, judge, moves, values, as_int(0), pool)
        top = find_top(values, as_int(0), pool)
    return top


@inlined
def stack_moves(
    setup: Record,
    base: Record,
    trial: Record,
    work: Record,
    judge: Record,
    moves: IntArray,
    values: IntArray,
    listed: int,
    value: int,
) -> int:
    """Put the moves that make the turn better into `work.moves`; returns how many."""
    pool = pick_pool(moves, values, listed)
    count = as_int(0)
    top = as_int(0)
    before = value
    while pool > 0 and as_int(values[top]) > value:
        value = as_int(values[top])
        move = as_int(moves[top])
        carry_out(setup, base, move)
        work.used[as_int(setup.segment[source_of(move)])] = 1
        work.moves[count] = move
        count += 1
        values[top] = NO_MOVE_ANY_MORE
        lift(values, pool, value - before)
        before = value
        top = find_again(setup, base, trial, work, judge, moves, values, pool, value)
    for i in range(count):
        work.used[as_int(setup.segment[source_of(as_int(work.moves[i]))])] = 0
    return count


@kernel
def choose_quickly(
    setup: Record,
    state: Record,
    base: Record,
    trial: Record,
    work: Record,
    judge: Record,
    moves: IntArray,
    values: IntArray,
) -> int:
    """Put a quick turn into `work.moves`; returns its length."""
    copy_position(setup, state, base)
    value = rate_pass(setup, base, trial, work, judge)
    listed = list_some_moves(setup, base, moves)
    rate_moves(setup, base, trial, work, judge, moves, values, as_int(0), listed)
    return stack_moves(setup, base, trial, work, judge, moves, values, listed, value)


@kernel
def play_on(
    setup: Record,
    state: Record,
    base: Record,
    trial: Record,
    work: Record,
    judge: Record,
    moves: IntArray,
    values: IntArray,
    until: int,
    most: int,
) -> int:
    """Play until that turn of the match, or until so many positions have been judged.

    Returns 1 if there is more to play.
    """
    judge.brief = 1
    most += as_int(judge.evaluated)
    while as_int(state.turn) < until and as_int(state.over) == 0:
        if as_int(judge.evaluated) >= most:
            break
        count = as_int(0)
        if as_int(state.asked) == 1:
            count = choose_quickly(setup, state, base, trial, work, judge, moves, values)
        play_turn(setup, state, work, count)
    judge.brief = 0
    return 1 if as_int(state.turn) < until and as_int(state.over) == 0 else 0
