"""Many keep-alive HTTP connections in one event loop: a client that costs as little as it can.

A connection sends what it is given and hands over the whole response; it knows as much of HTTP as
our own servers use (responses with a length, and streams that are counted and not read).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable

HOST = "127.0.0.1"
HEAD_END = b"\r\n\r\n"
PATIENCE = 60  # seconds for a piece of work
REQUEST = b"%b %b HTTP/1.1\r\nhost: bench\r\ncontent-length: %d\r\n%b\r\n%b"


def request(method: bytes, path: bytes, body: bytes = b"", headers: bytes = b"") -> bytes:
    """A request, ready to be sent; each header ends its line."""
    return REQUEST % (method, path, len(body), headers, body)


def header(head: bytes, name: bytes) -> bytes | None:
    """The value of a header in the head of a response."""
    begin = head.find(b"\r\n%b: " % name)
    if begin < 0:
        return None
    begin += len(name) + 4
    end = head.find(b"\r\n", begin)
    return head[begin:] if end < 0 else head[begin:end]


class Wire(asyncio.Protocol):
    """One connection; `on_response` is given the head and the body of every response.

    After a response that says `connection: close` it connects anew.
    """

    transport: asyncio.Transport

    def __init__(self, swarm: Swarm, port: int) -> None:
        """Not connected yet."""
        self._port = port
        self.on_response: Callable[[bytes, bytes], None] = lambda head, body: None
        self.received = asyncio.Event()
        """Set by the first bytes of any response."""
        self._swarm = swarm
        self._data = b""
        self._is_ending = False
        self._unsent = b""

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, HOST, self._port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        self.transport = transport  # type: ignore[assignment]
        self._is_ending = False
        if self._unsent:
            unsent, self._unsent = self._unsent, b""
            self.send(unsent)

    def connection_lost(self, error: Exception | None) -> None:
        """Closed by either side."""
        if self._is_ending:
            self._swarm.connect_anew(self)
        else:
            self._swarm.fail(AgonError("the server closed a connection"))

    def send(self, data: bytes) -> None:
        """Send a request, at once or when there is a connection again."""
        if self._is_ending:
            self._unsent += data
        else:
            self.transport.write(data)

    async def ask(self, data: bytes) -> tuple[bytes, bytes]:
        """Send a request; the head and the body of its response."""
        answered: asyncio.Future[tuple[bytes, bytes]] = asyncio.get_running_loop().create_future()
        self.on_response = lambda head, body: answered.set_result((head, body))
        self.send(data)
        return await answered

    def data_received(self, data: bytes) -> None:
        """Hand over a response once all of it is there."""
        self.received.set()
        self._data = self._data + data if self._data else data
        head_end = self._data.find(HEAD_END)
        if head_end < 0:
            return
        head = self._data[:head_end]
        length = header(head, b"content-length")
        if length is None:
            return  # a stream
        end = head_end + len(HEAD_END) + int(length)
        if len(self._data) >= end:
            body, self._data = self._data[end - int(length) : end], self._data[end:]
            self._is_ending = header(head, b"connection") == b"close"
            self.on_response(head, body)


class Swarm:
    """Clients that work until so much is done, and pause then."""

    def __init__(self) -> None:
        """Nothing to do yet."""
        self.wires: list[Wire] = []
        self.error: AgonError | None = None
        """The first thing that went wrong."""
        self._is_closing = False
        self._connecting: set[asyncio.Task[None]] = set()
        self._left = 0
        self._paused: list[Callable[[], None]] = []
        self._done: asyncio.Future[None] | None = None

    async def connect(self, port: int, count: int) -> list[Wire]:
        """So many more connections to that port of this machine."""
        wires = [Wire(self, port) for _ in range(count)]
        for wire in wires:
            await wire.connect()
        self.wires += wires
        return wires

    def connect_anew(self, wire: Wire) -> None:
        """The server has closed the connection, as it had said."""
        if not self._is_closing:
            task = asyncio.get_running_loop().create_task(wire.connect())
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

    def fail(self, error: AgonError) -> None:
        """Something went wrong: the piece of work ends with it."""
        if self._is_closing:
            return
        self.error = self.error or error
        if self._done is not None and not self._done.done():
            self._done.set_exception(self.error)

    def expect(self, head: bytes, status: bytes, name: bytes = b"") -> bytes:
        """Take note of a response with another status; the value of the header of that name."""
        value = header(head, name) if name else b""
        if value is None or not head.startswith(b"HTTP/1.1 " + status):
            self.fail(AgonError(f"response {head[:80]!r}: expected {status!r} and {name!r}"))
        return value or b""

    def go_on(self, step: Callable[[], None]) -> None:
        """A unit of work is done; take the next step, now or in the next piece."""
        self._left -= 1
        if self._left > 0:
            step()
            return
        self._paused.append(step)
        if self._done is not None and not self._done.done():
            self._done.set_result(None)

    async def work(self, amount: int) -> int:
        """Do so much; how much it was, for some of it was under way."""
        if self.error is not None:
            raise self.error
        self._done = asyncio.get_running_loop().create_future()
        self._left = amount
        paused, self._paused = self._paused, []
        for step in paused:
            step()
        async with asyncio.timeout(PATIENCE):
            await self._done
        return amount - self._left

    async def close(self) -> None:
        """Close all connections."""
        self._is_closing = True
        for wire in self.wires:
            wire.transport.abort()
        await asyncio.sleep(0)  # transports close in the next turn of the loop
