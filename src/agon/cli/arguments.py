"""Arguments and options that several commands share, so that they read the same everywhere."""

import os
from typing import Annotated

import typer

from agon.errors import SettingError
from agon.games.registry import NAMES

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help=f"Which game: {', '.join(NAMES)}.", show_default=False),
]
JsonFlag = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, for programs.")]
Threads = Annotated[
    str,
    typer.Option(
        metavar="N", help="How many threads share the work; [bold]all[/] or 0: all cores."
    ),
]

MOST_THREADS = 1024


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parse_threads(text: str) -> int:
    """A number of threads, or all cores.

    >>> parse_threads("3")
    3
    """
    if text == "all":
        return available_cores()
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= MOST_THREADS):
        raise SettingError(
            f"--threads {text[:40]!r}: expected all, or a whole number up to {MOST_THREADS}"
        )
    return int(text) or available_cores()
