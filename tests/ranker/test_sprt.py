"""The sequential test: its formulas against each other, and its error rates by simulation."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import RankingError, SettingError
from agon.ranker.result import Result
from agon.ranker.sprt import (
    SCORES,
    Sprt,
    SprtDecision,
    Trial,
    elo_to_score,
    estimate_elo,
    log_likelihood_ratio,
    most_likely,
    pair_points,
    score_to_elo,
)
from tests.ranker.players import chance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

POINTS = (0, 0.5, 1, 1.5, 2)
COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5)


@given(st.lists(st.floats(0.001, 1000), min_size=5, max_size=5), st.floats(0.02, 0.98))
def test_the_most_likely_frequencies_have_the_expected_score(
    seen: list[float], expected: float
) -> None:
    likely = most_likely(seen, expected)
    assert all(p > 0 for p in likely)
    assert sum(likely) == pytest.approx(1, abs=1e-6)
    assert sum(p * s for p, s in zip(likely, SCORES, strict=True)) == pytest.approx(
        expected, abs=1e-6
    )


@given(COUNTS.filter(any), st.floats(0.1, 0.9), st.randoms(use_true_random=False))
def test_no_other_frequencies_with_that_score_are_likelier(
    counts: list[int], expected: float, rng: Random
) -> None:
    """Small steps that keep the sum and the expected score only make it worse."""
    seen = [count + 0.5 for count in counts]
    likely = most_likely(seen, expected)
    best = sum(n * math.log(p) for n, p in zip(seen, likely, strict=True))
    for _ in range(5):
        one, two = rng.sample(((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)), 2)
        size = 0.1 * min(likely) * rng.random()
        other = [p + size * (a - b) / 2 for p, a, b in zip(likely, one, two, strict=True)]
        assert sum(n * math.log(p) for n, p in zip(seen, other, strict=True)) <= best + 1e-9


def test_near_equality_it_is_the_well_known_approximation() -> None:
    counts = (100, 480, 1000, 520, 120)
    pairs, s0, s1 = sum(counts), elo_to_score(0), elo_to_score(5)
    mean = sum(n * s for n, s in zip(counts, SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, SCORES, strict=True)) / pairs
    expected = pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(counts, s0, s1) == pytest.approx(expected, rel=0.01)


@given(COUNTS, st.floats(-100, 50), st.floats(1, 50))
def test_seen_from_the_other_side(counts: list[int], elo0: float, width: float) -> None:
    here = log_likelihood_ratio(counts, elo_to_score(elo0), elo_to_score(elo0 + width))
    there = log_likelihood_ratio(counts[::-1], elo_to_score(-elo0), elo_to_score(-elo0 - width))
    assert here == pytest.approx(there, rel=1e-6, abs=1e-6)


def test_bounds_are_walds() -> None:
    sprt = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert sprt.lower == pytest.approx(math.log(0.1 / 0.95))
    assert sprt.upper == pytest.approx(math.log(0.9 / 0.05))


def test_elo_of_a_score_and_back() -> None:
    assert score_to_elo(elo_to_score(123)) == pytest.approx(123)
    assert score_to_elo(0.5) == 0
    assert score_to_elo(0) is None
    assert score_to_elo(1) is None


def test_elo_with_error_by_hand() -> None:
    elo, low, high = estimate_elo((0, 0, 5000, 0, 5000))
    assert elo == pytest.approx(400 * math.log10(3))
    assert low is not None
    assert high is not None
    # 0.75 with a standard deviation of a quarter for a pair
    assert elo_to_score(high) - elo_to_score(low) == pytest.approx(2 * 1.96 * 0.25 / 100, rel=0.01)


def test_the_error_of_few_pairs_has_one_more_in_it() -> None:
    _, low, high = estimate_elo((0, 0, 1, 0, 1))
    # 0.75; with half a pair lost and half a pair won the mean is 2/3 and the variance 5/36
    assert low == pytest.approx(score_to_elo(0.75 - 1.959964 * math.sqrt(5 / 36 / 2)))
    assert high is None


def test_elo_without_bounds() -> None:
    assert estimate_elo((0, 0, 0, 0, 0)) == (None, None, None)
    elo, low, high = estimate_elo((0, 0, 0, 0, 9))
    assert (elo, high) == (None, None)
    assert low is not None
    assert low > 0


def test_differences_of_two_thousand_may_be_asked_for_and_no_more() -> None:
    assert Sprt(-2000, 2000).report((0,) * 5).decision is SprtDecision.CONTINUE
    for elo0, elo1 in ((-2001, 0), (0, 2001), (5, 5)):
        with pytest.raises(SettingError, match="both within 2000 of 0"):
            Sprt(elo0, elo1)


def test_nothing_played_nothing_said() -> None:
    report = Trial(Sprt()).report
    assert (report.pairs, report.llr, report.decision) == (0, 0, SprtDecision.CONTINUE)


def test_a_decision_stands() -> None:
    trial = Trial(Sprt(0, 100))
    while trial.report.decision is SprtDecision.CONTINUE:
        trial.add(2)
    assert trial.report.decision is SprtDecision.ACCEPT
    stopped = trial.report
    assert [trial.add(0) for _ in range(50)] == [stopped] * 50
    assert Sprt(0, 100).report((50, 0, 0, 0, stopped.pairs)).decision is SprtDecision.REJECT


@pytest.mark.parametrize("points", [-0.5, 0.25, 3, math.nan])
def test_points_that_no_pair_gives(points: float) -> None:
    with pytest.raises(RankingError, match=r"expected 0, 0\.5"):
        Trial(Sprt()).add(points)


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta"),
    [
        (5, 5, 0.05, 0.05),
        (10, 0, 0.05, 0.05),
        (math.nan, 5, 0.05, 0.05),
        (0, 9000, 0.05, 0.05),
        (0, 5, 0, 0.05),
        (0, 5, 0.05, 0.5),
    ],
)
def test_questions_without_an_answer(elo0: float, elo1: float, alpha: float, beta: float) -> None:
    with pytest.raises(SettingError, match="expected"):
        Sprt(elo0, elo1, alpha, beta)


class TestPairs:
    RESULTS = (
        Result(("old", "new"), (0, 1), 11),
        Result(("new", "old"), (1, 0), 10),
        Result(("new", "old"), (1, 1), 11),
        Result(("old", "new"), (1, 0), 10),
        Result(("new", "old"), (5, 2), 13),
        Result(("old", "new"), (2, 5), 13),
    )

    def test_in_the_order_of_the_seeds_up_to_the_first_gap(self) -> None:
        assert pair_points(self.RESULTS, "new", "old", range(10, 20)) == [1, 1.5]
        more = (*self.RESULTS, Result(("new", "old"), (0, 1), 12))
        assert pair_points(more, "new", "old", range(10, 20)) == [1, 1.5]
        whole = (*more, Result(("old", "new"), (1, 0), 12))
        assert pair_points(whole, "new", "old", range(10, 20)) == [1, 1.5, 0, 2]

    def test_a_match_of_others(self) -> None:
        with pytest.raises(RankingError, match="expected new and old"):
            pair_points([Result(("new", "other"), (0, 1))], "new", "old", [0])

    def test_the_same_match_twice(self) -> None:
        with pytest.raises(RankingError, match="twice"):
            pair_points([*self.RESULTS, self.RESULTS[0]], "new", "old", [10])


def frequencies(elo: float, draws: float, luck: float) -> list[float]:
    """Of the five results, for bots that are so far apart, when the seed favours a seat."""

    def of(natural: float) -> list[float]:
        five = [0.0] * 5
        for favour in (-luck, luck):
            first, second = (
                (math.exp(-d / 2), draws, math.exp(d / 2))
                for d in (natural + favour, natural - favour)
            )
            for (i, p), (j, q) in product(enumerate(first), enumerate(second)):
                five[i + j] += p * q / sum(first) / sum(second) / 2
        return five

    low, high = -20.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        score = sum(p * s for p, s in zip(of(middle), SCORES, strict=True))
        low, high = (middle, high) if score < elo_to_score(elo) else (low, middle)
    return of(low)


def wrong_answers(sprt: Sprt, true_elo: float, model: Sequence[float], trials: int) -> float:
    """The share of trials that end with the wrong decision."""
    rng = chance(f"{sprt} {true_elo} {model}")
    five = frequencies(true_elo, *model)
    right = SprtDecision.ACCEPT if true_elo == sprt.elo1 else SprtDecision.REJECT
    wrong = 0
    for _ in range(trials):
        trial = Trial(sprt)
        while trial.report.decision is SprtDecision.CONTINUE:
            trial.add(rng.choices(POINTS, five)[0])
        wrong += trial.report.decision is not right
    return wrong / trials


MODELS = [(0.0, 0.0), (0.5, 0.3), (4.0, 1.0), (0.2, 2.5)]
"""How readily they draw, and how much luck is in the seed."""


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_it_errs_as_seldom_as_promised(model: tuple[float, float]) -> None:
    sprt = Sprt(0, 90)
    limit = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 250)
    assert wrong_answers(sprt, sprt.elo0, model, 250) < limit
    assert wrong_answers(sprt, sprt.elo1, model, 250) < limit


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("sprt", [Sprt(0, 30), Sprt(-10, 50, 0.02, 0.1), Sprt(0, 150, 0.1, 0.1)])
def test_it_errs_as_seldom_as_promised_in_many_trials(
    sprt: Sprt, model: tuple[float, float]
) -> None:
    trials = 1500
    for true_elo, promised in ((sprt.elo0, sprt.alpha), (sprt.elo1, sprt.beta)):
        noise = 3 * math.sqrt(promised * (1 - promised) / trials)
        assert wrong_answers(sprt, true_elo, model, trials) < promised * 1.1 + noise
