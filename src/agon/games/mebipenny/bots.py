"""MebiPenny's built-in bots: random, greedy, search. They use what their seat knows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from agon.games.mebipenny import search as engine
from agon.games.mebipenny.board import TIERS, WORK
from agon.games.mebipenny.greedy import greedy_move
from agon.games.mebipenny.network import LONGEST, THOUGHT, best_liked_move, load_network
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.random_bot import Chance, RandomBot
from agon.kernel import JIT, new_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.bot import BotMakers, Budget
    from agon.games.game import Position
    from agon.games.mebipenny.move import Move

WORLDS = 32  # for each step of depth
USUAL_DEPTH = 4
MOST_WORLDS = 2000  # more make no difference
SHORTEST = 15  # side of a board on which the network is better


class GreedyBot:
    """The move that is best right after it; it passes if every tile would help the others."""

    def __init__(self, seed: int) -> None:
        """The seed decides between moves that look equal."""
        self._chance = Chance(seed)
        self._work = new_record(WORK)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        penny = MebiPennyPosition.of(position)
        state = penny.copy_state()
        state["random"] = self._chance.seed()
        return int(greedy_move(penny.setup.record, state, self._work))


class SearchBot:
    """Plays what the network likes best, on boards that it knows (`network.py`).

    Elsewhere it tries moves in worlds that it cannot tell apart (`search.py`): as many as its time
    or its depth allows.
    """

    def __init__(self, seed: int) -> None:
        """The worlds that it thinks of follow from the seed."""
        self._chance = Chance(seed)
        self._work = new_record(WORK)
        self._search = new_record(engine.SEARCH)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Move:
        """The best liked move; or the best found when the time is over or all worlds are done."""
        penny = MebiPennyPosition.of(position)
        seed = self._chance.seed()
        if len(penny.moves) == 1:
            return penny.moves[0]
        setup, root, trial = penny.setup.record, penny.copy_state(), penny.copy_state()
        if is_known_board(penny):
            return int(best_liked_move(setup, root, self._work, load_network()[0], self._mind))
        engine.begin(setup, root, self._work, self._search, seed)

        def think(depth: int) -> Iterator[None]:
            at_once = trials_at_once(penny)
            for left in range(worlds_for(depth) * len(penny.moves), 0, -at_once):
                engine.advance(setup, root, trial, self._work, self._search, min(left, at_once))
                yield

        budget.spend_on(think, USUAL_DEPTH, MOST_WORLDS)
        return int(engine.best_move(self._search))

    @cached_property
    def _mind(self) -> Any:
        return new_record(THOUGHT)


def is_known_board(position: MebiPennyPosition) -> bool:
    """Whether the network plays better there: it has learnt on 15 x 15, for two."""
    sides = position.owners.shape
    return position.seats == 2 and min(sides) >= SHORTEST and max(sides) <= LONGEST


def trials_at_once(position: MebiPennyPosition) -> int:
    """How many trials are done between two looks at the clock: a millisecond or two of them."""
    if not JIT:
        return 1
    return 500 if position.owners.size <= TIERS[0] else 25


def worlds_for(depth: int) -> int:
    """In how many worlds moves are tried, if there is time."""
    return min(WORLDS * depth, MOST_WORLDS)


BOTS: BotMakers = {"random": RandomBot, "greedy": GreedyBot, "search": SearchBot}
