"""The command line as a user has it: a process of its own."""

from __future__ import annotations

import subprocess
import sys


def run_agon(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `agon` with these arguments to its end."""
    return subprocess.run(
        [sys.executable, "-m", "agon", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def start_agon(*arguments: str) -> subprocess.Popen[str]:
    """Run `agon` with all its streams in our hands."""
    return subprocess.Popen(
        [sys.executable, "-m", "agon", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
