"""Swiss: equals meet, none meet twice while that can be avoided, each sits out in turn."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.ranker.result import Result
from agon.ranker.swiss import Swiss
from tests.ranker.players import chance, names

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.ranker.pairing import Fixture


def later_wins(fixture: Fixture) -> Result:
    return Result(fixture.seats, tuple(int(bot[3:]) for bot in fixture.seats), fixture.seed)


def rounds_of(
    schedule: Swiss, outcome: Callable[[Fixture], Result] = later_wins
) -> list[list[frozenset[str]]]:
    """The tables of each round."""
    results: list[Result] = []
    rounds = []
    while fixtures := schedule.next(results):
        rounds.append([frozenset(one.seats) for one in fixtures[:: schedule.seats * schedule.sets]])
        results += [outcome(fixture) for fixture in fixtures]
    return rounds


@pytest.mark.parametrize("sets", [1, 2])
def test_matches_are_numbered_from_nought(sets: int) -> None:
    schedule = Swiss(names(5), 1, rounds=3, sets=sets)
    results: list[Result] = []
    numbers = []
    while fixtures := schedule.next(results):
        numbers += [fixture.number for fixture in fixtures]
        results += [later_wins(fixture) for fixture in fixtures]
    assert numbers == list(range(schedule.total))


@settings(deadline=None)
@given(st.integers(2, 14), st.integers(0, 5), st.data())
def test_no_bots_meet_twice_in_the_first_half_of_the_rounds(
    count: int, seed: int, data: st.DataObject
) -> None:
    """With up to half as many rounds as bots there is always a way (Dirac)."""

    def outcome(fixture: Fixture) -> Result:
        scores = data.draw(st.sampled_from([(1, 0), (0, 1), (0, 0)]))
        return Result(fixture.seats, scores, fixture.seed)

    even = count + count % 2
    schedule = Swiss(names(even), seed, rounds=max(1, even // 2))
    tables = [table for tables in rounds_of(schedule, outcome) for table in tables]
    assert max(Counter(tables).values()) == 1


@pytest.mark.parametrize("count", [6, 7, 8, 9])
def test_rounds_enough_for_all(count: int) -> None:
    """As many rounds as a round-robin has: rematches come last and stay few."""
    rounds = rounds_of(Swiss(names(count), 1, rounds=count - 1 + count % 2))
    times = Counter(table for tables in rounds for table in tables)
    assert max(times.values()) <= 2
    assert sum(number - 1 for number in times.values()) <= count // 2


def test_two_bots_meet_again_and_again() -> None:
    assert rounds_of(Swiss(["bot1", "bot2"], 1, rounds=4)) == [[{"bot1", "bot2"}]] * 4


def test_every_bot_sits_out_before_one_does_again() -> None:
    bots = names(7)
    sat_out = Counter(
        bot
        for tables in rounds_of(Swiss(bots, 1, rounds=10))
        for bot in {*bots}.difference(*tables)
    )
    assert sorted(sat_out.values()) == [1, 1, 1, 1, 2, 2, 2]


def test_in_the_second_round_winners_meet_winners() -> None:
    first, second = rounds_of(Swiss(names(8), 4, rounds=2))
    winners = {max(table) for table in first}
    assert all(len(table & winners) in (0, 2) for table in second)


def test_the_best_two_meet() -> None:
    rounds = rounds_of(Swiss(names(16), 2, rounds=5))
    assert any({"bot14", "bot15"} == table for tables in rounds for table in tables)


@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_sitting_out_counts_as_winning_every_game(seed: int, sets: int) -> None:
    """All draw but one: the one that sat out stands next to it, so these two meet."""
    bots = names(7)
    schedule = Swiss(bots, seed, rounds=2, sets=sets)
    fixtures = schedule.next([])
    winner = fixtures[0].seats[0]
    (out,) = {*bots}.difference(*(fixture.seats for fixture in fixtures))
    results = [
        Result(one.seats, tuple(int(bot == winner) for bot in one.seats), one.seed)
        for one in fixtures
    ]
    assert {*schedule.next(results)[0].seats} == {winner, out}


def test_of_those_with_equal_points_the_one_with_stronger_opponents_leads() -> None:
    """The leader is at the first table of a round."""
    decided = 0
    for seed in range(40):
        chances = chance(seed)
        schedule = Swiss(names(6), seed, rounds=3)
        results: list[Result] = []
        for _ in range(2):
            results += [
                Result(fixture.seats, chances.choice([(1, 0), (0, 1), (0, 0)]), fixture.seed)
                for fixture in schedule.next(results)
            ]
        points = dict.fromkeys(schedule.bots, 0)
        for result in results:
            for bot, score in zip(result.bots, result.scores, strict=True):
                points[bot] += 2 * score + (result.scores[0] == result.scores[1])
        opponents = {
            bot: sum(points[other] for r in results if bot in r.bots for other in {*r.bots} - {bot})
            for bot in schedule.bots
        }
        first = [bot for bot in schedule.bots if points[bot] == max(points.values())]
        if len({opponents[bot] for bot in first}) == len(first) > 1:
            decided += 1
            leader = max(first, key=lambda bot: opponents[bot])
            assert leader in schedule.next(results)[0].seats
    assert decided > 4


def test_the_lot_of_the_first_round_comes_from_the_seed() -> None:
    firsts = {tuple(rounds_of(Swiss(names(8), seed, rounds=1))[0]) for seed in range(5)}
    assert len(firsts) > 1


def test_larger_tables_are_full_and_mixed() -> None:
    bots = names(10)
    rounds = rounds_of(Swiss(bots, 1, seats=4, rounds=5))
    assert all(len(tables) == 2 for tables in rounds)
    sat_out = Counter(bot for tables in rounds for bot in {*bots}.difference(*tables))
    assert set(sat_out.values()) == {1}
    partners = {
        bot: {other for t in rounds for table in t if bot in table for other in table}
        for bot in bots
    }
    assert min(map(len, partners.values())) > 5


def test_a_round_waits_for_the_one_before() -> None:
    schedule = Swiss(names(4), 1, rounds=3)
    fixtures = schedule.next([])
    results = [later_wins(fixture) for fixture in fixtures]
    assert schedule.next(results[:-1]) == fixtures[-1:]
    assert {fixture.round for fixture in schedule.next(results)} == {2}
