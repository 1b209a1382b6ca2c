"""What uploads and the ladder ask of the store: submissions, and the bookings of one game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    BookingKind,
    CheckState,
    NewBooking,
    NewBot,
    NewFile,
    NewVersion,
    VersionStatus,
)
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions

if TYPE_CHECKING:
    from agon.datastore import Store


def new_version(content: bytes = b"1") -> NewVersion:
    files = {"bot.py": NewFile(content)}
    return NewVersion(NOON, run="python3 bot.py", files=files, status=VersionStatus.PENDING)


def test_a_submission_is_a_bot_a_version_and_a_check(store: Store) -> None:
    owner = store.users.add("ada", "hash", NOON)
    new = NewBot("hive", "crawler", NOON, owner.id)
    bot, first, check = store.submit_version(new, new_version(), NOON)
    assert store.bots.get(bot.id) == bot
    assert store.versions.of_bot(bot.id) == [first]
    assert store.checks.queue() == [check]
    assert (check.version_id, check.state) == (first.id, CheckState.QUEUED)
    again, second, _ = store.submit_version(new, new_version(b"2"), NOON + 1)
    assert again == bot
    assert (first.number, second.number) == (1, 2)


def test_a_submission_that_cannot_be_stored_leaves_nothing(store: Store) -> None:
    owner = store.users.add("ada", "hash", NOON)
    bad = NewVersion(NOON, run="x", files={"../evil": NewFile(b"1")})
    with pytest.raises(DatastoreError, match="expected a path inside the bot's folder"):
        store.submit_version(NewBot("hive", "crawler", NOON, owner.id), bad, NOON)
    assert store.bots.all() == []
    assert store.checks.queue() == []


def test_a_name_that_was_freed_is_a_new_bot(store: Store) -> None:
    owner = store.users.add("ada", "hash", NOON)
    new = NewBot("hive", "crawler", NOON, owner.id)
    first, _, _ = store.submit_version(new, new_version(), NOON)
    store.bots.remove(first.id, NOON + 1)
    second, version, _ = store.submit_version(new, new_version(), NOON + 2)
    assert second.id != first.id
    assert version.number == 1


def test_bookings_of_one_game(store: Store) -> None:
    versions = add_versions(store, 2)
    for game in ("hive", "atlantis", "hive"):
        store.bookings.add(
            NewBooking(BookingKind.LADDER, game, {}, 1, (versions[0], versions[1]), NOON)
        )
    taken = [store.bookings.take(NOON, game="atlantis") for _ in range(2)]
    assert taken[0]
    assert taken[0].game == "atlantis"
    assert taken[1] is None
    rest = [store.bookings.take(NOON) for _ in range(3)]
    assert [one and one.game for one in rest] == ["hive", "hive", None]
