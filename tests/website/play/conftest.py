"""Sites on which people play: bots think for a moment, and chance is the same every time."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from anyio.from_thread import start_blocking_portal

from agon.arena.live_matches import LiveMatches
from agon.arena.people.settings import PlaySettings
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import Store
from agon.website.accounts.policy import AccountPolicy
from agon.website.app import create_app
from agon.website.site import Site, SiteSettings
from tests.website.people import CHEAP, Clock, World
from tests.website.play.clicking import Clicker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Make = Callable[..., World]

MILLISECOND = 10**6


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows, to be copied."""
    file = tmp_path_factory.mktemp("play") / "agon.db"
    Store.open(file).close()
    return file


def open_world(file: Path | str, *, with_programs: bool = False, **settings: int) -> World:
    """A site on the store in this file; `close` it."""
    clock, live_matches, store = Clock(), LiveMatches(), Store.open(file)
    closing = ExitStack()
    workers = None
    if with_programs:  # none of its threads runs
        workers = Workers(store, live_matches, clock, WorkerSettings(unsafe_host=True))
        closing.callback(workers.bot_builds.close)
    play = PlaySettings(**{"bot_ns": 20 * MILLISECOND, **settings}, new_seed=lambda: 1)
    site = Site(
        store,
        live_matches,
        clock,
        SiteSettings(),
        AccountPolicy(passwords=CHEAP),
        workers=workers,
        play=play,
    )
    portal = closing.enter_context(start_blocking_portal())
    closing.callback(site.plays.close)
    return World(site, create_app(site), clock, portal, closing)


@pytest.fixture
def make(empty_store: Path, tmp_path: Path) -> Iterator[Make]:
    """Make sites with settings of the test's own."""
    made: list[World] = []

    def build(*, with_programs: bool = False, **settings: int) -> World:
        file = shutil.copy(empty_store, tmp_path / f"{len(made)}.db")
        made.append(open_world(file, with_programs=with_programs, **settings))
        return made[-1]

    yield build
    for world in made:
        world.close()


@pytest.fixture
def world(make: Make) -> World:
    """A site on which ada is a user."""
    world = make()
    world.add_user("ada")
    return world


@pytest.fixture
def guest(world: World) -> Clicker:
    """A visitor without an account."""
    return Clicker(world, world.browser())
