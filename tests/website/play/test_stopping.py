"""What becomes of matches when the site stops, and what pages are told meanwhile."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import httpx
import pytest

from agon.arena.people.context import State
from agon.arena.people.party import BotPlayer, Party, Person
from agon.errors import SettingError
from agon.games.hive.game import GAME
from agon.website.play.actions import MOST_STREAMS, follow
from tests.website.arena import serving
from tests.website.play.clicking import FEW_S, Clicker, wait_until

if TYPE_CHECKING:
    from tests.website.people import World

VISITOR = Person("a secret")
NEWS = re.compile(rb'event: news\ndata: \{"version":([0-9]+)\}\n\n')


def test_closing_ends_matches_in_any_state(world: World, guest: Clicker) -> None:
    plays = world.site.plays
    waiting = plays.open(Party(GAME, GAME.options(), (VISITOR, None)))
    guest.open("hive")
    guest.wait()
    playing = guest.session
    plays.close()
    assert all(one.done() for one in playing.pending())
    assert (waiting.state, playing.state) == (State.WAITING, State.PLAYING)
    play = guest.look()
    assert play["status"] == "The site is being stopped, but the match goes on when it is back."
    assert (play["may_act"], play["may_resign"], play["stored"]) == (False, False, None)
    assert guest.send("/resign", {}).status_code == 409
    with pytest.raises(SettingError, match="about to stop"):
        plays.open(Party(GAME, GAME.options(), (VISITOR, None)))


def test_the_end_of_the_application_ends_its_matches(world: World) -> None:
    with serving(world.site) as address, httpx.Client(base_url=address) as client:
        opened = client.post("/api/v1/plays", json={"game": "hive", "seat": 0}).json()
        headers = {"X-Play-Secret": opened["secret"]}
        path = f"/api/v1/plays/{opened['key']}"
        with client.stream("GET", f"{path}/events", headers=headers) as events:
            lines = events.iter_lines()
            assert next(line for line in lines if line.startswith("event:")) == "event: news"
            assert events.headers["content-type"].startswith("text/event-stream")
        session = world.site.plays.find(opened["key"])
        assert session
    assert session.is_closed
    assert all(one.done() for one in session.pending())


def test_pages_hear_of_everything_that_happens(world: World, guest: Clicker) -> None:
    guest.open("hive")
    guest.wait()
    session = guest.session

    async def hear() -> list[bytes]:
        async with asyncio.timeout(FEW_S):
            news = follow(session)
            heard = [await anext(news)]
            assert session.streams == 1
            session.resign(0)
            heard.append(await anext(news))
            session.close()
            heard += [one async for one in news]
        return heard

    heard = world.portal.call(hear)
    versions = [int(NEWS.fullmatch(one)[1]) for one in heard]  # type: ignore[index]
    assert len(versions) >= 2
    assert versions == sorted(set(versions))
    assert session.streams == 0


def test_pages_that_follow_one_match_are_bounded(world: World, guest: Clicker) -> None:
    guest.open("hive", "person")
    guest.session.streams = MOST_STREAMS
    assert guest.send("/events").status_code == 429


def test_a_bot_that_cannot_be_had_ends_the_match_with_words(world: World) -> None:
    session = world.site.plays.open(
        Party(GAME, GAME.options(), (VISITOR, BotPlayer("crawler@1", version_id=7)))
    )
    wait_until(world, session, lambda one: one.state is State.OVER)
    assert "no programs are run here" in session.verdict()
