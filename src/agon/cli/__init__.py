"""The command line: one module a command, and the only place that prints."""

from __future__ import annotations


def main() -> None:
    """Run the `agon` command with the arguments of this process."""
    from agon.cli.app import main as run  # here, so that importing one command loads no other

    run()
