"""The whole arena in one process: the pages, the workers, and the games' own servers.

    async with serve_arena(site, Addresses()) as ports:
        ...  # all of it is reachable now

Everything runs in one event loop and in the threads of the workers. At the end of the block it
stops in order: no new connections, waiting clients are answered, running matches go back to the
queue or to the journal, and finished ones are stored.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.arena.network_matches import NetworkMatches
from agon.errors import SettingError
from agon.games.mebipenny.game import GAME as MEBIPENNY
from agon.games.skyport.game import GAME as SKYPORT
from agon.servers.house_bots import HouseBots, stored_bots
from agon.servers.http_server import Uvicorn
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.match_store import MatchStore
from agon.servers.mebipenny.server import MebiPennyServer, open_lobby
from agon.servers.mebipenny.settings import MebiPennySettings
from agon.servers.open_connections import count_connections
from agon.servers.process import open_listener
from agon.servers.skyport.server import Reporter, SkyportServer
from agon.servers.skyport.settings import RoomAddress, SkyportSettings
from agon.website.app import create_app
from agon.website.dispatch import Dispatch
from agon.website.http.security import protect
from agon.website.lifespan import beside

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.arena.network_matches import Unfinished
    from agon.match.result import MatchResult
    from agon.servers.house_bots import Fill
    from agon.servers.mebipenny.lobby import Lobby
    from agon.servers.mebipenny.match_store import StoredGame
    from agon.servers.open_connections import OpenConnections
    from agon.website.site import Site

Starts: TypeAlias = "dict[str, Callable[[], Awaitable[None]]]"
"""What starts the servers of games, by the names of the games."""

LOG = logging.getLogger("agon.website")
MEBIPENNY_PATH = "/mebipenny"
SEED_BITS = 40
KEEP_ALIVE = 75
"""Seconds that a connection stays open between two requests."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the arena listens. Port 0: any that is free."""

    host: str = "127.0.0.1"
    port: int = 8000
    skyport_port: int = 54321
    mebipenny_port: int = 9292
    proxy: str = ""
    """The address of the proxy in front, which says who asks; empty: there is none."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where everything is once it runs. 0: the port was taken, and the site runs without it."""

    pages: int
    skyport: int
    mebipenny: int


@asynccontextmanager
async def serve_arena(
    site: Site,
    place: Addresses,
    listener: socket.socket | None = None,
    connections: OpenConnections | None = None,
) -> AsyncIterator[Ports]:
    """Run all of it for this block, the pages first.

    The pages' port is taken before anything begins, or is given as one that listens already.
    """
    async with AsyncExitStack() as stack:
        listener = listener or open_listener(place.host, place.port)
        stack.callback(listener.close)
        book = NetworkMatches(site.store, site.now_ns, site.retry)
        await asyncio.to_thread(book.close_open_entries)
        lobby = await _open_lobby(site, book, stack)
        connections = count_connections() if connections is None else connections
        mebipenny = MebiPennyServer(lobby, place.host, place.mebipenny_port, connections)
        stack.push_async_callback(mebipenny.close)
        skyport = _make_skyport(site, book, place)
        stack.push_async_callback(skyport.close)
        starts = _bind({SKYPORT.name: skyport, MEBIPENNY.name: mebipenny})
        app = create_app(site)
        await stack.enter_async_context(app.router.lifespan_context(app))
        mebipenny_app = protect(_when_ready(site, MebiPennyApp(lobby)), app, site)
        dispatch = Dispatch(app, {MEBIPENNY_PATH: mebipenny_app})
        server = Uvicorn(dispatch, connections, KEEP_ALIVE, place.proxy)
        await stack.enter_async_context(_serve(server, dispatch, lobby, listener))
        await stack.enter_async_context(book.following(lambda: _under_way(lobby, skyport)))
        stack.callback(site.retry.give_up)
        if site.rules is None:
            await _start(site, starts)
        else:
            await stack.enter_async_context(beside(_start(site, starts)))
            stack.callback(site.rules.stop)
            site.rules.start()
        skyport_port = next(iter(skyport.ports.values()), 0)
        yield Ports(listener.getsockname()[1], skyport_port, mebipenny.port)


def _bind(servers: Mapping[str, SkyportServer | MebiPennyServer]) -> Starts:
    """Take the ports of the games' servers; one whose port is taken is left out."""
    starts: Starts = {}
    for game, server in servers.items():
        try:
            server.bind()
            starts[game] = server.start
        except SettingError as error:
            LOG.warning("%s; the site runs without it: choose another --%s-port", error, game)
    return starts


async def _start(site: Site, starts: Starts) -> None:
    """Start the games' servers, each when its rules are ready."""

    async def start(game: str) -> None:
        await site.until_ready(game)
        await starts[game]()

    await asyncio.gather(*map(start, starts))


def _when_ready(site: Site, app: ASGIApp) -> ASGIApp:
    """The application of MebiPenny's server; requests wait for the rules."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await site.until_ready(MEBIPENNY.name)
        await app(scope, receive, send)

    return answer


async def _open_lobby(site: Site, book: NetworkMatches, stack: AsyncExitStack) -> Lobby:
    """MebiPenny's games, whichever way players come to them."""
    keeper = MatchStore(book.keep, _tell_kept)
    stack.push_async_callback(asyncio.to_thread, keeper.close)
    settings = MebiPennySettings(fill=site.settings.fill)
    builds = None if site.workers is None else site.workers.bot_builds
    stored = None if builds is None else stored_bots(site.store, MEBIPENNY, builds)
    house = HouseBots(MEBIPENNY, settings.turn_ns, stored)
    stack.push_async_callback(house.close)
    return open_lobby(settings, keeper, site.live_matches, house=house)


def check_fill(fill: Fill) -> None:
    """Refuse a bot that one of the games with a server does not have."""
    for game in (SKYPORT, MEBIPENNY):
        fill.check(game)


def _make_skyport(site: Site, book: NetworkMatches, place: Addresses) -> SkyportServer:
    return SkyportServer(
        SkyportSettings(seed=secrets.randbits(SEED_BITS), fill=site.settings.fill),
        [RoomAddress(port=place.skyport_port, host=place.host)],
        keep=book.keep,
        live_matches=site.live_matches,
        reporter=_Notes(),
    )


@asynccontextmanager
async def _serve(
    server: Uvicorn, dispatch: Dispatch, lobby: Lobby, listener: socket.socket
) -> AsyncIterator[None]:
    """Answer requests for this block, then end all connections."""
    running = asyncio.create_task(server.serve([listener]))
    await server.is_up.wait()
    try:
        yield
    finally:
        lobby.close()
        dispatch.end_streams()
        server.should_exit = True
        await running


def _under_way(lobby: Lobby, skyport: SkyportServer) -> list[Unfinished]:
    """The matches of clients on both servers."""
    games = [table.in_play for table in lobby]
    return [*skyport.under_way, *(game for game in games if game is not None)]


def _tell_kept(kept: StoredGame) -> None:
    """A match over HTTP is over."""
    if kept.trouble is not None:
        LOG.error("a match of MebiPenny is not stored: %s", kept.trouble)


class _Notes(Reporter):
    """Of matches over TCP only what went wrong is told; the rest is on the pages."""

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        if trouble:
            LOG.error("a match of Skyport is not stored: %s", trouble)
