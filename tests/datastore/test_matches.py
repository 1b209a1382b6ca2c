"""Matches: stored as a whole and once, found again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    MatchFilter,
    MatchStatus,
    NewMatch,
    NewTournament,
    Rating,
    ResultFilter,
)
from agon.datastore.enums import Codec
from agon.datastore.matches import LATEST
from agon.errors import DatastoreError
from agon.match.transcript import Fault
from tests.datastore.samples import NOON, TRANSCRIPT, add_versions, make_match, rate

if TYPE_CHECKING:
    from agon.datastore import Store

HIVE = ResultFilter("hive")


def test_a_match_comes_back_as_it_was(store: Store) -> None:
    versions = add_versions(store)
    before, after = Rating(25.0, 8.333), Rating(26.5, 7.9)
    match = rate(make_match(versions, lateness_ns=12), (before, after), (after, before))
    stored = store.matches.get(store.record_match(match))
    for name in ("game", "rules_version", "options", "seed", "status", "rated", "turns", "reason"):
        assert getattr(stored, name) == getattr(match, name)
    assert (stored.started_ns, stored.ended_ns, stored.lateness_ns) == (NOON, NOON + 10**9, 12)
    assert (stored.tournament_id, stored.fixture) == (None, None)
    assert [seat.bot for seat in stored.seats] == ["a", "b"]
    assert [seat.version_id for seat in stored.seats] == versions
    assert [(seat.score, seat.rank) for seat in stored.seats] == [(1, 0), (0, 1)]
    assert [(seat.before, seat.after) for seat in stored.seats] == [
        (before, after),
        (after, before),
    ]
    assert store.matches.transcript(stored.id) == TRANSCRIPT
    packed = store.matches.packed_transcript(stored.id)
    assert packed.codec is Codec.GZIP
    assert len(packed.data) < len(TRANSCRIPT) // 4


def test_a_match_without_ratings(store: Store) -> None:
    stored = store.matches.get(store.record_match(make_match(add_versions(store))))
    assert {(seat.before, seat.after) for seat in stored.seats} == {(None, None)}
    assert store.ratings.current("hive") == {}


def test_a_finished_fixture_is_stored_once(store: Store) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON))
    match = make_match(versions, tournament_id=friday.id, fixture="1:a-b")
    first = store.record_match(match)
    assert store.record_match(replace(match, ended_ns=NOON + 1)) == first
    assert store.record_matches([match, match]) == [first, first]
    assert store.matches.get(first).ended_ns == NOON + 10**9
    assert store.tournaments.finished_fixtures(friday.id) == {"1:a-b": first}
    other = replace(match, fixture="2:a-b")
    again, second, third = store.record_matches([match, other, other])
    assert (again, second) == (first, third)
    assert second != first
    assert store.results.count(HIVE) == 2


def test_the_same_fixture_in_two_tournaments(store: Store) -> None:
    versions = add_versions(store)
    for name in ("friday", "saturday"):
        made = store.tournaments.add(NewTournament(name, "hive", "swiss", NOON))
        store.record_match(make_match(versions, tournament_id=made.id, fixture="1"))
    assert store.results.count(HIVE) == 2


def test_a_fixture_of_another_pairing_is_refused(store: Store) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON))
    match = make_match(versions, tournament_id=friday.id, fixture="1")
    store.record_match(match)
    for other in (
        make_match(versions[::-1], tournament_id=friday.id, fixture="1"),
        replace(match, seed=8),
    ):
        with pytest.raises(
            DatastoreError, match=r"fixture '1' of tournament .* stored with seed 7"
        ):
            store.record_match(other)


def test_a_void_match_leaves_its_fixture_open(store: Store) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON))
    void = make_match(
        versions, status=MatchStatus.VOID, tournament_id=friday.id, fixture="1", reason="host late"
    )
    first, second = store.record_match(void), store.record_match(void)
    assert first != second
    assert store.tournaments.finished_fixtures(friday.id) == {}
    third = store.record_match(replace(void, status=MatchStatus.FINISHED))
    assert store.tournaments.finished_fixtures(friday.id) == {"1": third}
    assert store.record_match(void) not in (first, second, third)
    assert [result.match_id for result in store.results.stream(HIVE)] == [third]


def broken(versions: list[int]) -> list[tuple[NewMatch, str]]:
    match = make_match(versions)
    half = replace(match.seats[0], before=Rating(1.0, 1.0))
    return [
        (make_match([versions[0], 9999]), r"(?i)foreign key"),
        (replace(match, seats=()), "without seats"),
        (replace(match, fixture="1"), "expected it together with a tournament"),
        (replace(match, seats=(half, match.seats[1])), "expected both ratings"),
        (replace(match, seed=2**63), "expected at most 64 bits"),
        (replace(match, options={"odd": {1, 2}}), "expected a JSON object"),
        (make_match(versions, turns=4.5), "expected a whole number"),
        (rate(match, *[(Rating(1.0, 1.0), Rating(float("nan"), 1.0))] * 2), "finite number"),
    ]


@pytest.mark.parametrize("case", range(8))
def test_a_match_is_stored_in_whole_or_not_at_all(store: Store, case: int) -> None:
    versions = add_versions(store)
    match, message = broken(versions)[case]
    good = make_match(versions)
    with pytest.raises(DatastoreError, match=message):
        store.record_matches([good, match, good])
    assert store.matches.find(MatchFilter()) == []
    assert store.record_match(good)  # and the store goes on working


def test_many_matches_in_one_transaction_keep_their_order(store: Store) -> None:
    versions = add_versions(store)
    ids = store.record_matches([make_match(versions, seed=seed) for seed in range(30)])
    assert [store.matches.get(match_id).seed for match_id in ids] == list(range(30))
    assert store.record_matches([]) == []


def test_find_pages_from_the_latest(store: Store) -> None:
    versions = add_versions(store)
    ids = store.record_matches([make_match(versions, seed=seed) for seed in range(7)])
    seen = []
    page = store.matches.find(MatchFilter(), limit=3)
    while page:
        seen += [match.id for match in page]
        page = store.matches.find(MatchFilter(), limit=3, before_id=page[-1].id)
    assert seen == ids[::-1]


def test_find_filters(store: Store) -> None:
    a, b, c = versions = add_versions(store, 3)
    friday = store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON))
    crash = make_match([b, c], (1, 0))
    crash = replace(crash, seats=(crash.seats[0], replace(crash.seats[1], fault=Fault.CRASH)))
    ab, of_friday, crashed, void, other, three = store.record_matches(
        [
            make_match([a, b]),
            make_match([a, b], tournament_id=friday.id, fixture="1"),
            crash,
            make_match([c, b], status=MatchStatus.VOID, started_ns=NOON + 1),
            make_match([a, b], game="skyport"),
            make_match(versions, (0, 1, 2), game="skyport"),
        ]
    )
    bot_b = store.versions.get(b).bot_id

    def ids(**wanted: object) -> set[int]:
        return {match.id for match in store.matches.find(MatchFilter(**wanted))}  # type: ignore[arg-type]

    assert ids(game="hive") == {ab, of_friday, crashed, void}
    assert ids(tournament_id=friday.id) == {of_friday}
    assert ids(status=MatchStatus.VOID) == {void}
    assert ids(version_id=c) == {crashed, void, three}
    assert ids(version_id=c, game="skyport") == {three}
    assert ids(fault=Fault.CRASH) == {crashed}
    assert ids(fault=Fault.CRASH, version_id=b) == set()
    assert ids(fault=Fault.CRASH, version_id=c) == {crashed}
    assert ids(bot_id=bot_b) == {ab, of_friday, crashed, void, other, three}
    assert ids(bot_id=bot_b, fault=Fault.CRASH) == set()
    bots = {store.versions.get(version).bot_id for version in (a, c)}
    assert ids(bots=frozenset(bots), game="hive") == {ab, of_friday, crashed, void}
    assert ids(bots=frozenset(bots - {store.versions.get(a).bot_id})) == {crashed, void, three}
    assert ids(since_ns=NOON + 1) == {void}


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(DatastoreError, match="match 99: there is none"):
        store.matches.get(99)
    with pytest.raises(DatastoreError, match="match 99: there is no transcript"):
        store.matches.transcript(99)


def test_the_newest_match_of_a_game(store: Store) -> None:
    assert store.matches.newest("hive") == store.matches.count_latest("hive") == 0
    versions = add_versions(store)
    first, second = (store.record_match(make_match(versions)) for _ in range(2))
    store.record_match(make_match(add_versions(store, game="skyport"), game="skyport"))
    assert first < second == store.matches.newest("hive")
    assert store.matches.count_latest("hive") == 2
    store.record_matches([make_match(versions, transcript=b"{}")] * LATEST)
    assert store.matches.count_latest("hive") == LATEST
