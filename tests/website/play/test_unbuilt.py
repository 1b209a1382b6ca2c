"""A person asks for a match against a bot that cannot be built: what the build said stays out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore import NewBot, NewFile, NewVersion
from tests.website.bots.packing import UNBUILT
from tests.website.play.clicking import Clicker

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.website.people import World


def test_what_a_build_says_is_not_told_to_opponents(make: Callable[..., World]) -> None:
    arena = make(with_programs=True)
    owner = arena.add_user("bob")
    bot = arena.store.bots.add(NewBot("hive", "crawler", arena.clock(), owner_id=owner.id))
    new = NewVersion(arena.clock(), run="./bot", files={"bot.toml": NewFile(UNBUILT)})
    version = arena.store.versions.add(bot.id, new)
    guest = Clicker(arena, arena.browser())
    guest.open("hive", f"version:{version.id}")
    guest.wait_for_end()
    reason = "bot 'crawler@1': it could not be built here"
    assert guest.look()["verdict"] == f"The match could not be played: {reason}"
    assert "zebra" not in guest.browser.get(f"/play/{guest.key}").text
