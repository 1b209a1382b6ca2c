"""What the doctor runs inside a sandbox: it tries to break each layer, and reports.

It is handed to Python as text, so it may use the standard library only. Its one argument is JSON:
where on the host there is something to reach. It writes one JSON object: for each layer whether it
held, and how the attempt failed; then it waits until its input ends.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

CLONE_NEWUSER = 0x10000000
TIOCSTI = 0x5412
PTRACE_TRACEME = 0


def attempt(deed: Callable[[], object]) -> str | None:
    """Why the deed failed; None if it did not."""
    try:
        deed()
    except OSError as error:
        return error.strerror or str(error)
    return None


def all_fail(deeds: dict[str, Callable[[], object]]) -> tuple[bool, str]:
    """Held if every deed fails; what each met."""
    met = {name: attempt(deed) for name, deed in deeds.items()}
    return None not in met.values(), ", ".join(f"{n}: {why or 'done'}" for n, why in met.items())


def status() -> dict[str, str]:
    """The kernel's description of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def libc_call(name: str, *arguments: object) -> None:
    """Call the C library; an error becomes an OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def own_user(host: dict[str, Any]) -> tuple[bool, str]:
    """Which privileges we have, and where."""
    powers = int(status()["CapEff"], 16) | int(status()["CapBnd"], 16)
    differs = os.readlink("/proc/self/ns/user") != host["namespaces"]["user"]
    return differs and powers == 0, f"user {os.getuid()} inside, capabilities: {powers:x}"


def own_files(host: dict[str, Any]) -> tuple[bool, str]:
    """Reach a file of the host that all users may read, and a home folder."""
    held, met = all_fail({"a file of the host": Path(host["secret"]).read_bytes})
    try:
        entries = os.listdir(host["home"])
    except OSError as error:
        return held, f"{met}, the home folder: {error.strerror}"
    # The way to an interpreter below the home folder is there, and nothing beside it.
    return held and set(entries) < set(host["home entries"]), f"{met}, the home folder: {entries}"


def read_only_system(host: dict[str, Any]) -> tuple[bool, str]:
    """Write to the system's folders."""
    del host
    places = ("/usr", "/etc", "/bot", "/dev", "/")
    return all_fail({place: Path(place, "agon-was-here").touch for place in places})


def own_processes(host: dict[str, Any]) -> tuple[bool, str]:
    """Signal a process of the host, and count those that we see."""
    held, met = all_fail({"signal": lambda: os.kill(host["pid"], 0)})
    seen = sum(name.isdigit() for name in os.listdir("/proc"))
    return held and seen <= 3, f"{met}; {seen} processes to be seen"


def own_network(host: dict[str, Any]) -> tuple[bool, str]:
    """Connect to listeners of the host, and list the network's devices."""

    def connect(family: int, address: Any) -> None:
        with socket.socket(family) as tried:
            tried.settimeout(2)
            tried.connect(address)

    held, met = all_fail(
        {
            "127.0.0.1": lambda: connect(socket.AF_INET, tuple(host["tcp"])),
            "a socket without a file": lambda: connect(socket.AF_UNIX, "\0" + host["abstract"]),
            "a socket file": lambda: connect(socket.AF_UNIX, host["socket file"]),
        }
    )
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    devices = [line.split(":")[0].strip() for line in lines]
    return held and devices == ["lo"], f"{met}; devices: {' '.join(devices)}"


def own_ipc(host: dict[str, Any]) -> tuple[bool, str]:
    """Find a shared memory segment of the host."""
    return all_fail({"shared memory": lambda: libc_call("shmget", host["shared memory"], 0, 0)})


def own_name(host: dict[str, Any]) -> tuple[bool, str]:
    name = socket.gethostname()
    return name != host["name"], f"the name is {name!r}"


def no_new_privileges(host: dict[str, Any]) -> tuple[bool, str]:
    """What the kernel says of setuid programs here."""
    del host
    promised = status()["NoNewPrivs"] == "1"
    nosuid = bool(os.statvfs("/usr").f_flag & os.ST_NOSUID)
    return promised and nosuid, f"no new privileges: {promised}, setuid ignored in /usr: {nosuid}"


def seccomp(host: dict[str, Any]) -> tuple[bool, str]:
    """Make calls that need no privilege, so that only the filter can refuse them."""
    del host
    held, met = all_fail(
        {
            "trace": lambda: libc_call("ptrace", PTRACE_TRACEME, 0, 0, 0),
            "user namespace": lambda: libc_call("unshare", CLONE_NEWUSER),
            "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
            "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
            "notices of reading": lambda: libc_call("inotify_init1", 0),
        }
    )
    return held and status()["Seccomp"] == "2", met


def no_terminal(host: dict[str, Any]) -> tuple[bool, str]:
    """Open the terminal; type into it."""
    del host
    byte = ctypes.c_char(10)
    deeds: dict[str, Callable[[], object]] = {
        "/dev/tty": lambda: Path("/dev/tty").open("rb").close(),
        "typing": lambda: libc_call("ioctl", 0, ctypes.c_ulong(TIOCSTI), ctypes.byref(byte)),
    }
    held, met = all_fail(deeds)
    return held and os.strerror(errno.EPERM) in met, met


def own_environment(host: dict[str, Any]) -> tuple[bool, str]:
    """Find a variable of the arena's."""
    found = [name for name, value in os.environ.items() if value in host["environment"]]
    return not found, f"{len(os.environ)} variables, none from outside" if not found else str(found)


def limited_tmp(host: dict[str, Any]) -> tuple[bool, str]:
    written = 0
    why = "no end"
    try:
        with Path("/tmp/fill").open("wb", buffering=0) as file:  # noqa: S108 - our own
            while written <= 2 * host["tmp"]:
                written += file.write(b"." * 65536)
    except OSError as error:
        why = error.strerror or ""
    return written <= host["tmp"], f"{why} after {written // 1024} KiB"


def resource_limits(host: dict[str, Any]) -> tuple[bool, str]:
    """Open more files than allowed."""
    opened: list[int] = []
    why = "no end"
    try:
        while len(opened) <= 2 * host["open files"]:
            opened.append(os.dup(0))
    except OSError as error:
        why = error.strerror or ""
    for descriptor in opened:
        os.close(descriptor)
    return len(opened) <= host["open files"], f"{why} after {len(opened)} files"


WALLS = {
    "own user": own_user,
    "own files": own_files,
    "read-only system": read_only_system,
    "own processes": own_processes,
    "own network": own_network,
    "own IPC": own_ipc,
    "own host name": own_name,
    "no new privileges": no_new_privileges,
    "seccomp filter": seccomp,
    "no terminal": no_terminal,
    "own environment": own_environment,
    "limited /tmp": limited_tmp,
    "resource limits": resource_limits,
}


def main() -> None:
    """Try every layer, report, and wait until the doctor is done."""
    host = json.loads(sys.argv[1])
    sys.stdout.write(json.dumps({name: wall(host) for name, wall in WALLS.items()}) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()


if __name__ == "__main__":
    main()
