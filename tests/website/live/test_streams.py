"""Live updates: written once for all, whole for new or slow clients, ended when none listens."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.live_matches import HiddenLiveMatches, LiveMatch, LiveMatches
from agon.games.registry import find_game
from agon.website.live.drawings import Drawing, format_event
from agon.website.live.streams import (
    HEARTBEAT,
    HIDDEN,
    Broadcast,
    Broadcasts,
    MatchBroadcast,
    Showcase,
    choose_matches,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PATIENCE_SECONDS = 20
"""Then a test has failed; it takes no such time."""
HIVE = find_game("hive")


def begin(live_matches: LiveMatches, game: str = "hive", *, private: bool = False) -> LiveMatch:
    found = find_game(game)
    return live_matches.begin(found, ["ada", "<bob>"], found.start(), 5, private=private)


def play_on(match: LiveMatch, turns: int = 1) -> None:
    """Play a few turns: always the first one that is legal."""
    for _ in range(turns):
        position = match.position
        turn = {seat: position.legal_moves(seat)[0] for seat in position.to_act}
        match.show(position.play(turn))


def parse(events: bytes) -> list[tuple[str, Any]]:
    found = []
    for block in events.decode().strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def next_of(events: AsyncIterator[bytes]) -> bytes:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await anext(events)


class Script(Broadcast):
    """Publishes what the test says, when it says so."""

    def __init__(self, heartbeat_seconds: float = 60) -> None:
        super().__init__(heartbeat_seconds)
        self.wholes: list[int] = []
        self.runs = 0

    async def run(self) -> None:
        self.runs += 1
        await asyncio.Event().wait()

    def say(self, number: int, *, is_last: bool = False) -> None:
        def whole() -> bytes:
            self.wholes.append(number)
            return f"whole {number}".encode()

        self.publish(f"change {number}".encode(), whole, is_last=is_last)


def test_the_new_get_the_whole_and_then_changes() -> None:
    async def listen() -> list[bytes]:
        script = Script()
        events = script.listen()
        waiting = asyncio.create_task(next_of(events))
        await asyncio.sleep(0)
        script.say(0)
        found = [await waiting]
        script.say(1)
        found.append(await next_of(events))
        script.say(2, is_last=True)
        found += [event async for event in events]
        return found

    assert asyncio.run(listen()) == [b"whole 0", b"change 1", b"change 2"]


def test_without_news_there_are_heartbeats() -> None:
    async def listen() -> list[bytes]:
        script = Script(heartbeat_seconds=0.001)
        events = script.listen()
        found = [await next_of(events), await next_of(events)]
        script.say(0)
        found += [await next_of(events), await next_of(events)]
        script.say(1, is_last=True)
        found += [event async for event in events if event != HEARTBEAT]
        return found

    expected = [HEARTBEAT, HEARTBEAT, b"whole 0", HEARTBEAT, b"change 1"]
    assert asyncio.run(listen()) == expected


def test_the_moment_can_be_looked_at() -> None:
    async def look() -> tuple[bytes, int]:
        script = Script()
        looking = asyncio.create_task(script.look())
        await asyncio.sleep(0)
        script.say(4)
        seen = await looking
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return seen, script.runs

    assert asyncio.run(look()) == (b"whole 4", 1)


def test_the_slow_miss_what_was_in_between() -> None:
    async def listen() -> list[bytes]:
        script = Script()
        events = script.listen()
        waiting = asyncio.create_task(next_of(events))
        await asyncio.sleep(0)
        script.say(0)
        found = [await waiting]
        script.say(1)
        script.say(2)
        found.append(await next_of(events))
        await events.aclose()
        return found

    assert asyncio.run(listen()) == [b"whole 0", b"whole 2"]


def test_the_whole_is_written_once_and_only_if_a_client_needs_it() -> None:
    async def listen() -> list[int]:
        script = Script()
        many = [script.listen() for _ in range(50)]
        waiting = [asyncio.create_task(next_of(events)) for events in many]
        await asyncio.sleep(0)
        script.say(0)
        found = await asyncio.gather(*waiting)
        assert len({id(event) for event in found}) == 1
        script.say(1)
        changes = [await next_of(events) for events in many]
        assert len({id(event) for event in changes}) == 1
        for events in many:
            await events.aclose()
        return script.wholes

    assert asyncio.run(listen()) == [0]


def test_the_work_ends_with_the_last_listener_and_begins_with_the_next() -> None:
    async def listen() -> int:
        script = Script()
        for _ in range(2):
            events = script.listen()
            waiting = asyncio.create_task(next_of(events))
            await asyncio.sleep(0)
            script.say(0)
            assert await waiting == b"whole 0"
            await events.aclose()
            await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}
        return script.runs

    assert asyncio.run(listen()) == 2


class Broken(Broadcast):
    """Cannot do its work the first time."""

    runs = 0

    async def run(self) -> None:
        self.runs += 1
        if self.runs == 1:
            raise ValueError("no picture")
        self.publish(b"", lambda: b"picture", is_last=True)


def test_work_that_fails_ends_the_stream_and_can_be_taken_up_again() -> None:
    async def listen() -> list[bytes]:
        broken = Broken()
        with pytest.raises(ValueError, match="no picture"):
            await next_of(broken.listen())
        async with asyncio.timeout(PATIENCE_SECONDS):
            return [event async for event in broken.listen()]

    assert asyncio.run(listen()) == [b"picture"]


def test_a_match_is_followed_to_its_end() -> None:
    async def follow() -> list[tuple[str, Any]]:
        live_matches = LiveMatches()
        match = begin(live_matches)
        events = MatchBroadcast(match, None).listen()
        found = parse(await next_of(events))
        play_on(match)
        found += parse(await next_of(events))
        play_on(match)
        match.end(12)
        async with asyncio.timeout(PATIENCE_SECONDS):
            found += [one async for event in events for one in parse(event)]
        return found

    found = asyncio.run(follow())
    assert {name for name, _ in found} == {"scene"}
    first, second, last = (data for _, data in found)
    assert (first["whole"], first["turns"], first["look"]) == (True, 0, "hive")
    assert "whole" not in second
    assert second["turns"] == 1
    assert last["turns"] == 2
    assert last["stored"] == "/matches/12"
    assert last["verdict"] == "No winner: the match was given up"


def test_who_comes_after_the_end_sees_the_end() -> None:
    async def look() -> list[tuple[str, Any]]:
        match = begin(LiveMatches())
        match.end(None)
        broadcast = MatchBroadcast(match, None)
        async with asyncio.timeout(PATIENCE_SECONDS):
            return [one async for event in broadcast.listen() for one in parse(event)]

    [(_, data)] = asyncio.run(look())
    assert data["whole"]
    assert data["stored"] is None


def test_a_match_that_is_hidden_goes_on_only_for_those_who_may_see_it() -> None:
    async def follow() -> tuple[list[bytes], dict[str, Any]]:
        hiding: list[bool] = []
        match = LiveMatches().begin(HIVE, ["a", "b"], HIVE.start(), 5, hides=lambda _: bool(hiding))
        public = MatchBroadcast(match, None).listen()
        private = MatchBroadcast(match, None, private=True).listen()
        await next_of(public)
        await next_of(private)
        hiding.append(True)
        play_on(match)
        async with asyncio.timeout(PATIENCE_SECONDS):
            rest = [event async for event in public]
        [(_, data)] = parse(await next_of(private))
        await private.aclose()
        return rest, data

    rest, data = asyncio.run(follow())
    assert rest == [HIDDEN]
    assert data["turns"] == 1


def test_one_seat_sees_its_own_view() -> None:
    match = begin(LiveMatches(), "battlebots")
    everything, own = Drawing(match), Drawing(match, 0)
    everything.advance()
    own.advance()
    assert everything.picture.whole != own.picture.whole
    assert own.is_current
    match.show(match.position)
    assert not own.is_current


def test_a_picture_stays_what_it_was_when_the_match_goes_on() -> None:
    match = begin(LiveMatches())
    drawing = Drawing(match)
    drawing.advance()
    old = drawing.picture
    play_on(match)
    drawing.advance()
    assert parse(old.whole)[0][1]["turns"] == 0
    assert parse(drawing.picture.whole)[0][1]["turns"] == 1


def test_the_showcase_has_boards_that_come_move_and_go() -> None:
    async def watch() -> list[list[tuple[str, Any]]]:
        live_matches = LiveMatches()
        first = begin(live_matches)
        begin(live_matches, private=True)
        events = Showcase(live_matches, tick_seconds=0.001).listen()
        found = [parse(await next_of(events))]
        play_on(first)
        second = begin(live_matches, "mebipenny")
        found.append(parse(await next_of(events)))
        second.end(3)
        first.end(None)
        while [name for name, _ in found[-1]] != ["cards"] or found[-1][0][1]:
            found.append(parse(await next_of(events)))
        await events.aclose()
        return found

    beginning, later, *_, end = asyncio.run(watch())
    assert [name for name, _ in beginning] == ["cards", "scene"]
    assert [card["key"] for card in beginning[0][1]] == ["hive-1"]
    assert beginning[0][1][0]["players"] == ["ada", "<bob>"]
    assert [name for name, _ in later] == ["cards", "scene", "scene"]
    assert [(data["key"], data.get("whole", False)) for _, data in later[1:]] == [
        ("hive-1", False),
        ("mebipenny-3", True),
    ]
    assert end == [("cards", [])]


def test_a_match_that_is_hidden_leaves_the_showcase() -> None:
    hidden: set[LiveMatch] = set()

    async def watch() -> list[tuple[str, Any]]:
        live_matches = LiveMatches()
        begin(live_matches)
        match = begin(HiddenLiveMatches(live_matches, hidden.__contains__))
        events = Showcase(live_matches, tick_seconds=0.001).listen()
        name, cards = parse(await next_of(events))[0]
        assert (name, [card["key"] for card in cards]) == ("cards", ["hive-1", "hive-2"])
        hidden.add(match)
        after = parse(await next_of(events))
        await events.aclose()
        return after

    ((name, cards),) = asyncio.run(watch())
    assert (name, [card["key"] for card in cards]) == ("cards", ["hive-1"])


def test_as_many_games_as_can_be_are_shown() -> None:
    live_matches = LiveMatches()
    games = ["hive", "hive", "hive", "mebipenny", "mebipenny"]
    matches = [begin(live_matches, game) for game in games]
    matches[0].end(1)
    hidden = begin(live_matches, private=True)
    chosen = choose_matches(live_matches.running(), 3)
    assert [match.game.name for match in chosen] == ["hive", "mebipenny", "hive"]
    assert hidden not in choose_matches(live_matches.running(), 10)


def test_all_who_watch_the_same_share_a_broadcast() -> None:
    live_matches = LiveMatches()
    match = begin(live_matches)
    broadcasts = Broadcasts(live_matches)
    shown = broadcasts.of_match(match, None, private=False)
    assert broadcasts.of_match(match, None, private=False) is shown
    assert broadcasts.of_match(match, 1, private=False) is not shown
    assert broadcasts.of_match(match, None, private=True) is not shown
    assert broadcasts.showcase() is broadcasts.showcase()


def test_an_event_is_one_line_whatever_it_holds() -> None:
    event = format_event("scene", {"text": "a\nb\r\u2028 ü"})
    assert event.count(b"\n") == 3
    assert parse(event) == [("scene", {"text": "a\nb\r\u2028 ü"})]
