"""Build a bot: run its `build` command once in its folder, before the first match.

On this machine as it is, without a sandbox: for bots that one trusts.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.host import format_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.entrant import Program

LIMIT_NS = 120 * 10**9
OUTPUT_BYTES = 1 << 16  # of the end of what it says
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


def run_build(
    program: Program,
    limit_ns: int = LIMIT_NS,
    clock: Callable[[], int] = time.monotonic_ns,
) -> Build:
    """Run the build command of a program to its end, or until its time is over."""
    begin = clock()
    if not program.build:
        return Build(None, "", 0)
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
        return Build(f"{program.build[0]}: {error.strerror}", "", clock() - begin)
    with child:
        output, is_late = _read_until(child, begin + limit_ns, clock)
        if is_late:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
        status = child.wait()
    failure = f"not ready after {limit_ns // 10**9} s" if is_late else None
    if status and not is_late:
        failure = format_status(status)
    return Build(failure, output.decode("utf-8", "replace"), clock() - begin)


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
