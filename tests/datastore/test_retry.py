"""A database that does not answer: waited for, told, bounded, and nothing is lost or doubled."""

from __future__ import annotations

import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from agon.datastore import BookingKind, BookingState, MatchFilter, NewBooking, Store
from agon.datastore.database import Begin
from agon.datastore.record import pack_transcripts, record_matches
from agon.datastore.retry import MOST_SECONDS, Retry
from agon.errors import DatabaseError
from tests.datastore.samples import NOON, add_versions, make_match
from tests.datastore.server import PostgreSQL, running_postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection


@contextmanager
def crashing_server() -> Iterator[PostgreSQL]:
    """One that may be stopped; what it has committed is on the disk."""
    with running_postgresql(synchronous_commit="on") as server:
        server.execute("CREATE DATABASE own")
        yield server


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgreSQL]:
    with crashing_server() as server:
        yield server


@pytest.mark.system
def test_a_caller_that_waits_goes_on_when_the_server_is_back(own_server: PostgreSQL) -> None:
    told: list[str] = []

    def tell(words: str) -> None:
        told.append(words)
        if len(told) == 1:
            own_server.start()

    with Store.open(own_server.url("own")) as store:
        versions = add_versions(store)
        own_server.stop()
        with pytest.raises(DatabaseError) as caught:
            store.record_match(make_match(versions))  # who does not wait is told at once
        assert caught.value.is_passing
        match_id = store.retrying(Retry(tell)).record_match(make_match(versions))
        assert [match.id for match in store.matches.find(MatchFilter())] == [match_id]
    assert "waiting for it, for 600 s at most" in told[0]
    assert told[1].startswith("the datastore answers again, after ")


@pytest.mark.system
def test_a_frozen_server_is_noticed(own_server: PostgreSQL) -> None:
    with Store.open(own_server.url("own"), answer_seconds=1) as store:
        assert store.users.all() == []
        own_server.freeze()
        try:
            with pytest.raises(DatabaseError, match=r"has not answered for 1 s|timeout") as caught:
                store.users.all()
            assert caught.value.is_passing
        finally:
            own_server.thaw()
        assert store.users.add("ada", "", NOON).id


def test_a_wait_is_bounded(tmp_path: Path) -> None:
    times = iter([0.0, 1.0, MOST_SECONDS - 1, MOST_SECONDS])
    told: list[str] = []
    retry = Retry(told.append, clock=lambda: next(times))
    attempts: list[bool] = []

    def fail(is_again: bool) -> None:
        attempts.append(is_again)
        raise DatabaseError("it does not answer", is_passing=True)

    with pytest.raises(DatabaseError, match="it does not answer"):
        retry.run(fail)
    assert attempts == [False, True, True]
    assert told == ["it does not answer; waiting for it, for 600 s at most"]


def test_nothing_is_waited_for_that_does_not_pass_or_when_all_ends() -> None:
    def fail(is_again: bool) -> None:
        raise DatabaseError("its file is damaged", is_passing=not is_again)

    told: list[str] = []
    with pytest.raises(DatabaseError):
        Retry(told.append).run(fail)  # tried once more, and damaged then
    assert len(told) == 1
    retry = Retry(told.append)
    retry.give_up()
    with pytest.raises(DatabaseError):
        retry.run(fail)
    assert len(told) == 1


def test_a_match_whose_commit_was_not_answered_is_not_stored_twice(store: Store) -> None:
    match = make_match(add_versions(store))
    stored = store.record_match(match)

    def again(connection: Connection) -> list[int]:
        connection.execution_options(agon_again=True)
        return record_matches(connection, [match], pack_transcripts([match]))

    assert store.database.write(again, Begin.QUICK) == [stored]
    assert store.matches.count(MatchFilter()) == 1


def test_a_booking_whose_commit_was_not_answered_is_not_lost(store: Store) -> None:
    versions = tuple(add_versions(store))
    for _ in range(2):
        store.bookings.add(NewBooking(BookingKind.LADDER, "hive", {}, 1, versions, NOON))
    answers = iter([DatabaseError("lost", is_passing=True), None])

    class Unsure(Retry):
        """The first attempt is done, and its answer lost."""

        def run(self, work):  # type: ignore[no-untyped-def]
            def unsure(is_again: bool) -> object:
                found = work(is_again)
                error = next(answers)
                if error is not None:
                    raise error
                return found

            return super().run(unsure)

    taken = store.retrying(Unsure(lambda told: None)).bookings.take(NOON)
    other = store.bookings.take(NOON + 1)
    assert taken
    assert other
    assert taken.id != other.id
    assert store.bookings.take(NOON + 2) is None
    assert taken.state is BookingState.RUNNING


def test_a_store_without_descriptors_is_waited_for(blank: Path) -> None:
    """SQLite cannot open its file; it can as soon as others have closed theirs."""
    told: list[str] = []
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)

    def tell(words: str) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        told.append(words)

    with Store.open(blank) as store:
        versions = add_versions(store)
        store.close()  # it opens its file again when it is next used
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
        try:
            with pytest.raises(DatabaseError) as caught:
                store.record_match(make_match(versions))
            assert caught.value.is_passing
            store.retrying(Retry(tell)).record_match(make_match(versions))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert store.matches.count(MatchFilter()) == 1
    assert "unable to open database file" in told[0]


def test_a_database_without_memory_is_waited_for(store: Store) -> None:
    left = [3]

    def work(connection: Connection) -> str:
        left[0] -= 1
        if left[0]:
            raise MemoryError
        return "done"

    told: list[str] = []
    assert store.database.retrying(Retry(told.append)).write(work) == "done"
    assert len(told) == 2
