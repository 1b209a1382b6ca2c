"""The one address that a network bot can reach, and the socket behind it.

Inside the sandbox there is a loopback device and nothing behind it. A socket that listens on that
loopback can nevertheless be held by us outside: a socket belongs to the network in which it was
made, wherever it is used from. So we step into the sandbox's network for a moment, make a listening
socket there, and serve it from outside: no process of ours is inside, and the bot, an unchanged
client of a TCP or HTTP server, finds the arena at `arena:PORT`, `localhost:PORT` or 127.0.0.1.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import io
import os
import shutil
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from agon.errors import SandboxError
from agon.sandbox.command import SYSTEM_PATH

CLONE_NEWNET = 0x40000000
NS_GET_USERNS = 0xB701
BACKLOG = 16
IP_FREEBIND = 15
"""Of Linux: an address may be bound that is not there yet, as bubblewrap may not have set it up."""

# Run by a helper inside the namespaces, where we may not go ourselves: listen, send the socket out.
# The bare `_socket` loads in a fraction of the time of `socket`.
HELPER = """import _socket, sys
listener = _socket.socket()
listener.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
listener.setsockopt(_socket.SOL_IP, int(sys.argv[4]), 1)
listener.bind(("127.0.0.1", int(sys.argv[2])))
listener.listen(int(sys.argv[3]))
out = _socket.socket(fileno=int(sys.argv[1]))
number = listener.fileno().to_bytes(4, sys.byteorder)
out.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, number)])
"""

Target = tuple[str, int] | Path
"""The arena's listener on the host: address and port, or a unix socket's file."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What a network bot may reach: this port of its loopback leads to that listener of ours."""

    port: int
    target: Target
    name: str = "arena"
    """A host name that the bot may use besides `arena`, `localhost` and 127.0.0.1."""


def listen_inside(pid: int, port: int) -> socket.socket:
    """A socket that listens on the loopback of the network in which that process is."""
    with open(f"/proc/{pid}/ns/net", "rb") as network:
        try:
            return listen_from_thread(network.fileno(), port)
        except PermissionError:
            return listen_from_helper(network.fileno(), port)


def listen_from_thread(network: int, port: int) -> socket.socket:
    """Step into the network with a thread that ends there; only root may."""
    made: list[socket.socket] = []
    failed: list[OSError] = []

    def work() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(network, CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            failed.append(OSError(number, os.strerror(number)))
            return
        try:
            listener = socket.socket()
            made.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_IP, IP_FREEBIND, 1)
            listener.bind(("127.0.0.1", port))
            listener.listen(BACKLOG)
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        for listener in made:
            listener.close()
        raise failed[0]
    return made[0]


def listen_from_helper(network: int, port: int) -> socket.socket:
    """Send a helper into the network and the user namespace that it belongs to.

    The user who made a user namespace may enter it, and then the namespaces that belong to it.
    """
    nsenter = shutil.which("nsenter", path=SYSTEM_PATH)
    if nsenter is None:
        raise SandboxError("the program 'nsenter' is missing: install the package util-linux")
    here, there = socket.socketpair()
    with here, there, io.FileIO(fcntl.ioctl(network, NS_GET_USERNS)) as owner:
        passed = [there.fileno(), network, owner.fileno()]
        command = [nsenter, f"--user=/proc/self/fd/{owner.fileno()}", "--preserve-credentials"]
        command += [f"--net=/proc/self/fd/{network}", "--"]
        command += [sys.executable, "-I", "-S", "-c", HELPER]
        command += [str(there.fileno()), str(port), str(BACKLOG), str(IP_FREEBIND)]
        done = subprocess.run(  # noqa: S603 - a fixed command
            command, pass_fds=passed, capture_output=True, check=False, timeout=10
        )
        if done.returncode != 0:
            why = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise SandboxError(f"no socket inside the sandbox's network: {' '.join(why)}")
        return receive_socket(here)


def receive_socket(here: socket.socket) -> socket.socket:
    """Take a socket that was sent over a socket."""
    numbers = array.array("i")
    _, ancillary, _, _ = here.recvmsg(1, socket.CMSG_LEN(numbers.itemsize))
    for _, kind, data in ancillary:
        if kind == socket.SCM_RIGHTS:
            numbers.frombytes(data)
    return socket.socket(fileno=numbers[0])
