"""A suspended user's bots do not play, and play as before when the suspension ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    BookingKind,
    BookingState,
    NewBooking,
    NewBot,
    NewVersion,
    VersionStatus,
    new_secret,
)
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions

if TYPE_CHECKING:
    from agon.datastore import Store, User

LATER = NOON + 10**9


@pytest.fixture
def eve(store: Store) -> User:
    return store.users.add("eve", "hash", NOON)


def add_version(store: Store, owner: User, *, passed: bool | None = None) -> int:
    """A version that has passed or failed its check, or waits for it; its id."""
    bot = NewBot("hive", "crawler", NOON, owner_id=owner.id)
    new = NewVersion(NOON, run="./bot", status=VersionStatus.PENDING)
    _, version, check = store.submit_version(bot, new, NOON)
    if passed is not None:
        assert store.checks.take(NOON) == store.checks.get(check.id)
        store.checks.end(check.id, passed=passed, now_ns=NOON)
    return version.id


def test_versions_wait_and_come_back_as_they_were(store: Store, eve: User) -> None:
    versions = [add_version(store, eve, passed=passed) for passed in (True, False, True, None)]
    store.versions.set_status(versions[2], VersionStatus.WITHDRAWN)
    (foreign,) = add_versions(store, 1)

    def statuses() -> list[str]:
        return [store.versions.get(one).status for one in (*versions, foreign)]

    before = statuses()
    store.users.suspend(eve.id, "spam", LATER)
    assert statuses() == ["suspended", "failed", "withdrawn", "suspended", "active"]
    assert store.checks.take(LATER) is None
    store.users.reinstate(eve.id)
    assert statuses() == before == ["active", "failed", "withdrawn", "pending", "active"]
    check = store.checks.take(LATER)
    assert check
    assert check.version_id == versions[3]


@pytest.mark.parametrize("passed", [True, False])
def test_a_check_that_ends_meanwhile_lets_no_bot_play(
    store: Store, eve: User, passed: bool
) -> None:
    version = add_version(store, eve)
    check = store.checks.take(NOON)
    assert check
    store.users.suspend(eve.id, "", LATER)
    store.checks.end(check.id, passed=passed, now_ns=LATER)
    assert store.versions.get(version).status is VersionStatus.SUSPENDED
    store.users.reinstate(eve.id)
    after = VersionStatus.ACTIVE if passed else VersionStatus.FAILED
    assert store.versions.get(version).status is after


def test_what_waits_is_cancelled_and_sessions_end(store: Store, eve: User) -> None:
    version, (foreign,) = add_version(store, eve, passed=True), add_versions(store, 1)
    secret, token = new_secret(), new_secret()
    store.sessions.add(eve.id, secret, NOON, NOON + 10**15)
    store.tokens.add(eve.id, "laptop", token, NOON)
    bookings = [
        store.bookings.add(
            NewBooking(BookingKind.CHALLENGE, "hive", {}, 1, seats, NOON, {}, asked_by)
        )
        for seats, asked_by in (
            ((version, foreign), None),
            ((foreign, foreign), eve.id),
            ((foreign, foreign), None),
        )
    ]
    store.users.suspend(eve.id, "", LATER)
    states = [store.bookings.get(booking.id).state for booking in bookings]
    assert states == [BookingState.CANCELLED, BookingState.CANCELLED, BookingState.QUEUED]
    assert store.sessions.of_user(eve.id) == []
    store.users.reinstate(eve.id)
    assert store.tokens.use(token, LATER) is not None, "tokens work again"


def test_an_account_says_since_when_and_why(store: Store, eve: User) -> None:
    store.users.suspend(eve.id, "spam", LATER)
    found = store.users.get(eve.id)
    assert (found.suspended_ns, found.suspended_for, found.is_present) == (LATER, "spam", False)
    store.users.reinstate(eve.id)
    assert store.users.get(eve.id) == eve
    store.users.remove(eve.id, LATER)
    with pytest.raises(DatastoreError, match="there is none of that id"):
        store.users.suspend(eve.id, "", LATER)
