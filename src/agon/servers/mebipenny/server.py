"""MebiPenny on a port of its own."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from agon.servers.http_limits import LimitedHttp
from agon.servers.mebipenny.app import MebiPennyApp
from agon.servers.mebipenny.deadlines import LoopDeadlines
from agon.servers.mebipenny.lobby import Lobby
from agon.servers.process import BACKLOG, open_listener

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from random import Random

    from agon.arena.live_matches import Stage
    from agon.servers.house_bots import House
    from agon.servers.mebipenny.match_store import Archive
    from agon.servers.mebipenny.settings import MebiPennySettings

PATIENCE = 3  # seconds that connections have to take their last answers
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
    house: House | None = None,
) -> Lobby:
    """A lobby with the real clock, in the event loop that is going to run it."""
    clock = time.monotonic_ns
    deadlines = LoopDeadlines(clock)
    return Lobby(settings, clock, time.time_ns, deadlines, archive, stage, chance, house)


class MebiPennyServer:
    """A lobby that listens on a port."""

    def __init__(self, lobby: Lobby, host: str, port: int) -> None:
        """Port 0 is any that is free; nothing listens before `start`."""
        self._lobby = lobby
        self._host = host
        self._port = port
        self._listener: socket.socket | None = None
        self._server: Uvicorn | None = None
        self._running: asyncio.Task[None] | None = None
        self.port = 0

    def bind(self) -> socket.socket:
        """Take the port; it is known then. Clients wait until `start`."""
        self._listener = open_listener(self._host, self._port)
        self.port = self._listener.getsockname()[1]
        return self._listener

    async def start(self) -> None:
        """Answer requests."""
        listener = self._listener or self.bind()
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
        elif self._listener is not None:
            self._listener.close()
        return given_up


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Leave out broken-off streams of observers that did not read: that is no defect."""
    return "without completing response" not in record.getMessage()
