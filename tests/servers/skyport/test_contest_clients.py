"""Clients as contestants wrote them for the first server, over TCP."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from agon.games.skyport.game import SkyportOptions
from agon.games.skyport.mapfile import Map, format_map
from tests.servers.skyport.calling import Notes, run, serving

if TYPE_CHECKING:
    from tests.servers.skyport.calling import Caller, Lobby

MEADOW = format_map(Map(("SGGG", "GGGG", "GGGG", "GGGS")))
TURNS = 20
PLAYER = re.compile(
    r'{"primary-weapon": {"level": (\d), "name": "(\w+)"}, "position": "(\d+), (\d+)",'
    r' "name": "(\w+)", "score": (-?\d+), "alive": (true|false), "health": (\d+),'
    r' "secondary-weapon": {"level": (\d), "name": "(\w+)"}'
)
"""What a bot of 2013 looks for in the text of a gamestate: the keys in this order."""
HELLO = '{{"message":"connect","revision":"1","name":"{name}"}}\n'
LOADOUT = '{"message":"loadout","primary-weapon":"mortar","secondary-weapon":"droid"}\n'
ACTION = '{{"message":"action","type":{action}}}\n'


async def play(caller: Caller, name: str) -> tuple[list[int], set[str]]:
    """Walk off the spawn and shoot oneself, always; the numbers of the gamestates, and who died."""
    await caller.send(HELLO.format(name=name).encode())
    assert await caller.reader.readline() == b'{"message": "connect", "status": true}\n'
    await caller.send(LOADOUT.encode())
    numbers, dead = [], set()
    while line := (await caller.reader.readline()).decode():
        if '"gamestate", "gamestate"' not in line:
            continue
        numbers.append(int(line.partition('"turn": ')[2].partition(",")[0]))
        players = PLAYER.findall(line)
        assert len(players) == 2, line
        for player in players:
            assert (player[6] == "true") == (player[7] != "0")
        dead |= {player[4] for player in players if player[6] == "false"}
        if players[0][4] == name and numbers[-1]:
            for way in ("up", "down"):
                await caller.send(ACTION.format(action=f'"move","direction":"{way}"').encode())
            await caller.send(ACTION.format(action='"mortar","coordinates":"0,0"').encode())
    return numbers, dead


def test_a_text_as_revision_text_cut_apart_and_numbers_without_gaps(loop: str) -> None:
    async def test() -> None:
        options, notes = SkyportOptions(map_text=MEADOW, turns=TURNS), Notes()
        async with serving(parts={"reporter": notes}, options=options) as lobby:
            found = await asyncio.gather(*(meet(lobby, name) for name in ("ann", "bob")))
            for numbers, dead in found:
                assert dead == {"ann", "bob"}, "deaths are what the numbers are about"
                assert numbers == [*range(2 * TURNS + 2)]
            played = (await notes.first_ended()).transcript
            assert len(played.events) == 2 * TURNS + 1, "a replay counts as the gamestates do"

    async def meet(lobby: Lobby, name: str) -> tuple[list[int], set[str]]:
        return await play(await lobby.call(), name)

    run(loop, test)
