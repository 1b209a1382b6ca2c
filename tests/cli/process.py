"""The command line as a user has it: a process of its own."""

from __future__ import annotations

import subprocess
import sys

from typer.testing import CliRunner

from agon.cli.app import app


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


def call_agon(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The same without a process: for tests in which the process is not the point."""
    done = CliRunner().invoke(app, arguments, prog_name="agon")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
