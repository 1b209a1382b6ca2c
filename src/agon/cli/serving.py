"""A site in this process: from its start to Ctrl-C, and what is said of it meanwhile."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import shlex
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agon.arbiter.sandboxed import missing_layers
from agon.arena.cluster.node_labels import HOLDS
from agon.arena.fleet.local_fleet import LocalFleet
from agon.arena.ladder.default_bots import enter_built_in
from agon.arena.live_matches import LiveMatches
from agon.arena.rules_loader import RulesLoader
from agon.arena.workers import Workers
from agon.cli.console import progress_console
from agon.cli.game_server import format_url, run_loop
from agon.cli.stopping import stop_events
from agon.datastore.retry import Retry
from agon.errors import ArbiterError, SettingError
from agon.games.registry import all_games, find_game
from agon.servers.process import raise_file_limit, settle_memory
from agon.servers.registry import SERVERS
from agon.website.drain import drain
from agon.website.preload import warm_up
from agon.website.recent_warnings import RecentWarnings
from agon.website.server import Addresses, serve_arena
from agon.website.site import Site, SiteSettings

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator, Sequence

    from agon.arena.cluster.places import ClusterNode
    from agon.arena.settings import WorkerSettings
    from agon.datastore.store import Store
    from agon.sandbox.doctor import LayerFinding
    from agon.website.server import Ports

LOCK_NAME = "serve.lock"
SECOND = 10**9
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
ALL_HOLD = "all layers hold, users' bots are built and played"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104


def run_site(
    store: Store,
    place: Addresses,
    listener: socket.socket,
    settings: SiteSettings,
    workers: WorkerSettings,
    data: str | None,
) -> None:
    """Serve until a signal comes; the second one ends the process at once."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=LOG_FORMAT)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a line for each odd form
    raise_file_limit()
    warm_up()
    for game in all_games():  # these can be challenged, on the ladder or not
        enter_built_in(store, game, time.time_ns())
    live_matches = LiveMatches()
    warnings = RecentWarnings()
    logging.getLogger("agon").addHandler(warnings)
    retry = Retry(logging.getLogger("agon.arena").warning)
    site = Site(
        store,
        live_matches,
        time.time_ns,
        settings,
        workers=Workers(store.retrying(retry), live_matches, time.time_ns, workers),
        retry=retry,
        warnings=warnings,
        rules=RulesLoader([find_game(name) for name in workers.ladder] or all_games(), say),
    )
    settle_memory()
    run_loop(serve_site(site, place, listener, data, unsafe_host=workers.unsafe_host))


def say(told: str) -> None:
    """Tell the operator how far it is."""
    progress_console().print(f"agon: {told}")


async def serve_site(
    site: Site,
    place: Addresses,
    listener: socket.socket,
    data: str | None,
    *,
    unsafe_host: bool,
) -> None:
    """Start everything, say where it is, and end it in order."""
    wait_ns = site.settings.drain_ns
    with stop_events(drains=wait_ns > 0) as signals:
        async with serve_arena(site, place, listener) as ports:
            print_welcome(site, place, ports)
            await asyncio.to_thread(print_hints, site, data, unsafe_host=unsafe_host)
            await signals.wanted.wait()
            if not signals.now.is_set():
                say(f"no match begins any more; up to {wait_ns / SECOND:g} s for those under way …")
                if not await drain(site, wait_ns / SECOND, signals.now):
                    say("what has not ended goes back to the queue")
            progress_console().print("agon: stopping …")
    print("ended", flush=True)


@contextmanager
def only_server(where: str) -> Iterator[None]:
    """Lock the data folder for this block: two sites would take each other's matches.

    The lock goes with the process, however it ends. A database that has a URL is not held.
    """
    if "://" in where:
        yield
        return
    folder = Path(where).parent
    with (folder / LOCK_NAME).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SettingError(
                f"data folder {str(folder)!r}: another `agon serve` runs on it;"
                " expected one at a time"
            ) from None
        yield


def print_welcome(site: Site, place: Addresses, ports: Ports) -> None:
    """Say where everything is."""
    name = EVERYWHERE.get(place.host, place.host)
    pages = format_url(name, ports.pages)
    print(f"{site.settings.title} at {pages}/   (Ctrl-C stops it)")
    for game, entry in SERVERS.items():
        where = [f"{pages}{entry.path}/"] if entry.path else []
        if port := ports.games[game]:
            where.insert(0, f"{format_url(name, port)}/" if entry.path else f"{name} port {port}")
        if where:
            clients = f"{entry.title} for {entry.transport} clients:"
            print(f"  {clients:<28} {' and '.join(where)}")
    fill = site.settings.fill
    if fill is not None:
        print(f"  a client that is alone there for {fill.after_ns / 10**9:g} s plays {fill.bot}")
    if place.host in EVERYWHERE:
        print("  from other machines: the same ports of this machine's own address or name")
    sys.stdout.flush()


def print_hints(site: Site, data: str | None, *, unsafe_host: bool) -> None:
    """Say what the operator of the site should know."""
    if not any(user.organiser and user.removed_ns is None for user in site.store.users.all()):
        where = "" if data is None else f" --data {shlex.quote(data)}"
        print(f"  there is no organiser yet:   agon user add NAME --organiser{where}")
    if unsafe_host:
        verdict = "off (--unsafe-host): every bot can do on the machine that plays it what you can"
    else:
        nodes = read_nodes(site.workers) if site.workers is not None else None
        verdict = sandbox_verdict(missing_layers(), nodes)
    print(f"  sandbox: {verdict}", flush=True)


def read_nodes(workers: Workers) -> Sequence[ClusterNode] | None:
    """The machines of the cluster that plays for this site, if one does."""
    if isinstance(workers.processes, LocalFleet):
        return None
    try:
        nodes, _ = workers.processes.read()
    except ArbiterError:  # it does not answer
        return ()
    return nodes


def sandbox_verdict(
    gaps: Sequence[LayerFinding], nodes: Sequence[ClusterNode] | None = None
) -> str:
    """Where programs can play, by what the sandbox lacks here, and the cluster's machines."""
    names = ", ".join(gap.layer for gap in gaps)
    missing = f", missing: {names}\n    to fix it: {gaps[0].advice}" if gaps else ""
    if nodes is None:
        return f"users' bots are refused{missing}" if gaps else ALL_HOLD
    playing = [node for node in nodes if node.cores]
    held = sum(node.sandbox == HOLDS for node in playing)
    where = f"{held} of {len(playing)} machines of the cluster that play"
    is_open = "built and played there" if held else "refused until one joins"
    people = "cannot play against them" if gaps else "play against them here"
    return f"it holds on {where}: users' bots are {is_open}; people {people}{missing}"
