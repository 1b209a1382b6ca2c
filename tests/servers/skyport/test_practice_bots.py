"""A client that is alone plays against built-in bots, if the server says so."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.match_record import store_network_match
from agon.datastore.store import Store
from agon.errors import SettingError
from agon.games.skyport.game import SkyportOptions
from agon.match.transcript import verify
from agon.servers.practice_bots import Fill
from agon.servers.skyport.settings import SkyportSettings
from tests.servers.skyport.calling import (
    LASER_DROID,
    MS,
    PASS,
    Caller,
    Notes,
    play_out,
    run,
    serving,
)
from tests.servers.skyport.test_room import OpenRoom

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.result import MatchResult

AT_ONCE = Fill("greedy", 0)


def keep(store: Store, match: MatchResult, begin: int, end: int) -> int:
    return store_network_match(store, match, begin, end)


@pytest.mark.parametrize("bot", ["random", "greedy", "search"])
def test_a_lone_client_plays_a_whole_match_against_a_practice_bot(
    loop: str, tmp_path: Path, bot: str
) -> None:
    async def test() -> None:
        notes, fill = Notes(), Fill(bot, 10 * MS)
        with Store.open(str(tmp_path / "agon.db")) as store:
            parts = {"reporter": notes, "keep": partial(keep, store)}
            options = SkyportOptions(turns=3)
            async with serving(parts=parts, fill=fill, options=options, think_ns=400 * MS) as lobby:
                caller = await lobby.call("ann")
                start = await caller.gamestate()
                assert [player["name"] for player in start["players"]] in (
                    ["ann", bot],
                    [bot, "ann"],
                )
                await caller.say(LASER_DROID)
                (told,) = await play_out([caller], ["ann"])
            found = await notes.first_ended()
            assert found.faults == (None, None)
            assert verify(found.transcript) == found.outcome
            assert [*found.transcript.players] == [
                {"name": "ann", "kind": "guest"},
                {"name": bot, "kind": "built-in", "bot": bot},
            ]
            wire: Any = found.transcript.extra["wire"]
            assert wire[0]
            assert wire[1] == [], "a bot is sent no lines"
            actions = [one for one in told if one.get("from") == bot]
            assert len(actions) >= 3, "it moves every time"
            assert told[-1]["turn"] == 7
            (match_id,) = [ended[2] for ended in notes.ended]
            assert match_id is not None
            seats = store.matches.get(match_id).seats
            versions = [store.versions.get(seat.version_id) for seat in seats]
            stored = [store.bots.get(version.bot_id) for version in versions]
            assert [(one.name, one.built_in) for one in stored] == [
                ("ann (guest)", False),
                (bot, True),
            ]

    run(loop, test)


def test_three_seats_are_filled_under_names_that_differ() -> None:
    room = OpenRoom(seats=4, fill=AT_ONCE)
    client, _ = room.join("greedy")
    room.room.fill(client)
    (match,) = room.begun
    assert match.names == ("greedy", "greedy2", "greedy3", "greedy4")
    assert [one.bot for one in match.clients] == ["", "greedy", "greedy", "greedy"]
    assert room.room.waiting == []
    room.room.fill(client)
    assert len(room.begun) == 1


def test_a_client_that_left_or_has_opponents_is_not_filled_up_for() -> None:
    room = OpenRoom(seats=3, fill=AT_ONCE)
    first, _ = room.join("ann")
    second, _ = room.join("bob")
    room.room.leave(first)
    room.room.fill(first)
    assert room.begun == []
    room.room.fill(second)
    assert [match.names for match in room.begun] == [("bob", "greedy", "greedy2")]


def test_seats_wait_for_clients_by_default() -> None:
    room = OpenRoom()
    client, _ = room.join("ann")
    room.room.fill(client)
    assert room.begun == []


def test_a_second_client_in_time_gets_the_seat(loop: str) -> None:
    async def test() -> None:
        async with serving(fill=Fill("greedy", 20 * 10**9)) as lobby:
            callers = await lobby.match("ann", "bob")
            assert len(callers) == 2

    run(loop, test)


def test_when_the_client_hangs_up_the_bot_plays_on_alone(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        async with serving(parts={"reporter": notes}, fill=AT_ONCE) as lobby:
            caller: Caller = await lobby.call("ann")
            await caller.gamestate()
            await caller.hang_up()
            found = await asyncio.wait_for(notes.first_ended(), 20)
            assert [fault and fault.value for fault in found.faults] == ["crash", None]
            assert found.outcome.winner == 1

    run(loop, test)


def test_the_end_of_the_server_does_not_hear_a_bot_that_thinks(loop: str) -> None:
    async def test() -> None:
        wrong: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, told: wrong.append(told))
        async with serving(fill=Fill("search", 0), seats=3, think_ns=400 * MS) as lobby:
            caller = await lobby.call("ann")
            await caller.say(LASER_DROID)
            while True:
                state = await caller.gamestate()
                if state["turn"] and state["players"][2]["name"] == "ann":
                    break  # one bot thinks, the other is next
                if state["players"][0]["name"] == "ann":
                    await caller.say(PASS)
        await asyncio.sleep(0)
        assert wrong == []

    run(loop, test)


def test_a_bot_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingError, match="'best': expected a bot of Skyport: random, greedy, s"):
        SkyportSettings(fill=Fill("best"))
