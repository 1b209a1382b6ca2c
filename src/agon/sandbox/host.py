"""Start a program without a sandbox, for `--unsafe-host`: one's own bots on one's own machine.

It runs as we do and sees what we see. What is left are resource limits against accidents, and a
process group by which it is ended.
"""

from __future__ import annotations

import os
import resource
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from agon.errors import SandboxError
from agon.sandbox.child import HostChild
from agon.sandbox.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def open_host(
    command: Sequence[str],
    folder: Path | None = None,
    limits: Limits | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> HostChild:
    """Start a command as a plain process, in the bot's folder, with our environment and more."""
    limits = limits or Limits()
    if not command:
        raise SandboxError("the command is empty: expected a program and its arguments")
    try:
        process = subprocess.Popen(  # noqa: S603 - that is what was asked for
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"program {command[0]!r}: {error.strerror}") from error
    child = HostChild(process, limits)
    # A first moment without limits is no loss here.
    for number, soft, hard in limits.for_process():
        with suppress(OSError, ValueError):
            resource.prlimit(process.pid, number, (soft, hard))
    return child
