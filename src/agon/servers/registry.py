"""The games that have a server of their own. Looking one up does not load the server.

Each is a package here, by the name of its game, with `server.make_server`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from agon.games.registry import find_game

if TYPE_CHECKING:
    from agon.servers.game_server import GameServer, ServerContext
    from agon.servers.practice_bots import Fill


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A server, before it is loaded."""

    game: str
    transport: str
    """What its clients speak below the game's protocol: TCP or HTTP."""
    port: int
    """Where it listens, unless another port is chosen."""

    @property
    def title(self) -> str:
        return find_game(self.game).title

    @property
    def path(self) -> str:
        """Where a website serves it, too; empty: it has a port only."""
        return f"/{self.game}" if self.transport == "HTTP" else ""

    def make(self, context: ServerContext, port: int) -> GameServer:
        """The server, which does not listen yet."""
        module = import_module(f"agon.servers.{self.game}.server")
        server: GameServer = module.make_server(context, port)
        return server


SERVERS = {
    entry.game: entry
    for entry in (ServerEntry("skyport", "TCP", 54321), ServerEntry("mebipenny", "HTTP", 9292))
}


def check_fill(fill: Fill) -> None:
    """Refuse a bot that one of the games with a server does not have."""
    for game in SERVERS:
        fill.check(find_game(game))
