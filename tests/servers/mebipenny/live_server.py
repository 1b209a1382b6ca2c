"""A real server on a free port, in a thread of its own, and clients for it."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
import uvloop

from agon.arbiter.first_use import use_rules
from agon.games.mebipenny.game import GAME
from agon.servers.match_store import keep_nothing
from agon.servers.mebipenny.server import MebiPennyServer
from agon.servers.mebipenny.settings import MebiPennySettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.servers.match_store import KeptMatch
    from agon.servers.mebipenny.lobby import Lobby
    from agon.servers.open_connections import OpenConnections
    from agon.servers.practice_bots import StoredBots

PATIENCE = 60  # seconds after which a test gives up
FoundT = TypeVar("FoundT")


@dataclass
class Live:
    """A server that runs."""

    lobby: Lobby
    port: int
    loop: asyncio.AbstractEventLoop
    kept: list[KeptMatch] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE)

    def socket(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def ask(self, question: Callable[[], FoundT]) -> FoundT:
        """Look at the server's state, in its own thread."""

        async def answer() -> FoundT:
            return question()

        return asyncio.run_coroutine_threadsafe(answer(), self.loop).result(PATIENCE)

    def wait_until(self, question: Callable[[], bool]) -> None:
        """Ask until it is so."""
        end = time.monotonic() + PATIENCE
        while not self.ask(question):
            assert time.monotonic() < end, "it never happened"

    def new_game(self, rows: int = 5, cols: int = 5, **more: Any) -> str:
        """The path of a new game."""
        answer = httpx.post(f"{self.url}/", json={"rows": rows, "cols": cols, **more})
        assert answer.status_code == 201
        return answer.headers["location"]

    def wait_for_players(self, path: str, count: int) -> None:
        """Until so many have joined the game."""
        table = self.ask(lambda: self.lobby.find(path[1:]))
        self.wait_until(lambda: len(table._joined) == count)


@contextmanager
def live_server(
    keep: Callable[[Any, int, int], int | None] = keep_nothing,
    stored: StoredBots | None = None,
    connections: OpenConnections | None = None,
    **settings: Any,
) -> Iterator[Live]:
    """A server for this block, with practice bots."""
    use_rules(GAME)
    started: list[Live] = []
    is_up = threading.Event()
    kept: list[KeptMatch] = []
    stop = asyncio.Event()

    async def serve() -> None:
        server = MebiPennyServer(
            MebiPennySettings(**settings),
            keep=keep,
            on_kept=kept.append,
            stored=stored,
            connections=connections,
        )
        await server.start()
        started.append(Live(server.lobby, server.port, asyncio.get_running_loop(), kept))
        is_up.set()
        await stop.wait()
        await server.close()

    thread = threading.Thread(target=lambda: uvloop.run(serve()), name="mebipenny server")
    thread.start()
    try:
        assert is_up.wait(PATIENCE)
        yield started[0]
    finally:
        if started:
            started[0].loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)


class Held:
    """A request in a thread of its own, for it may be held."""

    def __init__(self, request: Callable[[], httpx.Response]) -> None:
        self._found: list[httpx.Response] = []
        self._thread = threading.Thread(target=lambda: self._found.append(request()))
        self._thread.start()

    @property
    def is_held(self) -> bool:
        return self._thread.is_alive()

    def answer(self) -> httpx.Response:
        """The answer, when it comes."""
        self._thread.join(PATIENCE)
        (found,) = self._found
        return found


def join(live: Live, path: str, name: str = "ann") -> Held:
    """A player who waits for its first turn."""
    url = f"{live.url}{path}/players"
    return Held(lambda: httpx.post(url, json={"name": name}, timeout=PATIENCE))


def move(live: Live, path: str, token: str | None, data: Any) -> Held:
    """A player who moves, and waits for its next turn."""
    headers = {} if token is None else {"X-Turn-Token": token}
    url = f"{live.url}{path}/moves"
    return Held(lambda: httpx.post(url, json=data, headers=headers, timeout=PATIENCE))


def begin(live: Live, path: str, seats: int = 2) -> tuple[list[Held], int]:
    """Players in all seats of a game; and which of them is asked first."""
    held = [join(live, path, f"player {number}") for number in range(seats)]
    live.wait_until(lambda: not all(one.is_held for one in held))
    answered = [number for number, one in enumerate(held) if not one.is_held]
    (first,) = [n for n in answered if "x-turn-token" in held[n].answer().headers]
    return held, first


def two_players(live: Live, path: str) -> tuple[str, Held]:
    """A game of two in play: the token of the first, and the other who waits."""
    held, first = begin(live, path)
    return held[first].answer().headers["x-turn-token"], held[1 - first]


def ask_for_match(live: Live) -> Held:
    """A client that waits for an opponent, and does not follow where the answer leads."""
    return Held(lambda: httpx.get(f"{live.url}/match", timeout=PATIENCE))


def error(answer: httpx.Response, status: int) -> str:
    """What an error says."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    (told,) = answer.json().values()
    return str(told)
