"""Matches under way: the list of them, their streams, and how many of those there may be."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from agon.games.registry import find_game
from agon.website.app import create_app
from agon.website.site import Site, SiteSettings
from agon.website.stream_limit import StreamLimit
from tests.website.arena import NOON
from tests.website.listening import Listener
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.arena.live_matches import LiveMatch

STREAM = "text/event-stream"
EVIL = "<script>alert(1)</script>"


def begin(site: Site, game: str = "hive", *, private: bool = False) -> LiveMatch:
    found = find_game(game)
    return site.live_matches.begin(found, ["ada", EVIL], found.start(), NOON, private=private)


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    yield world
    world.close()


@pytest.fixture
def few(blank: Path) -> Iterator[Site]:
    """A site with places for two streams of an address, three altogether."""
    with Store.open(blank) as store:
        yield Site(
            store, LiveMatches(), lambda: NOON, SiteSettings(streams_each=2, streams_at_once=3)
        )


def test_people_get_a_list_of_what_is_played(world: World) -> None:
    hive, penny = begin(world.site), begin(world.site, "mebipenny")
    private, ended = begin(world.site, private=True), begin(world.site, "skyport")
    ended.end(7)
    page = world.browser().get("/live")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    for match in (hive, penny):
        assert f'<a href="/live/{match.key}">ada' in page.text
    assert EVIL not in page.text
    assert private.key not in page.text
    assert ended.key not in page.text
    assert "Just finished" in page.text
    assert '<a href="/matches/7">' in page.text


def test_a_list_without_matches_says_so(world: World) -> None:
    page = world.browser().get("/live").text
    assert "No match is running right now" in page
    assert "Just finished" not in page


def test_a_match_that_is_decided_is_not_played_any_more(world: World) -> None:
    match = begin(world.site, "mebipenny")
    browser = world.browser()
    assert match.key in browser.get("/").text
    while match.position.outcome is None:
        position = match.position
        match.show(position.play({seat: position.legal_moves(seat)[0] for seat in position.to_act}))
    world.clock.pass_s(10)
    assert not match.is_over  # it is being stored
    assert match.key not in browser.get("/").text
    assert match.key not in browser.get("/live").text


@pytest.mark.parametrize("path", ["/live", "/live/events"])
def test_scripts_get_a_stream_of_the_boards_of_the_front_page(few: Site, path: str) -> None:
    async def listen() -> None:
        begin(few)
        app = create_app(few)
        async with Listener(app, path, accept=STREAM) as listener:
            assert listener.status == 200
            assert listener.headers["content-type"].startswith(STREAM)
            assert await listener.hear_event() == "cards"
        async with Listener(app, "/live", accept="text/html,*/*") as reader:
            assert reader.headers["content-type"].startswith("text/html")

    asyncio.run(listen())


def test_a_stream_protects_like_every_answer(few: Site) -> None:
    async def listen() -> None:
        match = begin(few, "battlebots")
        app = create_app(few)
        paths = [f"/live/{match.key}/events", f"/live/{match.key}/events?seat=1&once=no"]
        seen = []
        for path in paths:  # the first goes through a lane of its own, the second does not
            async with Listener(app, path, accept=STREAM) as listener:
                assert await listener.hear_event() == "scene"
                seen.append(listener.headers)
        assert seen[0] == seen[1]
        assert seen[0]["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in seen[0]["content-security-policy"]

    asyncio.run(listen())


def test_a_stream_can_be_asked_about(world: World) -> None:
    match = begin(world.site)
    for path in ("/live/events", f"/live/{match.key}/events"):
        head = world.browser().send("HEAD", path)
        assert head.status_code == 200
        assert head.headers["content-type"].startswith(STREAM)
    assert world.site.places.count == 0


def test_the_lane_leads_to_the_usual_answers(few: Site) -> None:
    async def ask() -> list[int]:
        match, private = begin(few), begin(few, private=True)
        app = create_app(few)
        paths = (
            f"/live/{match.key}/events?seat=7",
            f"/live/{match.key}/events?seat=x",
            f"/live/{private.key}/events",
            "/live/hive-99/events",
            "/live/hive-999999999999999999999999/events",
        )
        statuses = []
        for path in paths:
            async with Listener(app, path, accept=STREAM) as listener:
                statuses.append(listener.status)
        return statuses

    assert asyncio.run(ask()) == [404, 422, 404, 404, 404]


def test_too_many_streams_of_one_address_are_refused_in_words(few: Site) -> None:
    async def listen() -> None:
        match = begin(few)
        app = create_app(few)
        path = f"/live/{match.key}/events"
        async with AsyncExitStack() as stack:
            for _ in range(2):
                listener = await stack.enter_async_context(Listener(app, path))
                assert await listener.hear_event() == "scene"
            for refused in (path, "/live/events", f"{path}?once=no"):
                async with Listener(app, refused, accept=STREAM) as third:
                    assert third.status == 429
                    assert third.headers["retry-after"] == "10"
                    told = (await third.hear_all()).decode()
                    assert "Too many live boards are open from your network, 2." in told
            async with Listener(app, path, "192.0.2.2") as neighbour:
                assert neighbour.status == 200
                async with Listener(app, path, "192.0.2.3") as fourth:
                    assert fourth.status == 429
                    told = (await fourth.hear_all()).decode()
                    assert "Too many live boards are open on this site, 3." in told
        assert few.places.count == 0
        async with Listener(app, path) as again:
            assert again.status == 200

    asyncio.run(listen())


def test_who_gets_no_stream_can_look_how_things_stand(few: Site) -> None:
    async def look() -> None:
        match = begin(few)
        app = create_app(few)
        async with AsyncExitStack() as stack:
            for _ in range(2):
                await stack.enter_async_context(Listener(app, "/live/events"))
            for path in (f"/live/{match.key}/events?once=yes", "/live/events?once=yes"):
                async with Listener(app, path) as looking:
                    assert looking.status == 200
                    assert b"event: scene\n" in await looking.hear_all()
            assert few.places.count == 2

    asyncio.run(look())


def test_a_stream_ends_with_its_match_and_gives_its_place_back(few: Site) -> None:
    async def listen() -> None:
        match = begin(few)
        async with Listener(create_app(few), f"/live/{match.key}/events") as listener:
            assert await listener.hear_event() == "scene"
            match.end(None)
            assert b'"stored":null' in await listener.hear_all()
        assert few.places.count == 0

    asyncio.run(listen())


def test_places_are_given_back_whatever_happens() -> None:
    places = StreamLimit(1, 5)

    def watch() -> None:
        with places.taken("ada"):
            assert places.refuse("ada")
            assert not places.refuse("bob")
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        watch()
    assert not places.refuse("ada")
    assert places.count == 0
