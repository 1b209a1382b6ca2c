"""What the doctor puts up on the host for its probe to reach, and takes down again."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from agon.sandbox.command import SYSTEM_PATH
from agon.sandbox.leftovers import is_left_over, new_name

PREFIX = "agon-doctor"
NAMESPACES = ("user", "mnt", "pid", "net", "ipc", "uts")
IPC_CREATE, IPC_REMOVE = 0o1000, 0
LAST_INSIDE = 20
"""A sandbox has no process with a higher number when the probe begins."""
LONG_VALUE = 8
"""Shorter values of variables say nothing about where they come from."""


def entries(folder: Path) -> list[str]:
    """What is in a folder; nothing if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def new_folder() -> Path:
    """An empty one that others can look into; those of processes that were killed are removed."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}-*"):
        if is_left_over(path.name.rpartition("-")[0], PREFIX):
            shutil.rmtree(path, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{new_name(PREFIX)}-"))
    folder.chmod(0o755)
    return folder


class Canaries:
    """A file, three sockets, a shared memory segment and a process, all within reach outside."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.targets: dict[str, Any] = {}
        self.bot = Path()

    def __enter__(self) -> Self:
        try:
            self._put_up()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _put_up(self) -> None:
        folder = new_folder()
        self._stack.callback(shutil.rmtree, folder)
        closed = folder / "closed"  # as the bots of a site are: root must be able to stage them
        closed.mkdir(mode=0o700)
        self.bot = closed / "bot"
        self.bot.mkdir(mode=0o755)
        (folder / "secret").write_text("no sandboxed program should read this")
        mark = secrets.token_hex(8)
        tcp = self._listen(socket.AF_INET, ("127.0.0.1", 0))
        self._listen(socket.AF_UNIX, "\0" + mark)
        self._listen(socket.AF_UNIX, str(folder / "socket"))
        self.targets = {
            "secret": str(folder / "secret"),
            "home": str(Path.home()),
            "home entries": entries(Path.home()),
            "pid": self._start_process(),
            "tcp": tcp.getsockname(),
            "abstract": mark,
            "socket file": str(folder / "socket"),
            "shared memory": self._share_memory(),
            "name": socket.gethostname(),
            "environment": [value for value in os.environ.values() if len(value) >= LONG_VALUE],
            "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES},
        }

    def _listen(self, family: int, address: str | tuple[str, int]) -> socket.socket:
        listener = self._stack.enter_context(socket.socket(family))
        listener.bind(address)
        listener.listen(1)
        return listener

    def _start_process(self) -> int:
        """A process that waits for the end of this one, with a number that no process inside has.

        In a container numbers begin at 1, as they do inside: the probe would signal itself.
        """
        cat = shutil.which("cat", path=SYSTEM_PATH) or "cat"
        while True:
            process = subprocess.Popen(  # noqa: S603
                [cat], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
            self._stack.enter_context(process)
            self._stack.callback(process.kill)
            if process.pid > LAST_INSIDE:
                return process.pid

    def _share_memory(self) -> int:
        libc = ctypes.CDLL(None)
        key = secrets.randbelow(2**30) + 1
        segment = libc.shmget(key, 4096, IPC_CREATE | 0o666)
        if segment != -1:
            self._stack.callback(libc.shmctl, segment, IPC_REMOVE, None)
        return key
