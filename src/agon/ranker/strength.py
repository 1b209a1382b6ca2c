"""Strengths with their uncertainty: what a model makes of results, on the Elo scale.

The models of `bradley_terry` and `plackett_luce` have the same parameters in the same order: one
for each bot, one for each seat, one for each size of tie (2, 3, ...), in natural units, which are
log odds. Their log-likelihoods are concave, a weak normal prior on every parameter makes them
strictly so, and Newton's method finds the one maximum. The inverse of the curvature there is the
covariance of the estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agon.errors import RankingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    from agon.ranker.result import FloatArray, IntArray

    Objective: TypeAlias = Callable[[FloatArray], tuple[float, FloatArray, FloatArray]]
    """Parameters to the log-likelihood, its gradient, and its curvature (minus the Hessian)."""

ELO = 400 / math.log(10)
"""One natural unit in Elo where there are no draws: odds of 10 to 1 are 400 Elo."""

NORMAL_95 = 1.959963984540054
"""Half the width of a 95 % interval, in standard deviations."""

BOT_PRIOR = 1000 / ELO
SEAT_PRIOR = 400 / ELO
TIE_PRIOR = 3.0
"""Standard deviations of the priors, in natural units: weak, so that data soon outweigh them, but
proper, so that a perfect record, a bot without matches or groups that never met stay finite."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its standard error, in Elo."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.value - NORMAL_95 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.value + NORMAL_95 * self.error


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Ratings in Elo; their mean is 0, and so is the mean of the seats' advantages."""

    bots: tuple[str, ...]
    ratings: FloatArray
    covariance: FloatArray
    seats: tuple[Interval, ...]
    """By seat, what sitting there is worth compared with the average seat."""
    draw_rate: float
    """How likely two equal bots are to draw on equal seats."""

    def interval(self, bot: int) -> Interval:
        """A bot's rating with its error, by its place in `bots`."""
        return Interval(float(self.ratings[bot]), _root(self.covariance[bot, bot]))

    def difference(self, bot: int, other: int) -> Interval:
        """How much stronger a bot is than another one. Errors of two bots are not independent."""
        spread = self.covariance
        variance = spread[bot, bot] + spread[other, other] - 2 * spread[bot, other]
        return Interval(float(self.ratings[bot] - self.ratings[other]), _root(variance))

    def superiority(self, bot: int, other: int) -> float:
        """How likely it is that a bot is in truth stronger than another one."""
        gap = self.difference(bot, other)
        if gap.error == 0:
            return 0.5
        return 0.5 * math.erfc(-gap.value / gap.error / math.sqrt(2))


def fit_strengths(
    bots: tuple[str, ...], seats: int, largest_tie: int, models: Sequence[Objective]
) -> Strengths:
    """The most likely parameters under the prior, as ratings.

    Each model gives the bare likelihood; the last one counts, those before give it its first guess.
    """
    ties = largest_tie - 1
    spread = [BOT_PRIOR] * len(bots) + [SEAT_PRIOR] * seats + [TIE_PRIOR] * ties
    precision = np.array(spread) ** -2.0
    best = np.zeros(len(spread))
    for model in models:
        best, covariance = maximise(_with_prior(model, precision), best)
    values, errors, draw_rate = _to_elo(best, covariance, len(bots), seats)
    count = len(bots)
    return Strengths(
        bots,
        values[:count],
        errors[:count, :count],
        tuple(
            Interval(float(values[seat]), _root(errors[seat, seat]))
            for seat in range(count, count + seats)
        ),
        draw_rate,
    )


def _to_elo(
    best: FloatArray, covariance: FloatArray, bots: int, seats: int
) -> tuple[FloatArray, FloatArray, float]:
    """Bots and seats in Elo, each about their mean, with their covariance; and the draw rate.

    A natural unit is worth fewer points the more draws there are: near equality the slope of the
    expected score is (1 - draw rate) / 4. Ratings are multiplied by (1 - draw rate), so that a
    small difference in Elo means the same expected score in every game, and the same as in `sprt`.
    The uncertainty of that factor goes into the covariance by its derivative.
    """
    shown = bots + seats
    centre = np.eye(shown)
    centre[:bots, :bots] -= 1 / max(1, bots)
    centre[bots:, bots:] -= 1 / seats
    natural = centre @ best[:shown]
    draw_rate = 1 / (1 + 2 * math.exp(-best[shown])) if len(best) > shown else 0.0
    slopes = np.zeros((shown, len(best)))
    slopes[:, :shown] = (1 - draw_rate) * centre
    if len(best) > shown:
        slopes[:, shown] = -draw_rate * (1 - draw_rate) * natural
    values = ELO * (1 - draw_rate) * natural
    return values, ELO**2 * slopes @ covariance @ slopes.T, draw_rate


def _with_prior(model: Objective, precision: FloatArray) -> Objective:
    def objective(at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        value, gradient, curvature = model(at)
        return (
            value - 0.5 * float(precision @ at**2),
            gradient - precision * at,
            curvature + np.diag(precision),
        )

    return objective


def maximise(objective: Objective, start: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Newton's method on a strictly concave function: where it is largest, and the covariance."""
    at = start
    value, gradient, curvature = objective(at)
    for _ in range(100):
        step = np.linalg.solve(curvature, gradient)
        promised = float(gradient @ step)
        if promised < 1e-9:  # a step of 0.00003 standard errors; after it, the square of that
            return at + step, np.linalg.inv(curvature).astype(np.float64)
        scale = 1.0
        while True:
            tried = objective(at + scale * step)
            if tried[0] >= value + 1e-4 * scale * promised or scale < 1e-9:
                break
            scale /= 2
        at = at + scale * step
        value, gradient, curvature = tried
    raise RankingError("the ratings did not converge in 100 steps: this is a fault of the ranker")


def sum_by(places: IntArray, amounts: NDArray[Any], size: int) -> FloatArray:
    """At each of `size` places, the sum of the amounts that belong there."""
    sums = np.bincount(places.ravel(), amounts.ravel(), size)
    return np.asarray(sums, dtype=np.float64)


def _root(variance: float) -> float:
    return math.sqrt(max(0.0, float(variance)))
