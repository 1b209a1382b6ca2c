"""The built-in bots of Skyport: random, greedy, search. What they know: see `belief.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from agon.games.bot import Budget, no_time
from agon.games.random_bot import Chance, turn_seed
from agon.games.skyport.belief import Belief, read_actions
from agon.games.skyport.board import DROID_WEAPON, LASER_WEAPON
from agon.games.skyport.greedy import choose_greedily
from agon.games.skyport.move import Loadout
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.search import Search

if TYPE_CHECKING:
    from agon.games.bot import BotMakers
    from agon.games.game import Position
    from agon.games.skyport.move import Actions, Turn

LOADOUT = Loadout(LASER_WEAPON, DROID_WEAPON)
DEFAULT_DEPTH = 5
MAX_DEPTH = 50
NO_TIME = Budget(no_time, deadline=0)


class RandomBot:
    """Any turn without refused actions; by what chance stands in the README."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        return SkyportPosition.of(position).turn_by_chance(seat, int(self._chance.seed()))


class ThoughtfulBot(ABC):
    """What greedy and search have in common: their weapons, and which mines they have opened."""

    def __init__(self, seed: int) -> None:
        """The seed decides between what looks equal."""
        self._seed = seed
        self._opened: frozenset[int] = frozenset()
        self._last_turn = 0

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        skyport = SkyportPosition.of(position)
        if skyport.turn <= self._last_turn:  # another match
            self._opened = frozenset()
        self._last_turn = skyport.turn
        belief = Belief(skyport, seat, self._opened, turn_seed(self._seed, skyport.turn))
        if skyport.turn == 0:
            self.act(belief, NO_TIME)  # so all is compiled before the first turn
            return LOADOUT
        turn = self.act(belief, budget)
        self._opened = belief.opened_by(turn)
        return turn

    @abstractmethod
    def act(self, belief: Belief, budget: Budget) -> Actions:
        """The actions of the turn that is due."""


class GreedyBot(ThoughtfulBot):
    """Shoots where it can, mines while no robot is near, and otherwise walks to the nearest."""

    def act(self, belief: Belief, budget: Budget) -> Actions:
        trial, work = belief.state.copy(), belief.work
        count = int(choose_greedily(belief.setup, trial, work, belief.scratch))
        return read_actions(work[0]["actions"][:count])


class SearchBot(ThoughtfulBot):
    """Plays on from all turns that are worth a try, as often as time or depth allow."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._had: object = None

    def act(self, belief: Belief, budget: Budget) -> Actions:
        """The best actions found when the time is over or the depth is reached.

        It is bored if since its last turn it has neither gained nor lost anything.
        """
        state, seat = belief.state[0], belief.seat
        has = [state[name][seat].tolist() for name in ("score", "health", "units", "level")]
        search = Search(belief, int(state["random"]), is_bored=has == self._had)
        self._had = has
        budget.spend_on(search.think, DEFAULT_DEPTH, MAX_DEPTH)
        return read_actions(search.best)


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
