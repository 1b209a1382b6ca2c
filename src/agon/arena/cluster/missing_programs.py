"""Whether this machine has the program by which a bot is built or run: if not, another one may."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from agon.arbiter.entrant import command_in
from agon.sandbox.command import search_path
from agon.sandbox.installations import find_allowed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def missing_program(command: Sequence[str], folder: Path | None, *, unsafe_host: bool) -> str:
    """The program of a command that is not on this machine; empty if it is, or is the bot's own."""
    name = command[0] if command else ""
    if not name or "/" in name or command_in(folder, command)[0] != name:
        return ""
    places = None if unsafe_host else search_path(find_allowed())
    return "" if shutil.which(name, path=places) else name


def tell_missing_program(bot: str, name: str) -> str:
    return (
        f"bot {bot!r}: program {name!r}: no machine that was tried has it, in its system or in what"
        " AGON_ALLOW names where `agon cluster join` runs"
    )
