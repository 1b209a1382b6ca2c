"""Knock-out: seeds, byes, play-offs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError
from agon.ranker.knockout import PLAY_OFFS, Knockout
from agon.ranker.result import Result
from tests.ranker.players import names

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.ranker.pairing import Fixture


def better_seed_wins(fixture: Fixture) -> Result:
    one, two = fixture.seats
    return Result(fixture.seats, (int(one < two), int(two < one)), fixture.seed)


def draw(fixture: Fixture) -> Result:
    return Result(fixture.seats, (1, 1), fixture.seed)


def play(schedule: Knockout, outcome: Callable[[Fixture], Result]) -> list[Result]:
    results: list[Result] = []
    while fixtures := schedule.next(results):
        results += [outcome(fixture) for fixture in fixtures]
    return results


def test_eight_bots() -> None:
    schedule = Knockout(list("abcdefgh"), 1)
    results = play(schedule, better_seed_wins)
    assert len(results) == schedule.total == 14
    rounds = schedule.bracket(results)
    assert [[tie.bots for tie in ties] for ties in rounds] == [
        [("a", "h"), ("d", "e"), ("b", "g"), ("c", "f")],
        [("a", "d"), ("b", "c")],
        [("a", "b")],
    ]
    assert rounds[0][0].half_points == (4, 0)
    assert schedule.winner(results) == "a"


@pytest.mark.parametrize("count", range(2, 18))
def test_the_best_seed_wins_if_the_better_always_does(count: int) -> None:
    schedule = Knockout(names(count), 1, pairs=2)
    results = play(schedule, better_seed_wins)
    assert schedule.winner(results) == "bot00"
    assert len(results) == schedule.total == (count - 1) * 4
    final = schedule.bracket(results)[-1][0]
    assert final.bots == ("bot00", "bot01")


def test_the_best_seeds_have_byes() -> None:
    first = Knockout(list("abcde"), 1).bracket([])[0]
    assert [tie.bots for tie in first] == [("a", None), ("d", "e"), ("b", None), ("c", None)]
    assert [tie.winner for tie in first] == ["a", None, "b", "c"]


def test_a_tie_begins_as_soon_as_its_bots_are_known() -> None:
    schedule = Knockout(list("abcde"), 1)
    assert [{*one.seats} for one in schedule.next([])[::2]] == [{"d", "e"}, {"b", "c"}]
    later = schedule.next([draw(one) for one in schedule.next([]) if "d" not in one.seats])
    assert {one.round for one in later} == {1, 2}


def test_level_ties_play_on_and_at_last_the_better_seed_goes_through() -> None:
    schedule = Knockout(["a", "b"], 1, pairs=3)
    results: list[Result] = []
    for expected in [6] + [2] * PLAY_OFFS:
        assert schedule.winner(results) is None
        fixtures = schedule.next(results)
        assert len(fixtures) == expected
        results += [draw(fixture) for fixture in fixtures]
    assert schedule.next(results) == []
    assert schedule.winner(results) == "a"


def test_a_play_off_ends_with_its_first_decision() -> None:
    schedule = Knockout(["a", "b"], 1)
    results = [draw(fixture) for fixture in schedule.next([])]
    one, two = schedule.next(results)
    results += [draw(one), Result(two.seats, (1, 0), two.seed)]
    assert two.seats == ("b", "a")
    assert schedule.winner(results) == "b"
    assert schedule.next(results) == []


def test_two_seats_only() -> None:
    with pytest.raises(SettingError, match="3 seats: expected two"):
        Knockout(list("abcd"), 1, seats=3)
