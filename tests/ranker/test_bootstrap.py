"""The bootstrap: samples that are the same everywhere, and intervals beside the model's."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from agon.ranker.bootstrap import bootstrap_intervals, resample, resampled_ratings
from agon.ranker.result import Counted, Result, count_results
from agon.ranker.table import rate
from tests.ranker.players import Players, chance, names

SAMPLES = 300


def widths(counted: Counted, samples: int = SAMPLES) -> list[tuple[float, float]]:
    """For each bot, how wide the bootstrap's interval is, and the model's."""
    strengths = rate(counted)
    ratings = np.stack([resampled_ratings(counted, 0, number) for number in range(samples)])
    found = []
    for place, (low, high) in enumerate(bootstrap_intervals(ratings)):
        model = strengths.interval(place)
        assert low - 0.001 <= np.median(ratings[:, place]) <= high + 0.001
        found.append((high - low, model.high - model.low))
    return found


def test_a_sample_has_as_many_matches_and_follows_from_its_number() -> None:
    three = Result(("c", "a", "b"), (2, 1, 0))
    results = [Result(("a", "b"), (1, 0)), Result(("b", "c"), (1, 1)), three]
    counted = count_results(results, ["d"], [30, 20, 10])
    ahead = [resample(counted, 7, number) for number in range(5)]
    back = [resample(counted, 7, number) for number in reversed(range(5))]
    for first, again in zip(ahead, reversed(back), strict=True):
        assert first.matches == counted.matches
        assert first.bots == counted.bots
        assert [group.times.tolist() for group in first.groups] == [
            group.times.tolist() for group in again.groups
        ]
    drawn = {tuple(resample(counted, seed, 5).groups[0].times.tolist()) for seed in range(20)}
    assert len(drawn) > 10, "another seed, another sample"


def test_each_result_is_drawn_as_often_as_it_happened() -> None:
    counted = count_results(
        [Result(("a", "b"), scores) for scores in ((1, 0), (1, 1), (0, 1))], times=[70, 0, 30]
    )
    wins = [int(resample(counted, 1, number).groups[0].times[-1]) for number in range(1000)]
    losses = [100 - won for won in wins]
    assert {np.mean(wins).round(), np.mean(losses).round()} == {70, 30}
    assert 3.5 < np.std(wins) < 5.7, "binomial: the root of 100 · 0.7 · 0.3 is 4.6"


def test_results_that_were_not_drawn_are_left_out() -> None:
    counted = count_results([Result(("a", "b"), (1, 0)), Result(("c", "b", "a"), (3, 2, 1))])
    groups = [resample(counted, 0, number).groups for number in range(30)]
    assert {len(found) for found in groups} == {1, 2}
    assert all((group.times > 0).all() for found in groups for group in found)


def test_where_the_model_is_true_both_intervals_are_about_as_wide() -> None:
    bots = names(5)
    players = Players({bot: 0.3 * place for place, bot in enumerate(bots)}, chance(3), ties=(0.5,))
    counted = count_results(
        players.play(pair) for _ in range(100) for pair in permutations(bots, 2)
    )
    for bootstrap, model in widths(counted):
        assert 0.8 < bootstrap / model < 1.25


def test_where_it_is_not_they_differ() -> None:
    """The model has one draw rate for all; here a and b always draw, and c never does."""
    draws = {Result(pair, (1, 1)): 50 for pair in permutations("ab")}
    pairs = [pair for pair in permutations("abc", 2) if "c" in pair]
    decided = {Result(pair, scores): 25 for pair in pairs for scores in ((1, 0), (0, 1))}
    counted = count_results([*draws, *decided], times=[*draws.values(), *decided.values()])
    a, b, c = (bootstrap / model for bootstrap, model in widths(counted))
    assert max(a, b) < 0.95
    assert c > 1.1


@pytest.mark.parametrize(
    ("results", "bots"),
    [
        ([], []),
        ([], ["a", "b"]),
        ([Result(("a", "b"), (1, 0))], ["a", "b", "c"]),
        ([Result(("a", "b"), (1, 0))] * 50, []),
        ([Result(("a", "b"), (0, 0))] * 50, []),
        ([Result(("a", "b"), (1, 0)), Result(("c", "d"), (1, 0))] * 5, []),
        ([Result(("a", "b", "c"), (2, 1, 1)), Result(("c", "a"), (1, 0))] * 5, []),
    ],
    ids=["nothing", "no match", "one match", "perfect record", "draws", "groups", "seats"],
)
def test_what_can_hardly_be_rated_has_an_interval_nonetheless(
    results: list[Result], bots: list[str]
) -> None:
    found = widths(count_results(results, bots), samples=20)
    assert np.isfinite(np.array(found)).all()


def test_an_interval_leaves_out_a_fortieth_at_each_end() -> None:
    ratings = np.stack([np.arange(201.0), -np.arange(201.0)], axis=1)
    assert bootstrap_intervals(ratings) == [(5.0, 195.0), (-195.0, -5.0)]
