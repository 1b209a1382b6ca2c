"""Build a bot: run its `build` command once, before the first match.

In the sandbox a copy of the bot's folder is built, and what comes out is kept in the cache, so that
the same sources are not built twice. A trusted bot may be built in its folder instead,
without a sandbox.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agon.arbiter.build_cache import BuildCache, find_cache
from agon.arbiter.host import format_status
from agon.arbiter.sandboxed import require_sandbox, settle
from agon.errors import ArbiterError, SandboxError, SettingError, UnfitBotError
from agon.sandbox.sandboxed_build import LIMITS, run_sandboxed_build

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from agon.arbiter.bot_process import Program
    from agon.arbiter.entrant import Entrant
    from agon.sandbox import ResourceLimits

    Builder: TypeAlias = Callable[[Program], "Build"]

LIMIT_NS = 120 * 10**9
OUTPUT_BYTES = 1 << 16  # of the end of what it says
TOLD_CHARACTERS = 500
CHUNK = 1 << 16
MILLISECOND = 10**6


@dataclass(frozen=True, slots=True)
class Build:
    """How a build went."""

    failure: str | None
    """Why there is nothing to run: `exit status 1`; None: it went well."""
    output: str
    """The end of what the command said, on both of its outputs."""
    took_ns: int
    program: Program
    """What is to be run now."""
    was_cached: bool = False


def prepare(entrant: Entrant, unsafe_host: bool) -> Entrant:
    """The entrant to play with: built, and with the folder that it will see.

    An error, if it cannot be built, or if its folder may not be shown to it.
    """
    program = entrant.program
    if program is None:
        return entrant
    if not unsafe_host:
        require_sandbox()
        program = settle(program)
    build = run_build(program) if unsafe_host else build_in_sandbox(program)
    if build.failure is None:
        return replace(entrant, program=build.program)
    said = build.output.strip()[-TOLD_CHARACTERS:]
    message = f"bot {entrant.name!r}: build {shlex.join(program.build)!r}: {build.failure}"
    raise SettingError(f"{message}: {said}" if said else message)


def build_in_sandbox(
    program: Program,
    limit_ns: int = LIMIT_NS,
    clock: Callable[[], int] = time.monotonic_ns,
    cache: BuildCache | None = None,
    limits: ResourceLimits = LIMITS,
) -> Build:
    """Build a copy of the program's folder apart from this machine, unless that was done before."""
    begin = clock()
    if not program.build or program.folder is None:
        return Build(None, "", 0, program)
    cache = cache or find_cache()
    try:
        key = cache.key_of(program.folder, program.build)
    except OSError as error:
        return Build(f"{error.filename}: {error.strerror}", "", clock() - begin, program)
    with cache.one_at_a_time(key), cache.new_folder() as target:
        if (known := cache.find(key)) is not None:
            return Build(None, "", clock() - begin, replace(program, folder=known), was_cached=True)
        try:
            made = run_sandboxed_build(
                program.build, program.folder, target, limit_ns, clock, limits
            )
        except UnfitBotError as error:
            return Build(str(error), "", clock() - begin, program)
        except (SandboxError, OSError) as error:
            raise ArbiterError(f"{program.name} cannot be built: {error}") from error
        if made.failure is None:
            program = replace(program, folder=cache.keep(key, target))
    return Build(made.failure, made.output, clock() - begin, program)


def run_build(
    program: Program,
    limit_ns: int = LIMIT_NS,
    clock: Callable[[], int] = time.monotonic_ns,
) -> Build:
    """Run the build command in the program's folder, on this machine as it is."""
    begin = clock()
    if not program.build:
        return Build(None, "", 0, program)
    try:
        child = subprocess.Popen(  # noqa: S603
            program.build,
            bufsize=0,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=program.folder,
            start_new_session=True,
        )
    except OSError as error:
        return Build(f"{program.build[0]}: {error.strerror}", "", clock() - begin, program)
    with child:
        output, is_late = _read_until(child, begin + limit_ns, clock)
        if is_late:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
        status = child.wait()
    failure = f"not ready after {limit_ns // 10**9} s" if is_late else None
    if status and not is_late:
        failure = format_status(status)
    return Build(failure, output.decode("utf-8", "replace"), clock() - begin, program)


def _read_until(
    child: subprocess.Popen[bytes], deadline: int, clock: Callable[[], int]
) -> tuple[bytes, bool]:
    """The end of what a program says until it closes its output; and whether time ran out."""
    output = b""
    if child.stdout is None:
        return output, False
    poll = select.poll()
    poll.register(child.stdout.fileno(), select.POLLIN)
    while (left := deadline - clock()) > 0:
        if poll.poll(left // MILLISECOND + 1):
            data = os.read(child.stdout.fileno(), CHUNK)
            if not data:
                return output, False
            output = (output + data)[-OUTPUT_BYTES:]
    return output, True
