"""A server in this process, and clients that a test speaks for line by line."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import uvloop

from agon.games.skyport.game import SkyportOptions
from agon.servers.skyport.server import Reporter, SkyportServer
from agon.servers.skyport.settings import RoomAddress, SkyportSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from agon.match.result import MatchResult

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
PATIENCE = 30.0  # of a test for anything; nothing here takes a second
HOUR = 3600 * 10**9
MS = 10**6
SHORT = SkyportSettings(
    SkyportOptions(turns=2),
    seed=7,
    think_ns=HOUR,
    start_delay_ns=HOUR,
    handshake_ns=HOUR,
    farewell_ns=100 * MS,
)
"""Two turns for each of two, no time limit that a test could meet by chance, seat 0 acts first."""
LASER_DROID = {"message": "loadout", "primary-weapon": "laser", "secondary-weapon": "droid"}
PASS = {"message": "action", "type": "pass"}
MINE = {"message": "action", "type": "mine"}


def connect(name: str) -> dict[str, Any]:
    return {"message": "connect", "revision": 1, "name": name}


def encode(*messages: dict[str, Any], end: bytes = b"\n") -> bytes:
    return b"".join(json.dumps(message).encode() + end for message in messages)


def run(loop: str, test: Callable[[], Awaitable[None]]) -> None:
    """Run the test in an event loop of that kind; it may not take for ever."""

    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE):
            await test()

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        runner.run(bounded())


class Caller:
    """A client: says what a test wants it to say, and keeps every byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.got = b""
        self.said = b""

    async def send(self, data: bytes) -> None:
        self.said += data
        self.writer.write(data)
        await self.writer.drain()

    async def say(self, *messages: dict[str, Any]) -> None:
        await self.send(encode(*messages))

    async def line(self) -> dict[str, Any]:
        """The next message."""
        line = await self.reader.readline()
        self.got += line
        message: dict[str, Any] = json.loads(line) if line else {"end": True}
        return message

    async def lines(self, count: int) -> list[dict[str, Any]]:
        return [await self.line() for _ in range(count)]

    async def error(self) -> str:
        """The next message, which is an error."""
        message = await self.line()
        assert [*message] == ["error"], message
        text: str = message["error"]
        return text

    async def gamestate(self) -> dict[str, Any]:
        """The next gamestate, whatever comes before it."""
        while (message := await self.line()).get("message") != "gamestate":
            assert "end" not in message
        return message

    async def rest(self) -> list[dict[str, Any]]:
        """All messages up to the end of the connection."""
        found = []
        while "end" not in (message := await self.line()):
            found.append(message)
        return found

    async def hang_up(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


class Lobby:
    """A running server, and the clients that called it."""

    def __init__(self, server: SkyportServer) -> None:
        self.server = server
        self.callers: list[Caller] = []

    async def call(self, name: str | None = None, room: str = "main") -> Caller:
        """A new client; with a name it has shaken hands."""
        port = self.server.ports[room]
        caller = Caller(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 24))
        self.callers.append(caller)
        if name is not None:
            await caller.say(connect(name))
            assert await caller.line() == {"message": "connect", "status": True}
        return caller

    async def match(self, *names: str, room: str = "main") -> list[Caller]:
        """Clients in a match, which is at turn 1: all loadouts are in."""
        callers = [await self.call(name, room) for name in names or ("ann", "bob")]
        for caller in callers:
            assert (await caller.gamestate())["turn"] == 0
            await caller.say(LASER_DROID)
        for caller in callers:
            assert (await caller.gamestate())["turn"] == 1
        return callers


@asynccontextmanager
async def serving(
    settings: SkyportSettings = SHORT,
    rooms: Sequence[str] = ("main",),
    *,
    parts: Any = None,
    **changes: Any,
) -> AsyncIterator[Lobby]:
    """A server with these settings, on free ports; all ends with the block."""
    places = [RoomAddress(room, 0) for room in rooms]
    server = SkyportServer(replace(settings, **changes), places, **(parts or {}))
    lobby = Lobby(server)
    await server.start()
    try:
        yield lobby
    finally:
        for caller in lobby.callers:
            caller.writer.transport.abort()
        await server.close()


async def play_out(callers: Sequence[Caller], names: Sequence[str]) -> list[list[dict[str, Any]]]:
    """All robots mine and pass until the match is over; what each got from now on."""

    async def play(caller: Caller, name: str) -> list[dict[str, Any]]:
        found = []
        while "end" not in (message := await caller.line()):
            found.append(message)
            if message.get("message") == "gamestate" and message["players"][0]["name"] == name:
                await caller.say(MINE, PASS)
        return found

    return [*await asyncio.gather(*map(play, callers, names))]


async def pass_on(callers: list[Caller], names: tuple[str, ...]) -> None:
    """Play to the end from turn 1, whose gamestate all clients have read."""
    state = json.loads(callers[0].got.splitlines()[-1])
    await callers[names.index(state["players"][0]["name"])].say(PASS)
    for told in await play_out(callers, names):
        assert told[-1]["turn"] == 5


class Notes(Reporter):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.ended: list[tuple[str, MatchResult, int | None, str]] = []
        self._is_one_there = asyncio.Event()
        self.given_up: list[tuple[str, ...]] = []

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        self.ended.append((room, match, match_id, trouble))
        self._is_one_there.set()

    def match_is_given_up(self, room: str, number: int, playing: Any) -> None:
        self.given_up.append(playing.names)

    async def first_ended(self) -> MatchResult:
        """The match that ends first."""
        await self._is_one_there.wait()
        return self.ended[0][1]


async def acting(callers: list[Caller], state: dict[str, Any]) -> tuple[Caller, Caller]:
    """The one whose turn it is, and the other."""
    first = state["players"][0]["name"] == "ann"
    return (callers[0], callers[1]) if first else (callers[1], callers[0])


async def at_turn_one(lobby: Lobby) -> tuple[Caller, Caller]:
    """Ann and bob at turn 1, the one to act first."""
    callers = [await lobby.call(name) for name in ("ann", "bob")]
    for caller in callers:
        await caller.say(LASER_DROID)
    for caller in callers:
        await caller.gamestate()
        state = await caller.gamestate()
    return await acting(callers, state)
