"""Hive's built-in bots: random, greedy, search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.hive import search as engine
from agon.games.hive.board import WORK
from agon.games.hive.greedy import greedy_move
from agon.games.hive.move import Move
from agon.games.hive.network import load_network
from agon.games.hive.position import HivePosition
from agon.games.random_bot import Chance, RandomBot, turn_seed
from agon.kernel import JIT, new_records

if TYPE_CHECKING:
    from agon.games.bot import BotMakers, Budget
    from agon.games.game import Position

SLICE = 500 if JIT else 5  # nodes between two looks at the clock
TABLE_SIZE = 1 << 19
DEFAULT_DEPTH = 4
MAX_DEPTH = engine.MAX_PLY - 2
NARROW_FROM = 4
"""The first depth that is searched for values near the last one's."""
WINDOW = 40


class GreedyBot:
    """The move that is best right after it: queen liberties first, then mobility."""

    def __init__(self, seed: int) -> None:
        """The seed decides between moves that look equal."""
        self._chance = Chance(seed)
        self._work = new_records(WORK)[0]

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        hive = HivePosition.of(position)
        state = hive.copy_state()
        state.random = self._chance.seed()
        past = np.array(hive.keys, np.uint64)
        return Move(int(greedy_move(state, self._work, past)))


class SearchBot:
    """Alpha-beta with iterative deepening: as deep as its time or the depth that is asked for."""

    def __init__(self, seed: int, network: Any = None) -> None:
        """The seed gives the evaluation a little noise, so that matches differ.

        The network is that of Agon, or a record of another one.
        """
        self._work = new_records(WORK)[0]
        self._search = new_records(engine.SEARCH)[0]
        self._search.noise = turn_seed(seed, 0)
        self._search.net = (load_network() if network is None else network)[0]
        self._table = new_records(engine.TABLE, TABLE_SIZE)
        self.value = 0
        """Of the last turn that was chosen: points for its side."""

    @property
    def nodes(self) -> int:
        """Positions looked at for this turn."""
        return int(self._search.nodes)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        """The best move found when the time is over or the depth is reached."""
        hive = HivePosition.of(position)
        moves = hive.legal_moves(seat)
        if len(moves) == 1:
            return moves[0]
        self._prepare(hive)
        self._best, self.value = moves[0], 0
        for depth in range(1, budget.depth_of(DEFAULT_DEPTH, MAX_DEPTH) + 1):
            if not self._deepen(hive, depth, budget) or abs(self.value) > engine.SURE:
                break
        return self._best

    def _prepare(self, hive: HivePosition) -> None:
        """Tell the search what has been, and let old successes count for less."""
        past = hive.keys[:-1][-engine.HISTORY :] if hive.options.repetition else ()
        self._search.past[: len(past)] = past
        self._search.past_count = len(past)
        self._search.credit //= 8
        self._search.killer[:] = 0
        self._search.nodes = 0

    def _deepen(self, hive: HivePosition, depth: int, budget: Budget) -> bool:
        """Search to one depth, at first for values near the last one's; False: no time for it."""
        is_wide = depth < NARROW_FROM or abs(self.value) > engine.SURE
        wide = engine.INFINITE if is_wide else WINDOW
        low = max(self.value - wide, -engine.INFINITE)
        high = min(self.value + wide, engine.INFINITE)
        while True:
            finished = self._search_between(hive, depth, low, high, budget)
            value = int(self._search.best[0])
            if value > low:
                self._best = Move(int(self._search.best_move[0]))
            if not finished:
                return False
            if low < value < high or is_wide:
                self.value = value
                return True
            is_wide = True
            low, high = -engine.INFINITE, engine.INFINITE

    def _search_between(
        self, hive: HivePosition, depth: int, low: int, high: int, budget: Budget
    ) -> bool:
        """Search for values between these; False if time ran out first."""
        state = hive.copy_state()
        engine.begin(self._search, depth, low, high)
        while True:
            left = engine.advance(state, self._work, self._search, self._table, SLICE)
            if left == engine.DONE:
                return True
            if budget.is_spent():
                return False


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
