"""Spectators of the website: how far behind they are, from the moment at which they all come.

All of them come at once, as after a link was posted, and each as a browser does: it connects, loads
the page of its match, and on the same connection asks for the stream of the page. What the page
loads besides (styles and scripts, which a browser keeps) is left out. From the moment at which
a spectator begins to connect, its first position is something that it waits for, and so is every
position that is shown from then on.

The clients are one process, which does little: it counts how late its own event loop is, so that
it can be seen how much of the figures is theirs.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvloop

from agon.errors import AgonError
from agon.servers.process import raise_file_limit
from benchmarks.http_swarm import HEAD_END, PATIENCE, Swarm, header, request
from benchmarks.served import served
from benchmarks.website_server import SHOWN, serve_busy_site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SPECTATORS = 500
SECONDS = 20
SECOND_NS = 10**9
MOST_BEHIND_NS = SECOND_NS
MOST_ARRIVING_NS = 3 * SECOND_NS
HEARTBEAT_S = 0.005
GZIP = b"accept-encoding: gzip\r\n"
STREAM = b"accept: text/event-stream\r\n"
OK = b"HTTP/1.1 200"
EVENT_END = b"\n\n"
TURNS = re.compile(rb'"turns":(\d+)')
BEGINNING = 1000
"""Within so many bytes of an event stands the number of its position."""


class Spectator(asyncio.Protocol):
    """Comes to one match, and notes when it was told of which position."""

    def __init__(self, key: str) -> None:
        """Not connected yet."""
        self.key = key
        self.asked_ns = time.monotonic_ns()
        """When it began to connect."""
        self.seen: list[tuple[int, int]] = []
        """The number of a position, and when all of it had come."""
        self.is_lost = False
        self.arrived = asyncio.Event()
        """Set by the first position, and when there will be none."""
        self._data = bytearray()
        self._looked = 0
        self._has_page = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the page."""
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._transport.write(request(b"GET", f"/live/{self.key}".encode(), headers=GZIP))

    def connection_lost(self, error: Exception | None) -> None:
        """The stream has ended."""
        self._give_up()

    def data_received(self, data: bytes) -> None:
        """Some of the page has come, or of the stream."""
        now = time.monotonic_ns()
        self._data += data
        if self._has_page:
            self._read_events(now)
        else:
            self._read_page()

    def _read_page(self) -> None:
        """Ask for the stream once the page is there."""
        head_end = self._data.find(HEAD_END)
        if head_end < 0:
            return
        head = bytes(self._data[:head_end])
        end = head_end + len(HEAD_END) + int(header(head, b"content-length") or 0)
        if not head.startswith(OK):
            self._give_up()
        elif len(self._data) >= end:
            self._has_page = True
            self._data.clear()
            self._transport.write(
                request(b"GET", f"/live/{self.key}/events".encode(), headers=STREAM)
            )

    def _read_events(self, now: int) -> None:
        """Take note of every event that is complete."""
        while (end := self._data.find(EVENT_END, self._looked)) >= 0:
            found = TURNS.search(self._data, 0, min(end, BEGINNING))
            if found:
                self.seen.append((int(found[1]), now))
                self.arrived.set()
            del self._data[: end + len(EVENT_END)]
            self._looked = 0
        self._looked = max(0, len(self._data) - 1)

    def _give_up(self) -> None:
        self.is_lost = True
        self.arrived.set()

    def leave(self) -> None:
        """Go away."""
        self._transport.abort()


@dataclass(frozen=True, slots=True)
class Watching:
    """How far behind spectators were."""

    spectators: int
    matches: int
    updates: int
    """Positions that a spectator waited for: one that is seen by ten counts ten times."""
    arrival_ns: int
    """From when the first one came to when all had seen a position."""
    median_ns: int
    slowest_arriving_ns: int
    """The longest wait that began while they came: for the first position, or for a later one."""
    slowest_ns: int
    """The longest wait that began afterwards."""
    lost: int
    """Spectators who got no stream, or whose stream ended."""
    clients_late_ns: int
    """How late the clients' own event loop was at worst: at most so much of a wait is theirs."""


def measure_spectators(spectators: int = SPECTATORS, seconds: float = SECONDS) -> Watching:
    """Have so many come to the matches of a busy site, and stay for so long."""
    raise_file_limit()
    with (
        served(serve_busy_site) as site,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(watch(site.port, spectators, seconds))


async def watch(port: int, spectators: int, seconds: float) -> Watching:
    """Come all at once, watch, and compare with when the site has shown what."""
    keys = list(await ask_shown(port))
    late: list[int] = []
    heartbeat = asyncio.create_task(feel_lateness(late))
    begin = time.monotonic_ns()
    watchers = await arrive(port, [keys[number % len(keys)] for number in range(spectators)])
    arrived = max((one.seen[0][1] for one in watchers if one.seen), default=begin)
    await asyncio.sleep(seconds)
    end = time.monotonic_ns()
    await asyncio.sleep(2 * MOST_BEHIND_NS / SECOND_NS)  # for what is under way
    heartbeat.cancel()
    with suppress(asyncio.CancelledError):
        await heartbeat
    lost = sum(watcher.is_lost for watcher in watchers)
    shown = await ask_shown(port)
    for watcher in watchers:
        watcher.leave()
    waits = [
        wait for watcher in watchers for wait in waits_of(watcher, shown[watcher.key], arrived, end)
    ]
    before = [wait for is_later, wait in waits if not is_later]
    after = [wait for is_later, wait in waits if is_later]
    if not before or not after:
        raise AgonError("no spectator saw anything: expected matches under way")
    return Watching(
        spectators,
        len(keys),
        len(waits),
        arrived - begin,
        int(statistics.median(wait for _, wait in waits)),
        max(before),
        max(after),
        lost,
        max(late, default=0),
    )


async def arrive(port: int, keys: Sequence[str]) -> list[Spectator]:
    """A spectator for each of these matches; all connect at once, and have seen something."""
    loop = asyncio.get_running_loop()

    async def come(key: str) -> Spectator:
        _, spectator = await loop.create_connection(lambda: Spectator(key), "127.0.0.1", port)
        return spectator

    async with asyncio.timeout(PATIENCE):
        watchers = await asyncio.gather(*map(come, keys))
        for watcher in watchers:
            await watcher.arrived.wait()
    return watchers


async def feel_lateness(late: list[int]) -> None:
    """Note how late this event loop is, again and again."""
    while True:
        begin = time.monotonic_ns()
        await asyncio.sleep(HEARTBEAT_S)
        late.append(time.monotonic_ns() - begin - int(HEARTBEAT_S * SECOND_NS))


def waits_of(
    watcher: Spectator, shown: Sequence[int], arrived: int, end: int
) -> Iterator[tuple[bool, int]]:
    """How long a spectator waited for what; with each whether it began after all had arrived."""
    first = watcher.seen[0][1] if watcher.seen else end
    yield False, first - watcher.asked_ns
    for is_later, since, until in ((False, watcher.asked_ns, arrived), (True, arrived, end)):
        for wait in waited(shown, watcher.seen, since, until, end):
            yield is_later, wait


def waited(
    shown: Sequence[int], seen: Sequence[tuple[int, int]], since: int, until: int, end: int
) -> Iterator[int]:
    """How long a spectator waited for each position shown in that time, or for a later one.

    Positions are numbered from 0; a spectator who is told of a later one has not waited any longer.
    Who is told of none waits to the end.

    >>> list(waited([10, 20, 30], [(0, 11), (2, 34)], 15, 40, 40))
    [14, 4]
    """
    numbers = [number for number, _ in seen]
    last = max((moment for _, moment in seen), default=end)
    for number, moment in enumerate(shown):
        if since <= moment < until:
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
