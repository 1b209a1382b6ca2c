"""Clients that vanish, flood or do not read: no other is harmed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from agon.games.skyport.game import SkyportOptions
from agon.games.skyport.mapfile import format_map
from agon.games.skyport.maps import generate
from agon.match.transcript import verify
from tests.servers.skyport.calling import (
    LASER_DROID,
    MINE,
    MS,
    PASS,
    Caller,
    Notes,
    at_turn_one,
    connect,
    pass_on,
    play_out,
    run,
    serving,
)


@pytest.mark.parametrize("how", ["close", "half-close", "reset"])
@pytest.mark.parametrize("when", ["start delay", "own turn", "another's turn"])
def test_who_vanishes_stays_on_the_board_and_no_turn_waits_for_it(
    loop: str, how: str, when: str
) -> None:
    async def test() -> None:
        notes = Notes()
        async with serving(parts={"reporter": notes}) as lobby:
            if when == "start delay":
                gone, left = await lobby.call("ann"), await lobby.call("bob")
                await left.say(LASER_DROID)
            else:
                actor, other = await at_turn_one(lobby)
                gone, left = (actor, other) if when == "own turn" else (other, actor)
            if how == "close":
                await gone.hang_up()
            elif how == "half-close":
                gone.writer.write_eof()
            else:
                gone.writer.transport.abort()
            name = "ann" if left is lobby.callers[1] else "bob"
            own = "bob" if name == "ann" else "ann"
            if when == "another's turn":
                await left.say(PASS)
            (told,) = await play_out([left], [own])
            assert told[-1]["turn"] == 5
            match = await notes.first_ended()
            assert [fault and fault.value for fault in match.faults] == [
                "crash" if player["name"] == name else None for player in match.transcript.players
            ]
            assert verify(match.transcript) == match.outcome
            if how == "half-close":  # it was told everything to the end
                assert (await gone.rest())[-1]["turn"] == 5

    run(loop, test)


def test_actions_that_were_sent_before_hanging_up_count(loop: str) -> None:
    async def test() -> None:
        async with serving() as lobby:
            actor, other = await at_turn_one(lobby)
            await actor.say(MINE, PASS)
            await actor.hang_up()
            assert [message["message"] for message in await other.lines(2)] == ["endturn", "action"]

    run(loop, test)


def test_when_all_are_gone_the_match_is_over(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        async with serving(matches=1, parts={"reporter": notes}) as lobby:
            for caller in await at_turn_one(lobby):
                await caller.hang_up()
            await lobby.server.ended()
            assert notes.ended[0][1].outcome.reason == "seat 0: crash, seat 1: crash"

    run(loop, test)


def test_a_flood_of_lines_harms_no_other(loop: str) -> None:
    """The flood never ends while the others play; it is answered line by line, or dropped."""

    async def flood(caller: Caller) -> None:
        line = b'{"message": "action", "type": "pass"}\n' * 2000
        try:
            while True:
                await caller.send(line)
        except ConnectionError:
            pass

    async def drain(caller: Caller) -> None:
        while await caller.reader.read(1 << 16):
            pass

    async def test() -> None:
        notes = Notes()
        async with serving(parts={"reporter": notes}) as lobby:
            bad = [await lobby.call(), await lobby.call()]
            tasks = [asyncio.create_task(flood(caller)) for caller in bad]
            tasks.append(asyncio.create_task(drain(bad[0])))  # the other does not even read
            callers = await lobby.match()
            await pass_on(callers, ("ann", "bob"))
            match = await notes.first_ended()
            assert match.faults == (None, None)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run(loop, test)


def test_a_client_that_does_not_read_is_dropped_and_harms_no_other(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        large = SkyportOptions(map_text=format_map(generate(2, 64, 1)), turns=200)
        changes: dict[str, Any] = {"options": large, "backlog_bytes": 1 << 18}
        async with serving(parts={"reporter": notes}, **changes) as lobby:
            deaf = await lobby.call()
            transport: Any = deaf.writer.transport
            transport.pause_reading()
            await deaf.say(connect("deaf"), LASER_DROID)
            other = await lobby.call()
            await other.say(connect("ann"), LASER_DROID)
            talk = asyncio.create_task(_answer_all(other, "ann"))
            with suppress(ConnectionError):  # it says something all the time, and never reads
                while not notes.ended:
                    await deaf.say({"message": "chat"}, PASS)
                    await asyncio.sleep(0)
            match = await notes.first_ended()
            await talk
            assert [fault and fault.value for fault in match.faults] == ["protocol error", None]

    run(loop, test)


async def _answer_all(caller: Caller, name: str) -> None:
    while line := await caller.reader.readline():
        message = json.loads(line)
        if message.get("message") == "gamestate" and message["players"][0]["name"] == name:
            await caller.say(PASS)


def test_a_client_that_does_not_read_its_end_is_cut_off(loop: str) -> None:
    """The connection is given up when the time for the farewell is over."""

    async def test() -> None:
        notes = Notes()
        async with serving(matches=1, farewell_ns=50 * MS, parts={"reporter": notes}) as lobby:
            callers = [await lobby.call(name) for name in ("ann", "bob")]
            for caller in callers:
                transport: Any = caller.writer.transport
                transport.pause_reading()
                await caller.say(LASER_DROID)
            with suppress(ConnectionError):
                while not notes.ended:
                    for caller in callers:
                        await caller.say(PASS)
                    await asyncio.sleep(0)
            await lobby.server.ended()
        assert len(notes.ended) == 1

    run(loop, test)
