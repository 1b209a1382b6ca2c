"""The whole arena on one machine: the pages, the workers, and the games' own servers.

    async with serve_arena(site, Addresses()) as ports:
        ...  # all of it is reachable now

One event loop serves pages, streams and the games' servers. Bots are checked and play each other in
the worker processes of the fleet; threads here wait for them. At the end of the block it stops
in order: clients of the games' servers are told, and their matches journaled or stored; streams
end, and requests are answered; running matches of bots go back to the queue.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from socket import gethostname
from typing import TYPE_CHECKING

from agon.arena.live_journal import LiveJournal, LiveMirror, clear_left
from agon.arena.network_matches import NetworkMatches
from agon.arena.people.plays import server_in_key
from agon.arena.site_lease import SiteLease
from agon.arena.worker_thread import Worker
from agon.servers.game_server import ServerContext
from agon.servers.http_server import Uvicorn
from agon.servers.open_connections import count_connections
from agon.servers.process import open_listener
from agon.servers.site_servers import SiteServers
from agon.website.app import create_app
from agon.website.dispatch import Dispatch
from agon.website.forward import Forward
from agon.website.http.security import protect
from agon.website.lifespan import beside

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Iterator, Mapping

    from agon.servers.open_connections import OpenConnections
    from agon.website.site import Site

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
MIRROR_SECONDS = 0.5
KEEP_ALIVE = 75
"""Seconds that a connection stays open between two requests."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the arena listens. Port 0: any that is free."""

    host: str = "127.0.0.1"
    port: int = 8000
    game_ports: Mapping[str, int] = field(default_factory=dict)
    """The ports of the games' servers, by game; those that are not here have their usual ones."""
    proxy: str = ""
    """The address of the proxy in front, which says who asks; empty: there is none."""
    own: str = ""
    """Where other servers on the same datastore reach the pages; empty: at the host above."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where everything is once it runs."""

    pages: int
    games: Mapping[str, int]
    """The games' servers, by game. 0: the port was taken, and the site runs without it."""


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
        lease = _make_lease(site, book, place, listener.getsockname()[1])
        await asyncio.to_thread(lease.start)
        if not site.store.database.is_sqlite:  # which has one server at a time
            site.share_limits()
            stack.enter_context(_sharing_boards(site, lease))
        stack.push_async_callback(asyncio.to_thread, lease.stop)
        await asyncio.to_thread(book.close_open_entries)
        connections = count_connections() if connections is None else connections
        servers = _make_servers(site, book, place, connections)
        app = create_app(site)
        await stack.enter_async_context(app.router.lifespan_context(app))
        mounted = {path: protect(served, app, site) for path, served in servers.apps.items()}
        site.traffic.connections = connections
        dispatch = Dispatch(app, mounted, site.traffic.answers)
        forward = Forward(dispatch, site, lambda: lease.servers, mounted)
        stack.push_async_callback(forward.close)
        server = Uvicorn(forward, connections, KEEP_ALIVE, place.proxy)
        await stack.enter_async_context(_serve(server, dispatch, listener))
        await stack.enter_async_context(servers.open(book))
        stack.callback(site.retry.give_up)
        if site.rules is None:
            await servers.start()
        else:
            await stack.enter_async_context(beside(servers.start()))
            stack.callback(site.rules.stop)
            site.rules.start()
        yield Ports(listener.getsockname()[1], servers.ports)


def _make_lease(site: Site, book: NetworkMatches, place: Addresses, port: int) -> SiteLease:
    host = gethostname()
    address = place.own or f"http://{host if place.host in EVERYWHERE else place.host}:{port}"

    def take_over() -> None:
        book.close_open_entries()
        clear_left(site.store)
        site.take_over()

    return SiteLease(site.store, f"{host}:{port}", address, site.now_ns, take_over, site.rejoin)


def _is_shown_before(site: Site, lease: SiteLease, game: str) -> bool:
    """Whether a server that joined before this one shows matches of the game's ladder."""
    own = site.store.servers.own_id
    before = {one.id for one in lease.servers if own is not None and one.id < own}
    boards = [*site.live_matches.running(game), *site.live_matches.ended()]
    return any(
        server_in_key(one.key.rpartition("-")[2]) in before
        for one in boards
        if one.game.name == game and one.shown_id is not None
    )


@contextmanager
def _sharing_boards(site: Site, lease: SiteLease) -> Iterator[None]:
    """For this block, show the live matches of the other servers, and have them show these."""
    live_matches = site.live_matches
    live_matches.own_server = lambda: site.store.servers.own_id
    live_matches.shows_ladder = lambda game: not _is_shown_before(site, lease, game)
    live_matches.journal = LiveJournal(site.store, lambda: len(lease.servers) > 1)
    mirror = LiveMirror(site.store, live_matches, lambda: len(lease.servers) > 1)
    worker = Worker("live boards", mirror.look, MIRROR_SECONDS)
    worker.start()
    try:
        yield
    finally:
        worker.stop()
        worker.join(MIRROR_SECONDS)
        mirror.stop()


def _make_servers(
    site: Site, book: NetworkMatches, place: Addresses, connections: OpenConnections
) -> SiteServers:
    context = ServerContext(
        site.store,
        site.live_matches,
        book.keep,
        connections,
        place.host,
        fill=site.settings.fill,
        builds=None if site.workers is None else site.workers.bot_builds,
    )
    return SiteServers(context, place.game_ports, site.until_ready, site.loads)


@asynccontextmanager
async def _serve(
    server: Uvicorn, dispatch: Dispatch, listener: socket.socket
) -> AsyncIterator[None]:
    """Answer requests for this block, then end all connections."""
    running = asyncio.create_task(server.serve([listener]))
    await server.is_up.wait()
    try:
        yield
    finally:
        dispatch.end_streams()
        server.should_exit = True
        await running
