"""The counts of results are those of the matches at every moment, whoever stores them."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from agon.arena.official_table import faults_by_version, table_from_counts, version_key
from agon.datastore import (
    BookingKind,
    MatchFilter,
    MatchStatus,
    NewBooking,
    NewMatch,
    NewTournament,
    ResultFilter,
    Store,
)
from agon.datastore.database import Database
from agon.datastore.integrity import check_database
from agon.datastore.location import parse_location
from agon.datastore.record import pack_transcripts, record_matches
from agon.datastore.result_counts import SeatedResult
from agon.datastore.transfer import export_lines, import_lines
from agon.errors import DatastoreError
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from agon.ranker.result import Result
from agon.ranker.table import make_table
from agon.website.ranking.standings import make_standing
from tests.datastore.samples import NOON, add_versions, make_match

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from agon.ranker.table import RankingTable
    from agon.website.ranking.standings import GameStanding

RULES = (1, 2)
WRITERS = 4
BATCHES = 12


def random_match(rng: Random, versions: list[int], tournaments: list[int]) -> NewMatch:
    """A match of two to four seats that may be drawn, faulty, void, unrated, of a tournament."""
    seats = rng.choice((2, 2, 2, 3, 4))
    seated = [rng.choice(versions) for _ in range(seats)]  # now and then one plays itself
    match = make_match(
        seated,
        tuple(rng.randrange(-1, 3) for _ in range(seats)),
        rules_version=rng.choice(RULES),
        rated=rng.random() < 0.9,
        status=MatchStatus.FINISHED if rng.random() < 0.9 else MatchStatus.VOID,
        seed=rng.randrange(2**40),
    )
    faults = [rng.choice([*Fault]) if rng.random() < 0.2 else None for _ in match.seats]
    match = replace(
        match,
        seats=tuple(
            replace(seat, fault=fault) for seat, fault in zip(match.seats, faults, strict=True)
        ),
    )
    if rng.random() < 0.5:
        return match
    fixture = f"fixture {match.seed}"
    return replace(match, tournament_id=rng.choice(tournaments), fixture=fixture)


def record_somehow(store: Store, rng: Random, matches: list[NewMatch]) -> None:
    """Each match by one of the ways to store it; a fixture is stored a second time, too."""
    while matches:
        size = rng.choice((1, 1, 5))
        part, matches = matches[:size], matches[size:]
        if len(part) > 1:
            store.record_matches(part)
        elif rng.random() < 0.5:
            store.record_match(part[0])
        else:
            versions = tuple(seat.version_id for seat in part[0].seats)
            plan = NewBooking(BookingKind.LADDER, "hive", {}, 7, versions, NOON)
            booking = store.bookings.add(plan).id
            for _ in range(2):
                store.record_booked_match(booking, part[0], NOON)
        if part[0].fixture is not None and part[0].status is MatchStatus.FINISHED:
            store.record_match(part[0])


def full_table(store: Store, rules_version: int, hidden: frozenset[int]) -> RankingTable:
    """From each match by itself."""
    stored = store.results.stream(ResultFilter("hive", rules_version, but_tournaments=hidden))
    return make_table(Result(tuple(map(version_key, one.versions)), one.scores) for one in stored)


def full_faults(store: Store, hidden: frozenset[int]) -> dict[int, dict[Fault, int]]:
    wanted = MatchFilter("hive", status=MatchStatus.FINISHED, but_tournaments=hidden)
    found = Counter(
        (seat.version_id, seat.fault)
        for match in store.matches.find(wanted, limit=10_000)
        for seat in match.seats
        if match.rated and seat.fault is not None
    )
    faults: dict[int, dict[Fault, int]] = {}
    for (version, fault), number in found.items():
        faults.setdefault(version, {})[fault] = number
    return faults


@pytest.mark.parametrize("seed", range(3))
def test_the_table_of_counts_is_that_of_the_matches_in_every_digit(store: Store, seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    versions = add_versions(store, 6)
    add_versions(store, 2, "skyport")
    tournaments = [
        store.tournaments.add(NewTournament(name, "hive", "swiss", NOON)).id for name in "abc"
    ]
    record_somehow(store, rng, [random_match(rng, versions, tournaments) for _ in range(300)])
    store.record_match(make_match(versions[:2], game="skyport"))
    for hidden in (frozenset[int](), frozenset(tournaments[:1]), frozenset(tournaments)):
        counts = store.result_counts.find("hive", hidden)
        for rules_version in RULES:
            table = table_from_counts(counts, rules_version)
            assert table == full_table(store, rules_version, hidden)
            assert table.matches > 10
        assert faults_by_version(counts) == full_faults(store, hidden)
    stored, counted = store.result_counts.compare("hive")
    assert stored == counted
    assert check_database(store.database) == []


def test_a_count_names_seats_ranks_and_faults(store: Store) -> None:
    a, b = versions = add_versions(store)
    match = make_match(versions, (-3, 8))
    failed = replace(match, seats=(replace(match.seats[0], fault=Fault.ILLEGAL), match.seats[1]))
    store.record_matches([match, failed, match])
    ends = ("hive", 1, None, (a, b), (1, 0))
    assert store.result_counts.find("hive") == {
        SeatedResult(*ends, (None, None)): 2,
        SeatedResult(*ends, (Fault.ILLEGAL, None)): 1,
    }
    assert store.result_counts.find("skyport") == {}


def test_a_match_that_is_refused_is_not_counted(store: Store) -> None:
    match = make_match(add_versions(store))
    with pytest.raises(DatastoreError):
        store.record_matches([match, replace(match, seats=())])
    assert store.result_counts.find("hive") == {}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "UPDATE result_counts SET times = 5",
            r"ranks 0,1, faults none,none: 5 counted, 1 matches",
        ),
        ("DELETE FROM result_counts", r"result_counts, hive, rules 1, tournament 1, .* 0 counted"),
        ("UPDATE result_counts SET ranks = '0,0'", r"versions 1,2, ranks 0,0.*0 matches"),
        ("UPDATE result_counts SET versions = 'x'", r"result_counts: invalid literal"),
        ("UPDATE result_counts SET faults = 'tired,'", r"result_counts: 'tired' is not a valid"),
    ],
)
def test_other_counts_are_found_and_made_again(store: Store, change: str, told: str) -> None:
    versions = add_versions(store)
    store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON))
    store.record_match(make_match(versions, tournament_id=1, fixture="1"))
    right = store.result_counts.find("hive")
    store.database.write(lambda connection: connection.execute(text(change)))
    problems = check_database(store.database)
    assert all("`agon db recount`" in problem for problem in problems)
    with pytest.raises(DatastoreError, match=told):
        raise DatastoreError("\n".join(problems))
    assert store.result_counts.make_anew() == 1
    assert store.result_counts.find("hive") == right
    assert check_database(store.database) == []


def test_an_import_counts_what_it_reads(store: Store, tmp_path: Path) -> None:
    rng = Random(5)  # noqa: S311
    versions = add_versions(store, 3)
    store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON))
    store.record_matches([random_match(rng, versions, [1]) for _ in range(40)])
    lines = list(export_lines(store.database))
    assert not any(b"result_counts" in line for line in lines)
    with Store.open(tmp_path / "copy.db") as copy:
        import_lines(copy.database, lines)
        assert copy.result_counts.find("hive") == store.result_counts.find("hive") != {}


def in_threads(*work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.system
def test_writers_of_the_same_results_do_not_lose_counts_or_block_each_other(
    store: Store, place: str
) -> None:
    """Each stores the same results in another order; a deadlock would be tried again, a pause."""
    versions = add_versions(store, 4)
    pauses: list[float] = []
    shared = Store(Database(parse_location(place), pause=pauses.append))
    pairs = [[one, two] for one in versions for two in versions if one != two]
    begin = threading.Barrier(WRITERS)

    def write(seed: int) -> None:
        rng = Random(seed)  # noqa: S311
        begin.wait()
        for _ in range(BATCHES):
            in_some_order = rng.sample(pairs, len(pairs))
            shared.record_matches([make_match(pair) for pair in in_some_order])

    in_threads(*(partial(write, seed) for seed in range(WRITERS)))
    shared.close()
    assert pauses == []
    counts = store.result_counts.find("hive")
    assert {*counts.values()} == {WRITERS * BATCHES}
    assert len(counts) == len(pairs)
    assert check_database(store.database) == []


@pytest.mark.system
def test_matches_that_are_stored_during_a_recount_are_counted_once(store: Store) -> None:
    versions = add_versions(store, 2)

    def write() -> None:
        for _ in range(40):
            store.record_match(make_match(versions))

    def count_again() -> None:
        for _ in range(15):
            store.result_counts.make_anew()

    in_threads(write, count_again, write)
    assert [*store.result_counts.find("hive").values()] == [80]


@pytest.mark.system
def test_a_match_that_is_stored_after_one_with_a_higher_number_makes_a_new_table(
    store: Store,
) -> None:
    if store.database.is_sqlite:
        return  # it has one writer at a time
    a, b = add_versions(store)
    early, late = (make_match(pair, rules_version=GAME.rules_version) for pair in ([a, b], [b, a]))
    made: list[GameStanding] = []

    def store_early(connection: Connection) -> int:
        (number,) = record_matches(connection, [early], pack_transcripts([early]))
        assert store.record_match(late) > number
        made.append(make_standing(store, GAME, NOON))
        return number

    store.database.write(store_early)
    (standing,) = made
    assert standing.table.matches == 1
    assert not standing.is_of(store, GAME)
    again = make_standing(store, GAME, NOON)
    assert again.table.matches == 2
    assert again.newest == standing.newest
    assert again.is_of(store, GAME)
