"""uvicorn as all our HTTP servers run it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from agon.servers.http_limits import LimitedConfig
from agon.servers.process import backlog

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from agon.servers.open_connections import OpenConnections

PATIENCE = 3  # seconds that connections have to take their last answers


class Uvicorn(uvicorn.Server):
    """A server that tells when it is up, and leaves signals to its caller."""

    def __init__(
        self, app: Any, connections: OpenConnections, keep_alive_seconds: int, proxy: str = ""
    ) -> None:
        """Connections stay open so long between two requests. Not up yet."""
        super().__init__(
            LimitedConfig(
                app,
                connections,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=bool(proxy),
                forwarded_allow_ips=proxy or None,
                backlog=backlog(),
                timeout_keep_alive=keep_alive_seconds,
                timeout_graceful_shutdown=PATIENCE,
            )
        )
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        logging.getLogger("uvicorn.error").addFilter(is_worth_a_line)
        await super().startup(sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Leave out broken-off streams of observers that did not read: that is no defect."""
    return "without completing response" not in record.getMessage()
