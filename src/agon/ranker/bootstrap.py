"""The bootstrap: how far ratings would scatter if as many matches were drawn again.

A sample draws as many matches as there are, from these, with replacement, and rates them anew.
Nothing is assumed of how results come about, but that matches are independent of each other. The
k-th sample of a seed is the same wherever it is made, so machines can share the samples.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from agon.ranker.result import Counted, ResultGroup
from agon.ranker.table import ELO_DIGITS, rate

if TYPE_CHECKING:
    from agon.ranker.result import FloatArray, IntArray

ENDS_95 = (2.5, 97.5)
"""The percentiles at which a 95 % interval ends."""


def resample(counted: Counted, seed: int, number: int) -> Counted:
    """The sample of that number: results that were not drawn are left out."""
    if not counted.groups:
        return counted
    chance = np.random.default_rng([seed, number])
    times = np.concatenate([group.times for group in counted.groups])
    drawn = chance.multinomial(counted.matches, times / counted.matches)
    ends = np.cumsum([len(group.times) for group in counted.groups])
    pairs = zip(counted.groups, np.split(drawn, ends[:-1]), strict=True)
    groups = (_drawn(group, times) for group, times in pairs if times.any())
    return replace(counted, groups=tuple(groups))


def _drawn(group: ResultGroup, times: IntArray) -> ResultGroup:
    there = times > 0
    return ResultGroup(group.bots[there], group.ranks[there], times[there])


def resampled_ratings(counted: Counted, seed: int, number: int) -> FloatArray:
    """The ratings of that sample, by the place of the bots in `Counted.bots`."""
    return np.round(rate(resample(counted, seed, number)).ratings, ELO_DIGITS)


def bootstrap_intervals(ratings: FloatArray) -> list[tuple[float, float]]:
    """From ratings by sample and bot: for each bot the interval of 95 % of its ratings."""
    lows, highs = np.round(np.percentile(ratings, ENDS_95, axis=0), ELO_DIGITS) + 0.0  # no -0.0
    return list(zip(lows.tolist(), highs.tolist(), strict=True))
