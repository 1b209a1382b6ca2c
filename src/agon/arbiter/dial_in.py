"""A program that dials in: it gets an address and connects to it, instead of using its pipes.

Its command has `{port}` in it, where the number of the port is to stand; `{host}` and `{name}`, the
bot's own, may be there too: `node bot.js {host} {port} {name}`. Over the connection go the same
lines as over pipes. What it prints, on both of its outputs, is for its author.
"""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.arbiter.bot_process import Launch, Program
    from agon.sandbox.core_times import CoreTimes

GRACE_MS = 20  # a program that hangs up is about to end
LOOPBACK = "127.0.0.1"


def dials_in(program: Program) -> bool:
    """Whether the program wants to be told a port."""
    return any("{port}" in word for word in program.run)


def fill_in(program: Program, name: str, port: int, path: str | None = None) -> Program:
    """The program with its placeholders replaced; `{url}` is one if there is a path for it.

    Other braces are left as they are.
    """
    values = {"{url}": f"http://{LOOPBACK}:{port}{path}"} if path is not None else {}
    values |= {"{host}": LOOPBACK, "{port}": str(port), "{name}": name}
    words = []
    for word in program.run:
        for placeholder, value in values.items():
            word = word.replace(placeholder, value)
        words.append(word)
    return replace(program, run=tuple(words), port=port)


class DialInProcess:
    """A program and the connection that it makes: a `Process` whose pipes are that connection.

    Until it is made, both descriptors are the listening socket; the connection takes their places,
    so code that polls these descriptors need not know.
    """

    def __init__(self, program: Program, name: str, launch: Launch) -> None:
        """Listen, then start the program, which is told where."""
        listener = socket.create_server((LOOPBACK, 0))
        port = listener.getsockname()[1]
        self.stdout_fd = listener.detach()
        self.stdin_fd = os.dup(self.stdout_fd)
        self._is_connected = self._has_hung_up = False
        try:
            self._program = launch(fill_in(program, name, port))
        except BaseException:
            self._close()
            raise
        self.print_fds = (*self._program.print_fds, self._program.stdout_fd)

    def read(self, most: int) -> bytes:
        """What it says; until it has dialled in, nothing is there yet, unless it has ended."""
        data = b""
        if self._is_connected:
            with suppress(ConnectionError):
                data = os.read(self.stdout_fd, most)
        elif self._accept() or not self._has_ended():
            raise BlockingIOError
        self._has_hung_up = not data
        return data

    def _accept(self) -> bool:
        """Let the connection, if there is one by now, take the listener's place."""
        with socket.socket(fileno=os.dup(self.stdout_fd)) as listener:
            try:
                connection, _ = listener.accept()
            except BlockingIOError:
                return False
        with connection:
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for descriptor in (self.stdout_fd, self.stdin_fd):
                os.dup2(connection.fileno(), descriptor, inheritable=False)
        self._is_connected = True
        return True

    def _has_ended(self, patience_ms: int = 0) -> bool:
        """Whether the program has closed its own standard output, as it does when it ends."""
        poll = select.poll()
        poll.register(self._program.stdout_fd, 0)
        return bool(poll.poll(patience_ms))

    def write(self, data: bytes) -> int:
        """Say this to it, once it has dialled in."""
        if not self._is_connected:
            raise BlockingIOError
        try:
            return os.write(self.stdin_fd, data)
        except ConnectionResetError:
            raise BrokenPipeError from None

    def pause(self) -> None:
        """Stop the program; its connection stays."""
        self._program.pause()

    def resume(self) -> None:
        self._program.resume()

    def stop(self) -> None:
        self._program.stop()

    def end(self) -> str | None:
        """Close the connection, then end the program; how it had ended before."""
        has_ended = self._has_ended(GRACE_MS if self._has_hung_up else 0)
        self._close()
        how = self._program.end()
        return how if has_ended else None

    def _close(self) -> None:
        for descriptor in (self.stdin_fd, self.stdout_fd):
            os.close(descriptor)

    def core_times(self) -> CoreTimes:
        return self._program.core_times()

    def limit_reached(self) -> str | None:
        """The resource limit that ended the program, if one did."""
        return self._program.limit_reached()
