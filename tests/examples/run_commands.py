"""Run commands of a guide, one after the other: `python -m tests.examples.run_commands COMMAND...`.

All in one process: its start takes longer than most of the commands.
"""

from __future__ import annotations

import shlex
import sys

from tests.cli.process import call_agon


def run_command(line: str) -> None:
    program, *arguments = shlex.split(line)
    assert program == "agon", line
    done = call_agon(*arguments)
    assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"


if __name__ == "__main__":
    for line in sys.argv[1:]:
        run_command(line)
