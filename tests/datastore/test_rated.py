"""A match and the ratings that follow from it are one step, also when several store at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from agon.datastore import MatchFilter, NewTournament, Rating, Store
from tests.datastore.samples import NOON, add_versions, make_match, rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.record import RatingChange

STEP = Rating(25.0, 8.0)


def climb(last: Sequence[Rating | None]) -> list[RatingChange]:
    """Every match is worth one."""
    before = [STEP if one is None else one for one in last]
    return [(one, Rating(one.mu + 1, one.sigma)) for one in before]


def test_ratings_go_on_from_the_last_ones(store: Store) -> None:
    versions = add_versions(store, 3)
    for pair in (versions[:2], versions[1:], versions[:2]):
        store.record_rated_match(make_match(pair), climb)
    current = store.ratings.current("hive")
    assert [current[version].mu for version in versions] == [27.0, 28.0, 26.0]
    last = store.matches.find(MatchFilter(), limit=1)[0]
    assert [(s.before, s.after) for s in last.seats] == [
        (Rating(26.0, 8.0), Rating(27.0, 8.0)),
        (Rating(27.0, 8.0), Rating(28.0, 8.0)),
    ]


def test_each_versions_rating_is_of_its_own_last_match(store: Store) -> None:
    a, b, c, d = add_versions(store, 4)
    for pair in ([a, b], [c, b], [b, d]):
        store.record_rated_match(make_match(pair), climb)
    current = store.ratings.current("hive")
    assert {version: rating.mu for version, rating in current.items()} == {
        a: 26,
        b: 28,
        c: 26,
        d: 26,
    }


def test_a_fixture_that_is_stored_again_is_not_rated_again(store: Store) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON))
    match = make_match(versions, tournament_id=friday.id, fixture="1.0")
    assert store.record_rated_match(match, climb) == store.record_rated_match(match, climb)
    assert {rating.mu for rating in store.ratings.current("hive").values()} == {26.0}


def test_nothing_is_stored_if_the_rating_fails(store: Store) -> None:
    def fail(last: Sequence[Rating | None]) -> list[RatingChange]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.record_rated_match(make_match(add_versions(store)), fail)
    assert store.matches.find(MatchFilter()) == []


def test_several_at_once_share_one_history(store: Store, place: str) -> None:
    versions = add_versions(store)

    def play(worker: int) -> None:
        pair = versions if worker % 2 else versions[::-1]
        with Store.open(place) as own:
            for _ in range(10):
                own.record_rated_match(make_match(pair), climb)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    for version in versions:
        steps = store.ratings.history("hive", version)
        assert [step.rating.mu for step in steps] == [26.0 + n for n in range(40)]


def test_matches_in_the_order_in_which_they_were_stored(store: Store) -> None:
    versions = add_versions(store)
    ids = store.record_matches([make_match(versions, seed=seed) for seed in range(5)])
    first = store.matches.in_order(MatchFilter(game="hive"), 3)
    rest = store.matches.in_order(MatchFilter(game="hive"), 3, after_id=first[-1].id)
    assert [match.id for match in first + rest] == ids
    assert store.matches.count(MatchFilter(game="hive")) == 5
    assert store.matches.count(MatchFilter(game="chess")) == 0


def test_ratings_without_those_of_a_tournament(store: Store) -> None:
    versions = add_versions(store)
    cup = store.tournaments.add(NewTournament("cup", "hive", "swiss", NOON))
    before, between, after = Rating(25.0, 8.0), Rating(26.0, 7.0), Rating(27.0, 6.0)
    plain = rate(make_match(versions), (before, between), (before, between))
    of_cup = make_match(versions, tournament_id=cup.id, fixture="1")
    first = store.record_match(plain)
    second = store.record_match(rate(of_cup, (between, after), (between, after)))
    but = frozenset({cup.id})
    ids = [step.match_id for step in store.ratings.history("hive", versions[0])]
    assert ids == [first, second]
    assert [step.match_id for step in store.ratings.history("hive", versions[0], but)] == [first]
    assert store.ratings.current("hive") == dict.fromkeys(versions, after)
    assert store.ratings.current("hive", but) == dict.fromkeys(versions, between)
