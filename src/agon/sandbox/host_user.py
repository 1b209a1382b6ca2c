"""The user that a bot runs as on the host.

A user namespace gives a bot a user of its own, but for the host it is still the user who started
it. If that were root, a bot could write to files of root that it can reach, such as the sandbox
program that runs it. So a bot that root starts first becomes a user that does not exist: a random
number, which owns nothing and runs nothing but this bot. Without root, a bot is the user who
started it, without access to the user's files.

That number cannot pass through folders that root keeps closed, such as /root. What a bot needs
from there is first bound to an open place (see `spawning`).
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agon.errors import SandboxError, UnfitBotError
from agon.sandbox.command import SYSTEM_PATH
from agon.sandbox.spawning import new_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Numbers that neither distributions nor systemd nor container engines hand out.
FIRST_UID, LAST_UID = 1_900_000_000, 2_147_000_000


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a bot is on the host, and how to become that: `become` goes before the command."""

    uid: int
    become: tuple[str, ...]
    places: dict[Path, Path]
    """Where the paths that were asked for are, for this identity."""
    staged: dict[Path, Path] = field(default_factory=dict)
    """Those of them that must be bound there first."""


def new_identity(paths: Sequence[Path]) -> Identity:
    """An identity for one bot that needs to see these paths of the host."""
    if os.geteuid() != 0:
        return Identity(os.getuid(), (), {path: path for path in paths})
    uid = FIRST_UID + secrets.randbelow(LAST_UID - FIRST_UID)
    become = (tool("setpriv"), f"--reuid={uid}", f"--regid={uid}", "--clear-groups")
    staged = {path: new_place(path.is_dir()) for path in paths if not is_open(path)}
    return Identity(uid, become, {path: staged.get(path, path) for path in paths}, staged)


def is_open(path: Path) -> bool:
    """Whether all users may pass through all folders above the path."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)


def check_readable(folder: Path) -> None:
    """Refuse a bot's folder if the bot's unprivileged user could not read the files."""
    if os.geteuid() != 0:
        return
    entries = [folder, *folder.iterdir()]
    for entry in entries:
        if entry.is_symlink():
            continue
        mode = entry.stat().st_mode
        needed = stat.S_IROTH | (stat.S_IXOTH if entry.is_dir() else 0)
        if mode & needed != needed:
            raise UnfitBotError(
                f"{entry} is closed to others, and bots run as another user if root starts them:"
                f" try chmod -R o+rX {folder}"
            )


def tool(name: str) -> str:
    """Where the system keeps one of its own programs."""
    found = shutil.which(name, path=SYSTEM_PATH)
    if found is None:
        raise SandboxError(f"the program {name!r} is missing: install the package util-linux")
    return found
