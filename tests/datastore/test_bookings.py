"""Bookings: each is taken once, its match is stored once, and what was cut off is played again."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    BookingFilter,
    BookingKind,
    BookingState,
    MatchFilter,
    NewBooking,
    Rating,
)
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions, make_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore import Booking, Store


@pytest.fixture
def versions(store: Store) -> list[int]:
    return add_versions(store, 3)


def new_booking(versions: list[int], kind: BookingKind = BookingKind.LADDER) -> NewBooking:
    seats = (versions[0], versions[1])
    return NewBooking(kind, "hive", {"variant": "Base"}, 7, seats, NOON, {"move_ms": 50})


def take(store: Store) -> Booking:
    booking = store.bookings.take(NOON + 1)
    assert booking
    return booking


def test_a_booking_is_kept_as_it_was_made(store: Store, versions: list[int]) -> None:
    ada = store.users.add("ada", "", NOON)
    new = replace(
        new_booking(versions, BookingKind.CHALLENGE),
        versions=(None, versions[2]),
        requested_by=ada.id,
    )
    booking = store.bookings.add(new)
    for name in ("kind", "game", "options", "seed", "versions", "settings", "requested_by"):
        assert getattr(booking, name) == getattr(new, name)
    assert (booking.state, booking.attempts) == (BookingState.QUEUED, 0)
    assert store.bookings.get(booking.id) == booking
    assert store.bookings.of_user(ada.id) == [booking]
    assert store.bookings.count_open(ada.id) == 1
    store.bookings.cancel(booking.id, NOON + 5, "changed my mind")
    cancelled = store.bookings.get(booking.id)
    assert cancelled.is_over
    assert (cancelled.reason, cancelled.ended_ns) == ("changed my mind", NOON + 5)
    assert store.bookings.count_open(ada.id) == 0


def test_bookings_are_taken_oldest_first_and_by_kind(store: Store, versions: list[int]) -> None:
    kinds = [BookingKind.LADDER, BookingKind.CHALLENGE, BookingKind.LADDER]
    ids = [store.bookings.add(new_booking(versions, kind)).id for kind in kinds]
    challenge = store.bookings.take(NOON + 1, [BookingKind.CHALLENGE])
    assert challenge
    assert (challenge.id, challenge.state) == (ids[1], BookingState.RUNNING)
    assert (challenge.attempts, challenge.started_ns) == (1, NOON + 1)
    assert challenge.versions == (versions[0], versions[1])
    assert [take(store).id, take(store).id] == [ids[0], ids[2]]
    assert store.bookings.take(NOON) is None


def test_a_booking_can_be_taken_by_its_id_once(store: Store, versions: list[int]) -> None:
    first, second = (store.bookings.add(new_booking(versions)).id for _ in range(2))
    taken = store.bookings.take_one(second, NOON + 1)
    assert taken
    assert (taken.id, taken.state, taken.attempts) == (second, BookingState.RUNNING, 1)
    assert store.bookings.take_one(second, NOON + 2) is None
    assert take(store).id == first
    assert store.bookings.take_one(second + 1, NOON) is None


def test_threads_never_get_the_same(store: Store, versions: list[int]) -> None:
    ids = [store.bookings.add(new_booking(versions)).id for _ in range(24)]
    taken: list[int] = []

    def work() -> None:
        while booking := store.bookings.take(NOON):
            taken.append(booking.id)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == ids


def test_the_match_and_the_end_of_the_booking_are_one(store: Store, versions: list[int]) -> None:
    booking = store.bookings.add(new_booking(versions))
    take(store)
    match_id = store.record_booked_match(booking.id, make_match(versions[:2]), NOON + 9)
    done = store.bookings.get(booking.id)
    assert (done.state, done.match_id, done.ended_ns) == (BookingState.DONE, match_id, NOON + 9)
    assert store.bookings.find(BookingFilter(match_id=match_id)) == [done]
    again = store.record_booked_match(booking.id, make_match(versions[:2]), NOON + 10)
    assert again == match_id
    assert store.matches.count(MatchFilter()) == 1
    assert store.bookings.get(booking.id) == done


def test_a_booked_match_can_be_rated(store: Store, versions: list[int]) -> None:
    booking = store.bookings.add(new_booking(versions))

    def rate(known: Sequence[Rating | None]) -> list[tuple[Rating, Rating]]:
        assert list(known) == [None, None]
        return [(Rating(25, 8), Rating(26, 7)), (Rating(25, 8), Rating(24, 7))]

    match_id = store.record_booked_match(booking.id, make_match(versions[:2]), NOON, rate)
    assert store.matches.get(match_id).seats[0].after == Rating(26, 7)


def test_a_match_that_cannot_be_stored_leaves_the_booking_open(
    store: Store, versions: list[int]
) -> None:
    booking = store.bookings.add(new_booking(versions))
    take(store)
    with pytest.raises(DatastoreError, match=r"(?i)foreign key"):
        store.record_booked_match(booking.id, make_match([versions[0], 999]), NOON)
    assert store.bookings.get(booking.id).state is BookingState.RUNNING
    assert store.matches.count(MatchFilter()) == 0


def test_what_ran_when_the_server_ended_is_played_again(store: Store, versions: list[int]) -> None:
    ids = [store.bookings.add(new_booking(versions)).id for _ in range(3)]
    first, _ = take(store), take(store)
    store.record_booked_match(first.id, make_match(versions[:2]), NOON)
    assert store.bookings.mark_interrupted() == 1
    assert [b.state for b in store.bookings.find(BookingFilter())][::-1] == [
        BookingState.DONE,
        BookingState.INTERRUPTED,
        BookingState.QUEUED,
    ]
    again = take(store)
    assert (again.id, again.attempts) == (ids[1], 2)
    store.bookings.put_back(again)
    assert take(store).attempts == 3
    assert take(store).id == ids[2]


def test_a_cancelled_booking_has_no_match(store: Store, versions: list[int]) -> None:
    booking = store.bookings.add(new_booking(versions))
    store.bookings.cancel(booking.id, NOON)
    with pytest.raises(DatastoreError, match=f"booking {booking.id}: there is none that is"):
        store.record_booked_match(booking.id, make_match(versions[:2]), NOON)
    with pytest.raises(DatastoreError, match=f"booking {booking.id}: there is none that is"):
        store.bookings.cancel(booking.id, NOON)
    with pytest.raises(DatastoreError, match=f"booking {booking.id}: attempt 0 does not run"):
        store.bookings.put_back(booking)
    assert store.matches.count(MatchFilter()) == 0


def test_what_is_not_there_is_said(store: Store, versions: list[int]) -> None:
    with pytest.raises(DatastoreError, match="booking 999: there is none of that id"):
        store.bookings.get(999)
    with pytest.raises(DatastoreError, match="booking 999: there is none"):
        store.record_booked_match(999, make_match(versions[:2]), NOON)
    with pytest.raises(DatastoreError, match="without seats"):
        store.bookings.add(replace(new_booking(versions), versions=()))


def test_pages_and_filters(store: Store, versions: list[int]) -> None:
    kinds = [BookingKind.LADDER, BookingKind.CHALLENGE, BookingKind.LADDER]
    ids = [store.bookings.add(new_booking(versions, kind)).id for kind in kinds]

    def find(wanted: BookingFilter, before_id: int | None = None) -> list[int]:
        return [one.id for one in store.bookings.find(wanted, 2, before_id)]

    assert find(BookingFilter()) == [ids[2], ids[1]]
    assert find(BookingFilter(), ids[1]) == [ids[0]]
    assert find(BookingFilter(kind=BookingKind.CHALLENGE)) == [ids[1]]
    assert find(BookingFilter(game="skyport")) == []
    assert find(BookingFilter(state=BookingState.RUNNING)) == []
