"""A host with something to lose: what the attacks in this folder try to reach, and to leave behind.

`Host` puts up listeners, secrets and a process that wants to live, and afterwards checks that
nothing was left: no process, no group, no mount, no file.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import secrets
import select
import socket
import subprocess
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from agon.sandbox import ResourceLimits, SandboxedChild, launch
from agon.sandbox.cgroups import find_hierarchy
from agon.sandbox.group import PREFIX
from agon.sandbox.leftovers import owner

if TYPE_CHECKING:
    from collections.abc import Callable

MIB = 1024 * 1024
SECOND = 10**9
SECRET = "the secret of the host"  # noqa: S105
SMALL = ResourceLimits(
    memory=128 * MIB, processes=16, tmp=4 * MIB, shared_memory=2 * MIB, file_size=8 * MIB
)

# What every attack can use: its targets in T, and two words to say how it went.
PRELUDE = """
import ctypes, errno, json, os, signal, socket, sys, time
T = json.loads(sys.argv[2])
OUT = 1
libc = ctypes.CDLL(None, use_errno=True)
def say(word, *rest):
    os.write(OUT, (word + ": " + " ".join(map(str, rest)) + "\\n").encode())
def held(*why): say("held", *why)
def escaped(*how): say("ESCAPED", *how)
def call(name, *arguments):
    '''A function of the C library; its result, or minus the error's number.'''
    result = getattr(libc, name)(*arguments)
    return -ctypes.get_errno() if result == -1 else result
def attempt(what, deed):
    '''Held if the deed raises OSError.'''
    try: deed()
    except OSError as error: held(what, error.strerror or error)
    else: escaped(what)
"""


class Host:
    """Everything that an attack may aim at, all of it on this machine and made for the test."""

    def __init__(self, folder: Path) -> None:
        """Put up the targets below this folder."""
        find_hierarchy()  # opens what stays open
        self.token = f"agon-attack-{secrets.token_hex(8)}"
        self.folder = folder
        folder.chmod(0o755)
        self.bot = self._make("bot")
        self.bot.chmod(0o777)  # so that only the sandbox keeps the bot from writing there
        self.other_bot = self._make("other")
        self.datastore = folder / "agon.sqlite"
        self._stack = ExitStack()
        (self.other_bot / "plan.txt").write_text(SECRET)
        self.datastore.write_text(SECRET)
        (self.bot / "way-out").symlink_to(self.other_bot)
        self.tool = self._install_tool()
        (self.bot / "tool").symlink_to(self.tool)
        self.targets: dict[str, str | int | list[int]] = {
            "secret": SECRET,
            "home": str(Path.home()),
            "other": str(self.other_bot / "plan.txt"),
            "datastore": str(self.datastore),
            "installation": str(self.tool.parents[1] / "lib" / "secret"),
            "token": self.token,
            "user": os.getuid(),
        }

    def __enter__(self) -> Self:
        """Start the listeners and the victim."""
        os.environ["AGON_CANARY"] = self.token
        self._before = mounts(), open_descriptors(), self._tree()
        tcp = [self._serve(socket.AF_INET, (address, 0)) for address in ("127.0.0.1", "127.0.0.2")]
        self.targets["tcp"] = [listener.getsockname()[1] for listener in tcp]
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        self.targets["name server"] = udp.getsockname()[1]
        self._work(udp, lambda: answer(udp))
        path = str(self.folder / "host.sock")
        self._serve(socket.AF_UNIX, path)
        Path(path).chmod(0o777)
        self.targets["socket file"] = path
        self._serve(socket.AF_UNIX, "\0" + self.token)
        victim = subprocess.Popen(
            ["/bin/sleep", "1000"],
            env={"AGON_CANARY": self.token},
            stdin=subprocess.DEVNULL,
        )
        self._stack.callback(victim.wait)
        self._stack.callback(victim.kill)
        self.targets["victim"] = victim.pid
        program = self.bot / "setuid"
        program.write_bytes(Path("/usr/bin/id").resolve().read_bytes())
        program.chmod(0o4755)
        self.victim = victim
        return self

    def __exit__(self, *_: object) -> None:
        """Take everything down, then look for what is left."""
        assert self.victim.poll() is None, "the victim did not live"
        self._stack.close()
        del os.environ["AGON_CANARY"]
        (self.folder / "host.sock").unlink()
        for entry in self.bot.iterdir():
            if entry.name not in ("way-out", "tool"):
                entry.unlink()
        assert not left_processes(self.token)
        assert not left_groups()
        mounted, opened, tree = self._before
        assert mounts() == mounted
        assert open_descriptors() == opened
        assert self._tree() == tree

    def attack(self, source: str, limits: ResourceLimits = SMALL) -> SandboxedChild:
        """Start a Python program inside the sandbox, as an attack with targets."""
        return launch(self.command(source), self.bot, limits)

    def run(self, source: str, limits: ResourceLimits = SMALL) -> str:
        """Let an attack run to its end and give what it said."""
        with self.attack(source, limits) as child:
            return finish(child)

    def run_bare(self, source: str) -> str:
        """Let the same program run without a sandbox, to see that it is an attack at all."""
        done = subprocess.run(
            self.command(source),
            cwd=self.bot,
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
        return done.stdout

    def command(self, source: str) -> list[str]:
        """The command that runs an attack in the bot's folder."""
        (self.bot / "attack.py").write_text(PRELUDE + source)
        return ["python3", "attack.py", self.token, json.dumps(self.targets)]

    def _make(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(mode=0o755)
        return path

    def _install_tool(self) -> Path:
        """A program of the host, in an installation that has a secret."""
        installation = self._make("installation")
        for name in ("bin", "lib"):
            (installation / name).mkdir(mode=0o755)
        (installation / "lib" / "secret").write_text(SECRET)
        tool = installation / "bin" / "tool"
        tool.write_text("#!/bin/sh\ncat $(dirname $(readlink -f $0))/../lib/secret\n")
        tool.chmod(0o755)
        return tool

    def _serve(self, family: int, address: str | tuple[str, int]) -> socket.socket:
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()

        def greet() -> None:
            with listener.accept()[0] as connection:
                connection.send(SECRET.encode())

        self._work(listener, greet)
        return listener

    def _work(self, listener: socket.socket, serve: Callable[[], None]) -> None:
        """Serve on a thread until the socket is shut."""
        listener.settimeout(0.05)
        stop = threading.Event()

        def loop() -> None:
            while not stop.is_set():
                with suppress(TimeoutError):
                    serve()

        thread = threading.Thread(target=loop)
        thread.start()
        self._stack.callback(listener.close)
        self._stack.callback(thread.join)
        self._stack.callback(stop.set)

    def _tree(self) -> list[tuple[str, int]]:
        return sorted((str(p), p.lstat().st_size) for p in self.folder.rglob("*"))


def answer(udp: socket.socket) -> None:
    """Answer one question, as a name server would."""
    question, asker = udp.recvfrom(512)
    udp.sendto(question, asker)


def finish(child: SandboxedChild) -> str:
    """Read a program to its end, within bounds."""
    ended = child.wait(10 * SECOND)
    os.set_blocking(child.stdout, False)
    os.set_blocking(child.stderr, False)
    said = read_all(child.stdout)
    complained = read_all(child.stderr)
    return said if said else f"{ended}; {complained.strip()[-300:]}"


def ask(child: SandboxedChild, data: bytes, patience_ns: int = 10 * SECOND) -> bytes:
    """Say something short, and read what comes next; nothing if nothing comes in time."""
    os.write(child.stdin, data)
    ready, _, _ = select.select([child.stdout], [], [], patience_ns / SECOND)
    return os.read(child.stdout, 1000) if ready else b""


def read_all(descriptor: int) -> str:
    """What is in a pipe now."""
    data = b""
    with suppress(BlockingIOError):
        while piece := os.read(descriptor, 65536):
            data += piece
    return data.decode()


def mounts() -> str:
    """What is mounted for us."""
    return Path("/proc/self/mountinfo").read_text()


def open_descriptors() -> list[str]:
    """What this process has open, without the listing itself."""
    gc.collect()  # what is no longer used may still be open
    found = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(f"{path.name} {os.readlink(path)}")
    return sorted(found)


def left_processes(token: str, patience_ns: int = 2 * SECOND) -> list[str]:
    """Processes whose command line has the token, once those that are ending have ended."""
    deadline = time.monotonic_ns() + patience_ns
    while True:
        found = [
            path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if has(path, token)
        ]
        if not found or time.monotonic_ns() > deadline:
            return found
        time.sleep(0.01)


def has(path: Path, token: str) -> bool:
    """Whether a file has the text; one that is gone has not."""
    try:
        return token.encode() in path.read_bytes()
    except OSError:
        return False


def left_groups() -> list[Path]:
    """Control groups of this process's bots."""
    return groups_of(owner(os.getpid()))


def groups_of(process: str) -> list[Path]:
    """Control groups of the bots of a process. Others may come and go meanwhile, unlike in glob."""
    return [
        Path(folder, name)
        for folder, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith(f"{PREFIX}-{process}-")
    ]


def shared_segment(key: int) -> bool:
    """Whether the host has System V shared memory with this key."""
    return bool(ctypes.CDLL(None).shmget(key, 0, 0) != -1)
