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
from typing import TYPE_CHECKING

import uvicorn

from agon.arena.network_matches import NetworkMatches
from agon.servers.http_limits import LimitedHttp
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.match_store import MatchStore
from agon.servers.mebipenny.server import BACKLOG, MebiPennyServer, Uvicorn, open_lobby
from agon.servers.mebipenny.server import open_listener as listen
from agon.servers.mebipenny.settings import MebiPennySettings
from agon.servers.skyport.server import Reporter, SkyportServer
from agon.servers.skyport.settings import RoomAddress, SkyportSettings
from agon.website.app import create_app
from agon.website.dispatch import Dispatch

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator

    from agon.arena.network_matches import Unfinished
    from agon.match.result import MatchResult
    from agon.servers.mebipenny.lobby import Lobby
    from agon.servers.mebipenny.match_store import StoredGame
    from agon.website.site import Site

LOG = logging.getLogger("agon.website")
MEBIPENNY_PATH = "/mebipenny"
SEED_BITS = 40
PATIENCE = 3
"""Seconds that connections have to take their last answers."""
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
    """Where everything is once it runs."""

    pages: int
    skyport: int
    mebipenny: int


@asynccontextmanager
async def serve_arena(site: Site, place: Addresses) -> AsyncIterator[Ports]:
    """Run all of it for this block. A port that is taken is told before anything begins."""
    async with AsyncExitStack() as stack:
        listener = listen(place.host, place.port)
        stack.callback(listener.close)
        book = NetworkMatches(site.store, site.now_ns)
        await asyncio.to_thread(book.close_open_entries)
        lobby = await _open_lobby(site, book, stack)
        mebipenny = MebiPennyServer(lobby, place.host, place.mebipenny_port)
        await mebipenny.start()
        stack.push_async_callback(mebipenny.close)
        skyport = _make_skyport(site, book, place)
        await skyport.start()
        stack.push_async_callback(skyport.close)
        app = create_app(site)
        await stack.enter_async_context(app.router.lifespan_context(app))
        dispatch = Dispatch(app, {MEBIPENNY_PATH: MebiPennyApp(lobby)})
        await stack.enter_async_context(_serve(dispatch, lobby, listener, place.proxy))
        await stack.enter_async_context(book.following(lambda: _under_way(lobby, skyport)))
        (skyport_port,) = skyport.ports.values()
        yield Ports(listener.getsockname()[1], skyport_port, mebipenny.port)


async def _open_lobby(site: Site, book: NetworkMatches, stack: AsyncExitStack) -> Lobby:
    """MebiPenny's games, whichever way players come to them."""
    keeper = MatchStore(book.keep, _tell_kept)
    stack.push_async_callback(asyncio.to_thread, keeper.close)
    return open_lobby(MebiPennySettings(), keeper, site.stage)


def _make_skyport(site: Site, book: NetworkMatches, place: Addresses) -> SkyportServer:
    return SkyportServer(
        SkyportSettings(seed=secrets.randbits(SEED_BITS)),
        [RoomAddress(port=place.skyport_port, host=place.host)],
        keep=book.keep,
        stage=site.stage,
        reporter=_Notes(),
    )


@asynccontextmanager
async def _serve(
    dispatch: Dispatch, lobby: Lobby, listener: socket.socket, proxy: str
) -> AsyncIterator[None]:
    """Answer requests for this block, then end all connections."""
    server = Uvicorn(_config(dispatch, proxy))
    running = asyncio.create_task(server.serve([listener]))
    await server.is_up.wait()
    try:
        yield
    finally:
        lobby.close()
        dispatch.end_streams()
        server.should_exit = True
        await running


def _config(dispatch: Dispatch, proxy: str) -> uvicorn.Config:
    return uvicorn.Config(
        dispatch,
        http=LimitedHttp,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=PATIENCE,
    )


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
