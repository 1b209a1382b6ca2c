"""Programs in the sandbox, for the arbiter: which folder they see, and what their end means.

A bot that cannot be started or breaks a limit fails in its own seat. A sandbox that fails is the
host's fault: an ArbiterError, not charged to any seat.
"""

from __future__ import annotations

import os
import select
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.entrant import command_in, launch_on_host
from agon.errors import ArbiterError, SandboxError, UnfitBotError
from agon.sandbox import Ended, Ending, Endpoint, ResourceLimits, SandboxedChild, launch
from agon.sandbox.command import is_system
from agon.sandbox.installations import installation, may_be_shown
from agon.sandbox.launcher import check_folder
from agon.sandbox.resource_limits import MIB

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.arbiter.bot_process import Launch, Program
    from agon.arbiter.entrant import Entrant
    from agon.sandbox.core_times import CoreTimes
    from agon.sandbox.doctor import LayerFinding

GRACE_NS = 20 * 10**6  # for a program that was told to end
LAST_BREATH_NS = 2 * 10**9  # between the end of its output and the end of the sandbox
LOOPBACK = "127.0.0.1"
PLAY = ResourceLimits()
"""What a bot may use in a match."""


class SandboxedProcess:
    """A sandboxed program, as the arbiter sees it."""

    def __init__(self, child: SandboxedChild) -> None:
        self._child = child
        self._ended: Ended | None = None
        self._is_paused = False
        self._is_stopped = False
        self._closing = Lock()
        self.stdin_fd, self.stdout_fd = child.stdin, child.stdout
        self.print_fds = (child.stderr,)
        self.pid = child.pid

    def read(self, most: int) -> bytes:
        """What it says, as far as it is there; nothing at the end."""
        return os.read(self.stdout_fd, most)

    def write(self, data: bytes) -> int:
        """Say this to it; how much of it could be said now."""
        return os.write(self.stdin_fd, data)

    def pause(self) -> None:
        """Stop it and all that it has started where they are."""
        self._is_paused = True
        self._child.pause()

    def resume(self) -> None:
        self._is_paused = False
        self._child.resume()

    def stop(self) -> None:
        """End it from another thread: a thread that waits for its answer sees the end of output."""
        with self._closing:
            if self._is_stopped:
                return
            self._is_stopped = True
            self._child.stop()

    def end(self) -> str | None:
        """Close its input, wait a moment, kill all of it; how it had ended before."""
        child = self._child
        try:
            if self._is_paused:
                self.resume()
            ended = child.wait(LAST_BREATH_NS if self._has_closed_output() else 0)
            child.close_input()  # tells a program that lives to end by itself
            if ended is None:
                child.wait(GRACE_NS)
        except OSError as error:
            raise ArbiterError(f"the sandbox of a program failed: {error}") from error
        finally:
            with self._closing:
                was_stopped, self._is_stopped = self._is_stopped, True
                child.close()
        if ended is None or was_stopped:
            return None if ended is None else str(ended)
        if ended.how in (Ending.KILLED, Ending.NOT_STARTED):  # not by us, and not by itself
            raise ArbiterError(f"the sandbox of a program was ended from outside: {ended}")
        self._ended = ended
        return str(ended)

    def _has_closed_output(self) -> bool:
        """Whether it has ended: the sandbox has hold of the pipe, whatever the program does.

        What it has said may still be in the pipe.
        """
        poll = select.poll()
        poll.register(self.stdout_fd, 0)
        return bool(poll.poll(0))

    def core_times(self) -> CoreTimes:
        """Of all that is in its sandbox."""
        return self._child.core_times()

    def limit_reached(self) -> str | None:
        """The limit that ended it, with its size."""
        if self._ended is None:
            return None
        limits = self._child.limits
        sizes = {
            Ending.OUT_OF_MEMORY: f"{limits.memory // MIB} MiB",
            Ending.CPU_LIMIT: f"{limits.cpu_seconds} s for one process",
            Ending.FILE_LIMIT: f"{limits.file_size // MIB} MiB for one file",
            Ending.PROCESS_LIMIT: f"{limits.processes} at a time, threads included",
        }
        if self._ended.how is Ending.FORBIDDEN_CALL:
            return str(self._ended)
        size = sizes.get(self._ended.how)
        return None if size is None else f"{self._ended}: {size}"


def launch_in_sandbox(program: Program, limits: ResourceLimits = PLAY) -> SandboxedProcess:
    """Start a program in the sandbox; one that dials in finds its port there, and no other.

    An UnfitBotError is the bot's failure to start; what else can go wrong is the host's.
    """
    port = program.port
    endpoint = None if port is None else Endpoint(port, (LOOPBACK, port))
    try:
        settled = settle(program)
        command = command_in(settled.folder, settled.run)
        return SandboxedProcess(launch(command, settled.folder, limits, endpoint=endpoint))
    except UnfitBotError:
        raise
    except (SandboxError, OSError) as error:
        raise ArbiterError(f"{program.name} cannot be started: {error}") from error


def settle(program: Program) -> Program:
    """The program with the folder that it will see as /bot; refused if that holds more than a bot.

    For a command line that is the current folder. If that may not be shown, or the command names a
    file that is elsewhere, it is the file's folder; a command that names no file can do without.
    """
    if program.folder is not None:
        check_folder(program.folder)
        return program
    here = Path.cwd()
    files = [_named_file(word, here) for word in program.run]
    first = program.run[0]
    if files[0] and ("/" not in first or is_system(files[0]) or installation(files[0])):
        files[0] = None  # a program of the system, or of an installation
    file = next(filter(None, files), None)
    if file is None:
        return replace(program, folder=here) if may_be_shown(here) else program
    if file.is_relative_to(here) and may_be_shown(here):
        check_folder(here)
        return replace(program, folder=here)
    check_folder(file.parent)
    run = (str(path or word) for path, word in zip(files, program.run, strict=True))
    return replace(program, run=tuple(run), folder=file.parent)  # what was relative no longer is


def _named_file(word: str, here: Path) -> Path | None:
    """The file that a word of a command means, if it means one."""
    path = os.path.normpath(here / word)
    return Path(path) if os.path.isfile(path) else None  # a long word is no path, and no error


def choose_launch(entrants: Iterable[Entrant], unsafe_host: bool, ranked: bool) -> Launch:
    """How the programs among these bots are started: in the sandbox, unless the caller trusts them.

    Where a layer of the sandbox is missing, programs are refused. Built-in bots need no sandbox.
    """
    if unsafe_host or all(entrant.program is None for entrant in entrants):
        return launch_on_host
    require_sandbox(ranked=ranked)
    return launch_in_sandbox


def require_sandbox(*, ranked: bool = False) -> None:
    """Refuse, unless the sandbox is good enough here.

    Ranked play needs every layer that strangers' programs need. For programs of one's own, limits
    of each process may stand in for those of a control group.
    """
    from agon.sandbox.doctor import REPLACED_BY_LIMITS

    purpose = "ranked play" if ranked else "a bot that is a program"
    gaps = [gap for gap in missing_layers() if ranked or gap.layer not in REPLACED_BY_LIMITS]
    if gaps:
        first = gaps[0]  # others may be missing for want of it
        raise SandboxError(
            f"this host is not safe enough for {purpose}: {first.layer} ({first.proof}):"
            f" {first.advice}. `agon sandbox doctor` lists all that is missing;"
            " --unsafe-host runs programs that you trust without a sandbox"
        )


@cache
def missing_layers() -> tuple[LayerFinding, ...]:
    """What the sandbox lacks on this host for strangers' programs; looked for once in a process."""
    from agon.sandbox.doctor import examine_minimum, missing

    return tuple(missing(examine_minimum()))


def tell_missing() -> str:
    """The names of these layers, and the first thing to do; empty if none is missing."""
    gaps = missing_layers()
    names = ", ".join(gap.layer for gap in gaps)
    return f"missing here: {names}; {gaps[0].advice}" if gaps else ""
