"""`--allow PATH`: installations of this host that bots may see, for one command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from agon.cli.console import progress_console
from agon.cli.scope import MARK
from agon.errors import SettingError

Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="PATH",
        help="Show all bots this installation, read-only; more than once for several, and besides"
        " those of AGON_ALLOW.",
        show_default=False,
    ),
]


def allow_installations(paths: list[str] | None, cluster: str | None = None) -> None:
    """Add these to what the host's owner allows, and say what bots see besides the system.

    `cluster`: the address of the machines that play, if it is not this one alone.
    """
    from agon.arena.cluster.settings import LOCAL
    from agon.sandbox.installations import SETTING, find_allowed

    if paths and cluster and cluster != LOCAL:
        raise SettingError(
            f"--allow {paths[0]!r}: bots play on the machines of cluster {cluster!r}: set {SETTING}"
            " where `agon cluster join` and `agon cluster head` run"
        )
    for path in paths or []:
        if not path or ":" in path:
            raise SettingError(f"--allow {path!r}: expected a path without a colon")
    words = [os.environ.get(SETTING, ""), *(str(Path(path).absolute()) for path in paths or [])]
    os.environ[SETTING] = ":".join(filter(None, words))
    shown = ", ".join(map(str, find_allowed(os.environ)))
    if shown and MARK not in os.environ:  # else it was said before the command started again
        progress_console().print(f"agon: bots can read {shown}", markup=False, soft_wrap=True)
