"""Where the bots of a datastore are built, and where they can play."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agon.arena.bot_builds import BotBuilds
from agon.datastore import NewBot, NewFile, NewVersion, Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOML = b'name = "x"\ngames = ["hive"]\nbuild = "sh build.sh"\nrun = "sh bot.sh"\n'
FILES = {"bot.toml": TOML, "build.sh": b"echo made > made.txt", "bot.sh": b"exit"}
NOWHERE = "no machine can"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as store:
        yield store


@pytest.fixture
def version_id(store: Store) -> int:
    bot = store.bots.add(NewBot("hive", "x", 1))
    files = {name: NewFile(content) for name, content in FILES.items()}
    return store.versions.add(bot.id, NewVersion(1, run="sh bot.sh", files=files)).id


def is_built(builds: BotBuilds, version_id: int, *, here: bool) -> bool:
    entrant = builds.entrant_here(version_id) if here else builds.entrant(version_id)
    assert entrant.program is not None
    assert entrant.program.folder is not None
    return (entrant.program.folder / "made.txt").exists()


def test_what_plays_elsewhere_is_built_here_only_for_people(store: Store, version_id: int) -> None:
    with closing(BotBuilds(store, unsafe_host=True, elsewhere=lambda: "")) as builds:
        assert not is_built(builds, version_id, here=False)
        assert is_built(builds, version_id, here=True)
    with closing(BotBuilds(store, unsafe_host=True)) as builds:
        assert is_built(builds, version_id, here=False)


def test_what_plays_elsewhere_does_not_depend_on_this_machine(store: Store) -> None:
    class Thin(BotBuilds):
        def obstacle_here(self) -> str:
            return "no sandbox here"

    alone = Thin(store)
    assert (alone.obstacle(), alone.plays_elsewhere) == ("no sandbox here", False)
    among_others = Thin(store, elsewhere=lambda: "")
    assert (among_others.obstacle(), among_others.plays_elsewhere) == ("", True)
    assert Thin(store, elsewhere=lambda: NOWHERE).obstacle() == NOWHERE
