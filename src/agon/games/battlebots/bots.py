"""The built-in bots of Battlebots: random, greedy, search.

They know what their seat sees, and what it saw before: see `belief.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.battlebots import search as engine
from agon.games.battlebots.belief import Belief
from agon.games.battlebots.greedy import order_all_greedily
from agon.games.battlebots.maps import SplitMix64
from agon.games.battlebots.move import Order
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.random_bot import turn_seed

if TYPE_CHECKING:
    from agon.games.battlebots.belief import Planned
    from agon.games.battlebots.field import Battlefield
    from agon.games.battlebots.move import Turn
    from agon.games.bot import BotMakers, Budget
    from agon.games.game import Position

DEFAULT_DEPTH = 1
MAX_DEPTH = 50


class RandomBot:
    """Some soldiers from some forts."""

    def __init__(self, seed: int) -> None:
        self._chance = SplitMix64(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        here, below = BattlebotsPosition.of(position), self._chance.below
        orders = []
        for fort in here.field.forts:
            near = here.field.neighbours[fort.name]
            is_able = fort.owner == here.players[seat] and fort.soldiers > 0 and near
            if is_able and below(2):
                target = near[below(len(near))]
                orders.append(Order(fort.name, target, 1 + below(fort.soldiers)))
        return tuple(orders)


class GreedyBot:
    """Every fort for itself: takes what it can, and spreads among friends."""

    def __init__(self, seed: int) -> None:
        """The seed decides who gets what cannot be shared."""
        self._seed = seed

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        belief = Belief(BattlebotsPosition.of(position), seat)
        belief.state[0]["random"] = turn_seed(self._seed, belief.turn)
        orders = np.zeros(2 * belief.tier.roads, np.int32)
        order_all_greedily(belief.setup[0], belief.state[0], orders, seat)
        return belief.read_turn(orders)


class SearchBot:
    """Tries campaigns by playing them out, on the field as it believes it to be."""

    def __init__(self, seed: int) -> None:
        """The seed is that of the play-outs."""
        self._seed = seed
        self._expected: Battlefield | None = None
        self._planned: Planned = {}
        self._last = (-1, -1)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        """The best turn found when the time is over or the depth is reached."""
        battle = BattlebotsPosition.of(position)
        follows = self._last == (seat, battle.turn - 1)
        belief = Belief(battle, seat, self._expected if follows else None)
        belief.state[0]["random"] = turn_seed(self._seed, belief.turn)
        search = engine.Search(belief, self._planned if follows else {})
        budget.spend_on(search.think, DEFAULT_DEPTH, MAX_DEPTH)
        turn = belief.read_turn(search.orders)
        self._planned = belief.read_planned(search.campaign)
        search.play()
        self._expected = belief.field
        self._last = (seat, battle.turn)
        return turn


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
