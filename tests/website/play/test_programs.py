"""People against bots that are programs: those of the ladder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agon.arena.bot_versions import read_files
from agon.arena.people.context import State
from agon.datastore import MatchFilter, NewBot, NewVersion
from agon.games import hive
from tests.website.play.clicking import Clicker, chance

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.datastore import BotVersion
    from tests.website.people import World

STARTER = Path(hive.__file__).parent / "starters" / "python"


@pytest.fixture
def arena(make: Callable[..., World]) -> World:
    """A site with bots of others."""
    return make(with_programs=True)


def enter(
    world: World, name: str, game: str = "hive", run: str = "python3 hive_bot.py"
) -> BotVersion:
    owner = world.add_user("bob")
    bot = world.store.bots.add(NewBot(game, name, world.clock(), owner_id=owner.id))
    new = NewVersion(world.clock(), run=run, files=read_files(STARTER))
    return world.store.versions.add(bot.id, new)


def test_a_match_against_a_program(arena: World) -> None:
    version = enter(arena, "<script>crawler")
    guest = Clicker(arena, arena.browser())
    form = guest.browser.get("/play?game=hive").text
    assert "&lt;script&gt;crawler@1 by bob" in form
    guest.open("hive", f"version:{version.id}")
    rng = chance(1)
    for _ in range(3):
        guest.wait()
        assert guest.session.state is State.PLAYING, guest.look()["verdict"]
        guest.play_turn(rng)
    guest.wait()
    guest.call("/resign", {})
    guest.wait_for_end()
    assert guest.look()["verdict"] == "<script>crawler@1 won: guest resigned"
    [match] = arena.store.matches.find(MatchFilter(game="hive"))
    assert match.seats[1].version_id == version.id
    assert not match.rated


def test_closing_ends_a_program_that_plays(arena: World) -> None:
    version = enter(arena, "crawler")
    guest = Clicker(arena, arena.browser())
    guest.open("hive", f"version:{version.id}")
    guest.wait()
    session = guest.session
    arena.site.plays.close()
    assert all(one.done() for one in session.pending())
    assert session.pending()
    assert (session.state, session.match_id) == (State.PLAYING, None)
    assert guest.look()["status"] == "The site is being stopped, and the match with it."
