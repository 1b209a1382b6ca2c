"""Sites for the tests of the authors' pages: one without workers, and one with them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import Store
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows, to be copied."""
    file = tmp_path_factory.mktemp("bots") / "agon.db"
    Store.open(file).close()
    return file


@pytest.fixture
def world(empty_store: Path, tmp_path: Path) -> Iterator[World]:
    """A site on which ada and bob are users, and olga the organiser; it has no workers."""
    file = tmp_path / "agon.db"
    shutil.copy(empty_store, file)
    world = make_world(file)
    for name in ("ada", "bob"):
        world.add_user(name)
    world.add_user("olga", organiser=True)
    yield world
    world.close()


@pytest.fixture
def busy(world: World) -> Iterator[World]:
    """The same with workers that check bots and play challenges, and no ladder."""
    settings = WorkerSettings(ladder=(), examples=(), challenge_pace_ns=0, turns=30)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    world.site = replace(world.site, workers=workers)
    world.app.state.site = world.site
    workers.start()
    yield world
    workers.stop()
