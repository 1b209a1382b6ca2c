"""A program that speaks HTTP: it is told an address and makes requests there, as of any server.

Its command has `{url}` in it, or `{host}` and `{port}`; `{name}`, the bot's own, may be there too:
`python3 bot.py {url}`. Behind the address is a server for this one program and this one match. The
game's exchange turns requests into lines and lines into replies. What the program prints, on both
of its outputs, is for its author, and so are notes about requests that were refused.
"""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from agon.arbiter.dial_in import GRACE_MS, LOOPBACK, fill_in
from agon.arbiter.http_connection import BotConnection

if TYPE_CHECKING:
    from agon.arbiter.bot_process import Launch, Program
    from agon.games.http_exchange import HttpExchange, HttpReply, Leave
    from agon.sandbox.core_times import CoreTimes

MOST_CONNECTIONS = 16
LONGEST_NOTE = 400


class HttpProcess:
    """A program and the server that it talks to: a `Process` whose pipes are that server.

    Its output is an epoll descriptor, which is readable whenever something happens at the server;
    its input is the listening socket.
    """

    def __init__(self, program: Program, name: str, launch: Launch, exchange: HttpExchange) -> None:
        """Listen, then start the program, which is told where."""
        self._exchange = exchange
        self._connections: dict[int, BotConnection] = {}
        self._held: dict[BotConnection, Leave] = {}
        """Connections with a request that is not answered yet."""
        self._has_ended = False
        listener = socket.create_server((LOOPBACK, 0))
        address: tuple[str, int] = listener.getsockname()
        self.stdin_fd = listener.detach()
        self._epoll = select.epoll()
        self.stdout_fd = self._epoll.fileno()
        self._notes_fd, self._note_fd = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._program = launch(fill_in(program, name, address[1], exchange.path))
        except BaseException:
            self._close()
            raise
        self._epoll.register(self.stdin_fd, select.EPOLLIN)
        self._epoll.register(self._program.stdout_fd, 0)  # tells of its end alone
        self.print_fds = (*self._program.print_fds, self._program.stdout_fd, self._notes_fd)

    def read(self, most: int) -> bytes:
        """Serve the connections; the program's lines, if there are any now."""
        for descriptor, _ in self._epoll.poll(0):
            self._serve(descriptor)
        lines = self._exchange.said()
        if not lines and not self._has_ended:
            raise BlockingIOError
        return "".join(f"{line}\n" for line in lines).encode()

    def _serve(self, descriptor: int) -> None:
        """Do what can be done at this descriptor without waiting."""
        if descriptor == self.stdin_fd:
            self._accept()
        elif descriptor == self._program.stdout_fd:
            self._notice_end()
        elif descriptor in self._connections:
            connection = self._connections[descriptor]
            connection.move()
            self._take_request(connection)

    def _accept(self) -> None:
        with socket.socket(fileno=os.dup(self.stdin_fd)) as listener, suppress(OSError):
            listener.setblocking(False)
            accepted, _ = listener.accept()
            if len(self._connections) >= MOST_CONNECTIONS:
                accepted.close()
                return
            connection = BotConnection(accepted)
            self._connections[connection.fileno()] = connection
            self._epoll.register(connection.fileno(), connection.wants)

    def _notice_end(self) -> None:
        """The program has ended. What it sent before may still be on its way: wait a moment."""
        self._epoll.unregister(self._program.stdout_fd)
        self._has_ended = True
        os.close(self._note_fd)
        for descriptor, _ in self._epoll.poll(GRACE_MS / 1000):
            self._serve(descriptor)

    def _take_request(self, connection: BotConnection) -> None:
        """Have the exchange answer one request, so that many at once do not keep the loop."""
        request = connection.next_request()
        if request is not None:
            about = f"{request.method} {request.path}"
            leave = self._exchange.take(
                request, lambda reply: self._answer(connection, reply, about)
            )
            if connection.is_held:
                self._held[connection] = leave
        if connection.refused:
            self._note(f"no HTTP: {connection.refused}")
            connection.refused = ""
        self._look_after(connection)

    def _answer(self, connection: BotConnection, reply: HttpReply, about: str) -> None:
        connection.answer(reply)
        if reply.note:
            self._note(f"{about}: {reply.status}: {reply.note}")
        if self._held.pop(connection, None) is not None:
            self._look_after(connection)

    def _note(self, text: str) -> None:
        """Tell the program's author; if its log is full, the note is lost."""
        shown = "".join(c if c.isprintable() else "?" for c in text[:LONGEST_NOTE])
        if not self._has_ended:
            with suppress(BlockingIOError):
                os.write(self._note_fd, f"arena: {shown}\n".encode())

    def _look_after(self, connection: BotConnection) -> None:
        """Wait for what the connection wants now; forget it if its other side has gone."""
        if not connection.is_gone:
            self._epoll.modify(connection.fileno(), connection.wants)
            return
        leave = self._held.pop(connection, None)
        if leave is not None:
            leave()
        self._epoll.unregister(connection.fileno())
        del self._connections[connection.fileno()]
        connection.close()

    def write(self, data: bytes) -> int:
        """Tell the exchange, which may answer a request that is held."""
        for line in data.decode("utf-8").split("\n")[:-1]:
            self._exchange.hear(line)
        return len(data)

    def pause(self) -> None:
        """Stop the program; its connections stay."""
        self._program.pause()

    def resume(self) -> None:
        self._program.resume()

    def stop(self) -> None:
        self._program.stop()

    def end(self) -> str | None:
        """Close the server, then end the program; how it had ended before."""
        poll = select.poll()
        poll.register(self._program.stdout_fd, 0)
        has_ended = bool(poll.poll(0))
        self._close()
        how = self._program.end()
        return how if has_ended else None

    def _close(self) -> None:
        for connection in self._connections.values():
            connection.close(GRACE_MS * 10**6)
        self._epoll.close()
        os.close(self.stdin_fd)
        os.close(self._notes_fd)
        if not self._has_ended:
            os.close(self._note_fd)

    def core_times(self) -> CoreTimes:
        return self._program.core_times()

    def limit_reached(self) -> str | None:
        """The resource limit that ended the program, if one did."""
        return self._program.limit_reached()
