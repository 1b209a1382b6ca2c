"""What the ranker reads, and ratings, and tournaments."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    Encounters,
    MatchStatus,
    NewTournament,
    Rating,
    RatingStep,
    ResultFilter,
    StoredResult,
    TournamentState,
)
from agon.errors import DatastoreError, TakenError
from tests.datastore.samples import NOON, add_versions, make_match, rate

if TYPE_CHECKING:
    from agon.datastore import Store

HIVE = ResultFilter("hive")


def test_results_are_streamed_by_seat_in_the_order_of_storage(store: Store) -> None:
    a, b, c = add_versions(store, 3)
    first, second, _ = store.record_matches(
        [
            make_match([b, a], (0, 4), seed=11),
            make_match([c, a, b], (1, 3, 3), seed=12),
            make_match([a, b], game="skyport"),
        ]
    )
    assert list(store.results.stream(HIVE)) == [
        StoredResult(first, 11, (b, a), (0, 4), (1, 0)),
        StoredResult(second, 12, (c, a, b), (1, 3, 3), (2, 0, 0)),
    ]
    assert store.results.count(HIVE) == 2


def test_many_results_cross_the_borders_of_their_parts(store: Store) -> None:
    versions = add_versions(store)
    ids = store.record_matches([make_match(versions, transcript=b"{}")] * 1100)
    ids += store.record_matches([make_match(versions * 2, (1, 0, 0, 0), transcript=b"{}")] * 300)
    results = list(store.results.stream(HIVE))
    assert [result.match_id for result in results] == ids
    assert {len(result.scores) for result in results} == {2, 4}


def test_only_what_counts_counts(store: Store) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON))
    plain, of_friday, new_rules, other = store.record_matches(
        [
            make_match(versions),
            make_match(versions, tournament_id=friday.id, fixture="1"),
            make_match(versions, rules_version=2),
            make_match(versions, options={"variant": "Base", "mosquito": True}),
            make_match(versions, status=MatchStatus.VOID),
            make_match(versions, rated=False),
        ]
    )[:4]

    def ids(wanted: ResultFilter) -> list[int]:
        found = [result.match_id for result in store.results.stream(wanted)]
        assert store.results.count(wanted) == len(found)
        return found

    assert ids(HIVE) == [plain, of_friday, new_rules, other]
    assert ids(ResultFilter("hive", tournament_id=friday.id)) == [of_friday]
    assert ids(ResultFilter("hive", rules_version=2)) == [new_rules]
    for options in ({"variant": "Base", "mosquito": True}, {"mosquito": True, "variant": "Base"}):
        assert ids(ResultFilter("hive", options=options)) == [other]
    assert ids(ResultFilter("skyport")) == []
    assert of_friday not in ids(ResultFilter("hive", but_tournaments=frozenset({friday.id})))
    assert other in ids(ResultFilter("hive", but_tournaments=frozenset({friday.id})))


def test_a_stream_that_is_left_harms_nothing(store: Store) -> None:
    versions = add_versions(store)
    store.record_matches([make_match(versions)] * 5)
    for _ in range(30):
        next(store.results.stream(HIVE))
    store.record_match(make_match(versions))
    assert store.results.count(HIVE) == 6


def test_head_to_head(store: Store) -> None:
    a, b, c = add_versions(store, 3)
    store.record_matches(
        [
            make_match([a, b], (1, 0)),
            make_match([b, a], (0, 1)),
            make_match([b, a], (2, 2)),
            make_match([a, b, c], (3, 5, 1)),
            make_match([a, b], (1, 0), rated=False),
        ]
    )
    assert store.results.head_to_head(HIVE) == [
        Encounters(a, b, 2, 1, 1),
        Encounters(a, c, 1, 0, 0),
        Encounters(b, a, 1, 1, 2),
        Encounters(b, c, 1, 0, 0),
        Encounters(c, a, 0, 0, 1),
        Encounters(c, b, 0, 0, 1),
    ]


def test_ratings_have_a_history(store: Store) -> None:
    a, b = versions = add_versions(store)
    steps = [Rating(25.0, 8.0), Rating(26.0, 7.0), Rating(27.0, 0.1 + 0.2)]
    down = [Rating(25.0, 8.0), Rating(24.0, 7.0), Rating(23.0, 6.0)]
    ids = [
        store.record_match(
            rate(make_match(versions), (steps[n], steps[n + 1]), (down[n], down[n + 1]))
        )
        for n in range(2)
    ]
    store.record_match(make_match(versions))
    assert store.ratings.current("hive") == {a: steps[2], b: down[2]}
    assert store.ratings.history("hive", a) == [
        RatingStep(ids[0], steps[1]),
        RatingStep(ids[1], steps[2]),
    ]
    assert store.ratings.current("skyport") == {}
    assert store.ratings.history("skyport", a) == []


@pytest.mark.parametrize("hidden", [frozenset[int](), frozenset([1])])
def test_a_long_history_is_thinned_out(store: Store, hidden: frozenset[int]) -> None:
    a, b, c = add_versions(store, 3)
    friday = store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON)).id
    for number in range(60):
        match = make_match([a, b] if number % 4 else [c, b])
        if number % 3 == 2:
            match = replace(match, tournament_id=friday, fixture=f"{number}")
        after = Rating(float(number), 1.0)
        store.record_match(rate(match, (after, after), (after, after)))
    steps = store.ratings.history("hive", a, hidden)
    assert store.ratings.thinned_history("hive", a, len(steps), hidden) == steps
    for most in (2, 7, len(steps) - 1):
        first, last = steps[0].match_id, steps[-1].match_id
        moments = [first + (last - first) * n // (most - 1) for n in range(most)]
        wanted = {[one for one in steps if one.match_id <= moment][-1] for moment in moments}
        found = store.ratings.thinned_history("hive", a, most, hidden)
        assert found == sorted(wanted, key=itemgetter(0))
        assert (found[0], found[-1]) == (steps[0], steps[-1])


def test_a_version_that_plays_itself_has_the_last_seats_rating(store: Store) -> None:
    (a,) = add_versions(store, 1)
    one, two = Rating(1.0, 1.0), Rating(2.0, 2.0)
    store.record_match(rate(make_match([a, a]), (one, two), (two, one)))
    assert store.ratings.current("hive") == {a: one}


def test_a_tournament_keeps_its_settings_and_entrants(store: Store) -> None:
    a, b, c = add_versions(store, 3)
    friday = store.tournaments.add(
        NewTournament("friday", "hive", "swiss", NOON, {"rounds": 5, "time": None}, (b, a))
    )
    assert friday.settings == {"rounds": 5, "time": None}
    assert friday.state is TournamentState.PLANNED
    store.tournaments.set_state(friday.id, TournamentState.RUNNING)
    store.tournaments.enter(friday.id, [a, c, c])
    assert store.tournaments.entrants(friday.id) == [b, a, c]
    assert store.tournaments.get(friday.id).state is TournamentState.RUNNING
    assert store.tournaments.find("friday") == store.tournaments.get(friday.id)
    assert store.tournaments.find("saturday") is None
    assert [t.id for t in store.tournaments.all("hive")] == [friday.id]
    assert store.tournaments.all("skyport") == []


def test_a_tournament_that_cannot_be(store: Store) -> None:
    new = NewTournament("friday", "hive", "swiss", NOON)
    store.tournaments.add(new)
    with pytest.raises(TakenError, match="tournament 'friday': there is one"):
        store.tournaments.add(new)
    with pytest.raises(DatastoreError, match=r"(?i)foreign key"):
        store.tournaments.add(NewTournament("saturday", "hive", "swiss", NOON, {}, (99,)))
    assert store.tournaments.find("saturday") is None
    for action in (
        lambda: store.tournaments.get(99),
        lambda: store.tournaments.enter(99, []),
        lambda: store.tournaments.set_state(99, TournamentState.PAUSED),
    ):
        with pytest.raises(DatastoreError, match="tournament 99: there is none"):
            action()
