"""Fresh sites for the tests of accounts."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from agon.datastore import Store
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agon.website.accounts.policy import AccountPolicy
    from agon.website.site import SiteSettings

    Make = Callable[..., World]


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without rows, to be copied."""
    file = tmp_path_factory.mktemp("accounts") / "agon.db"
    Store.open(file).close()
    return file


@pytest.fixture
def make(empty_store: Path, tmp_path: Path) -> Iterator[Make]:
    """Make sites with settings of the test's own."""
    made: list[World] = []

    def build(settings: SiteSettings | None = None, guard: AccountPolicy | None = None) -> World:
        file = tmp_path / f"{len(made)}.db"
        shutil.copy(empty_store, file)
        made.append(make_world(file, settings, guard))
        return made[-1]

    yield build
    for world in made:
        world.close()


@pytest.fixture
def world(make: Make) -> World:
    """A site on which ada is a user, and olga the organiser."""
    world = make()
    world.add_user("ada")
    world.add_user("olga", organiser=True)
    return world
