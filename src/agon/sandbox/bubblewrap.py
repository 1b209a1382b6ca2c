"""The layers of the sandbox: the command line for bubblewrap(1).

Inside there is

    /usr, /bin, /lib …     the host's, read-only
    /etc                   five small files of ours and the linker's cache; nothing that is private
    /bot                   the bot's folder, read-only, and where it starts
    /tmp, /dev/shm         its own, empty, of limited size: the only places to write
    /proc                  its own processes alone
    /dev                   null, zero, full, random, urandom; no terminal
    a loopback device      and no other network

in namespaces of its own for users, mounts, processes, network, IPC, host name and control groups,
without privileges and without a way to get any.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox.command import INSIDE, SOURCE, SYSTEM_FOLDERS, SYSTEM_PATH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.sandbox.resource_limits import ResourceLimits

NAME = "arena"
UID = 1000
DEVICES = ("null", "zero", "full", "random", "urandom")
# What programs look up in /etc and may: the linker's cache, which java is meant, settings of Java
# and Perl. Patterns, as versions are in the names.
ETC = ("ld.so.cache", "alternatives", "java*", "perl")

NAMESPACES = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
)

INSTALL = (
    "bubblewrap is not installed: apt-get install bubblewrap (Debian, Ubuntu),"
    " dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch)"
)


@dataclass(frozen=True, slots=True)
class Walls:
    """What one sandbox is made of."""

    limits: ResourceLimits
    folder: Path | None = None
    shown: Mapping[Path, Path] = field(default_factory=dict)
    """Where inside: which path of the host, read-only."""
    environment: Mapping[str, str] = field(default_factory=dict)
    room: int | None = None
    """Bytes of an empty /bot to write to, with the folder at /source; None: /bot is the folder."""


@dataclass(frozen=True, slots=True)
class Pipes:
    """Numbers of file descriptors over which bubblewrap gets its input and tells its state."""

    seccomp: int
    status: int
    files: Mapping[str, int]
    block: int
    """Holds the bot back until a byte comes."""
    block_writer: int
    """The other end of that pipe, which process 1 keeps: if we die, the pipe does not end, which
    would let the bot begin, but stays silent for ever."""


def find_bwrap() -> str:
    found = shutil.which("bwrap", path=SYSTEM_PATH)
    if found is None:
        raise SandboxError(INSTALL)
    return found


@cache
def known_options(bwrap: str) -> frozenset[str]:
    """The options that this bubblewrap has; an error if it is too old, or does not run here."""
    told = subprocess.run(  # noqa: S603 - a fixed command
        [bwrap, "--help"], capture_output=True, text=True, check=False, timeout=10
    )
    if told.returncode:  # it refuses capabilities that a container has added, for instance
        raise SandboxError(f"{bwrap} does not run: {told.stderr.strip() or told.returncode}")
    options = frozenset(word for word in told.stdout.split() if word.startswith("--"))
    missing = {"--size", "--clearenv", "--json-status-fd", "--remount-ro"} - options
    if missing:
        raise SandboxError(f"{bwrap} has no {', '.join(sorted(missing))}: 0.7 or newer is needed")
    return options


def base_environment(search_path: str) -> dict[str, str]:
    """All variables that every bot has."""
    return {
        "PATH": search_path,
        "HOME": "/tmp",  # noqa: S108 - the sandbox's own
        "TMPDIR": "/tmp",  # noqa: S108
        "USER": "bot",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        # A Python bot that prints without flushing would wait for ever for an answer.
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def etc_files(names: tuple[str, ...] = ()) -> dict[str, bytes]:
    """The files in /etc that are ours; `names` are further names of the loopback address."""
    hosts = " ".join(["localhost", NAME, *names])
    return {
        "passwd": f"bot:x:{UID}:{UID}:bot:/tmp:/bin/sh\n".encode(),
        "group": f"bot:x:{UID}:\n".encode(),
        "hosts": f"127.0.0.1 {hosts}\n".encode(),
        # Names come from the file above; there is no name server.
        "nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
        "resolv.conf": b"",
    }


def build_arguments(walls: Walls, pipes: Pipes, options: frozenset[str]) -> list[str]:
    """Everything between `bwrap` and the bot's command."""
    words = [*NAMESPACES, "--uid", str(UID), "--gid", str(UID), "--hostname", NAME]
    if "--disable-userns" in options:
        words += ["--disable-userns"]
    words += ["--new-session", "--die-with-parent"]
    words += [
        "--dir",
        "/etc",
        *system_mounts(),
        *etc_mounts(pipes.files),
        *private_mounts(walls.limits),
    ]
    for inside, path in walls.shown.items():
        words += ["--ro-bind", str(path), str(inside)]
    words += [*folder_mounts(walls), "--chdir", str(INSIDE), "--remount-ro", "/", "--clearenv"]
    for name, value in walls.environment.items():
        words += ["--setenv", name, value]
    words += ["--seccomp", str(pipes.seccomp), "--json-status-fd", str(pipes.status)]
    return [*words, "--block-fd", str(pipes.block), "--sync-fd", str(pipes.block_writer)]


def folder_mounts(walls: Walls) -> list[str]:
    """The bot's folder, and room to build it."""
    words = []
    if walls.room is not None:
        words += ["--size", str(walls.room), "--perms", "0755", "--tmpfs", str(INSIDE)]
    elif walls.folder is None:
        words += ["--dir", str(INSIDE)]
    if walls.folder is not None:
        place = INSIDE if walls.room is None else SOURCE
        words += ["--ro-bind", str(walls.folder), str(place)]
    return words


@cache
def system_mounts() -> tuple[str, ...]:
    """What is the host's; links stay links, as on systems where /lib is one."""
    words: list[str] = []
    for name in SYSTEM_FOLDERS:
        path = Path(name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            words += ["--ro-bind", name, name]
    for pattern in ETC:
        for path in sorted(Path("/etc").glob(pattern)):
            words += ["--ro-bind-try", str(path), str(path)]
    return tuple(words)


def etc_mounts(files: Mapping[str, int]) -> list[str]:
    words = []
    for name, descriptor in files.items():
        words += ["--file", str(descriptor), f"/etc/{name}"]
    return words


def private_mounts(limits: ResourceLimits) -> list[str]:
    """/proc, /dev and what the bot may write to."""
    words = ["--proc", "/proc", "--tmpfs", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        words += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    words += ["--size", str(limits.shared_memory), "--perms", "1777", "--tmpfs", "/dev/shm"]  # noqa: S108
    words += ["--remount-ro", "/dev"]
    return [*words, "--size", str(limits.tmp), "--perms", "1777", "--tmpfs", "/tmp"]  # noqa: S108
