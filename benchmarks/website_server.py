"""The site as the bench of the website runs it, in a process of its own.

The busy site plays matches without end and says, at an address that a real site has not, when each
of their positions was shown: clocks of one machine can be compared.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from agon.arbiter.pool import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.datastore.store import Store
    from agon.games.game import Game, Position
    from agon.website.site import Site

MATCHES = 10
PAIRS = (("search", "greedy"), ("greedy", "random"))
"""Who plays: one match of each game between the first ones, one between the others."""
PACE_NS = 500 * 10**6
SHOWN = "/shown"
STORED_TURNS = 60
MOST_STREAMS = 2000
AUTHORS = 32
"""Users who have a bot each: the bots have the first numbers."""
BUILT_IN = AUTHORS + 1
"""The number of the first bot that has no owner."""
LONG_NS = 86_400 * 10**9


def serve_quiet_site(port_to: Connection) -> None:
    """The site with a few stored matches; no match is under way."""
    with _site() as site:
        _serve(lambda: _pages(site), port_to)


def serve_busy_site(port_to: Connection) -> None:
    """The site on which matches are played all the time."""
    with _site() as site:
        playing = Playing(site.live_matches)
        playing.start()
        try:
            _serve(lambda: with_times(_pages(site), playing.shown), port_to)
        finally:
            playing.stop()


@contextmanager
def _site() -> Iterator[Site]:
    from agon.arena.live_matches import LiveMatches
    from agon.datastore.store import Store
    from agon.website.preload import warm_up
    from agon.website.site import Site, SiteSettings

    settings = SiteSettings(streams_each=MOST_STREAMS)  # all clients of the bench have one address
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "agon.db") as store:
        add_authors(store)
        fill(store)
        warm_up()
        yield Site(store, LiveMatches(), time.time_ns, settings)


def _pages(site: Site) -> ASGIApp:
    from agon.website.app import create_app
    from agon.website.dispatch import Dispatch

    return Dispatch(create_app(site), {})


def _serve(make_app: Callable[[], ASGIApp], port_to: Connection) -> None:
    """Serve it until the other side of the pipe says that it is enough."""
    import uvloop

    from agon.servers.http_server import Uvicorn
    from agon.servers.open_connections import count_connections
    from agon.servers.process import open_listener, raise_file_limit, settle_memory

    async def serve() -> None:
        listener = open_listener("127.0.0.1", 0)
        app = make_app()
        server = Uvicorn(app, count_connections(), 60)
        running = asyncio.create_task(server.serve([listener]))
        await server.is_up.wait()
        port_to.send(listener.getsockname()[1])
        await asyncio.to_thread(port_to.recv)
        server.should_exit = True
        await running

    raise_file_limit()
    settle_memory()
    uvloop.run(serve())


def author_secret(number: int) -> str:
    """The secret of the session of an author, numbered from 0."""
    return f"session-of-author-{number}"


def add_authors(store: Store) -> None:
    """Users who are logged in, with a bot each."""
    from agon.datastore.bots import NewBot
    from agon.datastore.versions import NewVersion

    now = time.time_ns()
    for number in range(AUTHORS):
        user = store.users.add(f"author-{number}", "", now)
        store.sessions.add(user.id, author_secret(number), now, now + LONG_NS)
        store.tokens.add(user.id, "laptop", f"agon_token_of_{number}", now)
        bot = store.bots.add(NewBot("hive", f"bot-{number}", now, owner_id=user.id))
        store.versions.add(bot.id, NewVersion(now, run="python3 bot.py"))


def fill(store: Store) -> None:
    """Store a match of every game, rated, between built-in bots."""
    from agon.arbiter.arbiter import play_match
    from agon.arbiter.limits import Limits
    from agon.arena.fleet.jobs import PlayedMatch
    from agon.arena.ladder.default_bots import enter_built_in
    from agon.arena.ladder.participants import ladder_versions
    from agon.arena.match_record import stored_form
    from agon.arena.rate_match import rate_result
    from agon.games.registry import all_games

    now = time.time_ns()
    for game in all_games():
        enter_built_in(store, game, now)
        versions = {bot.name: version.id for bot, version in ladder_versions(store, game)}
        players = [game.bot(name, 1) for name in PAIRS[1]]
        played = PlayedMatch.of(play_match(game, players, Limits(turns=STORED_TURNS), seed=1))
        ids = [versions[name] for name in PAIRS[1]]
        store.record_rated_match(stored_form(played, ids, now, now), rate_result(played, ids))


class Playing:
    """Matches without end, each in a thread of its own; when each position was shown."""

    def __init__(
        self, live_matches: LiveMatches, matches: int = MATCHES, pace_ns: int = PACE_NS
    ) -> None:
        """Nothing is played yet."""
        from agon.games.registry import all_games

        self.shown: dict[str, list[int]] = {}
        """By the match's key: when its position of that number was about to be shown."""
        self._live_matches = live_matches
        self._pace_ns = pace_ns
        self._stopping = threading.Event()
        games = all_games()
        self._threads = [
            threading.Thread(
                target=self._play_on,
                args=(games[number % len(games)], PAIRS[number // len(games) % len(PAIRS)], number),
                daemon=True,
            )
            for number in range(matches)
        ]
        self._begun = threading.Semaphore(0)

    def start(self) -> None:
        """Play, and wait until the first position of every match is shown."""
        for thread in self._threads:
            thread.start()
        for _ in self._threads:
            self._begun.acquire()

    def stop(self) -> None:
        """Give everything up."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _play_on(self, game: Game, bots: tuple[str, ...], seed: int) -> None:
        from agon.arbiter.arbiter import Arbiter
        from agon.arbiter.seat import BotSeat
        from agon.arena.settings import WorkerSettings

        clock = time.monotonic_ns
        show = self._shower(game, bots)
        seats = [BotSeat(name, partial(game.bot, name), seed, clock) for name in bots]
        limits = WorkerSettings().limits
        table = Arbiter(game, game.options(), seats, limits, clock, on_position=show)
        try:
            while True:
                table.play(seed)
                seed += MATCHES
        except StoppedError:
            return

    def _shower(self, game: Game, bots: tuple[str, ...]) -> Callable[[Position[Any]], None]:
        """What is told of every position; a match after the first goes on at the same address."""
        from agon.arena.pace import Pace

        pace = Pace(self._pace_ns, time.monotonic_ns, self._stopping)
        live: LiveMatch | None = None

        def show(position: Position[Any]) -> None:
            nonlocal live
            pace.wait()
            if self._stopping.is_set():
                raise StoppedError("the bench is over")
            if live is None:
                live = self._live_matches.begin(game, bots, position, time.time_ns())
                self.shown[live.key] = [time.monotonic_ns()]
                self._begun.release()
            else:
                self.shown[live.key].append(time.monotonic_ns())
                live.show(position)

        return show


def with_times(app: ASGIApp, shown: dict[str, list[int]]) -> ASGIApp:
    """The application, which also tells when what was shown."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != SHOWN:
            await app(scope, receive, send)
            return
        body = json.dumps(shown).encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer
