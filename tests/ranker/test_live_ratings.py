"""Live ratings: they move the right way, depend on nothing but their input, and find the truth."""

from __future__ import annotations

import numpy as np
import pytest

from agon.errors import RankingError
from agon.ranker.live_ratings import LiveRater, LiveRating, replay
from agon.ranker.result import Result
from tests.ranker.players import Players, chance, names

NEW = LiveRating()


def test_a_new_bot_is_zero_and_unsure() -> None:
    assert NEW.elo == 0
    assert NEW.elo_error > 400


def test_the_winner_rises_and_both_are_surer() -> None:
    winner, loser = LiveRater().update(Result(("a", "b"), (4, 1)), [NEW, NEW])
    assert winner.elo > 0 > loser.elo
    assert winner.elo == pytest.approx(-loser.elo)
    assert winner.sigma < NEW.sigma


def test_only_the_order_of_the_scores_counts() -> None:
    rater = LiveRater()
    assert rater.update(Result(("a", "b"), (9, 0)), [NEW, NEW]) == rater.update(
        Result(("a", "b"), (1, 0)), [NEW, NEW]
    )


def test_a_draw_brings_two_bots_closer() -> None:
    strong, weak = LiveRating(30, 4), LiveRating(20, 4)
    lower, higher = LiveRater().update(Result(("a", "b"), (1, 1)), [strong, weak])
    assert lower.mu < strong.mu
    assert higher.mu > weak.mu


def test_many_seats_with_a_tie() -> None:
    rated = LiveRater().update(Result(("a", "b", "c", "d"), (7, 9, 7, 0)), [NEW] * 4)
    third, first, also_third, last = (one.mu for one in rated)
    assert first > third > last
    assert third == pytest.approx(also_third)


def test_the_input_is_not_changed_and_the_answer_is_always_the_same() -> None:
    rater, ratings = LiveRater(), [LiveRating(27, 3), LiveRating(22, 5)]
    result = Result(("a", "b"), (0, 1))
    answers = {rater.update(result, ratings) for _ in range(3)} | {
        LiveRater().update(result, ratings)
    }
    assert len(answers) == 1
    assert ratings == [LiveRating(27, 3), LiveRating(22, 5)]


def test_a_bot_against_itself_changes_nothing() -> None:
    assert LiveRater().update(Result(("a", "a"), (1, 0)), [NEW, NEW]) == (NEW, NEW)


def test_a_rating_for_each_seat() -> None:
    with pytest.raises(RankingError, match="one for each seat"):
        LiveRater().update(Result(("a", "b"), (1, 0)), [NEW])


def test_replay_is_the_same_as_one_by_one() -> None:
    results = [Result(("a", "b"), (1, 0)), Result(("b", "c"), (1, 1)), Result(("c", "a"), (2, 0))]
    ratings = dict.fromkeys("abc", NEW)
    for result in results:
        after = LiveRater().update(result, [ratings[bot] for bot in result.bots])
        ratings.update(zip(result.bots, after, strict=True))
    assert replay(results) == ratings


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_known_strengths_are_found(seats: int) -> None:
    rng, bots = chance(4), names(8)
    players = Players({bot: 0.4 * place for place, bot in enumerate(bots)}, rng, (0,) * seats)
    ratings = replay([players.play(rng.sample(bots, seats)) for _ in range(8000 // seats)])
    found = np.array([ratings[bot].elo for bot in bots])
    truth = players.true_ratings(bots)
    assert np.corrcoef(found, truth)[0, 1] > 0.97
    assert 0.8 < found.std() / truth.std() < 1.25
