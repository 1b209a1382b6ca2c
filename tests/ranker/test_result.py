"""Results are counted, not kept in order."""

from __future__ import annotations

import pytest

from agon.errors import RankingError
from agon.ranker.result import Result, count_results


def test_half_points_are_shared_by_those_who_tie() -> None:
    assert Result(("a", "b"), (3, 1)).half_points == (2, 0)
    assert Result(("a", "b"), (3, 3)).half_points == (1, 1)
    assert Result(("a", "b", "c", "d"), (5, 9, 5, 0)).half_points == (3, 6, 3, 0)


@pytest.mark.parametrize(("bots", "scores"), [(("a", "b"), (1,)), (("a",), (1,)), ((), ())])
def test_a_result_needs_a_contest(bots: tuple[str, ...], scores: tuple[int, ...]) -> None:
    with pytest.raises(RankingError, match="one score for each bot"):
        Result(bots, scores)


def test_equal_results_are_counted_and_only_the_order_of_scores_matters() -> None:
    counted = count_results(
        [
            Result(("b", "a"), (9, 2), 1),
            Result(("b", "a"), (1, 0), 2),
            Result(("a", "b"), (1, 1), 3),
        ]
    )
    assert counted.bots == ("a", "b")
    (group,) = counted.groups
    assert group.bots.tolist() == [[0, 1], [1, 0]]
    assert group.ranks.tolist() == [[0, 0], [0, 1]]
    assert group.times.tolist() == [1, 2]
    assert counted.matches == 3


def test_a_bot_against_itself_is_left_out() -> None:
    counted = count_results([Result(("a", "a"), (1, 0)), Result(("a", "b", "a"), (1, 0, 2))])
    assert counted.bots == ("a", "b")
    assert counted.matches == 0
    assert counted.groups == ()


def test_a_result_may_stand_for_many_matches() -> None:
    one, draw, alone = (
        Result(("a", "b"), (1, 0)),
        Result(("a", "b"), (5, 5)),
        Result(("c", "c"), (1, 0)),
    )
    counted = count_results([one, alone, draw, one], times=[3, 7, 2, 10**12])
    matches = count_results([one] * 3 + [draw] * 2 + [alone] + [one] * 4)
    (group,), (other,) = counted.groups, matches.groups
    assert counted.bots == matches.bots == ("a", "b", "c")
    assert (group.ranks == other.ranks).all()
    assert group.times.tolist() == [2, 10**12 + 3]
    assert other.times.tolist() == [2, 7]
    with pytest.raises(ValueError, match="shorter"):
        count_results([one, draw], times=[1])


def test_groups_that_never_met() -> None:
    results = [Result(("a", "b"), (1, 0)), Result(("c", "d", "e"), (1, 2, 3))]
    counted = count_results(results, ["lonely"])
    assert counted.connected() == (("c", "d", "e"), ("a", "b"), ("lonely",))
    joined = count_results([*results, Result(("b", "c"), (0, 0))])
    assert joined.connected() == (("a", "b", "c", "d", "e"),)
