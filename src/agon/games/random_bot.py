"""Chance for built-in bots, and the bot that has nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.kernel import mix64, new_record, next_random, random_below

if TYPE_CHECKING:
    from agon.games.bot import Budget
    from agon.games.game import Position

CHANCE = np.dtype([("only_here", np.int64), ("random", np.uint64)])
"""Begins unlike a state: Numba would take a state for one of these, and warn of it."""


class Chance:
    """Random numbers that follow from a seed of any size."""

    def __init__(self, seed: int) -> None:
        word: Any = np.uint64(seed % 2**64)  # the type that kernels are compiled for
        self._record = new_record(CHANCE)
        self._record["random"] = mix64(word)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        return int(random_below(self._record, bound))

    def seed(self) -> Any:
        """A new seed for a state's own generator."""
        return np.uint64(next_random(self._record))


def turn_seed(seed: int, turn: int) -> Any:
    """A seed for one turn of a match, of a bot that has no other memory."""
    word: Any = np.uint64((seed + (turn << 32)) % 2**64)
    return mix64(word)


class RandomBot:
    """Any legal move, each with the same chance; for games in which a turn is one move."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        moves = position.legal_moves(seat)
        return moves[self._chance.below(len(moves))]
