"""What all servers of games have in common, for a website and commands that run any of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agon.servers.practice_bots import stored_bots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.live_matches import LiveMatches
    from agon.arena.network_matches import Unfinished
    from agon.datastore.store import Store
    from agon.games.game import Game
    from agon.servers.match_store import Keep
    from agon.servers.open_connections import OpenConnections
    from agon.servers.practice_bots import Fill, StoredBots


class GameServer(Protocol):
    """A game's own server, for clients that speak its network protocol."""

    @property
    def game(self) -> Game: ...

    @property
    def port(self) -> int:
        """Where it listens; 0: nowhere yet."""

    @property
    def app(self) -> ASGIApp | None:
        """What answers its clients over HTTP, so that a website can serve them at a path, too."""

    @property
    def under_way(self) -> Sequence[Unfinished]:
        """The matches that are being played."""

    def bind(self) -> None:
        """Take the port, or raise SettingError. Clients wait until `start`."""

    async def until_client(self) -> None:
        """Wait for a client at the port that was taken."""

    async def start(self) -> None:
        """Let clients in."""

    async def ended(self) -> None:
        """Wait until all matches that it is to play are over, if there is a last one."""

    async def close(self) -> int:
        """Tell all clients, finish storing, and end; how many matches were given up."""


@dataclass(frozen=True, slots=True)
class ServerContext:
    """What the servers of a website share."""

    store: Store
    live_matches: LiveMatches
    keep: Keep
    connections: OpenConnections
    host: str
    fill: Fill | None = None
    """What plays against a client that is alone; None: the client waits."""
    builds: BotBuilds | None = None
    """Builds and starts stored bots; None: only built-in bots play."""

    def stored_bots(self, game: Game) -> StoredBots | None:
        """The stored bots against which clients can play."""
        return None if self.builds is None else stored_bots(self.store, game, self.builds)
