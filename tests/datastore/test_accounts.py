"""Users and tokens."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from agon.datastore import (
    BookingKind,
    BookingState,
    CheckState,
    NewBooking,
    NewBot,
    NewVersion,
    VersionStatus,
    new_secret,
    schema,
)
from agon.errors import DatastoreError, TakenError
from tests.datastore.samples import NOON

if TYPE_CHECKING:
    from agon.datastore import Store

MINUTE = 60 * 10**9


def test_a_user_is_found_by_name_and_id(store: Store) -> None:
    ada = store.users.add("ada", "$argon2id$v=19$…", NOON)
    assert (ada.name, ada.password_hash, ada.organiser) == ("ada", "$argon2id$v=19$…", False)
    assert store.users.find("ada") == ada
    assert store.users.get(ada.id) == ada
    assert store.users.find("ADA") == ada
    assert store.users.find("adam") is None


def test_a_name_is_taken_once(store: Store) -> None:
    store.users.add("ada", "one", NOON)
    with pytest.raises(TakenError, match="user 'ada': the name is taken"):
        store.users.add("ada", "two", NOON)
    with pytest.raises(TakenError, match="user 'Ada': the name is taken"):
        store.users.add("Ada", "three", NOON)
    assert [user.password_hash for user in store.users.all()] == ["one"]


def test_users_are_sorted_by_code_points_on_both_databases(store: Store) -> None:
    names = ["a", "B", "_", "é", "Z", "c", "🐝", "\uff5a"]
    for name in names:
        store.users.add(name, "", NOON)
    assert [user.name for user in store.users.all()] == sorted(names)


def test_password_and_rights_change(store: Store) -> None:
    ada = store.users.add("ada", "old", NOON)
    assert not ada.password_is_temporary
    store.users.set_password(ada.id, "once", is_temporary=True)
    assert store.users.get(ada.id).password_is_temporary
    store.users.set_password(ada.id, "new")
    store.users.set_organiser(ada.id, True)
    changed = store.users.get(ada.id)
    assert (changed.password_hash, changed.organiser) == ("new", True)
    assert not changed.password_is_temporary


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(DatastoreError, match="user 99: there is none"):
        store.users.get(99)
    with pytest.raises(DatastoreError, match="user 99: there is none"):
        store.users.set_password(99, "x")
    with pytest.raises(DatastoreError, match="token 99: there is none"):
        store.tokens.revoke(99, NOON)


def test_a_token_opens_until_it_is_revoked(store: Store) -> None:
    ada, secret = store.users.add("ada", "", NOON), new_secret()
    token = store.tokens.add(ada.id, "laptop", secret, NOON)
    used = store.tokens.use(secret, NOON + 1)
    assert used is not None
    assert (used.id, used.user_id, used.last_used_ns) == (token.id, ada.id, NOON + 1)
    assert store.tokens.use(new_secret(), NOON) is None
    store.tokens.revoke(token.id, NOON + 2)
    store.tokens.revoke(token.id, NOON + 3)
    assert store.tokens.use(secret, NOON + 4) is None
    assert [t.revoked_ns for t in store.tokens.of_user(ada.id)] == [NOON + 2]


def test_the_last_use_is_noted_to_the_minute(store: Store) -> None:
    ada, secret = store.users.add("ada", "", NOON), new_secret()
    store.tokens.add(ada.id, "laptop", secret, NOON)
    for moment in (NOON, NOON + MINUTE - 1, NOON + MINUTE):
        assert store.tokens.use(secret, moment)
        (token,) = store.tokens.of_user(ada.id)
        assert token.last_used_ns == (NOON if moment < NOON + MINUTE else moment)


def test_no_secret_is_stored(store: Store) -> None:
    ada, secret = store.users.add("ada", "", NOON), new_secret()
    store.tokens.add(ada.id, "laptop", secret, NOON)
    with store.database.read() as connection:
        row = connection.execute(select(schema.tokens)).one()
    assert secret not in str(row)
    assert re.fullmatch("[0-9a-f]{64}", row.digest)


def test_secrets_are_long_and_never_the_same() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(secret.removeprefix("agon_")) == 43 for secret in secrets)  # 32 bytes


def test_a_token_needs_its_user(store: Store) -> None:
    with pytest.raises(DatastoreError, match=r"(?i)foreign key"):
        store.tokens.add(99, "laptop", new_secret(), NOON)


def test_a_removed_user_is_out_and_keeps_the_name(store: Store) -> None:
    ada, bob = store.users.add("ada", "hash", NOON, organiser=True), store.users.add("bob", "", 1)
    secret, others = new_secret(), new_secret()
    store.tokens.add(ada.id, "laptop", secret, NOON)
    store.sessions.add(ada.id, secret, NOON, NOON + MINUTE)
    store.sessions.add(bob.id, others, NOON, NOON + MINUTE)
    bot = store.bots.add(NewBot("hive", "crawler", NOON, owner_id=ada.id))
    version = store.versions.add(bot.id, NewVersion(NOON))
    check = store.checks.add(version.id, NOON)
    asked = NewBooking(BookingKind.CHALLENGE, "hive", {}, 1, (None,), NOON, requested_by=ada.id)
    hers = store.bookings.add(asked)
    against = store.bookings.add(replace(asked, versions=(version.id,), requested_by=bob.id))
    store.users.remove(ada.id, NOON + 7)
    gone = store.users.get(ada.id)
    assert (gone.removed_ns, gone.organiser, gone.password_hash) == (NOON + 7, False, "")
    assert store.tokens.use(secret, NOON + 8) is None
    assert store.sessions.use(secret, NOON + 8, MINUTE) is None
    assert store.sessions.use(others, NOON + 8, MINUTE)
    assert store.versions.get(version.id).status is VersionStatus.WITHDRAWN
    assert store.checks.get(check.id).state is CheckState.FAILED
    for booking in (hers, against):
        assert store.bookings.get(booking.id).state is BookingState.CANCELLED
    with pytest.raises(TakenError):
        store.users.add("Ada", "", NOON + 9)
    gone_for_good = f"user {ada.id}: there is none of that id"
    with pytest.raises(DatastoreError, match=gone_for_good):
        store.users.remove(ada.id, NOON)
    with pytest.raises(DatastoreError, match=gone_for_good):
        store.users.set_password(ada.id, "back")
    with pytest.raises(DatastoreError, match=gone_for_good):
        store.users.set_organiser(ada.id, True)
