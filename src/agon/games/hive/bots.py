"""Hive's built-in bots: random, greedy, search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.hive import search as engine
from agon.games.hive.board import WORK
from agon.games.hive.greedy import greedy_move
from agon.games.hive.judge import SURE
from agon.games.hive.move import Move
from agon.games.hive.network import load_network
from agon.games.hive.position import HivePosition
from agon.games.random_bot import Chance, RandomBot, turn_seed
from agon.kernel import JIT, new_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.bot import BotMakers, Budget, Thought
    from agon.games.game import Position

SLICE = 500 if JIT else 5  # nodes between two looks at the clock
TABLE_SIZE = 1 << 19
DEFAULT_DEPTH = 4
MAX_DEPTH = engine.MAX_PLY - 2
ALL = engine.INFINITE
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
    """Alpha-beta with iterative deepening: as deep as its time or the depth that is asked for.

    With more threads others like it search the same position, half of them one ply deeper; what
    they find, it sees in the table.
    """

    def __init__(self, seed: int, network: Any = None, table: Any = None) -> None:
        """The seed gives the evaluation a little noise, so that matches differ.

        The network is that of Agon, or a record of another one; the table is its own, or another's.
        """
        self._seed, self._network = seed, network
        self._helpers: list[SearchBot] = []
        self._work = new_records(WORK)[0]
        self._search = new_records(engine.SEARCH)[0]
        self._search.noise = turn_seed(seed, 0)
        self._search.net = (load_network() if network is None else network)[0]
        self._table = new_records(engine.TABLE, TABLE_SIZE) if table is None else table
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
        while len(self._helpers) < budget.threads - 1:
            self._helpers.append(SearchBot(self._seed, self._network, self._table))
        helpers = [
            helper.prepare(hive, 1 + number % 2)
            for number, helper in enumerate(self._helpers[: budget.threads - 1], 1)
        ]
        budget.spend_on(self.prepare(hive, 1), DEFAULT_DEPTH, MAX_DEPTH, helpers)
        return self._best

    def _think(self, hive: HivePosition, first: int, depth: int) -> Iterator[None]:
        """Deeper and deeper, until the end of the match is seen."""
        for one in range(first, depth + 1):
            yield from self._deepen(hive, one)
            if abs(self.value) > SURE:
                return

    def prepare(self, hive: HivePosition, first: int) -> Thought:
        """What there is to think of a position, from that depth on.

        The search is told what has been, and old successes count for less.
        """
        self._best, self.value = hive.legal_moves(hive.side_to_move)[0], 0
        past = hive.keys[:-1][-engine.HISTORY :] if hive.options.repetition else ()
        self._search.past[: len(past)] = past
        self._search.past_count = len(past)
        self._search.credit //= 8
        self._search.killer[:] = 0
        self._search.nodes = 0
        return partial(self._think, hive, first)

    def _deepen(self, hive: HivePosition, depth: int) -> Iterator[None]:
        """Search to one depth, at first for values near the last one's."""
        is_wide = depth < NARROW_FROM or abs(self.value) > SURE
        low, high = (-ALL, ALL) if is_wide else (self.value - WINDOW, self.value + WINDOW)
        while True:
            yield from self._search_between(hive, depth, low, high)
            value = int(self._search.best[0])
            if low < value < high or (low, high) == (-ALL, ALL):
                self.value = value
                return
            low, high = -ALL, ALL

    def _search_between(
        self, hive: HivePosition, depth: int, low: int, high: int
    ) -> Iterator[None]:
        """Search for values between these; the best move so far is one that is better than low."""
        state, left = hive.copy_state(), engine.MORE
        engine.begin(self._search, depth, low, high)
        while left == engine.MORE:
            left = engine.advance(state, self._work, self._search, self._table, SLICE)
            if int(self._search.best[0]) > low:
                self._best = Move(int(self._search.best_move[0]))
            yield


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
