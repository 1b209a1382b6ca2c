"""Sites for the tests of contests: one without a scheduler, and one with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.ladder.default_bots import enter_built_in
from agon.games.registry import find_game
from tests.website.contests.hosting import GAME, Hosting
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def hosting(blank: Path) -> Iterator[Hosting]:
    """A site on which ada and bob are users, olga and oscar organisers; no match is under way."""
    world = make_world(blank)
    for name in ("ada", "bob"):
        world.add_user(name)
    for name in ("olga", "oscar"):
        world.add_user(name, organiser=True)
    enter_built_in(world.store, find_game(GAME), world.clock())
    yield Hosting(world)
    world.close()


@pytest.fixture
def playing(hosting: Hosting) -> Iterator[Hosting]:
    """The same with a contest scheduler at work, and live matches that hold positions back."""
    hosting.restart()
    yield hosting
    hosting.stop()
