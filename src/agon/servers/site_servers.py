"""The servers of all games beside a website: their ports, their start, their journal, their end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.servers.registry import SERVERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.arena.network_matches import NetworkMatches, Unfinished
    from agon.servers.game_server import GameServer, ServerContext

LOG = logging.getLogger("agon.servers")


class SiteServers:
    """All servers of the registry, in one event loop."""

    def __init__(
        self,
        context: ServerContext,
        ports: Mapping[str, int],
        until_ready: Callable[[str], Awaitable[None]],
        loads: Callable[[str], bool],
    ) -> None:
        """`ports` are those that were chosen, by game. Nothing is opened yet.

        `until_ready` waits for the rules of a game, and clients do so with it. If they are not
        loaded anyway, as `loads` says, the first client has them compiled.
        """
        self._servers = [
            entry.make(context, ports.get(game, entry.port)) for game, entry in SERVERS.items()
        ]
        self._until_ready = until_ready
        self._loads = loads
        self._bound: list[GameServer] = []

    @property
    def ports(self) -> dict[str, int]:
        """Where each game's server listens; 0: its port was taken."""
        return {server.game.name: server.port for server in self._servers}

    @property
    def apps(self) -> dict[str, ASGIApp]:
        """What a website serves, by path."""
        return {
            SERVERS[server.game.name].path: self._when_ready(server.game.name, server.app)
            for server in self._servers
            if server.app is not None
        }

    def _when_ready(self, game: str, app: ASGIApp) -> ASGIApp:
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await self._until_ready(game)
            await app(scope, receive, send)

        return answer

    @asynccontextmanager
    async def open(self, book: NetworkMatches) -> AsyncIterator[None]:
        """Take the ports; at the end of this block journal what is under way, and close all."""
        try:
            for server in self._servers:
                self._bind(server)
            async with book.following(self._under_way):
                yield
        finally:
            await asyncio.gather(*(server.close() for server in self._servers))

    def _bind(self, server: GameServer) -> None:
        """Take its port; if that is taken, the site runs without this server."""
        try:
            server.bind()
        except SettingError as error:
            option = f"--game-port {server.game.name}=N"
            LOG.warning("%s; the site runs without it: choose another with %s", error, option)
        else:
            self._bound.append(server)

    async def start(self) -> None:
        """Start each server that has a port when the rules of its game are ready."""

        async def start(server: GameServer) -> None:
            if not self._loads(server.game.name):
                await server.until_client()
            await self._until_ready(server.game.name)
            await server.start()

        await asyncio.gather(*map(start, self._bound))

    def _under_way(self) -> list[Unfinished]:
        return [match for server in self._servers for match in server.under_way]
