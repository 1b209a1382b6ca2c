"""Ratings for two seats: cases by hand, a second implementation, known strengths, the edges."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from agon.errors import RankingError
from agon.ranker.bradley_terry import fit_bradley_terry
from agon.ranker.result import Result, count_results
from agon.ranker.strength import BOT_PRIOR, ELO, NORMAL_95
from tests.ranker.climb import Posterior, climb
from tests.ranker.players import Players, chance, covered, names

WIN, DRAW, LOSS = (1, 0), (0, 0), (0, 1)


def games(one: str, two: str, wins: int, draws: int, losses: int) -> list[Result]:
    """So many games of each outcome for the first bot, as often at one seat as at the other."""
    outcomes = [WIN] * wins + [DRAW] * draws + [LOSS] * losses
    return [
        result
        for mine, yours in outcomes
        for result in (Result((one, two), (mine, yours)), Result((two, one), (yours, mine)))
    ]


def test_three_wins_in_four_are_190_elo() -> None:
    strengths = fit_bradley_terry(count_results(games("a", "b", 3000, 0, 1000)))
    gap = strengths.difference(0, 1)
    assert gap.value == pytest.approx(400 * math.log10(3), abs=0.5)
    assert gap.error == pytest.approx(ELO / math.sqrt(8000 * 0.75 * 0.25), rel=0.01)
    assert strengths.ratings.sum() == pytest.approx(0)
    assert strengths.superiority(0, 1) == pytest.approx(1)
    assert strengths.superiority(1, 0) == pytest.approx(0)


def test_draws_by_hand() -> None:
    """Davidson: wins to losses are exp(d), draws to the geometric mean of both are nu."""
    strengths = fit_bradley_terry(count_results(games("a", "b", 5000, 3000, 2000)))
    nu = 3000 / math.sqrt(5000 * 2000)
    assert strengths.draw_rate == pytest.approx(nu / (2 + nu), rel=0.01)
    expected = ELO * math.log(5000 / 2000) * (1 - nu / (2 + nu))
    assert strengths.difference(0, 1).value == pytest.approx(expected, rel=0.01)


def test_few_elo_mean_the_same_score_with_and_without_draws() -> None:
    without = fit_bradley_terry(count_results(games("a", "b", 5100, 0, 4900)))
    with_draws = fit_bradley_terry(count_results(games("a", "b", 1100, 8000, 900)))
    assert without.difference(0, 1).value == pytest.approx(ELO * 0.04, rel=0.01)
    assert with_draws.difference(0, 1).value == pytest.approx(ELO * 0.04, rel=0.01)
    assert with_draws.difference(0, 1).error < without.difference(0, 1).error


def test_the_first_seat_has_an_advantage() -> None:
    results = [Result(pair, WIN) for pair in (("a", "b"), ("b", "a")) for _ in range(600)]
    results += [Result(pair, LOSS) for pair in (("a", "b"), ("b", "a")) for _ in range(400)]
    strengths = fit_bradley_terry(count_results(results))
    first, second = strengths.seats
    assert strengths.ratings == pytest.approx([0, 0], abs=1e-9)
    assert first.value - second.value == pytest.approx(ELO * math.log(1.5), abs=0.5)
    assert first.low > 0 > second.high


def test_luck_of_the_seat_does_not_become_strength() -> None:
    """A bot that only ever sat at the better seat is not rated higher for it."""
    pairs = [("a", "b")] * 200 + [("a", "c")] * 200 + [("b", "c"), ("c", "b")] * 200
    players = Players({"a": 0.0, "b": 0.0, "c": 0.0}, chance(5), seats=(0.8, -0.8))
    sets = [
        fit_bradley_terry(count_results([players.play(pair) for pair in pairs])) for _ in range(40)
    ]
    assert abs(np.mean([strengths.ratings[0] for strengths in sets])) < 12
    assert sum(covered(strengths, np.zeros(3)) for strengths in sets) > 0.9 * 3 * len(sets)
    assert np.mean([strengths.seats[0].value for strengths in sets]) == pytest.approx(
        0.8 * ELO, rel=0.03
    )


@pytest.mark.long
@pytest.mark.parametrize("ties", [(), (0.7,)])
def test_a_blind_climb_finds_the_same(ties: tuple[float, ...]) -> None:
    rng = chance(11)
    bots = names(4)
    strengths = {bot: rng.gauss(0, 1) for bot in bots}
    players = Players(strengths, rng, seats=(0.3, -0.3), ties=ties)
    results = [players.play(rng.sample(bots, 2)) for _ in range(60)]
    fitted = fit_bradley_terry(count_results(results))
    ratings, covariance = climb(Posterior(results, largest_tie=2))
    assert fitted.ratings == pytest.approx(ratings, abs=0.01)
    assert fitted.covariance == pytest.approx(covariance, rel=1e-3, abs=1)


def test_intervals_hold_the_truth_in_95_of_100() -> None:
    rng = chance(2024)
    bots = names(8)
    inside = total = 0
    for _ in range(150):
        strengths = {bot: rng.gauss(0, 1) for bot in bots}
        players = Players(strengths, rng, seats=(0.2, -0.2), ties=(0.5,))
        results = [players.play(pair) for pair in permutations(bots, 2) for _ in range(3)]
        inside += covered(fit_bradley_terry(count_results(results)), players.true_ratings(bots))
        total += len(bots)
    assert 0.93 < inside / total < 0.97


@pytest.mark.long
def test_superiority_means_what_it_says() -> None:
    """Of the pairs called 80 to 90 % sure, about 85 % are in the right order."""
    rng = chance(7)
    bots = names(6)
    right = total = 0
    for _ in range(400):
        strengths = {bot: rng.gauss(0, 1.5) for bot in bots}
        players = Players(strengths, rng)
        results = [players.play(pair) for pair in permutations(bots, 2) for _ in range(6)]
        fitted = fit_bradley_terry(count_results(results))
        for one, two in permutations(range(6), 2):
            if 0.8 < fitted.superiority(one, two) < 0.9:
                right += strengths[bots[one]] > strengths[bots[two]]
                total += 1
    assert total > 300
    assert 0.80 < right / total < 0.91


class TestEdges:
    def test_no_bots(self) -> None:
        strengths = fit_bradley_terry(count_results([]))
        assert strengths.bots == ()
        assert len(strengths.ratings) == 0

    def test_one_bot_is_its_own_mean(self) -> None:
        strengths = fit_bradley_terry(count_results([], ["a"]))
        assert strengths.ratings.tolist() == [0]
        assert strengths.interval(0).error == 0

    def test_without_games_nothing_is_known(self) -> None:
        strengths = fit_bradley_terry(count_results([], names(3)))
        assert strengths.ratings == pytest.approx([0, 0, 0])
        assert strengths.interval(0).high > 800
        assert strengths.superiority(0, 1) == 0.5

    def test_only_draws_make_equals(self) -> None:
        strengths = fit_bradley_terry(count_results(games("a", "b", 0, 100, 0)))
        assert strengths.ratings == pytest.approx([0, 0], abs=1e-9)
        assert strengths.draw_rate > 0.98
        assert strengths.interval(0).high < 20, "who always draws cannot be far apart"

    @pytest.mark.parametrize("count", [1, 10, 1000])
    def test_a_perfect_record_stays_finite(self, count: int) -> None:
        strengths = fit_bradley_terry(count_results(games("a", "b", count, 0, 0)))
        gap = strengths.difference(0, 1)
        assert 100 < gap.value < 4000
        assert gap.error > 200
        assert strengths.superiority(0, 1) > 0.7

    def test_a_longer_perfect_record_is_stronger(self) -> None:
        results = games("a", "b", 1, 0, 0) + games("c", "d", 50, 0, 0)
        a, b, c, d = fit_bradley_terry(count_results(results)).ratings
        assert c > a > 0 > b > d

    def test_groups_that_never_met_are_far_apart_in_their_intervals(self) -> None:
        results = games("a", "b", 600, 0, 400) + games("c", "d", 500, 0, 500)
        strengths = fit_bradley_terry(count_results(results))
        assert strengths.difference(0, 1).error < 20
        assert strengths.difference(0, 2).error > BOT_PRIOR * ELO * 0.9
        assert strengths.interval(0).high > NORMAL_95 * 400

    def test_more_seats_are_refused(self) -> None:
        with pytest.raises(RankingError, match="3 seats"):
            fit_bradley_terry(count_results([Result(("a", "b", "c"), (1, 2, 3))]))
