"""Greed: the move after which the position looks best, again and again until none helps.

A turn is played to its end before it is judged: moves, explosions, growth. As moves are checked
against the beginning of the turn (R6), those from other segments stay legal after one is chosen.

Moves are rated by `rating.py`, in slices of a millisecond: `Planner` has generators that yield
after each, so that a bot can look at its clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.atlantis import continuation, rules
from agon.games.atlantis.board import source_of
from agon.games.atlantis.evaluate import evaluate, judge_dtype
from agon.games.atlantis.movement import carry_out
from agon.games.atlantis.rating import copy_position, list_some_moves, rate_moves, rate_pass
from agon.kernel import JIT, IntArray, Record, mix64, new_record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from agon.games.atlantis.ground import Ground
    from agon.games.atlantis.position import Turn

MOST_MOVES = 4096  # of more, which only odd boards have, every second one is rated, or every third
QUICK_WORK, FEWEST_MOVES = 100_000, 64  # moves that a quick turn rates: work by fields, at least
SLICE = 50_000 if JIT else 1  # fields of all positions that are judged between two yields: 1 ms


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
        self._moves = np.zeros(MOST_MOVES, np.int32)
        self._values = np.zeros(MOST_MOVES, np.int64)
        self.most_quick = max(QUICK_WORK // int(self.setup["fields"]), FEWEST_MOVES)

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

    def play_on(self, state: Record, until: int) -> bool:
        """Play quick turns for all seats until that turn of the match, or for a slice.

        Returns whether there is more to play.
        """
        return bool(
            continuation.play_on(
                *(self.setup, state, self.base, self.trial, self.work, self.judge),
                *(self._moves[: self.most_quick], self._values, until, self.slice),
            )
        )

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
        count = int(list_some_moves(self.setup, state, self._moves))
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
