"""The options `--fill` and `--fill-after` of the games' own servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.duration import parse_duration
from agon.errors import SettingError

if TYPE_CHECKING:
    from agon.servers.practice_bots import Fill

FillBot = Annotated[
    str | None,
    typer.Option(
        "--fill",
        metavar="BOT",
        help="Let this built-in bot take free seats when a client has waited for --fill-after.",
    ),
]
FillAfter = Annotated[
    str | None,
    typer.Option(metavar="T", help="How long a client waits for others first; default: 10s."),
]


def parse_fill(bot: str | None, after: str | None) -> Fill | None:
    """Which bot takes free seats, and when; None: seats wait for clients."""
    from agon.servers.practice_bots import Fill

    if bot is None:
        if after is not None:
            raise SettingError(f"--fill-after {after[:40]!r}: expected --fill BOT beside it")
        return None
    return Fill(bot) if after is None else Fill(bot, parse_duration(after))
