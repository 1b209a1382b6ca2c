"""Jobs under way are given up when what they are done for is withdrawn or suspended."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.arena.ladder.default_bots import enter_built_in
from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import (
    BookingKind,
    BookingState,
    CheckState,
    NewBooking,
    NewBot,
    NewFile,
    NewVersion,
    Store,
    VersionStatus,
)
from agon.games.registry import find_game
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from agon.datastore import BotVersion, User

    Ending: TypeAlias = Callable[[Store, BotVersion], None]

GAME = find_game("mebipenny")
NOON = 1_760_000_000_000_000_000
LONG_NS = 600 * 10**9
ENDINGS: dict[str, Ending] = {
    "withdrawn": lambda store, version: store.versions.withdraw(version.id, NOON),
    "deleted": lambda store, version: store.bots.remove(version.bot_id, NOON),
    "suspended": lambda store, version: store.users.suspend(owner_of(store, version), "", NOON),
}
pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def store(blank_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    file = tmp_path_factory.mktemp("cancelling") / "agon.db"
    with Store.open(shutil.copy(blank_file, file)) as opened:
        enter_built_in(opened, GAME, NOON)
        yield opened


@pytest.fixture
def author(store: Store, request: pytest.FixtureRequest) -> User:
    return store.users.add(str(request.node.name)[:30], "…", NOON)


@pytest.fixture(scope="module")
def workers(store: Store) -> Iterator[Workers]:
    """They wait for ten minutes for a turn."""
    settings = WorkerSettings(
        turn_ns=LONG_NS, ladder=(), examples=(), match_jobs=1, check_jobs=1, unsafe_host=True
    )
    working = Workers(store, LiveMatches(), lambda: NOON, settings)
    working.start()
    yield working
    working.stop()


def silent_bot(folder: Path, status: VersionStatus) -> NewVersion:
    """A bot that says nothing; the number of its process is in the folder."""
    toml = 'name = "silent"\nrun = "sh bot.sh"\n'
    script = f"echo $$ > {folder}/$$; mv {folder}/$$ {folder}/pid; exec sleep 1000"
    files = {"bot.toml": NewFile(toml.encode()), "bot.sh": NewFile(script.encode())}
    return NewVersion(NOON, run="sh bot.sh", files=files, status=status)


def owner_of(store: Store, version: BotVersion) -> int:
    owner = store.bots.get(version.bot_id).owner_id
    assert owner is not None
    return owner


def begun(folder: Path) -> Path:
    """Wait for the bot's process; where the system tells of it."""
    wait_for((folder / "pid").exists)
    return Path("/proc", (folder / "pid").read_text().strip())


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_a_match_under_way(
    store: Store, workers: Workers, author: User, tmp_path: Path, ending: Ending
) -> None:
    bot = store.bots.add(NewBot(GAME.name, "silent", NOON, author.id))
    version = store.versions.add(bot.id, silent_bot(tmp_path, VersionStatus.ACTIVE))
    other = store.versions.of_game(GAME.name)[0].id
    booking = store.bookings.add(
        NewBooking(BookingKind.CHALLENGE, GAME.name, {}, 1, (version.id, other), NOON)
    )
    workers.ring_challengers()
    process = begun(tmp_path)
    assert store.bookings.get(booking.id).state is BookingState.RUNNING
    ending(store, version)
    wait_for(lambda: not process.exists())
    wait_for(lambda: store.bookings.get(booking.id).state is BookingState.CANCELLED)
    assert store.bookings.get(booking.id).reason == "a bot plays no more"


def test_a_match_that_another_server_has_begun_again(
    store: Store, workers: Workers, author: User, tmp_path: Path
) -> None:
    bot = store.bots.add(NewBot(GAME.name, "silent", NOON, author.id))
    version = store.versions.add(bot.id, silent_bot(tmp_path, VersionStatus.ACTIVE))
    booking = store.bookings.add(
        NewBooking(BookingKind.CHALLENGE, GAME.name, {}, 1, (version.id,) * 2, NOON)
    )
    workers.ring_challengers()
    process = begun(tmp_path)
    assert store.bookings.mark_interrupted() == 1
    again = store.bookings.take_one(booking.id, NOON)
    wait_for(lambda: not process.exists())
    assert again == store.bookings.get(booking.id)
    store.bookings.cancel(booking.id, NOON)


def test_a_match_for_a_user_who_is_removed(
    store: Store, workers: Workers, author: User, tmp_path: Path
) -> None:
    bob = store.users.add("bob", "…", NOON)
    bot = store.bots.add(NewBot(GAME.name, "silent", NOON, author.id))
    version = store.versions.add(bot.id, silent_bot(tmp_path, VersionStatus.ACTIVE))
    booking = store.bookings.add(
        NewBooking(BookingKind.CHALLENGE, GAME.name, {}, 1, (version.id,) * 2, NOON, {}, bob.id)
    )
    workers.ring_challengers()
    process = begun(tmp_path)
    store.users.remove(bob.id, NOON)
    wait_for(lambda: not process.exists())
    assert store.bookings.get(booking.id).reason == "who asked for it was removed"


def test_a_check_under_way(store: Store, workers: Workers, author: User, tmp_path: Path) -> None:
    new = silent_bot(tmp_path, VersionStatus.PENDING)
    _, version, check = store.submit_version(
        NewBot(GAME.name, "silent", NOON, author.id), new, NOON
    )
    workers.ring_checkers()
    process = begun(tmp_path)
    store.versions.withdraw(version.id, NOON)
    wait_for(lambda: not process.exists())
    wait_for(lambda: store.checks.get(check.id).is_over)
    assert store.checks.get(check.id).state is CheckState.FAILED
    assert store.checks.get(check.id).output.endswith("It was withdrawn.\n")
    assert store.versions.get(version.id).status is VersionStatus.WITHDRAWN
