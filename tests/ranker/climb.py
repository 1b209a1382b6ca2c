"""A second way to the same ratings: the posterior written out match by match, and a blind climb.

Slow, plain and made without a look at the fast one: the tests compare the two.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from agon.ranker.strength import BOT_PRIOR, ELO, SEAT_PRIOR, TIE_PRIOR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.ranker.result import FloatArray, Result


class Posterior:
    """The logarithm of the posterior density of strengths, seats and ties, up to a constant."""

    def __init__(self, results: Sequence[Result], largest_tie: int) -> None:
        self.results = results
        self.bots = sorted({bot for result in results for bot in result.bots})
        self.seats = max(len(result.bots) for result in results)
        self.ties = largest_tie - 1
        self.size = len(self.bots) + self.seats + self.ties

    def __call__(self, at: FloatArray) -> float:
        bots, seats = len(self.bots), self.seats
        value = -sum((at[:bots] / BOT_PRIOR) ** 2) / 2
        value -= sum((at[bots : bots + seats] / SEAT_PRIOR) ** 2) / 2
        value -= sum((at[bots + seats :] / TIE_PRIOR) ** 2) / 2
        return float(value + sum(self._match(at, result) for result in self.results))

    def _match(self, at: FloatArray, result: Result) -> float:
        worth = [
            at[self.bots.index(bot)] + at[len(self.bots) + seat]
            for seat, bot in enumerate(result.bots)
        ]
        log_tie = [0.0, *at[len(self.bots) + self.seats :]]
        value, rest = 0.0, list(range(len(worth)))
        while len(rest) > 1:
            top = max(result.scores[seat] for seat in rest)
            best = tuple(seat for seat in rest if result.scores[seat] == top)
            weight = {
                chosen: math.exp(log_tie[size - 1] + sum(worth[seat] for seat in chosen) / size)
                for size in range(1, min(len(rest), len(log_tie)) + 1)
                for chosen in combinations(rest, size)
            }
            value += math.log(weight[best] / sum(weight.values()))
            rest = [seat for seat in rest if seat not in best]
        return value

    def elo(self, at: FloatArray) -> FloatArray:
        """The bots' ratings as a table shows them."""
        natural = at[: len(self.bots)] - at[: len(self.bots)].mean()
        tie = math.exp(at[len(self.bots) + self.seats]) if self.ties else 0.0
        return np.asarray(natural * ELO * (1 - tie / (2 + tie)), dtype=np.float64)


def slopes(function: Callable[[FloatArray], FloatArray], at: FloatArray) -> FloatArray:
    """All first derivatives by small differences: one row a component, one column a parameter."""
    width = 1e-4
    return np.column_stack(
        [
            (function(at + step) - function(at - step)) / (2 * width)
            for step in width * np.eye(len(at))
        ]
    )


def climb(posterior: Posterior) -> tuple[FloatArray, FloatArray]:
    """Ratings and their covariance, by gradient ascent with a step that adapts itself."""

    def gradient(at: FloatArray) -> FloatArray:
        return slopes(lambda there: np.array([posterior(there)]), at).ravel()

    at, step, value = np.zeros(posterior.size), 0.1, -math.inf
    uphill = gradient(at)
    while np.abs(uphill).max() > 1e-5 and step > 1e-12:
        tried = posterior(at + step * uphill)
        if tried > value:
            at, value, step = at + step * uphill, tried, step * 1.5
            uphill = gradient(at)
        else:
            step /= 3
    covariance = np.linalg.inv(-slopes(gradient, at))
    shown = slopes(posterior.elo, at)
    return posterior.elo(at), np.asarray(shown @ covariance @ shown.T, dtype=np.float64)
