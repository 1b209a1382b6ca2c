"""Bots of known strength: results drawn by chance from the model, and from a fixture."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from agon.ranker.result import Result
from agon.ranker.strength import ELO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.ranker.pairing import Fixture
    from agon.ranker.result import FloatArray
    from agon.ranker.strength import Strengths


def chance(seed: int | str) -> Random:
    """Chance that is the same in every run."""
    return Random(seed)  # noqa: S311  not a secret


def names(count: int) -> list[str]:
    return [f"bot{number:02}" for number in range(count)]


class Players:
    """Strengths and seats in natural units; `ties[k]` is how readily k + 2 of them tie."""

    def __init__(
        self,
        strengths: Mapping[str, float],
        rng: Random,
        seats: Sequence[float] = (0, 0),
        ties: Sequence[float] = (),
    ) -> None:
        self.strengths = strengths
        self.rng = rng
        self.seats = seats
        self.ties = ties

    def play(self, bots: Sequence[str], seed: int = 0) -> Result:
        """A match by the model of Davidson and Luce: sets of bots are chosen from the top."""
        worth = [self.strengths[bot] + self.seats[seat] for seat, bot in enumerate(bots)]
        rest = set(range(len(bots)))
        scores = [0] * len(bots)
        while rest:
            sets = [
                chosen
                for size in range(1, min(len(self.ties) + 1, len(rest)) + 1)
                for chosen in combinations(sorted(rest), size)
            ]
            weights = [
                (1, *self.ties)[len(chosen) - 1]
                * math.exp(sum(worth[seat] for seat in chosen) / len(chosen))
                for chosen in sets
            ]
            best = self.rng.choices(sets, weights)[0]
            rest -= set(best)
            for seat in best:
                scores[seat] = len(rest)
        return Result(tuple(bots), tuple(scores), seed)

    def true_ratings(self, bots: Sequence[str]) -> FloatArray:
        """What the table should show: Elo about the mean, with the draw rate's factor."""
        draw_rate = self.ties[0] / (2 + self.ties[0]) if self.ties else 0
        natural = np.array([self.strengths[bot] for bot in bots])
        return np.asarray((natural - natural.mean()) * ELO * (1 - draw_rate), dtype=np.float64)


def covered(strengths: Strengths, truth: FloatArray) -> int:
    """How many of the true ratings lie in their intervals."""
    intervals = [strengths.interval(place) for place in range(len(truth))]
    return sum(one.low <= true <= one.high for one, true in zip(intervals, truth, strict=True))


def result_of(fixture: Fixture) -> Result:
    """The result that a fixture always has: bots later in the alphabet are stronger."""
    chance = Random(f"{fixture.seed} {fixture.seats}")  # noqa: S311  not a secret
    scores = (chance.choice((0, 1, 1, 2, 3)) + (bot == max(fixture.seats)) for bot in fixture.seats)
    return Result(fixture.seats, tuple(scores), fixture.seed)
