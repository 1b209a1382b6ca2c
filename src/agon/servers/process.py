"""What a process needs that serves many connections: its sockets, descriptors and memory."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
from typing import TYPE_CHECKING

from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BACKLOG = 4096
VANISHED_MS = 90_000
"""A connection whose packets are not acknowledged is closed after this."""
RARELY = (20_000, 20, 50)  # objects, collections of the young, of the older ones
FILES = 16_384
"""Descriptors that the process wants, one for each connection."""
LEAST_SPARE = 150


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
        listener.listen(backlog())
    except (OSError, OverflowError) as error:
        if listener is not None:
            listener.close()
        reason = getattr(error, "strerror", None) or error
        raise SettingError(f"cannot listen at {host}, port {port}: {reason}") from None
    listener.setblocking(False)
    return listener


async def until_client(listeners: Iterable[socket.socket]) -> None:
    """Wait until a client has connected to one of these, without taking it in."""
    loop = asyncio.get_running_loop()
    came, waiting = asyncio.Event(), list(listeners)
    for listener in waiting:
        loop.add_reader(listener, came.set)
    try:
        await came.wait()
    finally:
        for listener in waiting:
            loop.remove_reader(listener)


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
    if soft == resource.RLIM_INFINITY:
        return
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def file_limit() -> int:
    """How many descriptors the process may have."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES if limit == resource.RLIM_INFINITY else limit


def spare_files() -> int:
    """Those of them that are not for HTTP clients: for files, programs and other servers."""
    return max(LEAST_SPARE, file_limit() // 4)


def backlog() -> int:
    """Clients that wait to be accepted: all may be at once, and need descriptors then."""
    return min(MOST_BACKLOG, spare_files() // 3)
