"""Bots, their versions, and the files of those."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from agon.datastore import (
    BookingKind,
    BookingState,
    NewBooking,
    NewBot,
    NewFile,
    NewVersion,
    VersionStatus,
    schema,
)
from agon.datastore.blobs import blob_name
from agon.datastore.integrity import check_database
from agon.errors import DatastoreError, TakenError
from tests.datastore.samples import NOON, add_versions, make_match

if TYPE_CHECKING:
    from agon.datastore import Store


def test_a_name_is_ones_own_among_the_bots_of_its_owner(store: Store) -> None:
    ada, bob = store.users.add("ada", "", NOON), store.users.add("bob", "", NOON)
    kinds = [
        NewBot("hive", "mybot", NOON, owner_id=ada.id),
        NewBot("hive", "mybot", NOON, owner_id=bob.id),
        NewBot("skyport", "mybot", NOON, owner_id=ada.id),
        NewBot("hive", "mybot", NOON, built_in=True),
        NewBot("hive", "mybot", NOON),
    ]
    ids = {store.bots.add(bot).id for bot in kinds}
    assert len(ids) == len(kinds)
    for bot in kinds:
        with pytest.raises(TakenError, match="bot 'mybot': the name is taken"):
            store.bots.add(bot)
        assert store.bots.ensure(bot).id in ids
        found = store.bots.find(bot.game, bot.name, owner_id=bot.owner_id, built_in=bot.built_in)
        assert found == store.bots.ensure(bot)
    assert [bot.owner_id for bot in store.bots.all("hive", ada.id)] == [ada.id]
    assert len(store.bots.all("hive")) == 4


def test_who_is_who_in_a_game(store: Store) -> None:
    ada = store.users.add("ada", "", NOON)
    hers = store.bots.add(NewBot("hive", "ant", NOON, owner_id=ada.id))
    own = store.bots.add(NewBot("hive", "random", NOON, built_in=True))
    gone = store.bots.add(NewBot("hive", "fly", NOON))
    store.versions.add(store.bots.add(NewBot("skyport", "ant", NOON)).id, NewVersion(NOON))
    for bot in (hers, own, gone, hers):
        store.versions.add(bot.id, NewVersion(NOON, language="c"))
    store.bots.remove(gone.id, NOON + 1)
    named = store.versions.named("hive")
    assert [(one.bot, one.number, one.owner, one.built_in) for one in named] == [
        ("ant", 1, "ada", False),
        ("random", 1, None, True),
        ("fly", 1, None, False),
        ("ant", 2, "ada", False),
    ]
    assert [one.bot_removed_ns for one in named] == [None, None, NOON + 1, None]
    assert [one.id for one in named] == [one.id for one in store.versions.of_game("hive")]
    assert {one.language for one in named} == {"c"}
    assert store.versions.named_by_id([named[2].id, named[0].id, 99]) == [named[0], named[2]]
    assert {one.has_namesake for one in named} == {False}
    store.bots.add(NewBot("hive", "ant", NOON))
    assert [one.has_namesake for one in store.versions.named("hive")] == [True, False, False, True]


def test_a_built_in_bot_has_no_owner(store: Store) -> None:
    ada = store.users.add("ada", "", NOON)
    with pytest.raises(DatastoreError, match="a built-in bot has no owner"):
        store.bots.add(NewBot("hive", "x", NOON, owner_id=ada.id, built_in=True))


def test_versions_are_numbered_for_each_bot(store: Store) -> None:
    a, b = (store.bots.add(NewBot("hive", name, NOON)) for name in "ab")
    numbers = [store.versions.add(bot.id, NewVersion(NOON)).number for bot in (a, a, b, a)]
    assert numbers == [1, 2, 1, 3]
    assert [version.number for version in store.versions.of_bot(a.id)] == [3, 2, 1]
    third = store.versions.find(a.id, 3)
    assert third is not None
    assert store.versions.get(third.id) == third
    assert store.versions.find(a.id, 4) is None
    with pytest.raises(DatastoreError, match="bot 99: there is none"):
        store.versions.add(99, NewVersion(NOON))


@pytest.mark.parametrize(
    "other",
    [
        NewVersion(NOON, "label"),
        NewVersion(NOON, run="./other", files={"bot": NewFile(b"x", executable=True)}),
        NewVersion(NOON, run="./bot", files={"bot": NewFile(b"y", executable=True)}),
        NewVersion(NOON, run="./bot", files={"bot": NewFile(b"x")}),
        NewVersion(NOON, run="./bot", files={"bat": NewFile(b"x", executable=True)}),
        NewVersion(NOON, run="./bot", protocol="uhp", files={"bot": NewFile(b"x", True)}),
    ],
)
def test_the_same_program_is_the_same_version(store: Store, other: NewVersion) -> None:
    bot = store.bots.add(NewBot("hive", "a", NOON))
    program = NewVersion(NOON, run="./bot", files={"bot": NewFile(b"x", executable=True)})
    first = store.versions.ensure(bot.id, program)
    second = store.versions.ensure(bot.id, other)
    assert (first.number, second.number) == (1, 2)
    later = NewVersion(NOON + 1, run="./bot", files={"bot": NewFile(b"x", executable=True)})
    assert store.versions.ensure(bot.id, later) == first


def test_files_come_back_as_they_were_and_are_stored_once(store: Store) -> None:
    bot = store.bots.add(NewBot("hive", "a", NOON))
    contents = {"b/net.bin": bytes(range(256)), "a.py": b"pass\n" * 100, "copy.py": b"pass\n" * 100}
    files = {path: NewFile(content, path == "a.py") for path, content in contents.items()}
    version = store.versions.add(bot.id, NewVersion(NOON, files=files))
    store.versions.add(bot.id, NewVersion(NOON, files=files))
    stored = store.versions.files(version.id)
    assert [file.path for file in stored] == ["a.py", "b/net.bin", "copy.py"]
    assert [file.executable for file in stored] == [True, False, False]
    assert {file.path: store.blobs.get(file.sha256) for file in stored} == contents
    assert {file.path: file.size for file in stored} == {p: len(c) for p, c in contents.items()}
    with store.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(schema.blobs)).scalar() == 2


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "a//b", ".", "a\\b"])
def test_a_path_stays_inside_the_folder(store: Store, path: str) -> None:
    bot = store.bots.add(NewBot("hive", "a", NOON))
    with pytest.raises(DatastoreError, match="expected a path inside the bot's folder"):
        store.versions.add(bot.id, NewVersion(NOON, files={path: NewFile(b"")}))
    assert store.versions.of_bot(bot.id) == []


def test_status_changes(store: Store) -> None:
    bot = store.bots.add(NewBot("hive", "a", NOON))
    version = store.versions.add(bot.id, NewVersion(NOON, status=VersionStatus.PENDING))
    assert store.versions.of_game("hive", VersionStatus.ACTIVE) == []
    store.versions.set_status(version.id, VersionStatus.ACTIVE)
    assert [v.id for v in store.versions.of_game("hive", VersionStatus.ACTIVE)] == [version.id]
    assert store.versions.of_game("skyport") == []
    with pytest.raises(DatastoreError, match="bot version 99: there is none"):
        store.versions.set_status(99, VersionStatus.ACTIVE)


def test_a_blob_is_checked_when_it_is_read(store: Store) -> None:
    name = store.blobs.put(b"right")
    assert (store.blobs.put(b"right"), store.blobs.get(name)) == (name, b"right")
    change = update(schema.blobs).values(data=b"wrong")
    store.database.write(lambda connection: connection.execute(change))
    with pytest.raises(DatastoreError, match="its bytes have another hash"):
        store.blobs.get(name)
    with pytest.raises(DatastoreError, match="there is none of that hash"):
        store.blobs.get("0" * 64)


def test_a_removed_bot_has_no_files_and_frees_its_name(store: Store) -> None:
    ada = store.users.add("ada", "", NOON)
    shared, own = NewFile(b"shared"), NewFile(b"own")
    first = store.bots.add(NewBot("hive", "first", NOON, owner_id=ada.id))
    second = store.bots.add(NewBot("hive", "second", NOON, owner_id=ada.id))
    version = store.versions.add(first.id, NewVersion(NOON, files={"a": shared, "b": own}))
    kept = store.versions.add(second.id, NewVersion(NOON, files={"c": shared}))
    match_id = store.record_match(make_match([version.id, kept.id]))
    store.bots.remove(first.id, NOON + 3)
    gone = store.bots.get(first.id)
    assert (gone.name, gone.removed_ns) == ("first", NOON + 3)
    assert store.bots.find("hive", "first", owner_id=ada.id) is None
    assert store.versions.files(version.id) == []
    assert store.versions.get(version.id).status is VersionStatus.WITHDRAWN
    assert store.blobs.get(blob_name(b"shared")) == b"shared"
    with pytest.raises(DatastoreError, match="there is none of that hash"):
        store.blobs.get(blob_name(b"own"))
    assert [seat.bot for seat in store.matches.get(match_id).seats] == ["first", "second"]
    again = store.bots.add(NewBot("hive", "first", NOON + 4, owner_id=ada.id))
    assert again.id != first.id
    with pytest.raises(DatastoreError, match=f"bot {first.id}: there is none"):
        store.bots.remove(first.id, NOON)
    with pytest.raises(DatastoreError, match=f"bot {first.id}: there is none"):
        store.versions.add(first.id, NewVersion(NOON))
    assert check_database(store.database) == []


def test_a_withdrawn_bot_plays_no_more(store: Store) -> None:
    first, second = add_versions(store)
    bot_id = store.versions.get(first).bot_id
    store.checks.add(first, NOON)
    plan = NewBooking(BookingKind.LADDER, "hive", {}, 1, (first, second), NOON)
    running, waiting = store.bookings.add(plan), store.bookings.add(plan)
    assert store.bookings.take(NOON)
    store.bots.withdraw(bot_id, NOON + 1)
    assert store.versions.get(first).status is VersionStatus.WITHDRAWN
    assert store.versions.get(second).status is VersionStatus.ACTIVE
    assert store.checks.take(NOON) is None
    for one in (running, waiting):
        booking = store.bookings.get(one.id)
        assert (booking.state, booking.reason) == (BookingState.CANCELLED, "a bot plays no more")
    other = store.bookings.add(replace(plan, versions=(second, second)))
    assert store.bookings.take_one(other.id, NOON)
    assert store.bookings.open_attempts({running.id, other.id, 7}) == {(other.id, 1)}


def test_a_withdrawn_version_plays_no_more(store: Store) -> None:
    first, second = add_versions(store)
    plan = NewBooking(BookingKind.LADDER, "hive", {}, 1, (first, second), NOON)
    booking = store.bookings.add(plan)
    store.versions.withdraw(first, NOON + 1)
    assert store.versions.get(first).status is VersionStatus.WITHDRAWN
    assert store.bookings.get(booking.id).state is BookingState.CANCELLED
    with pytest.raises(DatastoreError, match="bot version 99: there is none of that id"):
        store.versions.withdraw(99, NOON)


def test_bots_that_have_played(store: Store) -> None:
    versions = add_versions(store, 3)
    store.record_match(make_match(versions[:2]))
    assert [bot.name for bot in store.bots.that_played("hive")] == ["a", "b"]
    idle = store.versions.get(versions[2]).bot_id
    assert [bot.name for bot in store.bots.that_played(also=idle)] == ["a", "b", "c"]
    assert store.bots.that_played("skyport") == []


def test_owners_of_the_bots_in_a_match(store: Store) -> None:
    ada, bob = (store.users.add(name, "hash", NOON) for name in ("ada", "bob"))
    owned = []
    for user in (ada, bob):
        bot = store.bots.add(NewBot("hive", f"bot of {user.name}", NOON, owner_id=user.id))
        owned.append(store.versions.add(bot.id, NewVersion(NOON, run="./bot")).id)
    (free,) = add_versions(store, 1)
    both = store.record_match(make_match(owned))
    one = store.record_match(make_match([owned[0], free]))
    assert store.bots.owners_in(both) == {ada.id, bob.id}
    assert store.bots.owners_in(one) == {ada.id}
    assert store.bots.owners_in(both + 100) == set()
