"""The website's pages under load, over real HTTP on this machine; the clients are another process.

Clients ask for pages as fast as they are answered, against the same clients asking a trivial route
of the same framework in the same minute. Each kind of page is asked for by visitors, by users who
are logged in (every client is another one), and in ways in which no answer was made before.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count, cycle
from typing import TYPE_CHECKING

import uvloop

from agon.errors import AgonError
from benchmarks.http_swarm import PATIENCE, Swarm, request
from benchmarks.measure import Contest, Contestant
from benchmarks.served import served
from benchmarks.website_server import (
    AUTHORS,
    BUILT_IN,
    author_secret,
    serve_bare_page,
    serve_quiet_site,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.http_swarm import Wire
    from benchmarks.measure import Standing

LEAST_RATIO = 1 / 4
ANEW = "made anew"
"""Pages that nobody has asked for a moment ago; that they are kept is how the site serves them."""
CLIENTS = AUTHORS
PIECE = 400
PAGES = (b"/", b"/matches/1", b"/matches/2", b"/matches/3", b"/matches/4", b"/matches/5")
GZIP = b"accept-encoding: gzip\r\n"
COOKIE = "cookie: agon_session={}\r\n"
SOON_S = 0.1
BARE = "a FastAPI route that does nothing"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page: who asks, and for what."""

    name: str
    paths: tuple[str, ...]
    """In turn; `{author}` is the client's own number, from 1, `{new}` one that nobody had yet."""
    logged_in: bool = False


KINDS = (
    Kind("visitors: front and match pages", tuple(page.decode() for page in PAGES)),
    Kind("visitors: bot page and leaderboard", (f"/bots/{BUILT_IN}", "/games/hive")),
    Kind("users: front page", ("/",), logged_in=True),
    Kind("users: match page", ("/matches/1", "/matches/2", "/matches/3"), logged_in=True),
    Kind("users: bot page", (f"/bots/{BUILT_IN}",), logged_in=True),
    Kind("users: leaderboard", ("/games/hive",), logged_in=True),
    Kind("users: account page", ("/account",), logged_in=True),
    Kind("users: page of their own bot", ("/bots/{author}",), logged_in=True),
    Kind(f"users: account page, {ANEW}", ("/account?done={new}",), logged_in=True),
    Kind(f"users: page of their own bot, {ANEW}", ("/bots/{author}?before={new}",), logged_in=True),
    Kind(f"visitors: list of matches, {ANEW}", ("/matches?before={new}",)),
    Kind(f"visitors: bot page, {ANEW}", (f"/bots/{BUILT_IN}?before={{new}}",)),
)


@dataclass(frozen=True, slots=True)
class PageRate:
    """How many pages of a kind are served, and what part of the bare rate that is."""

    name: str
    per_second: int
    ratio: float


def page_rates(standings: Sequence[Standing]) -> list[PageRate]:
    """The rates of a contest in which the bare route comes first."""
    return [PageRate(one.name, one.per_second, 1 / (one.ratio or 1)) for one in standings[1:]]


@contextmanager
def pages_contest(
    clients: int = CLIENTS, piece: int = PIECE, kinds: Sequence[Kind] = KINDS
) -> Iterator[Contest]:
    """The contest of all kinds of pages, with both servers up; the bare route comes first."""
    with (
        served(serve_quiet_site) as ours,
        served(serve_bare_page) as bare,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ExitStack() as stack,
    ):

        def contestant(name: str, swarm: Swarm) -> Contestant:
            stack.callback(lambda: runner.run(swarm.close()))
            return Contestant(name, lambda: runner.run(swarm.work(piece)))

        runner.run(await_pages(ours.port, kinds))
        plain = runner.run(ask_over_and_over(bare.port, clients, Kind(BARE, ("/",))))
        swarms = [runner.run(ask_over_and_over(ours.port, clients, kind)) for kind in kinds]
        names = [BARE, *(kind.name for kind in kinds)]
        contestants = map(contestant, names, [plain, *swarms])
        yield Contest(f"{clients} readers at once", "pages", tuple(contestants))


async def ask_over_and_over(port: int, clients: int, kind: Kind) -> Swarm:
    """Have so many clients ask for one page after another, for ever."""
    swarm, numbers = Swarm(), count(10**9)
    for number, wire in enumerate(await swarm.connect(port, clients)):
        _ask_on(swarm, wire, requests_of(kind, number, numbers))
    return swarm


def requests_of(kind: Kind, client: int, numbers: Iterator[int]) -> Iterator[bytes]:
    """What a client asks, without end; not every one begins with the same page."""
    cookie = COOKIE.format(author_secret(client % AUTHORS)).encode() if kind.logged_in else b""
    begin = client % len(kind.paths)
    for path in cycle([*kind.paths[begin:], *kind.paths[:begin]]):
        new = next(numbers) if "{new}" in path else 0
        full = path.format(author=client % AUTHORS + 1, new=new)
        yield request(b"GET", full.encode(), headers=GZIP + cookie)


def _ask_on(swarm: Swarm, wire: Wire, requests: Iterator[bytes]) -> None:
    def again(head: bytes, body: bytes) -> None:
        swarm.expect(head, b"200")
        swarm.go_on(lambda: wire.send(next(requests)))

    wire.on_response = again
    wire.send(next(requests))


async def await_pages(port: int, kinds: Sequence[Kind]) -> None:
    """Ask for every page until it is there: the first one who asks for a table waits for it."""
    swarm, numbers = Swarm(), count(1)
    (wire,) = await swarm.connect(port, 1)
    try:
        async with asyncio.timeout(PATIENCE):
            for kind in kinds:
                requests = requests_of(kind, 0, numbers)
                for _ in kind.paths:
                    await _await_page(wire, next(requests))
    finally:
        await swarm.close()


async def _await_page(wire: Wire, asked: bytes) -> None:
    while True:
        head, _ = await wire.ask(asked)
        if head.startswith(b"HTTP/1.1 200"):
            return
        if not head.startswith(b"HTTP/1.1 202"):
            raise AgonError(f"response {head[:80]!r} to {asked[:80]!r}: expected 200")
        await asyncio.sleep(SOON_S)
