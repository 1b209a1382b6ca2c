"""Start processes from threads that live long enough and, if need be, with other mounts.

A sandbox dies with the *thread* that started it: that is what the kernel means by a parent's death.
So the main thread starts sandboxes itself, and for all others a thread does that never ends.

Root's bots run as another user, who cannot pass through folders that root keeps closed, as /root.
What a bot needs from there is first bound to a place in the staging folder, which is open to all,
in a mount namespace that only one thread of ours is in. That thread starts such bots, and unbinds
the paths once bubblewrap has its copy.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import subprocess
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.thread import BrokenThreadPool
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import UnfitBotError
from agon.sandbox.command import SYSTEM_PATH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STAGING = Path("/sys/kernel")
"""A folder that every host has and no bot is in; covered for one thread of ours alone."""

FOLDER, FILE = "folder", "file"

CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
MNT_DETACH = 2

_serials = itertools.count()
_free: dict[bool, deque[Path]] = {True: deque(), False: deque()}
"""Places, for folders and for files, where nothing is bound just now."""


def spawn(
    command: list[str], descriptors: list[int], staged: Mapping[Path, Path]
) -> subprocess.Popen[bytes]:
    """Start a process that gets these descriptors and nothing else of ours.

    `staged` says which paths are to be bound where; `unstage` undoes that.
    """

    def work() -> subprocess.Popen[bytes]:
        for path, place in staged.items():
            bind(path, place)
        return popen(command, descriptors)

    if threading.current_thread() is threading.main_thread() and not staged:
        return work()
    try:
        starting = spawning_thread(os.getpid(), bool(staged)).submit(work)
    except BrokenThreadPool as error:  # since an earlier bot
        raise _behind_closed(staged) from error
    try:
        return starting.result()
    except BrokenThreadPool as error:
        raise _behind_closed(staged) from error
    except BaseException:
        starting.add_done_callback(abandon)
        raise


def _behind_closed(staged: Iterable[Path]) -> UnfitBotError:
    paths = ", ".join(map(str, staged))
    return UnfitBotError(
        f"{paths}: behind a folder that is closed to others, and bots run as another user if root"
        " starts them: try chmod o+x on the folders above"
    )


def unstage(staged: Mapping[Path, Path]) -> None:
    """Unbind what was staged; processes that were started before have a copy."""
    if staged:
        with suppress(BrokenThreadPool):
            spawning_thread(os.getpid(), True).submit(unbind, list(staged.values())).result()


def new_place(for_folder: bool) -> Path:
    """Where in the staging folder a folder or a file can be bound."""
    try:
        return _free[for_folder].popleft()
    except IndexError:
        return STAGING / f"{FOLDER if for_folder else FILE}-{next(_serials)}"


@cache
def spawning_thread(_pid: int, with_staging: bool) -> ThreadPoolExecutor:
    """The thread that starts sandboxes for all others; a forked process gets its own."""
    if with_staging:
        return ThreadPoolExecutor(1, thread_name_prefix="staging", initializer=enter_staging)
    return ThreadPoolExecutor(1, thread_name_prefix="sandbox")


def abandon(starting: Future[subprocess.Popen[bytes]]) -> None:
    """End a process whose starter was interrupted and will never hear of it."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().kill()


def popen(command: list[str], descriptors: list[int]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - that is what the sandbox is for
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={"PATH": SYSTEM_PATH},
        cwd="/",
        pass_fds=descriptors,
        start_new_session=True,
    )


def enter_staging() -> None:
    """Give this thread mounts of its own, with an empty staging folder that all users may enter."""
    libc("unshare", CLONE_NEWNS)
    libc("mount", b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None)
    flags = ctypes.c_ulong(MS_NOSUID | MS_NODEV)
    libc("mount", b"agon", bytes(STAGING), b"tmpfs", flags, b"mode=0755")


def bind(path: Path, place: Path) -> None:
    """Show a path at a place in the staging folder."""
    if path.is_dir():
        place.mkdir(exist_ok=True)
    else:
        place.touch()
    flags = ctypes.c_ulong(MS_BIND | MS_REC)
    libc("mount", bytes(path), bytes(place), None, flags, None)


def unbind(places: Iterable[Path]) -> None:
    """Take paths out of the staging folder.

    The places stay: to remove a folder is to unmount, in all namespaces, what is mounted there.
    """
    for place in places:
        with suppress(OSError):
            libc("umount2", bytes(place), MNT_DETACH)
        _free[place.name.startswith(FOLDER)].append(place)


def libc(name: str, *arguments: object) -> None:
    """Call the C library; an error becomes an OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
