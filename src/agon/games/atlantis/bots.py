"""Atlantis' built-in bots: random, greedy, search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.atlantis import movement
from agon.games.atlantis.greedy import Planner
from agon.games.atlantis.position import AtlantisPosition
from agon.games.atlantis.search import Search
from agon.games.random_bot import Chance, turn_seed

if TYPE_CHECKING:
    from agon.games.atlantis.position import Turn
    from agon.games.bot import BotMakers, Budget
    from agon.games.game import Position

DEFAULT_DEPTH = 6  # laps and heats, where there is no limit of time
MAX_DEPTH = 10_000


class RandomBot:
    """Random turns; by what chance stands in the README."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        atlantis = AtlantisPosition.of(position)
        if not is_asked(atlantis, seat):
            return ()
        state, work = atlantis.copy_state(), atlantis.new_work()
        state["random"] = self._chance.seed()
        count = int(movement.choose_random_turn(atlantis.setup, state, work))
        return tuple(work["moves"][:count].tolist())


class PlanningBot:
    """What greedy and search have in common: a planner, made for the board that they play on."""

    def __init__(self, seed: int) -> None:
        """The seed gives moves that are almost alike an order."""
        self._seed = turn_seed(seed, 0)
        self._planner: Planner | None = None

    def plan(self, position: AtlantisPosition) -> Planner:
        """The planner for this board."""
        if self._planner is None or self._planner.ground is not position.ground:
            self._planner = Planner(position.ground, self._seed)
        return self._planner


class GreedyBot(PlanningBot):
    """One move after the other, each the one that looks best right after the turn."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        """The best turn at a glance, or what there is of it when the time is over."""
        atlantis = AtlantisPosition.of(position)
        best: Turn = ()
        if is_asked(atlantis, seat):
            planner = self.plan(atlantis)
            planner.stir(0)
            for turn in planner.greedy_turn(atlantis.state):
                best = turn
                if budget.is_spent():
                    break
        return best


class SearchBot(PlanningBot):
    """Plays on from many turns: as often as its time allows, or the depth that is asked for."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        """The best turn found when the time is over or all is done."""
        atlantis = AtlantisPosition.of(position)
        if not is_asked(atlantis, seat):
            return ()
        search = Search(self.plan(atlantis), atlantis.state, seat)
        budget.spend_on(search.think, DEFAULT_DEPTH, MAX_DEPTH)
        return search.best


def is_asked(position: AtlantisPosition, seat: int) -> bool:
    """R16, R17: whether the seat has anything to decide now."""
    return seat in position.to_act and not position.forced


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
