"""Two seats: Bradley and Terry's model with Davidson's draws and seat advantage.

With bot i at seat 0 and bot j at seat 1, `d = strength_i + seat_0 - strength_j - seat_1`, and

    P(i wins) : P(draw) : P(j wins)  =  exp(d/2) : nu : exp(-d/2)

Why Davidson and not Rao-Kupper: a draw counts as exactly half a win and half a loss, so ratings
follow from points, as players expect; the logarithm of the likelihood is concave in all parameters
at once, so there is one answer and Newton's method finds it; and for more than two seats the same
idea gives the model of `plackett_luce`, of which this one is the case of two, counted faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.errors import RankingError
from agon.ranker.strength import Strengths, fit_strengths, sum_by

if TYPE_CHECKING:
    from agon.ranker.result import Counted, FloatArray, IntArray, ResultGroup

SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
"""How `d` depends on: the bot at seat 0, the bot at seat 1, seat 0, seat 1."""


class _Meetings:
    """Wins, draws and losses of seat 0, for each pair of bots that met in this order."""

    def __init__(self, group: ResultGroup, bots: int) -> None:
        pairs, pair = np.unique(group.bots, axis=0, return_inverse=True)
        outcome = np.sign(group.ranks[:, 1] - group.ranks[:, 0])
        won, drawn, lost = (
            sum_by(pair, group.times * (outcome == sign), len(pairs)) for sign in (1, 0, -1)
        )
        self.size = bots + 3
        self.tie = bots + 2
        seats = np.broadcast_to(np.array([bots, bots + 1]), pairs.shape)
        self.columns: IntArray = np.hstack([pairs, seats])
        self.lead: FloatArray = (won - lost) / 2
        self.drawn: FloatArray = drawn
        self.games: FloatArray = won + drawn + lost

    def likelihood(self, at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The log-likelihood, its gradient and its curvature."""
        d, log_nu = at[self.columns] @ SIGNS, at[self.tie]
        weights = np.stack([d / 2, np.full_like(d, log_nu), -d / 2])
        top = weights.max(axis=0)
        log_sum = top + np.log(np.exp(weights - top).sum(axis=0))
        win, draw, loss = np.exp(weights - log_sum)
        value = self.lead @ d + self.drawn.sum() * log_nu - self.games @ log_sum

        by_d = self.lead - self.games * (win - loss) / 2
        gradient = self._spread(by_d)
        gradient[self.tie] = (self.drawn - self.games * draw).sum()

        by_d_d = self.games * ((win + loss) - (win - loss) ** 2) / 4
        by_d_tie = -self.games * (win - loss) * draw / 2
        curvature = self._spread_square(by_d_d)
        curvature[self.tie, :] = curvature[:, self.tie] = self._spread(by_d_tie)
        curvature[self.tie, self.tie] = (self.games * draw * (1 - draw)).sum()
        return float(value), gradient, curvature

    def _spread(self, by_d: FloatArray) -> FloatArray:
        """From a derivative by each pair's `d` to one by the parameters."""
        each = by_d[:, None] * SIGNS
        return sum_by(self.columns, each, self.size)

    def _spread_square(self, by_d_d: FloatArray) -> FloatArray:
        cells = self.columns[:, :, None] * self.size + self.columns[:, None, :]
        each = by_d_d[:, None, None] * np.outer(SIGNS, SIGNS)
        flat = sum_by(cells, each, self.size**2)
        return flat.reshape(self.size, self.size)


def fit_bradley_terry(counted: Counted) -> Strengths:
    """Ratings from matches of two seats.

    What happens at the edges: without matches every rating is 0 with the prior's interval; a single
    bot is 0 exactly, being its own mean; perfect records give large, finite ratings with wide
    intervals; only draws give 0 for every bot; groups that never met are held together by the prior
    alone, which their intervals show (`Counted.connected` names them).
    """
    if any(group.seats != 2 for group in counted.groups):
        raise RankingError(
            f"matches of {counted.most_seats} seats: Bradley-Terry takes two, use Plackett-Luce"
        )
    bots = len(counted.bots)
    if not counted.groups:
        return fit_strengths(counted.bots, 2, 2, [lambda at: _nothing(len(at))])
    return fit_strengths(counted.bots, 2, 2, [_Meetings(counted.groups[0], bots).likelihood])


def _nothing(size: int) -> tuple[float, FloatArray, FloatArray]:
    return 0.0, np.zeros(size), np.zeros((size, size))
