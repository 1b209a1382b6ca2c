"""Schedules that are known from the start, and what holds for every format."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import RankingError, SettingError
from agon.ranker.formats import Format, new_schedule
from agon.ranker.knockout import Knockout
from agon.ranker.ladder import Ladder
from agon.ranker.pairing import Fixture, Gauntlet, RoundRobin, Schedule
from agon.ranker.result import Result
from agon.ranker.swiss import Swiss
from tests.ranker.players import chance, names, result_of

if TYPE_CHECKING:
    from collections.abc import Callable

Make: TypeAlias = "Callable[[], Schedule]"

SCHEDULES: dict[str, Make] = {
    "round-robin": lambda: RoundRobin(names(7), 3, rounds=2),
    "round-robin of 3 seats": lambda: RoundRobin(names(5), 3, seats=3),
    "gauntlet": lambda: Gauntlet(names(6), 3, rounds=2, challengers=2),
    "gauntlet of 4 seats": lambda: Gauntlet(names(6), 3, seats=4),
    "swiss": lambda: Swiss(names(9), 3, rounds=6, sets=2),
    "swiss of 4 seats": lambda: Swiss(names(11), 3, seats=4, rounds=5),
    "knockout": lambda: Knockout(names(11), 3, pairs=2),
    "ladder": lambda: Ladder(names(6), 3, rounds=6, batch=4),
    "ladder of 3 seats": lambda: Ladder(names(6), 3, seats=3, rounds=6, batch=3),
}


def play_all(schedule: Schedule) -> list[Fixture]:
    """Everything that is played if nothing ever goes wrong."""
    done: dict[Fixture, Result] = {}
    while fixtures := schedule.next(done.values()):
        done |= {fixture: result_of(fixture) for fixture in fixtures}
    return list(done)


every_schedule = pytest.mark.parametrize("make", SCHEDULES.values(), ids=SCHEDULES.keys())


@every_schedule
def test_a_stopped_tournament_goes_on_as_if_nothing_had_happened(make: Make) -> None:
    """Matches end in any order; again and again all is forgotten but the results."""
    whole = play_all(make())
    rng = chance("resume")
    for _ in range(5):
        schedule = make()
        done: dict[Fixture, Result] = {}
        while fixtures := schedule.next(done.values()):
            for fixture in rng.sample(fixtures, rng.randint(1, len(fixtures))):
                done[fixture] = result_of(fixture)
            if rng.random() < 0.5:
                schedule = make()
                stored = list(done.items())
                rng.shuffle(stored)
                done = dict(stored)
        assert set(done) == set(whole)


@every_schedule
def test_every_match_has_its_own_number_and_every_set_its_own_seed(make: Make) -> None:
    fixtures = play_all(make())
    seats = make().seats
    assert len({fixture.number for fixture in fixtures}) == len(fixtures)
    for seed in {fixture.seed for fixture in fixtures}:
        assert 0 <= seed < 2**53
        games = [fixture.seats for fixture in fixtures if fixture.seed == seed]
        first = games[0]
        assert sorted(games) == sorted(first[turn:] + first[:turn] for turn in range(seats))
        assert len({fixture.round for fixture in fixtures if fixture.seed == seed}) == 1


@every_schedule
def test_every_bot_has_every_seat_equally_often(make: Make) -> None:
    fixtures = play_all(make())
    times = Counter((bot, seat) for one in fixtures for seat, bot in enumerate(one.seats))
    for bot in {bot for one in fixtures for bot in one.seats}:
        assert len({times[bot, seat] for seat in range(make().seats)}) == 1


@every_schedule
def test_the_total_is_right(make: Make) -> None:
    total = make().total
    assert total is not None
    fixtures = play_all(make())
    if isinstance(make(), Knockout):
        assert len(fixtures) >= total
    else:
        assert len(fixtures) == total


@every_schedule
def test_a_match_cannot_count_twice(make: Make) -> None:
    result = result_of(make().next([])[0])
    with pytest.raises(RankingError, match="two results"):
        make().next([result, result])


@every_schedule
def test_results_of_another_tournament(make: Make) -> None:
    schedule = make()
    stranger = Result(tuple(names(20)[-schedule.seats :]), (0,) * schedule.seats, seed=77)
    if schedule.takes_others:
        assert schedule.next([stranger])
    else:
        with pytest.raises(RankingError, match="not of this schedule"):
            schedule.next([stranger])


@given(st.integers(2, 12), st.integers(1, 3))
def test_in_a_round_robin_every_bot_meets_every_other_equally_often(
    count: int, rounds: int
) -> None:
    fixtures = RoundRobin(names(count), 1, rounds=rounds).next([])
    assert Counter(fixture.seats for fixture in fixtures) == Counter(
        dict.fromkeys(permutations(names(count), 2), rounds)
    )
    for number in {fixture.round for fixture in fixtures}:
        tables = {frozenset(one.seats) for one in fixtures if one.round == number}
        playing = [bot for table in tables for bot in table]
        assert len(playing) == len(set(playing)) == count - count % 2


def test_a_round_robin_by_hand() -> None:
    fixtures = RoundRobin(["a", "b", "c", "d"], 0).next([])
    assert [(one.round, *one.seats) for one in fixtures[::2]] == [
        (1, "a", "d"),
        (1, "b", "c"),
        (2, "a", "c"),
        (2, "d", "b"),
        (3, "a", "b"),
        (3, "c", "d"),
    ]
    assert fixtures[0] == Fixture(1, 0, ("a", "d"), 0)
    assert fixtures[1] == Fixture(1, 1, ("d", "a"), 0)


def test_a_round_robin_of_more_seats_has_all_tables() -> None:
    fixtures = RoundRobin(names(6), 1, seats=4).next([])
    assert Counter(frozenset(one.seats) for one in fixtures) == Counter(
        {frozenset(table): 4 for table in combinations(names(6), 4)}
    )


def test_a_gauntlet() -> None:
    fixtures = Gauntlet(["new", "x", "y", "z"], 1, rounds=2).next([])
    assert Counter(frozenset(one.seats) for one in fixtures) == Counter(
        {frozenset(("new", other)): 4 for other in "xyz"}
    )
    four = Gauntlet(names(6), 1, seats=4).next([])
    assert len(four) == comb(5, 3) * 4
    assert all("bot00" in one.seats for one in four)


def test_a_gauntlet_of_two_bots_is_what_a_sequential_test_plays() -> None:
    schedule = Gauntlet(["new", "old"], 5, rounds=100)
    fixtures = schedule.next([])
    assert [one.seed for one in fixtures[::2]] == [schedule.set_seed(n) for n in range(100)]
    assert {one.seats for one in fixtures} == {("new", "old"), ("old", "new")}


def test_schedules_with_other_seeds_have_other_seeds() -> None:
    one, two = ({fixture.seed for fixture in RoundRobin(names(8), s).next([])} for s in (0, 1))
    assert not one & two


@pytest.mark.parametrize("kind", Format)
def test_every_format_by_name(kind: Format) -> None:
    schedule = new_schedule(kind, names(5), 1)
    assert schedule.next([])
    assert new_schedule(kind, names(5), 1, rounds=3).total is not None
    assert (schedule.total is None) is (kind is Format.LADDER)


def test_a_swiss_has_a_round_more_than_a_knockout_would_have() -> None:
    for bots, rounds in ((2, 2), (4, 3), (5, 4), (8, 4), (9, 5)):
        assert new_schedule(Format.SWISS, names(bots), 1).total == rounds * 2 * (bots // 2)


@pytest.mark.parametrize("kind", Format)
def test_settings_that_cannot_be(kind: Format) -> None:
    with pytest.raises(SettingError, match="every bot once"):
        new_schedule(kind, ["a", "b", "a"], 1)
    with pytest.raises(SettingError, match="expected 2 or more"):
        new_schedule(kind, ["a"], 1)
    with pytest.raises(SettingError, match="two or more"):
        new_schedule(kind, ["a", "b"], 1, seats=1)
    with pytest.raises(SettingError, match="expected"):
        new_schedule(kind, ["a", "b"], 1, seats=3)
    with pytest.raises(SettingError, match="1 or more"):
        new_schedule(kind, ["a", "b"], 1, rounds=0)


@pytest.mark.parametrize("challengers", [2, 5])
def test_a_gauntlet_needs_opponents(challengers: int) -> None:
    with pytest.raises(SettingError, match="1 others or more"):
        Gauntlet(["a", "b"], 1, challengers=challengers)


def test_more_tables_than_the_bots_can_play() -> None:
    with pytest.raises(SettingError, match="46823400 matches"):
        RoundRobin(names(30), 1, seats=8)
    with pytest.raises(SettingError, match="expected at most"):
        Gauntlet(names(40), 1, seats=8)
