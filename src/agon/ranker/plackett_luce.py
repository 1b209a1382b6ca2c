"""More than two seats: Plackett and Luce's model with Davidson-Luce ties and seat advantages.

A match is read from the top: of all bots the best is chosen (or the best few, if they tie), then
the best of the rest, and so on. Of those still there, a set S is chosen with probability

    proportional to  delta_|S| * exp(mean over S of (strength + seat)),      delta_1 = 1

over all sets up to the largest tie that was ever seen (Firth, Kosmidis and Turner, 2019). With two
seats this is Davidson's model. Every choice is a multinomial logit, linear in the parameters, so
the logarithm of the likelihood is concave: there is one answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from agon.errors import RankingError
from agon.ranker.strength import Strengths, fit_strengths, sum_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.ranker.result import Counted, FloatArray, IntArray, ResultGroup

CHUNK = 1 << 17
"""About how many numbers a step of the computation may hold at once: what fits into a cache."""

SLICE = 1 << 18
"""How many multiplications BLAS may do in a step."""

MOST_SETS = 1 << 14
"""All ties of 14 seats, or ties of 3 among 40: more takes too long."""

THIN = 2000
"""With many more distinct results than this, about this many give a first guess."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """All sets that can be chosen from a number of bots: the alternatives of a choice."""

    features: FloatArray
    """One row a set: 1/|S| for each bot that is in it, then a 1 at the tie of its size."""
    pairs: tuple[IntArray, IntArray]
    """Every two features, once."""
    products: FloatArray
    """One row a set: the products of those pairs."""
    codes: IntArray
    """One number a set, ascending: bit k is set if the k-th bot is in it."""

    @classmethod
    def of(cls, there: int, largest_tie: int) -> _Sets:
        sets = chain.from_iterable(
            combinations(range(there), size) for size in range(1, largest_tie + 1)
        )
        codes = np.array(sorted(sum(1 << bot for bot in chosen) for chosen in sets))
        within = (codes[:, None] >> np.arange(there)) & 1
        sizes = within.sum(axis=1)
        ties = sizes[:, None] == np.arange(2, largest_tie + 1)
        features = np.hstack([within / sizes[:, None], ties])
        one, two = np.triu_indices(features.shape[1])
        return cls(features, (one, two), features[:, one] * features[:, two], codes)


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """All choices from the same number of bots: the candidates, and the chosen ones."""

    columns: IntArray
    """By choice, the parameters that its features belong to: a bot at a seat, then the ties."""
    chosen: IntArray
    """By choice, the row of the chosen set."""
    times: FloatArray
    sets: _Sets

    def thinned(self, step: int) -> _Choices:
        """Every n-th choice, counted n times: much the same at a fraction of the cost."""
        columns, chosen, times = self.columns[::step], self.chosen[::step], self.times[::step]
        return _Choices(columns, chosen, times * step, self.sets)

    def chunks(self) -> Iterator[_Choices]:
        """The same in parts that fit into the cache."""
        step = max(1, CHUNK // max(self.sets.products.shape))
        for first in range(0, len(self.times), step):
            rows = slice(first, first + step)
            yield _Choices(self.columns[rows], self.chosen[rows], self.times[rows], self.sets)

    def likelihood(self, at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The log-likelihood, its gradient and the upper half of its curvature."""
        sets, columns, times, size = self.sets, self.columns, self.times, len(at)
        utilities = _product(at[columns], sets.features.T)
        top = utilities.max(axis=1, keepdims=True)
        odds = np.exp(utilities - top)
        total = odds.sum(axis=1, keepdims=True)
        odds /= total
        picked = utilities[np.arange(len(times)), self.chosen] - (top + np.log(total))[:, 0]

        # Of a multinomial logit: what was got less what was expected, and the covariance.
        expected = _product(odds, sets.features)
        slope = (sets.features[self.chosen] - expected) * times[:, None]
        one, two = sets.pairs
        bend = _product(odds, sets.products)
        bend -= expected[:, one] * expected[:, two]
        bend *= times[:, None]
        gradient = sum_by(columns, slope, size)
        cells = columns[:, one] * size + columns[:, two]
        curvature = sum_by(cells, bend, size**2).reshape(size, size)
        return float(times @ picked), gradient, curvature


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    """`left @ right` in slices so small that BLAS does each on one core.

    Its threads gain little on matrices that are long and thin, and where matches are being played
    on the same cores they wait for each other: that was 10 times slower.
    """
    out = np.empty((len(left), right.shape[1]))
    rows = max(1, SLICE // right.size)
    for first in range(0, len(left), rows):
        np.matmul(left[first : first + rows], right, out=out[first : first + rows])
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Matches:
    """All matches as choices, and the way from bots at seats to bots and seats."""

    bots: int
    seats: int
    choices: list[_Choices]

    def likelihood(self, at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The log-likelihood, its gradient and its curvature."""
        bots, seats = self.bots, self.seats
        worth = at[:bots, None] + at[bots : bots + seats]
        inner = np.concatenate([worth.ravel(), at[bots + seats :]])
        value, slope, bend = 0.0, np.zeros(len(inner)), np.zeros((len(inner), len(inner)))
        for choice in self.choices:
            for chunk in choice.chunks():
                more = chunk.likelihood(inner)
                value += more[0]
                slope += more[1]
                bend += more[2]
        bend += np.triu(bend, 1).T + np.tril(bend, -1).T
        return value, self._fold(slope), self._fold(self._fold(bend).T)

    def _fold(self, inner: FloatArray) -> FloatArray:
        """Along the first axis, from bots at seats (and ties) to bots and seats (and ties)."""
        pairs = self.bots * self.seats
        table = inner[:pairs].reshape(self.bots, self.seats, *inner.shape[1:])
        return np.concatenate([table.sum(axis=1), table.sum(axis=0), inner[pairs:]])


def fit_plackett_luce(counted: Counted) -> Strengths:
    """Ratings from matches of any number of seats, also mixed.

    Perfect records, bots without matches, ties only and groups that never met behave as they do in
    `fit_bradley_terry`.
    """
    bots, seats = len(counted.bots), counted.most_seats
    largest_tie = max((_largest_tie(group) for group in counted.groups), default=1)
    sets = sum(comb(seats, size) for size in range(1, largest_tie + 1))
    if sets > MOST_SETS:
        raise RankingError(
            f"matches of {seats} seats with ties of {largest_tie} bots: {sets} ways to tie, "
            f"expected at most {MOST_SETS}"
        )
    choices = [
        choice for group in counted.groups for choice in _choices(group, bots, seats, largest_tie)
    ]
    models = [_Matches(bots, seats, choices).likelihood]
    most = max((len(choice.times) for choice in choices), default=0)
    if most > 20 * THIN:
        rough = _Matches(bots, seats, [choice.thinned(most // THIN) for choice in choices])
        models.insert(0, rough.likelihood)
    return fit_strengths(counted.bots, seats, largest_tie, models)


def _largest_tie(group: ResultGroup) -> int:
    return int((group.ranks[:, :, None] == group.ranks[:, None, :]).sum(axis=2).max())


def _choices(group: ResultGroup, bots: int, seats: int, largest_tie: int) -> Iterator[_Choices]:
    """Every choice of every match: those ranked `rank` or below are there, those at it chosen."""
    for rank in range(group.seats - 1):
        chosen = group.ranks == rank
        there = group.ranks >= rank
        count = there.sum(axis=1)
        for number in range(2, group.seats + 1):
            rows = chosen.any(axis=1) & (count == number)
            if not rows.any():
                continue
            seated = np.argsort(~there[rows], axis=1, kind="stable")[:, :number]
            sets = _Sets.of(number, min(largest_tie, number))
            seated_bots = np.take_along_axis(group.bots[rows], seated, axis=1)
            ties = bots * seats + np.arange(min(largest_tie, number) - 1)
            all_ties = np.broadcast_to(ties, (len(seated), len(ties)))
            columns = np.hstack([seated_bots * seats + seated, all_ties])
            codes = np.take_along_axis(chosen[rows], seated, axis=1) @ (1 << np.arange(number))
            times = group.times[rows].astype(np.float64)
            yield _Choices(columns, np.searchsorted(sets.codes, codes), times, sets)
