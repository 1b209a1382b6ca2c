"""What a version is waiting for, where no matches are played or none can be."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.bot_builds import BotBuilds
from agon.datastore import BookingKind, NewBooking, NewBot, NewVersion, VersionStatus
from tests.arena.ladder.test_newcomers import Waiting
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def waiting(blank: Path) -> Iterator[Waiting]:
    waiting = Waiting(make_world(blank))
    yield waiting
    waiting.world.close()


class Thin(BotBuilds):
    """Of a machine without a sandbox."""

    def obstacle(self) -> str:
        return "there is no bubblewrap"


def test_where_no_programs_can_be_run(waiting: Waiting) -> None:
    waiting.workers.bot_builds = Thin(waiting.world.store)
    version = waiting.submit("one")
    assert waiting.words(version) == "It waits for its check, but there is no bubblewrap."
    waiting.world.store.versions.set_status(version.id, VersionStatus.ACTIVE)
    assert waiting.words(version) == "It cannot play: there is no bubblewrap."


def test_where_no_matches_are_played(waiting: Waiting) -> None:
    version = waiting.submit("one")
    waiting.world.site = replace(waiting.world.site, workers=None)
    no_matches = "No matches are played on this site at the moment."
    assert waiting.words(version) == f"It waits for its check. {no_matches}"
    waiting.world.store.versions.set_status(version.id, VersionStatus.ACTIVE)
    assert waiting.words(version) == f"It waits for its first match. {no_matches}"


def test_how_many_come_first(waiting: Waiting) -> None:
    *_, third = [waiting.submit(name) for name in ("one", "two", "three")]
    assert waiting.words(third) == "It waits for its check, after 2 others."


def test_the_first_match(waiting: Waiting) -> None:
    store = waiting.world.store
    version = waiting.submit("one")
    store.versions.set_status(version.id, VersionStatus.ACTIVE)
    options = asdict(waiting.game.options())
    new = NewBooking(BookingKind.LADDER, "hive", options, 1, (version.id, version.id), 1)
    assert store.bookings.take_one(store.bookings.add(new).id, 2)
    assert waiting.words(version) == "It plays its first match now."


def test_nothing_is_to_come(waiting: Waiting) -> None:
    store = waiting.world.store
    version = waiting.submit("one")
    store.versions.set_status(version.id, VersionStatus.WITHDRAWN)
    assert waiting.words(version) is None
    of_the_arena = store.bots.add(NewBot("hive", "guest", 1))
    assert waiting.words(store.versions.add(of_the_arena.id, NewVersion(1, run="./x"))) is None
    gone = waiting.submit("two")
    store.bots.remove(gone.bot_id, 2)
    assert waiting.words(gone) is None
    mine = NewBot("hive", "three", 1, owner_id=store.bots.get(version.bot_id).owner_id)
    unchecked = NewVersion(1, run="./x", status=VersionStatus.PENDING)
    assert waiting.words(store.versions.add(store.bots.add(mine).id, unchecked)) is None
