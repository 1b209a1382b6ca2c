"""Turns over real sockets: their time, and every refusal."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from agon.games.skyport.game import MAX_TURNS, SkyportOptions
from agon.games.skyport.mapfile import Map, format_map
from agon.match.transcript import verify
from tests.servers.skyport.calling import (
    LASER_DROID,
    MINE,
    MS,
    PASS,
    Caller,
    Notes,
    acting,
    at_turn_one,
    connect,
    encode,
    run,
    serving,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.skyport.playing import SkyportMatch


def test_the_start_delay_and_the_time_to_think_are_kept(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        times: dict[str, Any] = {"start_delay_ns": 50 * MS, "think_ns": 50 * MS}
        async with serving(parts={"reporter": notes}, **times) as lobby:
            callers = [await lobby.call(name) for name in ("ann", "bob")]
            for told in await asyncio.gather(*(caller.rest() for caller in callers)):
                turns = [message["turn"] for message in told if "turn" in message]
                assert turns == [0, 1, 2, 3, 4, 5]
                assert told.count({"message": "endturn"}) == 4
            match = await notes.first_ended()
            assert match.faults == (None, None)  # silence is no fault, it costs points
            assert match.outcome.scores == (-40, -40)
            assert min(match.thought_ns) >= 3 * 48 * MS  # event loops round to milliseconds

    run(loop, test)


def test_a_match_ends_with_the_round_in_which_its_time_is_over(loop: str) -> None:
    async def test() -> None:
        notes = Notes()
        times: dict[str, Any] = {"start_delay_ns": 10 * MS, "think_ns": 20 * MS}
        endless: dict[str, Any] = {"options": SkyportOptions(turns=MAX_TURNS), "match_ns": 100 * MS}
        async with serving(parts={"reporter": notes}, **times, **endless) as lobby:
            callers = [await lobby.call(name) for name in ("ann", "bob")]
            told = await callers[0].rest()
            rounds = told[-1]["turn"] // 2
            assert told[-1]["turn"] == 2 * rounds + 1
            match = await notes.first_ended()
            assert match.transcript.options == SkyportOptions(turns=rounds)
            assert verify(match.transcript) == match.outcome

    run(loop, test)


def test_what_came_in_time_counts_and_the_rest_is_answered_by_an_error(loop: str) -> None:
    async def test() -> None:
        async with serving(start_delay_ns=50 * MS, think_ns=100 * MS) as lobby:
            callers = [await lobby.call(name) for name in ("ann", "bob")]
            await callers[0].gamestate()
            actor, _ = await acting(callers, await callers[0].gamestate())
            await actor.say({"message": "action", "type": "upgrade", "weapon": "laser"})
            while await actor.line() != {"message": "endturn"}:
                pass
            assert await actor.error() == "upgrade laser: not enough rubidium"
            await actor.say(MINE)
            await actor.gamestate()
            while "error" not in (message := await actor.line()):
                pass
            assert message == {"error": "mine: it is not your turn"}

    run(loop, test)


class Busy(Notes):
    """Has the whole process stand still when the second match begins, after a call."""

    def __init__(self) -> None:
        super().__init__()
        self.call: Callable[[], object] = list

    def match_begins(self, room: str, number: int, playing: SkyportMatch) -> None:
        if number == 2:
            self.call()
            time.sleep(0.3)


def test_what_arrived_in_time_counts_even_if_the_server_was_too_busy_to_read_it(loop: str) -> None:
    """An answer comes while the server is busy with another client until after its deadline."""

    async def test() -> None:
        busy = Busy()
        async with serving(think_ns=200 * MS, parts={"reporter": busy}) as lobby:
            last = await lobby.call()
            actor, _ = await at_turn_one(lobby)
            waiting = await lobby.call("cid")
            socket = actor.writer.get_extra_info("socket")
            busy.call = partial(os.write, socket.fileno(), encode(PASS))
            await last.say(connect("dan"))
            assert (await actor.lines(2))[1]["type"] == "pass"
            await waiting.gamestate()

    run(loop, test)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (
            {"type": "move", "direction": "diagonal"},
            'move: direction "diagonal": expected up, down',
        ),
        ({"type": "move"}, "move: direction null: expected up"),
        ({"type": "move", "direction": "up"}, "move up: off the map"),
        ({"type": "dance"}, 'type "dance": expected move, mine, upgrade, pass, laser'),
        ({"type": "upgrade", "weapon": "bow"}, 'upgrade: weapon "bow": expected laser'),
        ({"type": "upgrade", "weapon": "mortar"}, "upgrade mortar: you carry laser and droid"),
        ({"type": "upgrade", "weapon": "laser"}, "upgrade laser: not enough rubidium"),
        ({"type": "mine"}, "mine: nothing to mine on an S tile"),
        ({"type": "laser", "direction": "down"}, "laser down: no shots from a spawn tile"),
        ({"type": "mortar", "coordinates": "1,1"}, "mortar 1,1: you carry laser and droid"),
        ({"type": "mortar", "coordinates": "here"}, 'mortar: coordinates "here": expected such as'),
        ({"type": "droid", "sequence": "up"}, 'droid: sequence "up": expected a list'),
        ({"type": "droid", "sequence": ["up", "in"]}, 'droid: direction "in": expected up'),
    ],
)
def test_refused_actions_are_told_with_the_end_of_the_turn(
    action: dict[str, Any], told: str
) -> None:
    async def test() -> None:
        async with serving() as lobby:
            actor, other = await at_turn_one(lobby)
            await actor.say({"message": "action", **action}, PASS)
            assert await actor.line() == {"message": "endturn"}
            assert (await actor.line())["type"] == "pass"
            assert (await actor.error()).startswith(told)
            assert [message["message"] for message in await other.lines(3)] == [
                "endturn",
                "action",
                "gamestate",
            ]

    run("uvloop", test)


QUARRY = Map(("SVGG", "RGGG", "RGGO", "RRRS"), "Rubidium on the way to a rock.")


def test_refusals_that_need_a_walk(loop: str) -> None:
    """Ann mines her way to a laser of level 3; bob, on the other spawn, gets into her way."""

    def move(direction: str) -> dict[str, Any]:
        return {"message": "action", "type": "move", "direction": direction}

    upgrade = {"message": "action", "type": "upgrade", "weapon": "laser"}
    mortar = {"message": "action", "type": "mortar", "coordinates": "-3, 0"}
    droid = {"message": "action", "type": "droid", "sequence": ["up", "up", "up", "up"]}
    ann: list[list[dict[str, Any]]] = [
        [move("right-down"), move("left-down"), MINE],
        [MINE, move("left-down"), MINE],
        [MINE, move("left-down"), MINE],
        [MINE, move("right-down"), MINE],
        [MINE, upgrade, move("right-down")],
        [MINE, upgrade, upgrade],
        [droid, mortar, PASS],
    ]
    bob: list[list[dict[str, Any]]]
    bob = [[move("right-up"), PASS], *[[PASS]] * 5, [move("left-up"), move("up"), mortar]]

    async def play(caller: Caller, name: str, turns: list[list[dict[str, Any]]]) -> list[str]:
        errors = []
        while "end" not in (message := await caller.line()):
            if message.get("message") == "gamestate" and message["turn"] == 0:
                weapons = {"primary-weapon": "laser", "secondary-weapon": "mortar"}
                await caller.say(LASER_DROID | (weapons if name == "bob" else {}))
            elif message.get("message") == "gamestate" and message["players"][0]["name"] == name:
                turn, *turns = turns or [[]]  # the last gamestate asks no client
                await caller.say(*turn)
            elif "error" in message:
                errors.append(message["error"])
        return errors

    async def test() -> None:
        quarry = SkyportOptions(map_text=format_map(QUARRY), turns=7)
        async with serving(options=quarry) as lobby:
            callers = [await lobby.call(name) for name in ("ann", "bob")]
            told = await asyncio.gather(play(callers[0], "ann", ann), play(callers[1], "bob", bob))
            assert told[0] == [
                "move right-down: a V tile is not accessible",
                "upgrade laser: level 3 is the highest",
                "droid up,up,up,up: too long, level 1 walks 3",
                "mortar -3,0: you carry laser and droid",
            ]
            assert told[1] == [
                "move right-up: an O tile is not accessible",
                "move left-up: 3, 2 is occupied",
                "mortar -3,0: out of range, level 1 reaches 2",
            ]

    run(loop, test)
