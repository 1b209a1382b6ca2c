"""Live ratings: new ones after each match, by OpenSkill's Plackett-Luce model (Weng, Lin 2011).

A rating is a normal belief (mu, sigma) about one version of a bot. The caller stores ratings: it
passes those of the seats before the match and gets those after it. Live ratings depend on the order
of the matches and know neither seat advantage nor pairs: they are for watching. What counts is the
table (`agon.ranker.table`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openskill.models import PlackettLuce

from agon.errors import RankingError
from agon.ranker.strength import ELO, NORMAL_95

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.ranker.result import Result

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""OpenSkill's own scale: a bot whose mu is higher by beta * sqrt(2) wins at odds of e to 1."""

TAU = MU / 1000
"""How much uncertainty each match adds. A version of a bot does not change, so it is less than
OpenSkill's MU / 300; it is not zero, because the model's approximations make it sure too soon."""

ELO_PER_MU = ELO / (BETA * math.sqrt(2))


@dataclass(frozen=True, slots=True)
class LiveRating:
    """What is believed of a bot's strength; a new bot has the default."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def elo(self) -> float:
        """The rating on the Elo scale, 0 for a new bot."""
        return (self.mu - MU) * ELO_PER_MU

    @property
    def elo_error(self) -> float:
        """Half the width of its 95 % interval in Elo."""
        return NORMAL_95 * self.sigma * ELO_PER_MU


class LiveRater:
    """Updates ratings. It keeps nothing between matches: same ratings in, same ratings out."""

    def __init__(self, tau: float = TAU) -> None:
        """With the default of `tau`, or another one for bots that change while they play."""
        self._tau = tau

    def update(self, result: Result, ratings: Sequence[LiveRating]) -> tuple[LiveRating, ...]:
        """The ratings after the match, by seat, given those before it.

        A match of a bot against itself says nothing and changes nothing.
        """
        if len(ratings) != len(result.bots):
            raise RankingError(
                f"{len(ratings)} ratings for the match of {', '.join(result.bots)}: "
                "expected one for each seat"
            )
        if len(set(result.bots)) < len(result.bots):
            return tuple(ratings)
        # The model's scale grows with the seats, as beta * sqrt(seats): this keeps it as for two.
        beta = BETA * math.sqrt(2 / len(ratings))
        model = PlackettLuce(mu=MU, sigma=SIGMA, beta=beta, tau=self._tau)
        teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
        rated = model.rate(teams, ranks=[float(-score) for score in result.scores])
        return tuple(LiveRating(team[0].mu, team[0].sigma) for team in rated)


def replay(results: Iterable[Result], tau: float = TAU) -> dict[str, LiveRating]:
    """The ratings of all bots after these matches, played in this order from nothing."""
    rater, ratings = LiveRater(tau), dict[str, LiveRating]()
    for result in results:
        before = [ratings.get(bot, LiveRating()) for bot in result.bots]
        ratings.update(zip(result.bots, rater.update(result, before), strict=True))
    return ratings
