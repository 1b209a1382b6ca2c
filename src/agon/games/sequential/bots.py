"""The built-in bots of small games: random, greedy, search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.random_bot import Chance, RandomBot
from agon.games.sequential.greedy import glance_at
from agon.games.sequential.kernels import work_dtype
from agon.games.sequential.position import SequentialPosition
from agon.games.sequential.search import NODE, tree_search
from agon.kernel import JIT, new_array, new_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.bot import BotMakers, Budget
    from agon.games.game import Position

NODES = 1 << 16
LONGEST_PATH = 512
ROUNDS = 200
"""Playouts for each step of depth."""
USUAL_DEPTH, MOST_DEPTH = 5, 500
SLICE = 50 if JIT else 5
"""Playouts between two looks at the clock."""


class GreedyBot:
    """Wins if it can, takes no move after which the next seat can, and else plays by chance."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> int:
        here = SequentialPosition.of(position)
        states, works = here.copies(3), new_records(work_dtype(here.rules.MOST_MOVES), 2)
        states[0]["random"] = self._chance.seed()
        return here.moves[glance_at(here.rules)(here.setup, states, works, seat)]


class SearchBot:
    """Monte Carlo tree search: as many playouts as its time or its depth allows."""

    def __init__(self, seed: int) -> None:
        """The playouts follow from the seed."""
        self._chance = Chance(seed)
        self._nodes = new_array(NODE, NODES)
        self._path = np.zeros((LONGEST_PATH, 2), np.int64)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> int:
        """The move that was tried most when the time is over or all playouts are done."""
        here = SequentialPosition.of(position)
        if len(here.moves) == 1:
            return here.moves[0]
        states, works = here.copies(2), new_records(work_dtype(here.rules.MOST_MOVES))
        states[1]["random"] = self._chance.seed()
        nodes = self._nodes
        nodes[0] = np.zeros(1, NODE)[0]
        nodes[0]["move"] = 1
        search = tree_search(here.rules)

        def think(depth: int) -> Iterator[None]:
            for left in range(ROUNDS * depth, 0, -SLICE):
                search(here.setup, states, works, nodes, self._path, min(left, SLICE))
                yield

        budget.spend_on(think, USUAL_DEPTH, MOST_DEPTH)
        first, count = int(nodes[0]["child"]), int(nodes[0]["children"])
        tried = nodes["visits"][first : first + count]
        return int(nodes["move"][first + int(np.argmax(tried))])


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
