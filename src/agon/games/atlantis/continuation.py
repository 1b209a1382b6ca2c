"""Playing on: quick turns for all seats, compiled.

A quick turn is a greedy one at a fraction of the price. All single moves are rated once; then they
are tried in the order of their values, each on top of those that were accepted before, and accepted
if the turn becomes better by it. Greed would rate all of them again after each.
"""

from __future__ import annotations

from agon.games.atlantis.board import source_of
from agon.games.atlantis.movement import carry_out
from agon.games.atlantis.rating import (
    NO_MOVE_ANY_MORE,
    copy_position,
    list_some_moves,
    rate_move,
    rate_moves,
    rate_pass,
)
from agon.games.atlantis.rules import play_turn
from agon.kernel import IntArray, Record, as_int, inlined, kernel

TRIES = 12  # moves that are tried on top of others


@inlined
def find_top(values: IntArray, count: int) -> int:
    """The index of the highest value."""
    top = as_int(0)
    for i in range(1, count):
        if as_int(values[i]) > as_int(values[top]):
            top = as_int(i)
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
    floor = value
    count = as_int(0)
    tries = as_int(0)
    while tries < TRIES and listed > 0:
        top = find_top(values, listed)
        if as_int(values[top]) <= floor:
            break
        move = as_int(moves[top])
        rated = as_int(values[top])
        values[top] = NO_MOVE_ANY_MORE
        segment = as_int(setup.segment[source_of(move)])
        if as_int(work.used[segment]) == 1:
            continue
        if count > 0:
            rated = rate_move(setup, base, trial, work, judge, move)
        tries += 1
        if rated > value:
            value = rated
            carry_out(setup, base, move)
            work.used[segment] = 1
            work.moves[count] = move
            count += 1
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
