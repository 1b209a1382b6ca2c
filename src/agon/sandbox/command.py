"""A command as it is run in the sandbox.

Inside there are the system's own folders (/usr and its like), the bot's folder as /bot, and the
installations that the host's owner allows (see `installations`), each under its own name; nothing
else. What a command means is decided inside: a name is looked for there, and a link leads to what
is there or to nothing.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import UnfitBotError

if TYPE_CHECKING:
    from collections.abc import Sequence

INSIDE = Path("/bot")
"""Where a bot finds its own folder."""

SOURCE = Path("/source")
"""Where a build finds it, which makes a copy of it at /bot."""

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ADVICE = "programs from elsewhere must be allowed by the host's owner: --allow PATH, or AGON_ALLOW"


@dataclass(frozen=True, slots=True)
class SandboxCommand:
    """A command as it is run inside, and the host's folders and files that are shown there."""

    command: tuple[str, ...]
    shown: tuple[Path, ...] = ()

    @property
    def search_path(self) -> str:
        return search_path(self.shown)


def search_path(shown: Sequence[Path]) -> str:
    """Where programs are looked for inside: what the host's owner allows, then the system."""
    return ":".join([*(str(path / "bin") for path in shown if path.is_dir()), SYSTEM_PATH])


def find_program(
    command: Sequence[str], folder: Path | None, allowed: Sequence[Path] = ()
) -> SandboxCommand:
    """The command for a bot with this folder; an error if there is no such program inside."""
    if not command:
        raise UnfitBotError("the command is empty: expected a program and its arguments")
    name, arguments = command[0], [translate(word, folder) for word in command[1:]]
    shown = tuple(allowed)
    if "/" not in name:  # these folders are the same inside and outside
        places = search_path(shown)
        if not shutil.which(name, path=places):
            raise UnfitBotError(f"program {name!r}: not found in {places}; {ADVICE}")
        return SandboxCommand((name, *arguments), shown)
    if not name.startswith("/") and folder is None:
        raise UnfitBotError(f"program {name!r}: a relative name needs a bot's folder")
    inside = translate(os.path.normpath((folder or Path()) / name), folder)
    path = Path(inside)
    if not is_system(path) and not any(path.is_relative_to(place) for place in (INSIDE, *shown)):
        raise UnfitBotError(f"program {name!r}: it is not in the sandbox; {ADVICE}")
    return SandboxCommand((inside, *arguments), shown)


def translate(word: str, folder: Path | None) -> str:
    """A path into the bot's folder as the bot sees it; every other word as it is.

    >>> translate("/srv/bots/ant/main.py", Path("/srv/bots/ant")), translate("-u", Path("/srv"))
    ('/bot/main.py', '-u')
    """
    if folder is None or not word.startswith("/"):
        return word
    path = Path(os.path.normpath(word))
    for base in (folder, folder.resolve()):
        if path.is_relative_to(base):
            return str(INSIDE / path.relative_to(base))
    return word


def is_system(path: Path) -> bool:
    """Whether a path is in a folder of the system, which is the same inside and outside."""
    return any(path.is_relative_to(place) for place in SYSTEM_FOLDERS)
