"""Matches of a contest that is not published: only organisers see them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from agon.arena.live_matches import HiddenLiveMatches, LiveMatch, LiveMatches
from agon.datastore import ContestState, NewBot, NewContest, NewTournament, NewVersion, Rating
from agon.games.hive.game import GAME
from agon.match.transcript import Fault, format_transcript
from agon.website.live.streams import HIDDEN, choose_matches
from agon.website.visibility import Visibility
from tests.cli.samples import OPENING, forfeit, transcript_of
from tests.datastore.samples import make_match, rate
from tests.website.listening import Listener
from tests.website.people import NOON, World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.datastore import Contest
    from tests.website.people import Browser

TRANSCRIPT = forfeit(transcript_of(*OPENING), 1, Fault.TIMEOUT, "too slow")
OF_A_MATCH = (
    "/matches/{}",
    "/matches/{}?turn=1",
    "/matches/{}/replay/0",
    "/matches/{}/transcript",
    "/matches/{}/transcript.gz",
    "/matches/{}/turn-1.svg",
    "/api/v1/matches/{}",
    "/api/v1/matches/{}/transcript",
)
LISTS = ("/", "/matches", "/matches?game=hive", "/bots/1", "/games/hive", "/users/eve")
API_LIST = "/api/v1/matches"


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    """A match of a contest that is not published, 1, and a public one, 2."""
    world = make_world(blank)
    olga = world.add_user("olga", organiser=True)
    eve = world.add_user("eve")
    store = world.store
    bot = store.bots.add(NewBot("hive", "crawler", NOON, owner_id=eve.id))
    version = store.versions.add(bot.id, NewVersion(NOON, run="python3 bot.py")).id
    contest = store.contests.add(NewContest("Secret Cup", "hive", "swiss"), olga.id, NOON)
    cup = store.tournaments.add(NewTournament("cup", "hive", "swiss", NOON, entrants=(version,)))
    store.contests.set_tournament(contest.id, cup.id)
    content = format_transcript(TRANSCRIPT).encode()
    of_cup = {"tournament_id": cup.id, "fixture": "1"}
    for extra in (of_cup, {}):
        match = make_match([version, version], (2, 0), transcript=content, options={}, **extra)
        store.record_match(match)
    first = world.browser()
    for path in ("/games/hive", "/bots/1"):
        while first.get(path).status_code != 200:  # its table is being made
            pass
    world.clock.pass_s(60)
    yield world
    world.close()


def the_contest(world: World) -> Contest:
    (contest,) = world.store.contests.all()
    return contest


def publish(world: World, browser: Browser, published: str) -> None:
    path = f"/contests/{the_contest(world).id}/published"
    assert browser.post(path, published=published).status_code == 303


@pytest.mark.parametrize("name", [None, "eve", "olga"])
def test_who_may_see_a_match_of_a_hidden_contest(world: World, name: str | None) -> None:
    browser = world.browser(name)
    for path in OF_A_MATCH:
        hidden, shown = browser.get(path.format(1)), browser.get(path.format(2))
        assert shown.status_code == 200, path
        assert hidden.status_code == (200 if name == "olga" else 404), path
        assert "Secret Cup" not in shown.text
        if name == "olga":
            assert hidden.headers["cache-control"] == "no-store", path
            assert ('href="/contests/1">Secret Cup' in hidden.text) is (path in OF_A_MATCH[:2])
        else:
            missing = browser.get(path.format(3)).text
            for told in ("match {}", "matches/{}"):
                missing = missing.replace(told.format(3), told.format(1))
            assert hidden.text == missing, path


@pytest.mark.parametrize("one", ["01", "+1", "1.0", "%201", "1%20", "0_1", "0001.000"])
def test_no_way_to_write_its_number_shows_a_hidden_match(world: World, one: str) -> None:
    visitor, olga = world.browser(), world.browser("olga")
    for path in OF_A_MATCH:
        assert visitor.get(path.format(one)).status_code in (404, 422), path
        seen = olga.get(path.format(one))
        assert seen.status_code in (200, 404, 422), path
        assert seen.headers["cache-control"] == "no-store", path


@pytest.mark.parametrize("number", ["x", "0", "3", str(2**63 - 1), "9" * 19, "9" * 99, "\u00b2"])
def test_numbers_that_no_match_has(world: World, number: str) -> None:
    for name in (None, "olga"):
        assert world.browser(name).get(f"/matches/{number}").status_code == 404


def test_a_clock_that_is_set_back_keeps_nothing_hidden(world: World) -> None:
    store, contest = world.store, the_contest(world)
    visibility = Visibility(store, world.clock, lambda _: [match])
    match = begin(HiddenLiveMatches(world.site.live_matches, visibility.hides))
    assert match.private
    store.contests.publish(contest.id, True)
    store.contests.set_state(contest.id, ContestState.OPEN)
    world.clock.pass_s(-1)
    assert not match.private


def test_not_even_the_author_of_its_bots_may(world: World) -> None:
    eve = world.browser("eve")
    for path in ("/matches/{}/log?seat=0", "/api/v1/matches/{}/log?seat=0"):
        assert eve.get(path.format(1)).status_code == 404
        assert eve.get(path.format(2)).status_code == 200


@pytest.mark.parametrize("name", [None, "eve"])
def test_a_hidden_match_is_in_no_list(world: World, name: str | None) -> None:
    browser = world.browser(name)
    for path in LISTS:
        page = browser.get(path)
        assert page.status_code == 200, path
        assert 'href="/matches/2"' in page.text, path
        assert 'href="/matches/1"' not in page.text, path
    assert [match["id"] for match in browser.get(API_LIST).json()] == [2]


def test_organisers_see_all_no_matter_who_came_before(world: World) -> None:
    olga = world.browser("olga")
    for _ in range(2):
        assert 'href="/matches/1"' in olga.get("/matches").text
        assert 'href="/matches/1"' not in world.browser("eve").get("/matches").text
        assert 'href="/matches/1"' not in world.browser().get("/matches").text
    assert [match["id"] for match in olga.get(API_LIST).json()] == [2, 1]


def test_what_is_published_is_seen_at_once_and_no_longer_than_that(world: World) -> None:
    olga, visitor = world.browser("olga"), world.browser()
    for word, status in (("yes", 200), ("no", 404), ("yes", 200)):
        publish(world, olga, word)
        assert visitor.get("/matches/1").status_code == status
        assert ('href="/matches/1"' in visitor.get("/").text) is (status == 200)
        assert ('href="/matches/1"' in visitor.get("/matches").text) is (status == 200)


def test_a_hidden_match_counts_once_it_is_published(world: World) -> None:
    store, cup = world.store, the_contest(world).tournament_id
    walker = store.bots.add(NewBot("hive", "walker", NOON))
    versions = [1, store.versions.add(walker.id, NewVersion(NOON, run="./walker")).id]
    steps = [(Rating(25.0, 8.0), Rating(26.0, 7.0)), (Rating(25.0, 8.0), Rating(24.0, 7.0))]
    of_cup = rate(make_match(versions, tournament_id=cup, fixture="2"), *steps)
    store.record_match(rate(make_match(versions), *steps))
    hidden = store.record_match(of_cup)
    olga, visitor = world.browser("olga"), world.browser()
    for word, matches in (("no", 1), ("yes", 2), ("no", 1)):
        publish(world, olga, word)
        world.clock.pass_s(60)
        table = visitor.get("/api/v1/games/hive/table").json()
        for path in ("/games/hive", "/bots/1", "/bots/1/versions/1"):
            row = f'<th scope="row" class="number">{hidden}</th>'
            assert (row in visitor.get(path).text) is (matches == 2), path
        assert table["matches"] == matches
        assert {row["matches"] for row in table["rows"]} == {matches}


def begin(live_matches: LiveMatches) -> LiveMatch:
    return live_matches.begin(GAME, ["ada", "bob"], GAME.start(), NOON)


def test_who_may_watch_a_match_of_a_hidden_contest(world: World) -> None:
    site = world.site
    hidden = begin(HiddenLiveMatches(site.live_matches, site.visibility.hides))
    shown = begin(site.live_matches)
    for name in (None, "eve", "olga"):
        browser = world.browser(name)
        for path in ("/", "/live", "/games/hive"):
            assert shown.key in browser.get(path).text
            assert hidden.key not in browser.get(path).text
        for path in (f"/live/{hidden.key}", f"/live/{hidden.key}/events?once=yes"):
            answer = browser.get(path)
            assert answer.status_code == (200 if name == "olga" else 404)
            if name == "olga":
                assert answer.headers["cache-control"] == "no-store"


def test_public_streams_do_not_show_it(world: World) -> None:
    site = world.site
    hidden = begin(HiddenLiveMatches(site.live_matches, site.visibility.hides))
    begin(site.live_matches)

    async def listen() -> None:
        async with Listener(world.app, "/live/events?once=yes") as front:
            assert hidden.key.encode() not in await front.hear_all()
        async with Listener(world.app, f"/live/{hidden.key}/events") as events:
            assert events.status == 404

    asyncio.run(listen())


def test_a_match_is_hidden_until_its_contest_is_known_to_be_published(world: World) -> None:
    store, clock = world.store, world.clock
    contest = the_contest(world)
    playing: list[LiveMatch] = []
    visibility = Visibility(store, clock, lambda id_: playing if id_ == contest.id else [])
    match = begin(HiddenLiveMatches(world.site.live_matches, visibility.hides))
    assert match.private
    playing.append(match)
    assert match.private
    store.contests.publish(contest.id, True)
    store.contests.set_state(contest.id, ContestState.OPEN)
    clock.now_ns += 10**9 - 1
    assert match.private  # it was asked a moment ago
    clock.now_ns += 1
    assert not match.private
    assert choose_matches(world.site.live_matches.running(), 5) == [match]
    store.contests.publish(contest.id, False)
    visibility.forget()
    assert match.private
    assert choose_matches(world.site.live_matches.running(), 5) == []


def test_a_stream_ends_when_its_contest_is_hidden(world: World) -> None:
    """At once, without another turn; an organiser sees the match go on."""
    site, contest, playing = world.site, the_contest(world), list[LiveMatch]()
    visibility = Visibility(
        site.store, world.clock, lambda id_: playing if id_ == contest.id else []
    )
    site.store.contests.publish(contest.id, True)
    site.store.contests.set_state(contest.id, ContestState.OPEN)
    match = begin(HiddenLiveMatches(site.live_matches, visibility.hides))
    playing.append(match)
    path = f"/live/{match.key}/events"

    async def listen() -> bytes:
        async with Listener(world.app, path) as events:
            assert await events.hear_event() == "scene"
            site.store.contests.publish(contest.id, False)
            visibility.forget()
            rest = await events.hear_all()
        async with Listener(world.app, path) as again:
            assert again.status == 404
        return rest

    assert asyncio.run(listen()) == HIDDEN
    assert world.browser("olga").get(f"{path}?once=yes").text.startswith("event: scene")


def test_what_was_given_up_is_as_hidden_as_its_contest(world: World) -> None:
    store, contest = world.store, the_contest(world)
    playing: list[LiveMatch] = []
    visibility = Visibility(store, world.clock, lambda id_: playing if id_ == contest.id else [])
    store.contests.publish(contest.id, True)
    store.contests.set_state(contest.id, ContestState.OPEN)
    match = begin(HiddenLiveMatches(world.site.live_matches, visibility.hides))
    playing.append(match)
    assert not match.private
    playing.clear()
    match.end(None)
    assert not match.private, "who watched it sees that it was given up"
    store.contests.publish(contest.id, False)
    visibility.forget()
    assert match.private


def test_what_has_ended_is_as_hidden_as_what_is_stored(world: World) -> None:
    store = world.store
    visibility = Visibility(store, world.clock, lambda _: [])
    live_matches = HiddenLiveMatches(world.site.live_matches, visibility.hides)
    of_cup, of_all, given_up = begin(live_matches), begin(live_matches), begin(live_matches)
    of_cup.end(1)
    of_all.end(2)
    given_up.end(None)
    assert [match.private for match in (of_cup, of_all, given_up)] == [True, False, True]
    store.contests.publish(the_contest(world).id, True)
    assert not of_cup.private


def test_the_hidden_part_of_a_stage_is_a_part_of_it() -> None:
    live_matches = LiveMatches()
    behind = HiddenLiveMatches(live_matches, lambda _: True)
    match = begin(behind)
    assert live_matches.find(match.key) is behind.find(match.key) is match
    assert live_matches.running() == behind.running("hive") == [match]
    match.end(None)
    assert live_matches.ended() == behind.ended() == [match]
