"""Whole matches over real sockets: many of them, what is stored, and the end of the server."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.live_matches import LiveMatches
from agon.arena.match_record import store_network_match
from agon.datastore.store import Store
from agon.errors import DatastoreError, SettingError
from agon.games.skyport.game import SkyportOptions
from agon.match.transcript import parse_transcript, verify
from agon.servers.skyport.server import SkyportServer
from agon.servers.skyport.settings import RoomAddress
from tests.servers.skyport.calling import (
    LASER_DROID,
    MINE,
    PASS,
    SHORT,
    Caller,
    Lobby,
    Notes,
    acting,
    pass_on,
    play_out,
    run,
    serving,
)
from tests.servers.skyport.scripted import derived_lines

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.result import MatchResult


def test_a_match_from_the_first_to_the_last_line(loop: str, tmp_path: Path) -> None:
    async def test() -> None:
        notes, live_matches = Notes(), LiveMatches()
        with Store.open(tmp_path / "agon.db") as store:
            keep = partial(_keep, store)
            parts = {"keep": keep, "live_matches": live_matches, "reporter": notes}
            async with serving(matches=1, parts=parts) as lobby:
                callers = await lobby.match()
                live = live_matches.running("skyport")[0]
                assert (live.players, live.turns) == (("ann", "bob"), 1)
                state = await _first_turn(lobby, callers)
                assert state["turn"] == 2
                await play_out(callers, ("ann", "bob"))
                await lobby.server.ended()
            (_, match, match_id, trouble) = notes.ended[0]
            assert (match.faults, trouble) == ((None, None), "")
            assert (live.is_over, live.match_id) == (True, match_id)
            assert match_id is not None
            transcript = parse_transcript(store.matches.transcript(match_id).decode())
        assert verify(transcript) == match.outcome
        for seat, caller in enumerate(lobby.callers):
            errors = [line for line in caller.got.decode().splitlines() if "not your turn" in line]
            lines = caller.got.decode().splitlines()[1:]
            assert [line for line in lines if line not in errors] == derived_lines(transcript, seat)

    run(loop, test)


def _keep(store: Store, match: MatchResult, begin: int, end: int) -> int:
    return store_network_match(store, match, begin, end)


async def _first_turn(lobby: Lobby, callers: list[Caller]) -> dict[str, Any]:
    """Turn 1: the one to act passes, the other speaks out of turn; the next gamestate, unread."""
    actor, other = await acting(callers, json.loads(callers[0].got.splitlines()[-1]))
    await other.say(MINE)
    assert await other.error() == "mine: it is not your turn"
    await actor.say(MINE, PASS)
    told = await actor.lines(3)
    assert [*told[0].values(), told[1]["type"]] == ["endturn", "pass"]
    assert told[2] == {"error": "mine: nothing to mine on an S tile"}
    assert [message["message"] for message in await other.lines(2)] == ["endturn", "action"]
    state = await other.line()
    await other.say(MINE, PASS)
    assert await actor.line() == state
    return state


def test_a_session_replays_to_the_byte(loop: str) -> None:
    """Two sessions of the same clients against new servers: the same bytes in both directions."""
    script: list[dict[str, Any]] = [
        {"message": "action", "type": "move", "direction": "down"},
        {"message": "action", "type": "move", "direction": "left-up"},
        {"message": "action", "type": "laser", "direction": "right-up"},
        {"message": "action", "type": "droid", "sequence": ["rightUp", "down"]},
        {"message": "action", "type": "upgrade", "weapon": "mortar"},
        {"message": "action", "type": "move", "direction": "nowhere"},
        MINE,
    ]

    async def play(caller: Caller, name: str) -> None:
        turns = 0
        while "end" not in (message := await caller.line()):
            if message.get("message") == "gamestate" and message["turn"] == 0:
                await caller.say(LASER_DROID)
            elif message.get("message") == "gamestate" and message["players"][0]["name"] == name:
                turns += 1
                await caller.say(*[script[(turns + n) % len(script)] for n in range(3)])

    async def session() -> list[tuple[bytes, bytes]]:
        names = ("ann", "bob", "cid")
        async with serving(seats=3, options=SkyportOptions(turns=12)) as lobby:
            callers = [await lobby.call(name) for name in names]
            await asyncio.gather(*map(play, callers, names))
            return [(caller.said, caller.got) for caller in callers]

    async def test() -> None:
        first, second = await session(), await session()
        assert first == second
        assert all(got.count(b"\n") > 100 for _, got in first)

    run(loop, test)


def test_matches_are_played_side_by_side_and_one_after_the_other(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        async with serving(matches=3, parts={"reporter": notes}) as lobby:
            first = await lobby.match("ann", "bob")
            second = await lobby.match("cid", "dan")  # while the first is under way
            for callers, names in ((second, ("cid", "dan")), (first, ("ann", "bob"))):
                await pass_on(callers, names)
            third = await lobby.match("ann", "bob")
            late = lobby.server.ports["main"]
            with pytest.raises(ConnectionRefusedError):  # no more than three
                await asyncio.open_connection("127.0.0.1", late)
            await pass_on(third, ("ann", "bob"))
            await lobby.server.ended()
            players = [[p["name"] for p in m.transcript.players] for _, m, _, _ in notes.ended]
            assert sorted(players) == [["ann", "bob"], ["ann", "bob"], ["cid", "dan"]]
            assert sorted(m.transcript.seed for _, m, _, _ in notes.ended) == [7, 8, 9]

    run(loop, test)


def test_rooms_have_ports_and_waiting_lists_of_their_own(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        async with serving(rooms=("red", "blue"), parts={"reporter": notes}) as lobby:
            assert len({*lobby.server.ports.values()}) == 2
            red, blue = await lobby.call("ann", "red"), await lobby.call("ann", "blue")
            for caller, name, room in ((blue, "bob", "blue"), (red, "cid", "red")):
                await lobby.call(name, room)
                names = {player["name"] for player in (await caller.gamestate())["players"]}
                assert names == {"ann", name}

    run(loop, test)


def test_a_port_that_is_in_use_is_told(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            port = lobby.server.ports["main"]
            second = SkyportServer(SHORT, [RoomAddress("one", 0), RoomAddress("two", port)])
            with pytest.raises(
                SettingError,
                match=rf"room two: cannot listen at 127.0.0.1, port {port}: Address already in use",
            ):
                await second.start()

    run(loop, test)


def test_closing_gives_up_the_matches_under_way_and_says_so(loop: str) -> None:
    async def test() -> None:
        notes, live_matches = Notes(), LiveMatches()
        async with serving(parts={"reporter": notes, "live_matches": live_matches}) as lobby:
            callers = await lobby.match()
            waiting, stranger = await lobby.call("cid"), await lobby.call()
            live = live_matches.running()[0]
            closing = asyncio.create_task(lobby.server.close())
            ends = await asyncio.gather(
                *(caller.rest() for caller in (*callers, waiting, stranger))
            )
            assert ends == [[{"error": "the server ends, and the match with it"}]] * 4
            await closing
            assert notes.given_up == [("ann", "bob")]
            assert notes.ended == []
            assert (live.is_over, live.match_id) == (True, None)

    run(loop, test)


def test_a_match_that_cannot_be_stored_is_told_and_the_server_goes_on(loop: str) -> None:
    def keep(match: MatchResult, begin: int, end: int) -> int:
        raise DatastoreError("the disk is full")

    async def test() -> None:
        notes = Notes()
        async with serving(matches=1, parts={"keep": keep, "reporter": notes}) as lobby:
            await pass_on(await lobby.match(), ("ann", "bob"))
            await lobby.server.ended()
            (_, _, match_id, trouble) = notes.ended[0]
            assert (match_id, trouble) == (None, "the disk is full")

    run(loop, test)


def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(SettingError, match="3 seats: the map is for 2"):
        replace(SHORT, options=SkyportOptions(map="two"), seats=3)
    with pytest.raises(SettingError, match="9 seats: Skyport is for 2 to 8"):
        replace(SHORT, seats=9)
    with pytest.raises(SettingError, match="rooms a, a: two of the same name"):
        SkyportServer(SHORT, [RoomAddress("a", 0), RoomAddress("a", 0)])
    with pytest.raises(SettingError, match="think time 0 ns: expected more than 0"):
        replace(SHORT, think_ns=0)
    with pytest.raises(SettingError, match="handshake time 0 ns: expected more than 0"):
        replace(SHORT, handshake_ns=0)
