"""Stored bots by their names, as clients and the site's pages ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from agon.arena.bot_versions import read_files
from agon.arena.people.opponents import find_opponent, list_opponents
from agon.datastore import NewBot, NewVersion, Store
from agon.datastore.enums import VersionStatus
from agon.errors import SettingError
from agon.games import mebipenny
from agon.games.mebipenny.game import GAME

STARTER = Path(mebipenny.__file__).parent / "starters" / "python"


def add(store: Store, owner: str, name: str, *labels: str) -> list[int]:
    """A bot of that user in so many versions; their ids."""
    found = store.users.find(owner)
    user = store.users.add(owner, "x", 1) if found is None else found
    bot = store.bots.add(NewBot("mebipenny", name, 1, owner_id=user.id))
    files = read_files(STARTER)
    return [
        store.versions.add(bot.id, NewVersion(1, label=label, run="python3 b.py", files=files)).id
        for label in labels
    ]


def test_bots_are_found_by_name_version_and_owner(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        first, second = add(store, "ada", "crawler", "one", "two")
        (digger,) = add(store, "ada", "digger", "one")
        (other,) = add(store, "bob", "digger", "one")

        def find(name: str) -> int | None:
            return find_opponent(store, GAME, name).version_id

        assert find("crawler") == find("crawler@2") == find("ada/crawler") == second
        assert find("crawler@1") == find("ada/crawler@1") == first
        assert (find("ada/digger"), find("bob/digger@1")) == (digger, other)
        assert find_opponent(store, GAME, "crawler").name == "crawler@2"
        with pytest.raises(SettingError, match="'digger': expected ada/digger@1 or bob/digger@1"):
            find("digger")
        with pytest.raises(
            SettingError,
            match="'nobody': expected random, greedy, search, search:1 to search:10, or a",
        ):
            find("nobody")
        assert [one.version_id for one in list_opponents(store, GAME)] == [second, digger, other]


def test_versions_that_do_not_play_are_not_found(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        first, second = add(store, "ada", "crawler", "one", "two")
        client = store.bots.ensure(NewBot("mebipenny", "walker (guest)", 1))
        store.versions.ensure(client.id, NewVersion(1, protocol="http"))
        store.versions.set_status(second, VersionStatus.WITHDRAWN)
        assert find_opponent(store, GAME, "crawler").version_id == first
        for name in ("crawler@2", "walker (guest)", "greedy"):
            with pytest.raises(SettingError, match="expected random"):
                find_opponent(store, GAME, name)
