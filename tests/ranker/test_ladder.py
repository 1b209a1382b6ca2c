"""The ladder: it looks where something can be learned, never stops, and takes newcomers in."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from statistics import mean

import pytest

from agon.errors import SettingError
from agon.ranker.ladder import Ladder, _Planner
from agon.ranker.pairing import RoundRobin, Schedule
from agon.ranker.result import Result, count_results
from agon.ranker.table import rate
from tests.ranker.players import Players, chance, names, result_of


def play(schedule: Schedule, players: Players, before: list[Result] | None = None) -> list[Result]:
    results = list(before or [])
    while fixtures := schedule.next(results):
        results += [players.play(one.seats, one.seed) for one in fixtures]
    return results


def meetings(results: list[Result]) -> Counter[frozenset[str]]:
    return Counter(frozenset(result.bots) for result in results)


def test_close_bots_meet_more_often_than_distant_ones() -> None:
    bots = names(6)
    players = Players({bot: 2.0 * (place // 2) for place, bot in enumerate(bots)}, chance(1))
    times = meetings(play(Ladder(bots, 1, rounds=40), players))
    close = [times[frozenset(bots[place : place + 2])] for place in (0, 2, 4)]
    distant = [times[frozenset((one, two))] for one in bots[:2] for two in bots[4:]]
    assert min(close) > 2 * max(distant)
    assert sum(distant) > 0, "some chance is left"


def test_a_newcomer_plays_at_once() -> None:
    bots = names(8)
    players = Players(dict.fromkeys([*bots, "new"], 0.0), chance(2))
    results = play(Ladder(bots, 1, rounds=30), players)
    ladder = Ladder([*bots, "new"], 1, rounds=34)
    later = play(ladder, players, results)[len(results) :]
    games = Counter(bot for result in later for bot in result.bots)
    assert games["new"] == max(games.values())
    assert games["new"] > 2 * mean(games[bot] for bot in bots)


def test_all_tables_have_one_of_those_that_come_first() -> None:
    bots = names(8)
    fixtures = Ladder(bots, 1, first=bots[:2]).next([])
    assert all({*fixture.seats} & {*bots[:2]} for fixture in fixtures)
    assert {bot for fixture in fixtures for bot in fixture.seats} == {*bots}
    with pytest.raises(SettingError, match="first x: expected bots of the ladder"):
        Ladder(bots, 1, first=["x"])


def test_without_chance_the_best_pair_is_always_taken() -> None:
    one, two = (Ladder(names(6), seed, rounds=1, chance=0).next([]) for seed in (1, 2))
    assert [fixture.seats for fixture in one] == [fixture.seats for fixture in two]
    tables = {frozenset(fixture.seats) for fixture in one}
    assert len(tables) == 8, "planned games are reckoned with: the same pair would teach less"


def test_planned_games_add_their_information_about_the_difference() -> None:
    """The precision of a difference grows by games * p (1 - p): a quarter each, for equals."""
    bots = names(3)
    known = [
        Result((bots[0], bots[1]), scores, seed) for seed, scores in enumerate(((1, 0), (0, 1)))
    ]
    ladder = Ladder(bots, 1)
    planner = _Planner(ladder, known)

    def precision(one: int, two: int) -> float:
        spread = planner._spread
        return float(1 / (spread[one, one] + spread[two, two] - 2 * spread[one, two]))

    before, of_other = precision(0, 1), precision(1, 2)
    planner.expect(bots[:2])
    assert precision(0, 1) == pytest.approx(before + ladder.seats / 4)
    assert of_other < precision(1, 2) < of_other + 1 / 4, "a little is learned of others too"


def test_it_never_ends_and_always_has_work_for_idle_cores() -> None:
    ladder, results = Ladder(names(5), 9, batch=4), list[Result]()
    assert ladder.total is None
    for _ in range(60):
        fixtures = ladder.next(results)
        assert len(fixtures) > 4 * 2
        results.append(result_of(fixtures[0]))


def test_what_else_is_known_counts() -> None:
    """Matches that were played elsewhere make the ladder look elsewhere."""
    bots = names(4)
    known = [
        Result(pair, (number % 2, 1 - number % 2), number)
        for pair in ((bots[0], bots[1]), (bots[1], bots[0]))
        for number in range(300)
    ]
    fixtures = Ladder(bots, 1, rounds=1, chance=0).next(known)
    assert all({*bots[:2]} != {*fixture.seats} for fixture in fixtures)


def test_what_comes_in_meanwhile_does_not_change_a_plan() -> None:
    ladder = Ladder(names(6), 1)
    fixtures = ladder.next([])
    stranger = Result(("bot00", "bot01"), (1, 0), 12345)
    assert ladder.next([stranger]) == fixtures


def test_a_match_that_was_asked_for_twice_counts_twice() -> None:
    """Only the ladder's own matches cannot be there twice: others may play what they like."""
    challenge = Result(("bot00", "bot01"), (1, 0), 12345)
    assert Ladder(names(6), 1).next([challenge, challenge])


def test_bots_may_leave() -> None:
    ladder = Ladder(names(6), 1, batch=4)
    fixtures = ladder.next([])
    half_played = [result_of(fixture) for fixture in fixtures[::2]]
    smaller = Ladder(names(4), 1, batch=4, rounds=5)
    following = smaller.next(half_played)
    assert {bot for one in following for bot in one.seats} <= {*names(4)}
    assert play(smaller, Players(dict.fromkeys(names(6), 0.0), chance(1)), half_played)


def test_the_order_of_the_bots_does_not_matter() -> None:
    assert Ladder(names(6)[::-1], 1).next([]) == Ladder(names(6), 1).next([])


def test_larger_tables_have_different_bots() -> None:
    for fixture in Ladder(names(9), 1, seats=4, rounds=3).next([]):
        assert len({*fixture.seats}) == 4


@pytest.mark.parametrize("chance", [-0.1, 1.1])
def test_chance_is_a_share(chance: float) -> None:
    with pytest.raises(SettingError, match="from 0 to 1"):
        Ladder(names(3), 1, chance=chance)
    assert Ladder(names(3), 1, chance=round(chance)).next([])


@pytest.mark.slow
def test_it_orders_more_bots_rightly_than_a_round_robin_of_as_many_matches() -> None:
    def in_order(results: list[Result], players: Players) -> float:
        fitted = rate(count_results(results))
        right = [
            (fitted.ratings[one] > fitted.ratings[two])
            == (players.strengths[fitted.bots[one]] > players.strengths[fitted.bots[two]])
            for one, two in combinations(range(len(fitted.bots)), 2)
        ]
        return sum(map(bool, right)) / len(right)

    rng, bots = chance(12), names(16)
    ladder, round_robin = [], []
    for seed in range(25):
        players = Players({bot: rng.gauss(0, 1.2) for bot in bots}, rng)
        ladder.append(in_order(play(Ladder(bots, seed, rounds=30), players), players))
        round_robin.append(in_order(play(RoundRobin(bots, seed, rounds=2), players), players))
    assert mean(ladder) > mean(round_robin)
