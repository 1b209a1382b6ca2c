"""Is the new version better? A sequential test on seed pairs that stops by itself.

Two bots play every seed twice with swapped seats. The points of the new bot in a pair (0, 1/2, 1,
3/2 or 2) have five frequencies: the pentanomial. Luck of the seed and of the seat, which both games
of a pair share, cancels within it; counting games one by one would take them for noise.

The test (Wald's SPRT, generalised by Li, Liu and Ying) asks of the five counts n how much more
likely they are if the expected score is s1 = score(elo1) than if it is s0 = score(elo0), and gives
either side the most likely frequencies p that have this expectation:

    LLR = sum of n[k] * log(p1[k] / p0[k]),     p[k] = n[k]/N / (1 + x * (k/4 - s))

with the x that makes the expectation s. It stops when LLR leaves [log(beta / (1 - alpha)),
log((1 - beta) / alpha)]. This is the test of fishtest and OpenBench, with bounds in logistic Elo.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from agon.errors import RankingError, SettingError
from agon.ranker.strength import ELO, NORMAL_95

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.ranker.result import Result

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five results of a pair, as a share of its two points."""

UNSEEN = 1e-3
"""Counts of zero are raised to this, so that no result is thought impossible."""

MOST_ELO = 2000
"""Differences beyond this are not a question for a test."""


class SprtDecision(Enum):
    """What the test says so far."""

    CONTINUE = "continue"
    ACCEPT = "accept"
    """The new bot is better: elo1 is the better explanation."""
    REJECT = "reject"
    """It is not: elo0 is."""


@dataclass(frozen=True, slots=True)
class SprtReport:
    """Where a test stands."""

    counts: tuple[int, ...]
    """Pairs with 0, 1/2, 1, 3/2 and 2 points for the new bot."""
    llr: float
    lower: float
    upper: float
    elo: float | None
    """The estimated difference; None while there are no pairs or every point went one way."""
    elo_low: float | None
    elo_high: float | None
    """The ends of its 95 % interval; None where the pairs set no bound."""
    decision: SprtDecision

    @property
    def pairs(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Sprt:
    """The question: elo0 or elo1, with what chance of a wrong answer on either side."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """The chance to accept a bot that is elo0 better."""
    beta: float = 0.05
    """The chance to reject a bot that is elo1 better."""

    def __post_init__(self) -> None:
        """Refuse a question without an answer."""
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise SettingError(
                f"elo0 {self.elo0}, elo1 {self.elo1}: "
                f"expected elo0 below elo1, both within {MOST_ELO} of 0"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise SettingError(f"{name} {value}: expected a number between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the new bot is rejected."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the new bot is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def report(self, counts: Sequence[int]) -> SprtReport:
        """What these counts say, no matter what was said before (see `Trial` for that)."""
        llr = log_likelihood_ratio(counts, elo_to_score(self.elo0), elo_to_score(self.elo1))
        decision = SprtDecision.CONTINUE
        if llr >= self.upper:
            decision = SprtDecision.ACCEPT
        elif llr <= self.lower:
            decision = SprtDecision.REJECT
        elo, low, high = estimate_elo(counts)
        return SprtReport(tuple(counts), llr, self.lower, self.upper, elo, low, high, decision)


class Trial:
    """A test that runs: pairs come in one by one, and its first decision stands."""

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self.report = sprt.report((0,) * len(SCORES))

    def add(self, points: float) -> SprtReport:
        """Count a pair in which the new bot got these points; none counts after a decision."""
        if points not in (0, 0.5, 1, 1.5, 2):
            raise RankingError(f"{points} points in a pair: expected 0, 0.5, 1, 1.5 or 2")
        if self.report.decision is SprtDecision.CONTINUE:
            counts = list(self.report.counts)
            counts[round(2 * points)] += 1
            self.report = self._sprt.report(counts)
        return self.report


def pair_points(results: Iterable[Result], new: str, old: str, seeds: Iterable[int]) -> list[float]:
    """The points of `new` in each pair, in the order of the seeds, up to the first unfinished one.

    The order matters: with several matches side by side the quick ones end first, and counting
    pairs as they end would favour quick wins.
    """
    half_points: dict[int, dict[int, int]] = {}
    for result in results:
        if sorted(result.bots) != sorted((new, old)) or new == old:
            raise RankingError(f"a match of {', '.join(result.bots)}: expected {new} and {old}")
        seat = result.bots.index(new)
        by_seat = half_points.setdefault(result.seed, {})
        if seat in by_seat:
            raise RankingError(f"seed {result.seed}: {new} played it twice at seat {seat}")
        by_seat[seat] = result.half_points[seat]
    points = []
    for seed in seeds:
        by_seat = half_points.get(seed, {})
        if len(by_seat) < 2:
            break
        points.append(sum(by_seat.values()) / 2)
    return points


def elo_to_score(elo: float) -> float:
    """The expected score of a bot that is stronger by this difference.

    >>> round(elo_to_score(400), 4)
    0.9091
    """
    return 1 / (1 + math.exp(-elo / ELO))


def score_to_elo(score: float) -> float | None:
    """How much stronger a bot with this expected score is; None if that has no bound.

    >>> round(score_to_elo(0.75), 1)
    190.8
    """
    return ELO * math.log(score / (1 - score)) if 0 < score < 1 else None


def estimate_elo(counts: Sequence[int]) -> tuple[float | None, float | None, float | None]:
    """The difference in Elo that the pairs show, and the ends of its 95 % interval."""
    pairs = sum(counts)
    if not pairs:
        return None, None, None
    mean = sum(n * score for n, score in zip(counts, SCORES, strict=True)) / pairs
    # For the spread, one more pair, half won and half lost: unanimous pairs leave some doubt too.
    softened = [n + extra for n, extra in zip(counts, (0.5, 0, 0, 0, 0.5), strict=True)]
    centre = sum(n * score for n, score in zip(softened, SCORES, strict=True)) / (pairs + 1)
    spread = sum(n * (s - centre) ** 2 for n, s in zip(softened, SCORES, strict=True))
    error = NORMAL_95 * math.sqrt(spread / (pairs + 1) / pairs)
    return score_to_elo(mean), score_to_elo(mean - error), score_to_elo(mean + error)


def log_likelihood_ratio(counts: Sequence[int], score0: float, score1: float) -> float:
    """How much better the counts fit an expected score of `score1` than one of `score0`."""
    if not sum(counts):
        return 0.0
    seen = [max(float(n), UNSEEN) for n in counts]
    likely0, likely1 = most_likely(seen, score0), most_likely(seen, score1)
    return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(seen, likely0, likely1, strict=True))


def most_likely(seen: Sequence[float], expected: float) -> list[float]:
    """Of all frequencies with this expected score, those that make the counts most likely."""
    total, tilt = sum(seen), _tilt(seen, expected)
    return [
        n / total / (1 + tilt * (score - expected)) for n, score in zip(seen, SCORES, strict=True)
    ]


def _tilt(seen: Sequence[float], expected: float) -> float:
    """The x at which the sum of n * (score - s) / (1 + x * (score - s)) is zero.

    The sum falls from plus to minus infinity between two poles, so halving finds the zero; a Newton
    step is taken whenever it stays between the bounds that are known so far.
    """
    offsets = [score - expected for score in SCORES]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    x = 0.0
    for _ in range(200):
        terms = [offset / (1 + x * offset) for offset in offsets]
        value = sum(n * term for n, term in zip(seen, terms, strict=True))
        if value > 0:
            low = x
        else:
            high = x
        newton = x + value / sum(n * term * term for n, term in zip(seen, terms, strict=True))
        following = newton if low < newton < high else (low + high) / 2
        if abs(following - x) < 1e-12:
            break
        x = following
    return x
