"""Several servers on one datastore: what belongs to one is left alone by the others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from agon.arena.rate_limit import SECOND_NS as S
from agon.arena.rate_limit import RateLimit
from agon.datastore import (
    BookingKind,
    BookingState,
    CheckState,
    JournalKind,
    MatchFilter,
    NewBooking,
    NewContest,
    Page,
    Store,
)
from agon.errors import GivenUpError, TakenError
from tests.datastore.samples import NOON, add_versions, make_match

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def other(store: Store, place: str) -> Iterator[Store]:
    """A second server; `store` is the first."""
    store.servers.join("one", "http://one", "", NOON)
    with Store.open(place, create=False) as opened:
        opened.servers.join("two", "http://two", "boot 7", NOON + 1)
        yield opened


def book(store: Store, versions: list[int]) -> None:
    store.bookings.add(NewBooking(BookingKind.LADDER, "hive", {}, 5, (*versions,), NOON))


def end(store: Store) -> None:
    """As if it had been killed, and the others had noticed."""
    one = store.servers.own_id
    assert one is not None
    store.servers.remove([one])


def test_servers_join_stay_and_leave(store: Store, other: Store) -> None:
    one, two = store.servers.all()
    assert (one.id, one.name, one.address) == (store.servers.own_id, "one", "http://one")
    assert (two.name, two.process, two.joined_ns, two.seen_ns) == (
        "two",
        "boot 7",
        NOON + 1,
        NOON + 1,
    )
    assert other.servers.stay(NOON + 9)
    assert [server.seen_ns for server in store.servers.all()] == [NOON, NOON + 9]
    end(other)
    assert not other.servers.stay(NOON + 10)
    store.servers.leave()
    assert store.servers.all() == []
    assert store.servers.own_id is None
    store.servers.leave()


def test_a_match_belongs_to_its_server_until_that_is_gone(store: Store, other: Store) -> None:
    versions = add_versions(store)
    book(store, versions)
    taken = store.bookings.take(NOON)
    assert taken is not None
    assert taken.server_id == store.servers.own_id
    assert other.bookings.take(NOON) is None
    assert other.bookings.mark_interrupted() == 0
    end(store)
    assert other.bookings.mark_interrupted() == 1
    again = other.bookings.take(NOON)
    assert again is not None
    assert (again.id, again.attempts, again.server_id) == (taken.id, 2, other.servers.own_id)


def test_an_attempt_that_was_given_up_is_not_stored(store: Store, other: Store) -> None:
    versions = add_versions(store)
    book(store, versions)
    first = store.bookings.take(NOON)
    end(store)
    other.bookings.mark_interrupted()
    second = other.bookings.take(NOON)
    assert first is not None
    assert second is not None
    match = make_match(versions)
    late = rf"^booking {first.id}: attempt 2 has begun since then$"
    with pytest.raises(GivenUpError, match=late):
        store.record_booked_match(first.id, match, NOON, attempt=first.attempts)
    with pytest.raises(GivenUpError, match=rf"^booking {first.id}: attempt 1 does not run$"):
        store.bookings.put_back(first)
    assert other.bookings.get(first.id).state is BookingState.RUNNING
    match_id = other.record_booked_match(first.id, match, NOON, attempt=second.attempts)
    assert store.record_booked_match(first.id, match, NOON, attempt=first.attempts) == match_id
    assert store.matches.count(MatchFilter()) == 1


def test_a_match_whose_server_was_taken_for_gone_may_still_be_stored(
    store: Store, other: Store
) -> None:
    versions = add_versions(store)
    book(store, versions)
    first = store.bookings.take(NOON)
    assert first is not None
    end(store)
    other.bookings.mark_interrupted()
    store.record_booked_match(first.id, make_match(versions), NOON, attempt=first.attempts)
    assert other.bookings.take(NOON) is None


def test_a_check_belongs_to_its_server_until_that_is_gone(store: Store, other: Store) -> None:
    store.checks.add(add_versions(store)[0], NOON)
    taken = store.checks.take(NOON)
    assert taken is not None
    assert other.checks.mark_interrupted(NOON) == []
    end(store)
    (again,) = other.checks.mark_interrupted(NOON)
    assert other.checks.get(taken.id).state is CheckState.INTERRUPTED
    assert again.state is CheckState.QUEUED


def test_a_contest_is_played_by_one_server(store: Store, other: Store) -> None:
    user = store.users.add("ada", "…", NOON)
    contest = store.contests.add(NewContest("cup", "hive", "swiss"), user.id, NOON)
    assert store.contests.claim(contest.id)
    assert store.contests.claim(contest.id)
    assert not other.contests.claim(contest.id)
    other.contests.release(contest.id)
    assert store.contests.get(contest.id).server_id == store.servers.own_id
    store.contests.release(contest.id)
    assert other.contests.claim(contest.id)
    end(other)
    assert store.contests.claim(contest.id)


def test_the_journal_of_a_server_is_left_to_one_other(
    store: Store, other: Store, place: str
) -> None:
    page = Page("kx3", JournalKind.PEOPLE, "hive", {}, NOON, 0, ["wS1"])
    store.journal.write([page, replace(page, key="net", kind=JournalKind.NETWORK)])
    assert other.journal.take_left(JournalKind.PEOPLE) == []
    end(store)
    (entry,) = other.journal.take_left(JournalKind.PEOPLE)
    assert (entry.key, entry.lines) == ("kx3", ("wS1",))
    with Store.open(place, create=False) as third:
        third.servers.join("three", "", "", NOON)
        assert third.journal.take_left(JournalKind.PEOPLE) == []
        assert [one.key for one in third.journal.take_left(JournalKind.NETWORK)] == ["net"]


def test_attempts_count_for_all_servers_together(store: Store, other: Store) -> None:
    limits = [RateLimit(2, 60), RateLimit(2, 60)]
    for limit, one in zip(limits, (store, other), strict=True):
        limit.share(one.attempts, "log in")
    assert [limit.take("ada", NOON + S) for limit in limits] == [0, 0]
    assert limits[0].take("ada", NOON + 11 * S) == 50 * S
    assert limits[1].take("bob", NOON + 11 * S) == 0
    limits[1].give_back("ada")
    limits[1].give_back("eve")
    assert limits[0].take("ada", NOON + 12 * S) == 0
    assert limits[1].take("ada", NOON + 60 * S) == 1 * S
    assert limits[1].take("ada", NOON + 61 * S) == 0
    upload = RateLimit(1, 60)
    upload.share(store.attempts, "upload")
    assert upload.take("ada", NOON + 61 * S) == 0


def test_servers_that_count_at_the_same_moment_allow_no_attempt_too_many(
    store: Store, other: Store
) -> None:
    stores = (store, other) * 4
    together = Barrier(len(stores))

    def take(one: Store, key: str) -> int:
        together.wait()
        return one.attempts.take("log in", key, 1, S, NOON)

    with ThreadPoolExecutor(len(stores)) as threads:
        for key in "abcde":
            waits = list(threads.map(take, stores, [key] * len(stores)))
            assert waits.count(0) == 1, "one is allowed"


def test_matches_of_people_are_listed_by_others_and_kept_by_one(store: Store, other: Store) -> None:
    page = Page("kx3", JournalKind.PEOPLE, "hive", {"seats": []}, NOON, 0, ["wS1"])
    store.journal.write([page])
    assert store.journal.heads_of_others(JournalKind.PEOPLE) == []
    (entry,) = other.journal.heads_of_others(JournalKind.PEOPLE)
    assert (entry.key, entry.head, entry.lines) == ("kx3", {"seats": []}, ())
    assert other.journal.claim(["kx3"]) == set(), "its server is there"
    end(store)
    assert other.journal.heads_of_others(JournalKind.PEOPLE) == []
    assert other.journal.claim(["kx3", "none"]) == {"kx3"}
    store.servers.join("one again", "", "", NOON)
    assert store.journal.claim(["kx3"]) == set()


def test_a_fixture_is_booked_once_and_again_if_it_was_cancelled(store: Store, other: Store) -> None:
    versions = add_versions(store)
    new = NewBooking(BookingKind.LADDER, "hive", {}, 5, (*versions,), NOON, fixture="hive 5 1-2")
    booking = store.bookings.add(new)
    with pytest.raises(TakenError, match=r"^fixture 'hive 5 1-2': it is booked already$"):
        other.bookings.add(new)
    other.bookings.add(replace(new, fixture="hive 5 2-1"))
    other.bookings.add(replace(new, fixture=None))
    other.bookings.add(replace(new, fixture=None))
    store.bookings.cancel(booking.id, NOON)
    assert other.bookings.add(new).fixture == "hive 5 1-2"
