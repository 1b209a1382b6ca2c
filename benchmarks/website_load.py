"""The website's pages under load, over real HTTP on this machine; the clients are another process.

A crowd comes in the same moment: each visitor connects and asks for one page, and what counts is
when the last of them has it. Pages that no cache can have are asked for one after the other.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import uvloop

from agon.errors import AgonError
from agon.servers.process import raise_file_limit
from benchmarks.http_swarm import PATIENCE, Swarm, request
from benchmarks.served import served
from benchmarks.website_server import AUTHORS, BUILT_IN, author_secret, serve_quiet_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.http_swarm import Wire

CROWD = 500
MOST_CROWD_NS = 3 * 10**9
MOST_ANEW_NS = 20 * 10**6
TIMES = 50
"""So often a page that is made anew is asked for."""
PAGES = (b"/", b"/matches/1", b"/matches/2", b"/matches/3", b"/matches/4", b"/matches/5")
GZIP = b"accept-encoding: gzip\r\n"
COOKIE = "cookie: agon_session={}\r\n"
SOON_S = 0.1


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page: who asks, and for what."""

    name: str
    path: str
    """`{author}` is the client's own number, from 1, `{new}` one that was not used before."""
    logged_in: bool = False


CROWDS = (
    Kind("front page, visitors", "/"),
    Kind("front page, users", "/", logged_in=True),
    Kind("match page, visitors", "/matches/1"),
    Kind("match page, users", "/matches/1", logged_in=True),
    Kind("leaderboard, visitors", "/games/hive"),
    Kind("bot page, users", f"/bots/{BUILT_IN}", logged_in=True),
)
ANEW = (
    Kind("front page", "/?{new}"),
    Kind("list of matches", "/matches?before={new}"),
    Kind("leaderboard", "/games/hive?{new}"),
    Kind("bot page", f"/bots/{BUILT_IN}?before={{new}}"),
    Kind("page of one's own bot", "/bots/{author}", logged_in=True),
    Kind("account page", "/account", logged_in=True),
)


@dataclass(frozen=True, slots=True)
class PageTime:
    """How long a kind of page took: the last of a crowd, or the middle one of some made anew."""

    name: str
    ns: int


@dataclass(frozen=True, slots=True)
class PageTimes:
    """All of them."""

    crowd: int
    crowds: tuple[PageTime, ...]
    anew: tuple[PageTime, ...]


def measure_pages(crowd: int = CROWD, times: int = TIMES) -> PageTimes:
    """Have crowds come to a site, and ask it for pages that it must make."""
    raise_file_limit()
    with (
        served(serve_quiet_site) as site,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(_measure(site.port, crowd, times))


async def _measure(port: int, crowd: int, times: int) -> PageTimes:
    numbers = count(10**9)
    anew = [PageTime(kind.name, await time_anew(port, kind, times, numbers)) for kind in ANEW]
    crowds = [PageTime(kind.name, await time_crowd(port, kind, crowd, numbers)) for kind in CROWDS]
    return PageTimes(crowd, tuple(crowds), tuple(anew))


async def time_crowd(port: int, kind: Kind, crowd: int, numbers: Iterator[int]) -> int:
    """Until the last of so many has a page; none of them has been here before."""
    swarm = Swarm()

    async def come(client: int) -> None:
        (wire,) = await swarm.connect(port, 1)
        head, _ = await wire.ask(make_request(kind, client, numbers))
        swarm.expect(head, b"200")

    begin = time.monotonic_ns()
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(come, range(crowd)))
        end = time.monotonic_ns()
    finally:
        await swarm.close()
    if swarm.error is not None:
        raise swarm.error
    return end - begin


async def time_anew(port: int, kind: Kind, times: int, numbers: Iterator[int]) -> int:
    """The middle one of so many pages, each asked for when the one before is there."""
    swarm = Swarm()
    (wire,) = await swarm.connect(port, 1)
    took: list[int] = []
    try:
        async with asyncio.timeout(PATIENCE):
            await _await_page(wire, make_request(kind, 0, numbers))
            for _ in range(times):
                begin = time.monotonic_ns()
                head, _ = await wire.ask(make_request(kind, 0, numbers))
                swarm.expect(head, b"200")
                took.append(time.monotonic_ns() - begin)
    finally:
        await swarm.close()
    if swarm.error is not None:
        raise swarm.error
    return int(statistics.median(took))


def make_request(kind: Kind, client: int, numbers: Iterator[int]) -> bytes:
    """What a client asks; as a user it is one of the authors."""
    author = client % AUTHORS
    cookie = COOKIE.format(author_secret(author)).encode() if kind.logged_in else b""
    new = next(numbers) if "{new}" in kind.path else 0
    path = kind.path.format(author=author + 1, new=new)
    return request(b"GET", path.encode(), headers=GZIP + cookie)


async def _await_page(wire: Wire, asked: bytes) -> None:
    """Ask until the page is there: the first one who asks for a table waits for it."""
    while True:
        head, _ = await wire.ask(asked)
        if head.startswith(b"HTTP/1.1 200"):
            return
        if not head.startswith(b"HTTP/1.1 202"):
            raise AgonError(f"response {head[:80]!r} to {asked[:80]!r}: expected 200")
        await asyncio.sleep(SOON_S)
