"""MebiPenny on a port of its own."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import socket
import time
from contextlib import contextmanager
from math import isqrt
from typing import TYPE_CHECKING, Any

import uvicorn

from agon.errors import SettingError
from agon.games.mebipenny.board import TIERS
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.wire import format_game
from agon.servers.http_limits import LimitedHttp
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.deadlines import LoopDeadlines
from agon.servers.mebipenny.lobby import Lobby

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from agon.arena.live_matches import Stage
    from agon.servers.mebipenny.match_store import Archive
    from agon.servers.mebipenny.settings import MebiPennySettings

BACKLOG = 4096
PATIENCE = 3  # seconds that connections have to take their last answers
VANISHED_MS = 90_000
"""A connection whose packets are not acknowledged is closed after this."""
RARELY = (20_000, 20, 50)  # objects, collections of the young, of the older ones
FILES = 16_384
"""Descriptors that the process wants, one for each connection."""
SPARE_SECONDS = 60
"""How much longer than a turn a connection stays open between two requests."""


class Uvicorn(uvicorn.Server):
    """A server that tells when it is up, and leaves signals to its caller."""

    def __init__(self, config: uvicorn.Config) -> None:
        """Not up yet."""
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def fast_config(app: Any, keep_alive_seconds: int) -> uvicorn.Config:
    """Settings for speed, without logs of requests."""
    return uvicorn.Config(
        app,
        http=LimitedHttp,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=keep_alive_seconds,
        timeout_graceful_shutdown=PATIENCE,
    )


def open_lobby(
    settings: MebiPennySettings,
    archive: Archive,
    stage: Stage | None = None,
    chance: Random | None = None,
) -> Lobby:
    """A lobby with the real clock, in the event loop that is going to run it."""
    clock = time.monotonic_ns
    return Lobby(settings, clock, time.time_ns, LoopDeadlines(clock), archive, stage, chance)


class MebiPennyServer:
    """A lobby that listens on a port."""

    def __init__(self, lobby: Lobby, host: str, port: int) -> None:
        """Port 0 is any that is free; nothing listens before `start`."""
        self._lobby = lobby
        self._host = host
        self._port = port
        self._server: Uvicorn | None = None
        self._running: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen; the port is known then."""
        listener = open_listener(self._host, self._port)
        self.port = listener.getsockname()[1]
        seconds = self._lobby.settings.turn_ns // 10**9 + SPARE_SECONDS
        config = fast_config(MebiPennyApp(self._lobby), seconds)
        logging.getLogger("uvicorn.error").addFilter(is_worth_a_line)
        self._server = Uvicorn(config)
        self._running = asyncio.create_task(self._server.serve([listener]))
        await self._server.is_up.wait()

    async def close(self) -> int:
        """Answer all held requests, and end; how many games under way were given up."""
        given_up = self._lobby.close()
        if self._server is not None and self._running is not None:
            self._server.should_exit = True
            await self._running
        return given_up


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Leave out broken-off streams of observers that did not read: that is no defect."""
    return "without completing response" not in record.getMessage()


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there; connections with a dead peer are closed in time."""
    listener = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED_MS)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        if listener is not None:
            listener.close()
        reason = error.strerror or error
        raise SettingError(f"cannot listen at {host}, port {port}: {reason}") from None
    listener.setblocking(False)
    return listener


def load_rules() -> None:
    """Compile or load the rules for all sizes of boards, so that no player waits for it."""
    for tier in TIERS:
        side = isqrt(tier)
        position = GAME.start(MebiPennyOptions(side, side))
        format_game(position, [], None)
        position.tied_seats(position.hands[0][0])
        position.play_move(position.moves[0])


def settle_memory() -> None:
    """Keep the garbage collector off what is loaded for good; for a process that only serves.

    Requests leave no cycles, and without this the collector takes as long as the games do.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)


def raise_file_limit() -> None:
    """Allow many connections, as far as the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
