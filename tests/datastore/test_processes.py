"""Several processes at one store, and processes that are killed."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from itertools import count
from multiprocessing import forkserver
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.datastore import (
    BookingFilter,
    BookingKind,
    MatchFilter,
    NewBooking,
    NewTournament,
    ResultFilter,
    Store,
)
from agon.datastore.database import BUSY_S, WRITE_ATTEMPTS, Database
from agon.datastore.integrity import check_database
from agon.datastore.location import parse_location
from agon.errors import DatabaseError
from tests.datastore.samples import NOON, add_versions, make_match
from tests.datastore.writer import (
    open_and_close,
    play_bookings,
    store_fixtures,
    store_without_fixtures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext, ForkServerProcess
    from pathlib import Path

pytestmark = pytest.mark.system

KILLS = 20
BOOKED = 80
LONGEST_S = 0.1
LOADED_S = 30
HIVE = ResultFilter("hive")


@pytest.fixture(scope="module")
def processes() -> Iterator[ForkServerContext]:
    """Processes that begin quickly: forked from one that has loaded the datastore.

    One that other tests have started has not, and would not load it any more; nor would it end as
    long as one of its processes lives. So this is another one.
    """
    server: Any = forkserver.ForkServer()
    with pytest.MonkeyPatch.context() as patch:
        for name in forkserver.__all__:
            patch.setattr(forkserver, name, getattr(server, name))
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.datastore.writer"])
        yield context
        server._stop()


def start(context: ForkServerContext, work: Any, *arguments: Any) -> ForkServerProcess:
    process = context.Process(target=work, args=arguments)
    process.start()
    return process


def received(reports: Connection) -> list[tuple[str, int]]:
    """All that a process reported until it ended."""
    found = []
    while True:
        try:
            found += reports.recv()
        except (EOFError, OSError):
            return found


def test_kill_9_loses_no_match_and_doubles_none(
    store: Store, place: str, processes: ForkServerContext
) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON)).id
    moments = Random(9)  # noqa: S311
    reported: dict[str, int] = {}
    for number in range(KILLS):
        reports, sender = processes.Pipe(duplex=False)
        process = start(processes, store_fixtures, place, versions, friday, None, sender)
        sender.close()
        if number % 4:  # else it may be killed before it has begun
            reports.poll(LOADED_S)
        process.join(moments.uniform(0, LONGEST_S))  # it never ends by itself
        process.kill()
        new = received(reports)
        process.join()
        assert not {fixture for fixture, _ in new} & reported.keys()
        reported.update(new)
        stored = store.tournaments.finished_fixtures(friday)
        assert reported.items() <= stored.items()
    assert len(reported) > KILLS
    assert check_database(store.database) == []
    last = max(map(int, reported)) + 30
    reports, sender = processes.Pipe(duplex=False)
    process = start(processes, store_fixtures, place, versions, friday, last, sender)
    sender.close()
    received(reports)
    process.join()
    assert store.tournaments.finished_fixtures(friday).keys() == {str(n) for n in range(last)}
    assert store.results.count(HIVE) == last
    assert check_database(store.database) == []


def test_kill_9_and_every_booking_is_played_once(
    store: Store, place: str, processes: ForkServerContext
) -> None:
    versions = add_versions(store)
    plan = NewBooking(BookingKind.LADDER, "hive", {}, 7, (versions[0], versions[1]), NOON)
    ids = [store.bookings.add(plan).id for _ in range(BOOKED)]
    reported: dict[str, int] = {}
    for number in range(KILLS):
        reports, sender = processes.Pipe(duplex=False)
        process = start(processes, play_bookings, place, versions, sender)
        sender.close()
        for _ in range(number % 7):  # between the taking and the storing, and after it
            if reports.poll(LOADED_S):
                reported.update(found for found in reports.recv() if found[1])
        process.kill()
        reported.update(found for found in received(reports) if found[1])
        process.join()
        assert store.bookings.mark_interrupted() <= 1
    reports, sender = processes.Pipe(duplex=False)
    process = start(processes, play_bookings, place, versions, sender)
    sender.close()
    reported.update(found for found in received(reports) if found[1])
    process.join()
    done = {str(one.id): one.match_id for one in store.bookings.find(BookingFilter(), BOOKED)}
    assert done.keys() == {str(booking_id) for booking_id in ids}
    assert reported.items() <= done.items()
    assert len(set(done.values())) == store.matches.count(MatchFilter()) == BOOKED
    assert check_database(store.database) == []


def test_processes_that_write_at_once(
    store: Store, place: str, processes: ForkServerContext
) -> None:
    versions = add_versions(store)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON)).id
    pipes = [processes.Pipe(duplex=False) for _ in range(2)]
    started = [
        start(processes, store_fixtures, place, versions, friday, 150, sender)
        for _, sender in pipes
    ]
    started += [start(processes, store_without_fixtures, place, versions, 60) for _ in range(2)]
    for _, sender in pipes:
        sender.close()
    first, second = (dict(received(reports)) for reports, _ in pipes)
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0, 0, 0, 0]
    assert all(first[fixture] == second[fixture] for fixture in first.keys() & second.keys())
    assert store.tournaments.finished_fixtures(friday) == first | second
    assert len(first | second) == 150
    assert store.results.count(HIVE) == 150 + 2 * 60
    assert check_database(store.database) == []


def test_processes_that_make_the_same_store(empty_place: str, processes: ForkServerContext) -> None:
    started = [start(processes, open_and_close, empty_place) for _ in range(4)]
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0, 0, 0, 0]
    with Store.open(empty_place, create=False) as store:
        assert check_database(store.database) == []


def test_kill_9_while_a_store_is_made(empty_place: str, processes: ForkServerContext) -> None:
    moments = Random(3)  # noqa: S311
    for _ in range(8):
        process = start(processes, open_and_close, empty_place)
        process.join(moments.uniform(0, LONGEST_S))
        process.kill()
        process.join()
    with Store.open(empty_place) as store:
        assert check_database(store.database) == []


def test_threads_share_a_store(store: Store) -> None:
    versions = add_versions(store)
    threads = [
        threading.Thread(
            target=lambda: [store.record_match(make_match(versions)) for _ in range(10)]
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.matches.find(MatchFilter(), limit=100)) == 60


@pytest.fixture
def busy_file(new_place: Callable[[str], str]) -> Path | str:
    return new_place("sqlite")


def test_a_writer_waits_until_another_one_has_finished(busy_file: str) -> None:
    other = sqlite3.connect(busy_file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            other.execute("COMMIT")

    store = Store(Database(parse_location(busy_file), busy_ms=1, pause=pause))
    add_versions(store)
    assert len(pauses) == 3
    assert len(store.bots.all()) == 2
    store.close()
    other.close()


def test_a_writer_that_waits_in_vain_says_so(busy_file: str) -> None:
    other = sqlite3.connect(busy_file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    pauses: list[float] = []
    store = Store(Database(parse_location(busy_file), busy_ms=1, pause=pauses.append))
    with pytest.raises(DatabaseError, match="another process has been writing for too long"):
        store.users.add("ada", "", NOON)
    assert len(pauses) == WRITE_ATTEMPTS - 1
    assert store.users.all() == []  # readers do not wait
    store.close()
    other.close()


def test_all_attempts_together_have_a_bound(busy_file: str) -> None:
    other = sqlite3.connect(busy_file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    pauses: list[float] = []
    clock = count(0, BUSY_S / 3).__next__
    store = Store(Database(parse_location(busy_file), busy_ms=1, pause=pauses.append, clock=clock))
    with pytest.raises(DatabaseError, match="another process has been writing for too long"):
        store.users.add("ada", "", NOON)
    assert len(pauses) < WRITE_ATTEMPTS - 1
    store.close()
    other.close()
