"""Ratings for more than two seats: against Bradley-Terry, a second implementation, the truth."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from agon.errors import RankingError
from agon.ranker.bradley_terry import fit_bradley_terry
from agon.ranker.plackett_luce import fit_plackett_luce
from agon.ranker.result import Result, count_results
from agon.ranker.strength import ELO
from tests.ranker.climb import Posterior, climb
from tests.ranker.players import Players, chance, covered, names


def test_with_two_seats_it_is_bradley_and_terrys_model() -> None:
    rng = chance(3)
    bots = names(7)
    players = Players({bot: rng.gauss(0, 1) for bot in bots}, rng, seats=(0.2, -0.2), ties=(0.6,))
    counted = count_results([players.play(rng.sample(bots, 2)) for _ in range(500)])
    one, two = fit_bradley_terry(counted), fit_plackett_luce(counted)
    assert two.ratings == pytest.approx(one.ratings, abs=1e-6)
    assert two.covariance == pytest.approx(one.covariance, rel=1e-6, abs=1e-3)
    assert [seat.value for seat in two.seats] == pytest.approx([seat.value for seat in one.seats])
    assert two.draw_rate == pytest.approx(one.draw_rate)


def test_first_place_by_hand() -> None:
    """Of three bots, with odds of 2 : 1 : 1 for being first and even odds for the rest."""
    results = []
    for seats in permutations(("a", "b", "c")):
        for order, times in {"abc": 2, "acb": 2, "bac": 1, "bca": 1, "cab": 1, "cba": 1}.items():
            scores = tuple(2 - order.index(bot) for bot in seats)
            results += [Result(seats, scores)] * times * 200
    fitted = fit_plackett_luce(count_results(results))
    # After b or c, the model gives a two chances in three, the data one in two: a is in between.
    a, b, c = fitted.ratings
    assert b == pytest.approx(c, abs=1e-6)
    assert ELO * math.log(1.4) < a - b < ELO * math.log(2)
    assert [seat.value for seat in fitted.seats] == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(("seats", "ties"), [(3, ()), (3, (0.8, 0.5)), (4, (0.5,))])
def test_a_blind_climb_finds_the_same(seats: int, ties: tuple[float, ...]) -> None:
    rng = chance(17)
    bots = names(5)
    advantages = [0.3, -0.1, 0.0, -0.2][:seats]
    players = Players({bot: rng.gauss(0, 1) for bot in bots}, rng, advantages, ties)
    results = [players.play(rng.sample(bots, seats)) for _ in range(40)]
    largest = max(result.scores.count(score) for result in results for score in result.scores)
    fitted = fit_plackett_luce(count_results(results))
    ratings, covariance = climb(Posterior(results, largest))
    assert fitted.ratings == pytest.approx(ratings, abs=0.05)
    assert fitted.covariance == pytest.approx(covariance, rel=2e-3, abs=2)


def test_intervals_hold_the_truth_in_95_of_100() -> None:
    rng = chance(99)
    bots = names(6)
    inside = total = 0
    for _ in range(80):
        strengths = {bot: rng.gauss(0, 0.8) for bot in bots}
        players = Players(strengths, rng, (0.3, 0, -0.1, -0.2), ties=(0.4, 0.2))
        tables = [rng.sample(table, 4) for table in combinations(bots, 4) for _ in range(6)]
        fitted = fit_plackett_luce(count_results([players.play(table) for table in tables]))
        inside += covered(fitted, players.true_ratings(bots))
        total += len(bots)
    assert 0.92 < inside / total < 0.975


@pytest.mark.long
def test_many_matches_take_the_short_way_to_the_same_place() -> None:
    """Above a number of results a thinned set gives the first guess; the answer is the same."""
    rng = chance(8)
    bots = names(30)
    players = Players({bot: rng.gauss(0, 1) for bot in bots}, rng, (0, 0, 0), (0.3,))
    results = [players.play(rng.sample(bots, 3)) for _ in range(50_000)]
    counted = count_results(results)
    assert len(counted.groups[0].times) > 40_000
    fitted = fit_plackett_luce(counted)
    assert covered(fitted, players.true_ratings(bots)) >= 26
    assert np.abs(fitted.ratings - players.true_ratings(bots)).max() < 25


def test_matches_of_different_sizes_mix() -> None:
    rng = chance(21)
    bots = names(6)
    players = Players({bot: 0.5 * place for place, bot in enumerate(bots)}, rng, (0,) * 5, (0.3,))
    results = [players.play(rng.sample(bots, rng.choice((2, 3, 5)))) for _ in range(900)]
    fitted = fit_plackett_luce(count_results(results))
    assert len(fitted.seats) == 5
    assert covered(fitted, players.true_ratings(bots)) >= 5
    assert fitted.ratings.tolist() == sorted(fitted.ratings)


class TestEdges:
    def test_nothing(self) -> None:
        assert fit_plackett_luce(count_results([])).bots == ()
        assert fit_plackett_luce(count_results([], ["a", "b"])).ratings.tolist() == [0, 0]

    def test_all_bots_tie_always(self) -> None:
        results = [Result(seats, (0, 0, 0, 0)) for seats in permutations(names(4))]
        fitted = fit_plackett_luce(count_results(results))
        assert fitted.ratings == pytest.approx([0] * 4, abs=1e-6)

    def test_perfect_order(self) -> None:
        results = [Result(("a", "b", "c"), (9, 5, 1)), Result(("b", "c", "a"), (5, 1, 9))]
        fitted = fit_plackett_luce(count_results(results * 20))
        a, b, c = fitted.ratings
        assert a > b > c
        assert a - c < 6000
        assert fitted.interval(0).high - fitted.interval(0).low > 400

    def test_too_many_ways_to_tie(self) -> None:
        with pytest.raises(RankingError, match="20 seats"):
            fit_plackett_luce(count_results([Result(tuple(names(20)), (0,) * 20)]))

    def test_ties_of_eight_are_counted_in(self) -> None:
        ties = Result(tuple(names(15)), (0,) * 8 + tuple(range(1, 8)))
        with pytest.raises(RankingError, match="ties of 8 bots: 22818 ways to tie, expected at"):
            fit_plackett_luce(count_results([ties]))

    def test_many_seats_without_ties_are_no_problem(self) -> None:
        bots = tuple(names(20))
        fitted = fit_plackett_luce(count_results([Result(bots, tuple(range(20)))]))
        assert fitted.ratings[19] > fitted.ratings[0]
