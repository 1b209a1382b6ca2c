"""Build a bot in a sandbox, without its writing to any disk of the host.

    /source    the bot's folder, read-only
    /bot       in memory and of limited size: the folder is copied here, and built here

What stands in /bot after a good build comes out as an archive on the standard output, and is
unpacked by us. What the build says, on both of its outputs, comes on the standard error.
"""

from __future__ import annotations

import os
import select
import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox.ending import Ended, Ending
from agon.sandbox.launcher import launch
from agon.sandbox.resource_limits import MIB, SECOND, ResourceLimits
from agon.sandbox.unpack import unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agon.sandbox.child import SandboxedChild

ROOM = 512 * MIB
MOST_ARCHIVED = ROOM + 64 * MIB
LIMITS = ResourceLimits(
    memory=3072 * MIB,
    processes=512,
    cpu_percent=400,
    cpu_seconds=600,
    tmp=512 * MIB,
    open_files=1024,
    file_size=256 * MIB,
)
"""A compiler needs more than a bot; what is written to /bot and /tmp counts as memory."""

# The build's words are the script's arguments. Times of files are kept: make(1) goes by them.
SCRIPT = """cp -R -p /source/. /bot/ >&2 || exit
"$@" </dev/null >&2 || exit
exec tar --format=gnu -cf - .
"""
BEFORE = ("sh", "-c", SCRIPT, "sh")
CHUNK = 1 << 16
KEPT = 1 << 16  # of the end of what it says
LAST_BREATH_NS = 2 * SECOND  # between the end of its output and its own


@dataclass(frozen=True, slots=True)
class SandboxedBuild:
    """How a build went: `failure` is None if the folder is there; `output` the end of its words."""

    failure: str | None
    output: str


def run_sandboxed_build(
    command: Sequence[str],
    folder: Path,
    target: Path,
    limit_ns: int,
    clock: Callable[[], int],
    limits: ResourceLimits = LIMITS,
) -> SandboxedBuild:
    """Build a copy of the folder with this command, and unpack it to the target, an empty folder.

    A command that cannot be found is an UnfitBotError, a host that fails another SandboxError.
    """
    deadline = clock() + limit_ns
    with (
        tempfile.TemporaryFile() as archive,
        launch(command, folder, limits, room=ROOM, before=BEFORE) as child,
    ):
        child.close_input()
        listener = Listener(child, archive)
        listener.listen(deadline, clock)
        ended = child.wait(LAST_BREATH_NS) if listener.is_over else None
        failure = judge(ended, listener, limit_ns)
        if failure is None:
            archive.seek(0)
            try:
                unpack(archive, target, MOST_ARCHIVED)
            except SandboxError as error:
                failure = str(error)
        return SandboxedBuild(failure, listener.said.decode("utf-8", "replace"))


def judge(ended: Ended | None, listener: Listener, limit_ns: int) -> str | None:
    """Why there is nothing to unpack; None: there is."""
    if listener.archived > MOST_ARCHIVED:
        return "the built folder is larger than allowed"
    if ended is None:
        return f"not ready after {limit_ns // SECOND} s"
    return None if ended == Ended(Ending.EXIT, 0) else str(ended)


class Listener:
    """Takes the archive and the words of a build as they come, both within bounds."""

    def __init__(self, child: SandboxedChild, archive: IO[bytes]) -> None:
        self._child = child
        self._archive = archive
        self.archived = 0
        self.said = b""
        self.is_over = False

    def listen(self, deadline: int, clock: Callable[[], int]) -> None:
        """Listen until both outputs end, time is over, or the archive is too large."""
        poll = select.poll()
        for descriptor in (self._child.stdout, self._child.stderr):
            poll.register(descriptor, select.POLLIN)
        open_ends = 2
        while open_ends and self.archived <= MOST_ARCHIVED and (left := deadline - clock()) > 0:
            for descriptor, _ in poll.poll(left // 10**6 + 1):
                data = os.read(descriptor, CHUNK)
                self._take(descriptor, data)
                if not data:
                    poll.unregister(descriptor)
                    open_ends -= 1
        self.is_over = not open_ends

    def _take(self, descriptor: int, data: bytes) -> None:
        if descriptor == self._child.stdout:
            self.archived += len(data)
            self._archive.write(data)
        else:
            self.said = (self.said + data)[-KEPT:]
