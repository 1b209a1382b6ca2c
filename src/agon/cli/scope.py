"""A systemd scope of its own for a command of an ordinary user, so that it can limit its bots."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

MARK = "AGON_SCOPE"
"""Set in the environment of a command that was started again."""
PROGRAMS = ("agon", "__main__.py")


def enter_scope() -> None:
    """Start this command again in a scope, where that is needed and systemd can do it.

    Ordinary users may not make control groups, except in a scope that systemd has delegated to
    them. Without one, only each process of a bot can be limited.
    """
    from agon.sandbox.cgroups import SCOPE, NoHierarchy, find_hierarchy

    is_command = Path(sys.argv[0]).name in PROGRAMS
    if os.geteuid() == 0 or MARK in os.environ or not is_command:
        return
    systemd_run = shutil.which(SCOPE[0])
    if systemd_run is None or not isinstance(find_hierarchy(), NoHierarchy):
        return
    command = [systemd_run, *SCOPE[1:]]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:  # noqa: S603
        return
    again = [*command, sys.executable, "-m", "agon", *sys.argv[1:]]
    os.execve(systemd_run, again, os.environ | {MARK: "1"})  # noqa: S606
