"""Sessions open, are noted, expire and end; their secrets are not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from agon.datastore import User, new_secret, schema
from tests.datastore.samples import NOON

if TYPE_CHECKING:
    from agon.datastore import Store

MINUTE = 60 * 10**9
IDLE = 60 * MINUTE
DAY = 24 * IDLE


@pytest.fixture
def ada(store: Store) -> User:
    return store.users.add("ada", "", NOON)


def test_a_session_opens_until_it_is_ended(store: Store, ada: User) -> None:
    secret = new_secret()
    session = store.sessions.add(ada.id, secret, NOON, NOON + DAY)
    assert store.sessions.use(secret, NOON + 1, IDLE) == session
    assert store.sessions.use(new_secret(), NOON + 1, IDLE) is None
    store.sessions.end(secret)
    assert store.sessions.use(secret, NOON + 1, IDLE) is None
    store.sessions.end(secret)
    assert store.sessions.of_user(ada.id) == []


def test_a_session_that_is_not_used_ends(store: Store, ada: User) -> None:
    secret = new_secret()
    store.sessions.add(ada.id, secret, NOON, NOON + DAY)
    assert store.sessions.use(secret, NOON + IDLE - 1, IDLE)
    assert store.sessions.use(secret, NOON + 2 * IDLE - 2, IDLE)
    assert store.sessions.use(secret, NOON + 3 * IDLE - 2, IDLE) is None


def test_a_session_expires_however_often_it_is_used(store: Store, ada: User) -> None:
    secret = new_secret()
    store.sessions.add(ada.id, secret, NOON, NOON + DAY)
    for moment in range(NOON, NOON + DAY, IDLE // 2):
        assert store.sessions.use(secret, moment, IDLE)
    assert store.sessions.use(secret, NOON + DAY, IDLE) is None


def test_the_last_use_is_noted_to_the_minute(store: Store, ada: User) -> None:
    secret = new_secret()
    store.sessions.add(ada.id, secret, NOON, NOON + DAY)
    for moment in (NOON + MINUTE - 1, NOON + MINUTE):
        used = store.sessions.use(secret, moment, IDLE)
        assert used
        noted = NOON if moment < NOON + MINUTE else moment
        assert [used] == store.sessions.of_user(ada.id)
        assert used.last_used_ns == noted


def test_all_sessions_of_a_user_end_but_one(store: Store, ada: User) -> None:
    bob = store.users.add("bob", "", NOON)
    kept, other, bobs = new_secret(), new_secret(), new_secret()
    session = store.sessions.add(ada.id, kept, NOON, NOON + DAY)
    store.sessions.add(ada.id, other, NOON, NOON + DAY)
    store.sessions.add(bob.id, bobs, NOON, NOON + DAY)
    assert store.sessions.end_all(ada.id, but=session.id) == 1
    assert store.sessions.use(other, NOON, IDLE) is None
    assert store.sessions.use(kept, NOON, IDLE)
    assert store.sessions.end_all(ada.id) == 1
    assert store.sessions.use(kept, NOON, IDLE) is None
    assert store.sessions.use(bobs, NOON, IDLE)


def test_sessions_that_have_ended_are_swept(store: Store, ada: User) -> None:
    expired, idle, fresh = new_secret(), new_secret(), new_secret()
    store.sessions.add(ada.id, expired, NOON, NOON + 5)
    store.sessions.add(ada.id, idle, NOON - IDLE, NOON + DAY)
    store.sessions.add(ada.id, fresh, NOON, NOON + DAY)
    assert store.sessions.sweep(NOON + 5, IDLE) == 2
    assert len(store.sessions.of_user(ada.id)) == 1
    assert store.sessions.use(fresh, NOON + 5, IDLE)


def test_no_secret_is_stored(store: Store, ada: User) -> None:
    secret = new_secret()
    store.sessions.add(ada.id, secret, NOON, NOON + DAY)
    with store.database.read() as connection:
        row = connection.execute(select(schema.sessions)).one()
    assert secret not in str(row)
    assert len(row.digest) == 64
