"""MebiPenny on a port of its own."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from agon.servers.deadlines import LoopDeadlines
from agon.servers.http_server import Uvicorn
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.lobby import Lobby
from agon.servers.open_connections import count_connections
from agon.servers.process import open_listener

if TYPE_CHECKING:
    import socket
    from random import Random

    from agon.arena.live_matches import LiveMatches
    from agon.servers.house_bots import House
    from agon.servers.mebipenny.match_store import Archive
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.open_connections import OpenConnections

SPARE_SECONDS = 60
"""How much longer than a turn a connection stays open between two requests."""


def open_lobby(
    settings: MebiPennySettings,
    archive: Archive,
    live_matches: LiveMatches | None = None,
    chance: Random | None = None,
    house: House | None = None,
) -> Lobby:
    """A lobby with the real clock, in the event loop that is going to run it."""
    clock = time.monotonic_ns
    deadlines = LoopDeadlines(clock)
    return Lobby(settings, clock, time.time_ns, deadlines, archive, live_matches, chance, house)


class MebiPennyServer:
    """A lobby that listens on a port."""

    def __init__(
        self, lobby: Lobby, host: str, port: int, connections: OpenConnections | None = None
    ) -> None:
        """Port 0 is any that is free. `connections` are those of other servers of the process."""
        self._lobby = lobby
        self._host = host
        self._port = port
        self._connections = connections
        self._listener: socket.socket | None = None
        self._server: Uvicorn | None = None
        self._running: asyncio.Task[None] | None = None
        self.port = 0

    def bind(self) -> socket.socket:
        """Take the port; it is known then. Clients wait until `start`."""
        self._listener = open_listener(self._host, self._port)
        self.port = self._listener.getsockname()[1]
        return self._listener

    async def start(self) -> None:
        """Answer requests."""
        listener = self._listener or self.bind()
        seconds = self._lobby.settings.turn_ns // 10**9 + SPARE_SECONDS
        connections = count_connections() if self._connections is None else self._connections
        self._server = Uvicorn(MebiPennyApp(self._lobby), connections, seconds)
        self._running = asyncio.create_task(self._server.serve([listener]))
        await self._server.is_up.wait()

    async def close(self) -> int:
        """Answer all held requests, and end; how many games under way were given up."""
        given_up = self._lobby.close()
        if self._server is not None and self._running is not None:
            self._server.should_exit = True
            await self._running
        elif self._listener is not None:
            self._listener.close()
        return given_up
