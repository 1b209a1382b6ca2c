"""Hive's built-in bots: random, greedy, search."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.hive import search as engine
from agon.games.hive.board import STATE, WORK
from agon.games.hive.greedy import greedy_move
from agon.games.hive.move import Move
from agon.games.hive.position import HivePosition
from agon.kernel import JIT, mix64, new_records, random_below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.games.bot import Bot, Budget
    from agon.games.game import Position

SLICE = 500 if JIT else 5  # nodes between two looks at the clock
TABLE_SIZE = 1 << 19
DEFAULT_DEPTH = 4
MAX_DEPTH = engine.MAX_PLY - 2


class RandomBot:
    """Any legal move, each with the same chance."""

    def __init__(self, seed: int) -> None:
        """Its choices follow from the seed."""
        self._chance = seeded_state(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        """A legal move."""
        moves = position.legal_moves(seat)
        chosen: Move = moves[random_below(self._chance, len(moves))]
        return chosen


class GreedyBot:
    """The move that is best right after it: queen liberties first, then mobility."""

    def __init__(self, seed: int) -> None:
        """The seed decides between moves that look equal."""
        self._chance = seeded_state(seed)
        self._work = new_records(WORK)[0]

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        """The best move at a glance."""
        hive = HivePosition.of(position)
        state = hive.copy_state()
        state.random = self._chance.random
        past = np.array(hive.keys, np.uint64)
        move = Move(int(greedy_move(state, self._work, past)))
        self._chance.random = state.random
        return move


class SearchBot:
    """Alpha-beta with iterative deepening: as deep as its time or the depth that is asked for."""

    def __init__(self, seed: int) -> None:
        """The seed gives the evaluation a little noise, so that matches differ."""
        self._work = new_records(WORK)[0]
        self._search = new_records(engine.SEARCH)[0]
        self._search.noise = mix64(as_u64(seed))
        self._table = new_records(engine.TABLE, TABLE_SIZE)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        """The best move found when the time is over or the depth is reached."""
        hive = HivePosition.of(position)
        moves = hive.legal_moves(seat)
        if len(moves) == 1:
            return moves[0]
        self._prepare(hive)
        best = moves[0]
        for depth in range(1, self._depth_limit(budget) + 1):
            finished = self._deepen(hive, depth, budget)
            if self._search.best[0] > -engine.INFINITE:
                best = Move(int(self._search.best_move[0]))
            if not finished or abs(int(self._search.best[0])) > engine.SURE:
                break
        return best

    def _depth_limit(self, budget: Budget) -> int:
        if budget.depth is not None:
            return min(budget.depth, MAX_DEPTH)
        return DEFAULT_DEPTH if budget.deadline is None else MAX_DEPTH

    def _prepare(self, hive: HivePosition) -> None:
        """Tell the search what has been, and let old successes count for less."""
        past = hive.keys[:-1][-engine.HISTORY :] if hive.options.repetition else ()
        self._search.past[: len(past)] = past
        self._search.past_count = len(past)
        self._search.credit //= 8
        self._search.killer[:] = 0
        self._search.nodes = 0

    def _deepen(self, hive: HivePosition, depth: int, budget: Budget) -> bool:
        """Search to one depth; False if time ran out first."""
        state = hive.copy_state()
        engine.begin(self._search, depth)
        while True:
            left = engine.advance(state, self._work, self._search, self._table, SLICE)
            if left == engine.DONE:
                return True
            if budget.is_spent():
                return False


def as_u64(seed: int) -> Any:
    """A seed of any size as kernels take it."""
    return np.uint64(seed % 2**64)


def seeded_state(seed: int) -> Any:
    """A record with a generator in it, of the type that kernels are compiled for."""
    record = new_records(STATE)[0]
    record.random = mix64(as_u64(seed))
    return record


BOTS: Mapping[str, Callable[[int], Bot[Any]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
)
