"""Greed: the move after which the position looks best, again and again until none helps.

A turn is played to its end before it is judged: moves, explosions, growth. As moves are checked
against the beginning of the turn (R6), those from other segments stay legal after one is chosen.

Moves are rated in slices of a few milliseconds: `Planner` has generators that yield after each, so
that a bot can look at its clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.atlantis import movement, rules
from agon.games.atlantis.board import pass_to_next, source_of
from agon.games.atlantis.evaluate import evaluate, judge_dtype
from agon.games.atlantis.explosion import explosion_phase, growth_phase
from agon.games.atlantis.movement import carry_out
from agon.kernel import JIT, IntArray, Record, as_int, inlined, kernel, mix64, new_record, u64

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from agon.games.atlantis.ground import Ground
    from agon.games.atlantis.position import Turn

NOISE = 16  # points, a power of two: so that matches of the same bots differ
NO_MOVE_ANY_MORE = -(1 << 62)
MOST_MOVES = 4096  # of more, which only odd boards have, every second one is rated, or every third
SLICE = 50_000 if JIT else 1  # fields of all positions that are judged between two yields: 1 ms


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


class Planner:
    """What a bot needs for the turns of a match."""

    def __init__(self, ground: Ground, seed: Any) -> None:
        """The seed, a 64-bit number as kernels take it, decides between moves that are alike."""
        self.ground = ground
        self.setup = ground.setup
        self.base = new_record(ground.records.state)
        self.trial = new_record(ground.records.state)
        self.work = new_record(ground.records.work)
        self.judge = new_record(judge_dtype(len(self.work["used"]) - 1))
        self.slice = max(SLICE // int(self.setup["fields"]), 1)
        self._seed = seed
        self._moves = np.zeros(256, np.int32)
        self._values = np.zeros(256, np.int64)

    def stir(self, number: int) -> None:
        """Change the noise: the same number gives the same again."""
        self.judge["noise"] = mix64(self._seed ^ np.uint64(number))

    def value(self, state: Record, seat: int) -> int:
        """What a position between two turns is worth to a seat."""
        copy_position(self.setup, state, self.trial)
        return int(evaluate(self.setup, self.trial, self.work, self.judge, seat))

    def play(self, state: Record, turn: Turn) -> None:
        """Play a turn to its end."""
        self.work["moves"][: len(turn)] = turn
        rules.play_turn(self.setup, state, self.work, len(turn))

    def begin(self, state: Record, turn: Turn = ()) -> int:
        """Make these moves on `base`, for `rate` to add to; returns what the turn is worth."""
        copy_position(self.setup, state, self.base)
        for move in turn:
            carry_out(self.setup, self.base, move)
        return int(rate_pass(self.setup, self.base, self.trial, self.work, self.judge))

    def rate(self, state: Record, turn: Turn) -> Iterator[tuple[IntArray, IntArray]]:
        """Rate the moves that can be added to the turn that was begun.

        Gives, after each slice and at least once, the moves that are rated so far and what the turn
        is worth with each of them; both are overwritten by the next rating.
        """
        count = self._list_moves(state)
        used = self.work["used"]
        segments = [self.ground.segments[source_of(move)] for move in turn]
        first, last = 0, min(self.slice, count)
        while True:
            used[segments] = 1
            rate_moves(
                *(self.setup, self.base, self.trial, self.work, self.judge),
                *(self._moves, self._values, first, last),
            )
            used[segments] = 0
            yield self._moves[:last], self._values[:last]
            if last == count:
                return
            first, last = last, min(last + self.slice, count)

    def _list_moves(self, state: Record) -> int:
        """List the single moves of the seat to move; returns how many."""
        count = int(movement.count_moves(self.setup, state))
        if count > len(self._moves):
            self._moves = np.zeros(2 * count, np.int32)
            self._values = np.zeros(2 * count, np.int64)
        movement.list_moves(self.setup, state, self._moves)
        if count > MOST_MOVES:
            some = self._moves[: count : count // MOST_MOVES + 1].copy()
            count = len(some)
            self._moves[:count] = some
        return count

    def greedy_turn(self, state: Record) -> Generator[Turn, None, Turn]:
        """One best move after another, until none improves the turn. Yields the turn so far."""
        turn: Turn = ()
        value = self.begin(state)
        while True:
            better, best = turn, value
            for moves, values in self.rate(state, turn):
                top = int(values.argmax()) if len(values) else 0
                if len(values) and values[top] > value:
                    better, best = (*turn, int(moves[top])), int(values[top])
                yield better
            if better == turn:
                return turn
            turn, value = better, best
            carry_out(self.setup, self.base, turn[-1])
