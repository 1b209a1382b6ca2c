"""Start a program in a sandbox.

    launch ──► setpriv ──► prlimit ──► bwrap ──► process 1 inside, which builds the walls and waits
       │ puts both into the bot's control group, connects its network, says "go"
       └───────────────────────────────────────► process 1 ──► the bot

So all limits are in force before the bot's first instruction. Bubblewrap gets its arguments over a
pipe, so neither they nor the host's environment are to be seen in the process table inside. If we
are killed before "go", the bot never begins.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox.bubblewrap import (
    Walls,
    base_environment,
    build_arguments,
    etc_files,
    find_bwrap,
    known_options,
)
from agon.sandbox.cgroups import find_hierarchy
from agon.sandbox.child import SETTLE_NS, SandboxedChild
from agon.sandbox.endpoint import Endpoint, listen_inside
from agon.sandbox.group import SUPERVISORS, Group, Holds
from agon.sandbox.identity import Identity, check_readable, new_identity, tool
from agon.sandbox.limits import Limits, at_most_ours, format_rlimit
from agon.sandbox.program import Program, find_program
from agon.sandbox.relay import Relay
from agon.sandbox.seccomp import build_filter
from agon.sandbox.spawning import spawn, strike
from agon.sandbox.wiring import Wiring

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOT_A_BOTS = (
    *("/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/proc", "/root"),
    *("/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var"),  # noqa: S108
)
PER_NAMESPACE_NPROC = (5, 14)
"""Since this Linux the limit on processes counts those of a user namespace, not of the user."""


def launch(
    command: Sequence[str],
    folder: Path | None = None,
    limits: Limits | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    endpoint: Endpoint | None = None,
) -> SandboxedChild:
    """Start a command behind all walls; `folder` is the bot's and becomes /bot, read-only.

    `environment` adds to the few variables that every bot has. With an `endpoint` the bot reaches
    that one address over the network, without it none. A program that cannot be found, or a host
    that cannot hold it, is a SandboxError; a sandbox that fails later ends as NOT_STARTED.
    """
    limits = limits or Limits()
    folder = check_folder(folder)
    program = find_program(command, folder)
    paths = [*program.shown, *([folder] if folder else [])]
    identity = new_identity(paths)
    walls = Walls(
        limits=limits,
        folder=identity.places[folder] if folder else None,
        shown={path: identity.places[path] for path in program.shown},
        environment={
            **base_environment(program.search_path),
            **(environment or {}),
        },
    )
    try:
        group = find_hierarchy().new_group(limits)
    except OSError as error:
        raise SandboxError(f"no control group for a bot: {error}") from error
    try:
        return start(program, walls, identity, group, endpoint)
    except BaseException:
        group.kill()
        group.remove()
        raise


def start(
    program: Program, walls: Walls, identity: Identity, group: Group, endpoint: Endpoint | None
) -> SandboxedChild:
    """Start bubblewrap, put it into the group, connect the endpoint, then let the bot begin."""
    bwrap = find_bwrap()
    options = known_options(bwrap)
    names = (endpoint.name,) if endpoint else ()
    wiring = Wiring(build_filter(), etc_files(names))
    try:
        limits = early_limits(walls.limits, group, identity)
        command = [*identity.become, tool("prlimit"), *limits, "--", bwrap]
        command += ["--args", str(wiring.arguments_fd), "--", *program.command]
        process = spawn(command, wiring.inherited, identity.staged)
        wiring.hand_over()
        child = SandboxedChild(process, walls.limits, group, os.dup(wiring.status.fileno()))
        try:
            wiring.send_arguments(build_arguments(walls, wiring.pipes, options))
            hold(child, group, identity)
            if endpoint is not None:
                connect(child, endpoint)
            wiring.unblock()
        except (ProcessLookupError, BrokenPipeError):
            if child.wait(SETTLE_NS) is None:  # else it failed, and its end will tell
                child.close()
                raise
        except BaseException:
            child.close()
            raise
        return child
    finally:
        wiring.close()
        strike(identity.staged)  # bubblewrap has its copy, or is gone


def hold(child: SandboxedChild, group: Group, identity: Identity) -> None:
    """Put both processes of bubblewrap into the group; the bot will be started by the second.

    That one works on its mounts meanwhile: the kernel can take its time to move a process.
    """
    group.join(child.pid)
    init = child.init_pid(child.limits.start_ns)
    if init is None:
        raise ProcessLookupError
    group.join(init)
    if needs_late_limit(group, identity):
        most = child.limits.processes
        with suppress(OSError):
            resource.prlimit(init, resource.RLIMIT_NPROC, (most, most))


def connect(child: SandboxedChild, endpoint: Endpoint) -> None:
    """Have a socket listen inside and serve it from here."""
    init = child.init_pid(child.limits.start_ns)
    if init is None:
        raise ProcessLookupError
    child.own(Relay(listen_inside(init, endpoint.port), endpoint.target))


def early_limits(limits: Limits, group: Group, identity: Identity) -> list[str]:
    """The resource limits that hold from the start, for prlimit(1)."""
    wanted = list(limits.for_process())
    if identity.become and Holds.PROCESSES not in group.holds:
        # A user of its own: all processes of that user are the bot's.
        most = limits.processes + SUPERVISORS
        wanted.append(at_most_ours(resource.RLIMIT_NPROC, most, most))
    if Holds.MEMORY not in group.holds:
        wanted.append(at_most_ours(resource.RLIMIT_DATA, limits.memory, limits.memory))
    return [format_rlimit(*limit) for limit in wanted]


def needs_late_limit(group: Group, identity: Identity) -> bool:
    """Whether processes must be limited once the user namespace is there, and can be."""
    if Holds.PROCESSES in group.holds or identity.become:
        return False
    release = os.uname().release.split("-")[0].split(".")
    return tuple(int(part) for part in release[:2]) >= PER_NAMESPACE_NPROC


def check_folder(folder: Path | None) -> Path | None:
    """The bot's folder without links; one that holds more than a bot is refused."""
    if folder is None:
        return None
    found = folder.resolve()
    if not found.is_dir():
        raise SandboxError(f"bot's folder {str(folder)!r}: expected a folder")
    if found == Path.home() or found in Path.home().parents or str(found) in NOT_A_BOTS:
        raise SandboxError(
            f"bot's folder {str(found)!r} would show the bot your own files:"
            " put the bot into a folder of its own"
        )
    check_readable(found)
    return found
