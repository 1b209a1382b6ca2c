"""What operators watch of a datastore: true figures, read by indexes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from agon.datastore import BookingKind, BookingState, CheckState, NewBooking
from agon.datastore.gauges import (
    BOOKING_QUEUE,
    CHECK_QUEUE,
    QueueLength,
    booking_queues,
    check_queues,
    size_in_bytes,
)
from tests.datastore.samples import NOON, add_versions

if TYPE_CHECKING:
    from sqlalchemy import Select

    from agon.datastore import Store


def book(store: Store, versions: list[int], kind: BookingKind, created_ns: int) -> int:
    seats = (versions[0], versions[1])
    new = NewBooking(kind, "hive", {"variant": "Base"}, 7, seats, created_ns)
    return store.bookings.add(new).id


def test_queues_by_kind_and_state(store: Store) -> None:
    versions = add_versions(store, 2)
    first = book(store, versions, BookingKind.LADDER, NOON + 1)
    book(store, versions, BookingKind.CHALLENGE, NOON + 3)
    book(store, versions, BookingKind.CHALLENGE, NOON + 2)
    over = book(store, versions, BookingKind.CHALLENGE, NOON)
    store.bookings.cancel(over, NOON + 9)
    store.bookings.take_one(first, NOON + 9)
    assert booking_queues(store.database) == {
        (BookingKind.LADDER, BookingState.RUNNING): QueueLength(1, NOON + 1),
        (BookingKind.CHALLENGE, BookingState.QUEUED): QueueLength(2, NOON + 2),
    }
    store.bookings.put_back(store.bookings.get(first))
    assert (BookingKind.LADDER, BookingState.INTERRUPTED) in booking_queues(store.database)


def test_queues_of_checks(store: Store) -> None:
    versions = add_versions(store, 3)
    for number, version in enumerate(versions):
        store.checks.add(version, NOON + number)
    taken = store.checks.take(NOON + 9)
    assert taken
    assert check_queues(store.database) == {
        CheckState.RUNNING: QueueLength(1, NOON),
        CheckState.QUEUED: QueueLength(2, NOON + 1),
    }
    store.checks.end(taken.id, passed=True, now_ns=NOON + 10)
    assert check_queues(store.database) == {CheckState.QUEUED: QueueLength(2, NOON + 1)}


def test_the_size_on_disk(store: Store) -> None:
    assert 10_000 < size_in_bytes(store.database) < 100_000_000


@pytest.mark.parametrize("query", [BOOKING_QUEUE, CHECK_QUEUE], ids=["bookings", "checks"])
def test_no_query_reads_a_whole_table(store: Store, query: Select[Any]) -> None:
    with store.database.read() as connection:
        if not store.database.is_sqlite:
            connection.execute(text("SET LOCAL enable_seqscan = off"))  # the tables are empty
        sql = query.compile(connection, compile_kwargs={"literal_binds": True})
        explain = "EXPLAIN QUERY PLAN" if store.database.is_sqlite else "EXPLAIN"
        plan = " ".join(str(row) for row in connection.exec_driver_sql(f"{explain} {sql}"))
    assert "_state_id" in plan
    assert "SCAN" not in plan.replace("Bitmap", "")
    assert "Seq Scan" not in plan
