"""Start a program in a sandbox.

    launch ──► setpriv ──► prlimit ──► bwrap ──► process 1 inside, which builds the layers, waits
       │ puts both into the bot's control group, connects its network, says "go"
       └───────────────────────────────────────► process 1 ──► the bot
       waits until that runs, or tells why it does not

So all limits are in force before the bot's first instruction. Bubblewrap gets its arguments over a
pipe, so neither they nor the host's environment are to be seen in the process table inside. If we
are killed before "go", the bot never begins.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.errors import SandboxError, UnfitBotError
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
from agon.sandbox.command import SandboxCommand, find_program
from agon.sandbox.ending import Ending
from agon.sandbox.endpoint import Endpoint, listen_inside
from agon.sandbox.group import SUPERVISORS, ControlGroup, Holds
from agon.sandbox.host_user import Identity, check_readable, new_identity, tool
from agon.sandbox.installations import find_allowed, may_be_shown
from agon.sandbox.relay import Relay
from agon.sandbox.resource_limits import ResourceLimits, at_most_ours, format_rlimit
from agon.sandbox.seccomp import build_filter
from agon.sandbox.spawning import spawn, unstage
from agon.sandbox.wiring import Wiring

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MOST_WORDS = 4096
"""Bytes of a complaint of bubblewrap that are read."""

PER_NAMESPACE_NPROC = (5, 14)
"""Since this Linux the limit on processes counts those of a user namespace, not of the user."""


def launch(
    command: Sequence[str],
    folder: Path | None = None,
    limits: ResourceLimits | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    endpoint: Endpoint | None = None,
    room: int | None = None,
    before: Sequence[str] = (),
    allowed: Sequence[Path] | None = None,
) -> SandboxedChild:
    """Start a command in the sandbox; `folder` is the bot's and becomes /bot, read-only.

    `environment` adds to the few variables that every bot has. With an `endpoint` the bot reaches
    that one address over the network, without it none. With `room` for that many bytes /bot is
    empty and can be written to, and the folder is at /source; the words `before` go before the
    command: see `sandboxed_build`. `allowed` is what is shown of the host besides the system and
    the folder; None: what its owner allows.

    The program runs when this returns. One that cannot be found or executed is an UnfitBotError, a
    host that cannot hold it another SandboxError.
    """
    limits = limits or ResourceLimits()
    folder = check_folder(folder)
    program = find_program(command, folder, find_allowed() if allowed is None else allowed)
    if before:
        program = replace(program, command=(*before, *program.command))
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
        room=room,
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
    program: SandboxCommand,
    walls: Walls,
    identity: Identity,
    group: ControlGroup,
    endpoint: Endpoint | None,
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
            group.join(child.pid)  # before it begins: all that it starts is in the group from birth
            wiring.send_arguments(build_arguments(walls, wiring.pipes, options))
            if needs_late_limit(group, identity):
                limit_processes(child)
            if endpoint is not None:
                connect(child, endpoint)
            wiring.unblock()
            child.wait_for_start(bwrap, walls.limits.start_ns)
        except (ProcessLookupError, BrokenPipeError):
            if child.wait(SETTLE_NS) is None:  # else it failed, and its end will tell
                child.close()
                raise
        except BaseException:
            child.close()
            raise
        check_start(child, program)
        return child
    finally:
        wiring.close()
        unstage(identity.staged)  # bubblewrap has its copy, or is gone


def check_start(child: SandboxedChild, program: SandboxCommand) -> None:
    """Raise what kept the program from running, if it never did; nothing is left of it then."""
    ended = child.ended_by()
    if ended is None or ended.how is not Ending.NOT_STARTED:
        return
    os.set_blocking(child.stderr, False)
    with child, suppress(BlockingIOError):
        why = os.read(child.stderr, MOST_WORDS).decode("utf-8", "replace").strip()
        last = why.rpartition("\n")[2].removeprefix("bwrap: ")
        if last.startswith("execvp "):  # the walls stand; what should run in them cannot
            reason = last.rpartition(": ")[2]
            raise UnfitBotError(f"program {program.command[0]!r} cannot be executed: {reason}")
        raise SandboxError(f"the sandbox cannot be set up: {last or ended}")
    raise SandboxError(f"the sandbox cannot be set up: {ended}")


def limit_processes(child: SandboxedChild) -> None:
    """Limit how many processes there may be, now that the sandbox's user namespace is there."""
    init = child.init_pid(child.limits.start_ns)
    if init is None:
        raise ProcessLookupError
    most = child.limits.processes
    with suppress(OSError):
        resource.prlimit(init, resource.RLIMIT_NPROC, (most, most))


def connect(child: SandboxedChild, endpoint: Endpoint) -> None:
    """Have a socket listen inside and serve it from here."""
    init = child.init_pid(child.limits.start_ns)
    if init is None:
        raise ProcessLookupError
    child.own(Relay(listen_inside(init, endpoint.port), endpoint.target))


def early_limits(limits: ResourceLimits, group: ControlGroup, identity: Identity) -> list[str]:
    """The resource limits that hold from the start, for prlimit(1)."""
    wanted = list(limits.for_process())
    if identity.become and Holds.PROCESSES not in group.holds:
        # A user of its own: all processes of that user are the bot's.
        most = limits.processes + SUPERVISORS
        wanted.append(at_most_ours(resource.RLIMIT_NPROC, most, most))
    if Holds.MEMORY not in group.holds:
        wanted.append(at_most_ours(resource.RLIMIT_DATA, limits.memory, limits.memory))
    return [format_rlimit(*limit) for limit in wanted]


def needs_late_limit(group: ControlGroup, identity: Identity) -> bool:
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
        raise UnfitBotError(f"bot's folder {str(folder)!r}: expected a folder")
    if not may_be_shown(found):
        raise UnfitBotError(
            f"bot's folder {str(found)!r} would show the bot your own files:"
            " put the bot into a folder of its own, or trust it and run it with --unsafe-host"
        )
    check_readable(found)
    return found
