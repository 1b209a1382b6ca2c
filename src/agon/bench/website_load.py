"""The website under load, over real HTTP on this machine; the clients are another process.

Pages: clients ask for them as fast as they are answered, against the same clients asking a trivial
route of the same framework. Spectators: many watch the matches of a site, and whenever a position
is shown it is measured how long each of them waits for it.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
from bisect import bisect_left
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

import uvloop

from agon.bench.http_swarm import PATIENCE, Swarm, request
from agon.bench.measure import Contest, Contestant
from agon.bench.served import served
from agon.bench.website_server import SHOWN, serve_bare_page, serve_busy_site, serve_quiet_site
from agon.errors import AgonError
from agon.website.mebipenny.server import raise_file_limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.bench.http_swarm import Wire

LEAST_RATIO = 1 / 4
CLIENTS = 32
PIECE = 400
PAGES = (b"/", b"/matches/1", b"/matches/2", b"/matches/3", b"/matches/4", b"/matches/5")
SPECTATORS = 500
SECONDS = 20
MOST_BEHIND_NS = 10**9
GZIP = b"accept-encoding: gzip\r\n"
EVENT_END = b"\n\n"
TURNS = re.compile(rb'"turns":(\d+)')


@contextmanager
def pages_contest(clients: int = CLIENTS, piece: int = PIECE) -> Iterator[Contest]:
    """The contest, with both servers up."""
    with (
        served(serve_quiet_site) as ours,
        served(serve_bare_page) as bare,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        reading, trifling = Swarm(), Swarm()
        runner.run(ask_over_and_over(reading, ours.port, clients, PAGES))
        runner.run(ask_over_and_over(trifling, bare.port, clients, [b"/"]))
        try:
            yield Contest(
                f"{clients} readers at once",
                "pages",
                (
                    Contestant("front and match pages", lambda: runner.run(reading.work(piece))),
                    Contestant(
                        "a FastAPI route that does nothing",
                        lambda: runner.run(trifling.work(piece)),
                    ),
                ),
            )
        finally:
            runner.run(reading.close())
            runner.run(trifling.close())


async def ask_over_and_over(swarm: Swarm, port: int, clients: int, pages: Sequence[bytes]) -> None:
    """Have so many clients ask for one page after another, for ever."""
    for number, wire in enumerate(await swarm.connect(port, clients)):
        begin = number % len(pages)
        _ask_on(swarm, wire, [*pages[begin:], *pages[:begin]])


def _ask_on(swarm: Swarm, wire: Wire, pages: Sequence[bytes]) -> None:
    requests = cycle([request(b"GET", page, headers=GZIP) for page in pages])

    def again(head: bytes, body: bytes) -> None:
        swarm.expect(head, b"200")
        swarm.go_on(lambda: wire.send(next(requests)))

    wire.on_response = again
    wire.send(next(requests))


class Spectator(asyncio.Protocol):
    """Watches one match, and notes when it was told of which position."""

    def __init__(self, key: str) -> None:
        """Not connected yet."""
        self.key = key
        self.seen: list[tuple[int, int]] = []
        """The number of a position, and when it had come."""
        self.is_lost = False
        self.arrived = asyncio.Event()
        """Set by the first position."""
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        path = f"/live/{self.key}/events".encode()
        transport.write(request(b"GET", path))  # type: ignore[attr-defined]

    def connection_lost(self, error: Exception | None) -> None:
        """The stream has ended."""
        self.is_lost = True

    def data_received(self, data: bytes) -> None:
        """Take note of every event that is complete."""
        now = time.monotonic_ns()
        *events, self._data = (self._data + data).split(EVENT_END)
        for event in events:
            found = TURNS.search(event)
            if found:
                self.seen.append((int(found[1]), now))
                self.arrived.set()


@dataclass(frozen=True, slots=True)
class Watching:
    """How far behind spectators were."""

    spectators: int
    matches: int
    updates: int
    """Positions that somebody waited for: one that is seen by ten counts ten times."""
    median_ns: int
    slowest_ns: int
    lost: int
    """Spectators whose stream ended."""


def measure_spectators(spectators: int = SPECTATORS, seconds: float = SECONDS) -> Watching:
    """Have so many watch the matches of a busy site for so long."""
    raise_file_limit()
    with (
        served(serve_busy_site) as site,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(watch(site.port, spectators, seconds))


async def watch(port: int, spectators: int, seconds: float) -> Watching:
    """Watch, from when all are there; then compare with when the site has shown what."""
    keys = list(await ask_shown(port))
    loop = asyncio.get_running_loop()
    watchers = [Spectator(keys[number % len(keys)]) for number in range(spectators)]
    transports = [
        (await loop.create_connection(lambda w=watcher: w, "127.0.0.1", port))[0]  # type: ignore[misc]
        for watcher in watchers
    ]
    async with asyncio.timeout(PATIENCE):
        for watcher in watchers:
            await watcher.arrived.wait()
    begin = time.monotonic_ns()
    await asyncio.sleep(seconds)
    end = time.monotonic_ns()
    await asyncio.sleep(MOST_BEHIND_NS / 10**9 * 2)  # for what is under way
    lost = sum(watcher.is_lost for watcher in watchers)
    shown = await ask_shown(port)
    for transport in transports:
        transport.abort()
    waits = [
        wait
        for watcher in watchers
        for wait in waited(shown[watcher.key], watcher.seen, begin, end)
    ]
    if not waits:
        raise AgonError("nobody saw anything: expected matches under way")
    median = int(statistics.median(waits))
    return Watching(spectators, len(keys), len(waits), median, max(waits), lost)


def waited(
    shown: Sequence[int], seen: Sequence[tuple[int, int]], begin: int, end: int
) -> Iterator[int]:
    """How long somebody waited for each position that was shown in that time, or for a later one.

    Positions are numbered from 0; whoever is told of a later one has not waited any longer.

    >>> list(waited([10, 20, 30], [(0, 11), (2, 34)], 15, 40))
    [14, 4]
    """
    numbers = [number for number, _ in seen]
    last = max((moment for _, moment in seen), default=end)
    for number, moment in enumerate(shown):
        if begin <= moment < end:
            place = bisect_left(numbers, number)
            yield (seen[place][1] if place < len(seen) else max(last, end)) - moment


async def ask_shown(port: int) -> dict[str, list[int]]:
    """When the site has shown which position of which match."""
    swarm = Swarm()
    (wire,) = await swarm.connect(port, 1)
    try:
        async with asyncio.timeout(PATIENCE):
            _, body = await wire.ask(request(b"GET", SHOWN.encode()))
    finally:
        await swarm.close()
    found: dict[str, list[int]] = json.loads(body)
    return found
