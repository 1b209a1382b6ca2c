"""MebiPenny on a port of its own: games over HTTP, bots for clients, finished games stored.

server = MebiPennyServer(MebiPennySettings(), port=0, keep=keep_match)
await server.start()
server.port  # 40213
await server.close()
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from agon.games.mebipenny.game import GAME
from agon.servers.deadlines import LoopDeadlines
from agon.servers.http_server import Uvicorn
from agon.servers.match_store import MatchStore, keep_nothing
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.lobby import Lobby
from agon.servers.mebipenny.settings import MebiPennySettings
from agon.servers.open_connections import count_connections
from agon.servers.practice_bots import PracticeBots
from agon.servers.process import open_listener, until_client

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from random import Random

    from agon.arena.live_matches import LiveMatches
    from agon.servers.game_server import GameServer, ServerContext
    from agon.servers.match_store import Keep, KeptMatch
    from agon.servers.mebipenny.game_in_play import GameInPlay
    from agon.servers.open_connections import OpenConnections
    from agon.servers.practice_bots import StoredBots

SPARE_SECONDS = 60
"""How much longer than a turn a connection stays open between two requests."""


class MebiPennyServer:
    """A lobby that listens on a port."""

    game = GAME

    def __init__(
        self,
        settings: MebiPennySettings,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        keep: Keep = keep_nothing,
        on_kept: Callable[[KeptMatch], None] = lambda kept: None,
        live_matches: LiveMatches | None = None,
        chance: Random | None = None,
        stored: StoredBots | None = None,
        connections: OpenConnections | None = None,
    ) -> None:
        """Port 0 is any that is free. `connections` are those of other servers of the process.

        `keep` and `on_kept` are called in a thread. Without `live_matches` there are no
        live pages, without `chance` boards and draws differ every time.
        """
        clock = time.monotonic_ns
        self._host = host
        self._port = port
        self._connections = connections
        self._match_store = MatchStore(keep, on_kept)
        self._practice_bots = PracticeBots(GAME, settings.turn_ns, stored)
        self.lobby = Lobby(
            settings,
            clock,
            time.time_ns,
            LoopDeadlines(clock),
            self._match_store,
            live_matches,
            chance,
            self._practice_bots,
        )
        self.app = MebiPennyApp(self.lobby)
        self._listeners: list[socket.socket] = []
        self._server: Uvicorn | None = None
        self._running: asyncio.Task[None] | None = None
        self.port = 0

    def bind(self) -> None:
        """Take the port; it is known then. Clients wait until `start`."""
        listener = open_listener(self._host, self._port)
        self._listeners.append(listener)
        self.port = listener.getsockname()[1]

    async def until_client(self) -> None:
        await until_client(self._listeners)

    async def start(self) -> None:
        """Answer requests."""
        if not self._listeners:
            self.bind()
        seconds = self.lobby.settings.turn_ns // 10**9 + SPARE_SECONDS
        connections = count_connections() if self._connections is None else self._connections
        self._server = Uvicorn(self.app, connections, seconds)
        self._running = asyncio.create_task(self._server.serve(self._listeners))
        await self._server.is_up.wait()

    @property
    def under_way(self) -> list[GameInPlay]:
        """The games that are being played."""
        return [table.in_play for table in self.lobby if table.in_play is not None]

    async def ended(self) -> None:
        """Clients may always come: it has no last game."""
        await asyncio.Event().wait()

    async def close(self) -> int:
        """Answer all held requests, and end; how many games under way were given up."""
        given_up = self.lobby.close()
        if self._server is not None and self._running is not None:
            self._server.should_exit = True
            await self._running
        for listener in self._listeners:
            listener.close()
        await self._practice_bots.close()
        await asyncio.to_thread(self._match_store.close)
        return given_up


def make_server(context: ServerContext, port: int) -> GameServer:
    """The server of a website."""
    return MebiPennyServer(
        MebiPennySettings(fill=context.fill),
        context.host,
        port,
        keep=context.keep,
        live_matches=context.live_matches,
        stored=context.stored_bots(GAME),
        connections=context.connections,
    )
