"""What programs in the sandbox may see of the host besides the system: a list of its owner.

A Python that pyenv built below a home folder, a virtual environment, a compiler of rustup: each is
an installation, a folder with `bin` and `lib`. Those that the variable AGON_ALLOW names, separated
by colons as in PATH, are shown to all bots, read-only and under their own names, with nothing above
or beside them. A bot itself cannot bring one, whatever its settings or its links say.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.sandbox.command import is_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SETTING = "AGON_ALLOW"
NOT_SHOWN = (
    *("/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/proc", "/root"),
    *("/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var"),  # noqa: S108
)
MOST_LINKS = 40


def find_allowed(environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """The folders and files of the host that all bots may see."""
    return parse_allowed(environ.get(SETTING, ""))


@cache
def parse_allowed(text: str) -> tuple[Path, ...]:
    """What a list of installations, or of programs in them, means; an error if one is not there."""
    shown: list[Path] = []
    for word in filter(None, text.split(":")):
        path = Path(word).expanduser().absolute()
        if not path.exists():
            raise SettingError(f"{SETTING}: {word!r}: expected an installation, or a program in it")
        if not may_be_shown(path):
            raise SettingError(f"{SETTING}: {word!r} holds more than an installation")
        shown += [path, *needed_by_links(path / "bin")] if path.is_dir() else needed_for(path)
    return tuple(outermost(shown))


def needed_by_links(folder: Path) -> list[Path]:
    """What the links in a folder of programs need, as those to Python in a virtual environment."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for link in found if link.is_symlink() for path in needed_for(link)]


def needed_for(program: Path) -> list[Path]:
    """The installation of every link on the way to a program's file, as far as it must be shown."""
    chain = links(program)
    if chain[-1].name == "rustup":
        chain = links(ask_rustup(program))
    return [installation(path) or path for path in chain if not is_system(path)]


def links(path: Path) -> list[Path]:
    """The path, where it points to if it is a link, and so on to the file itself."""
    chain = [path]
    while path.is_symlink() and len(chain) < MOST_LINKS:
        path = Path(os.path.normpath(path.parent.resolve() / path.readlink()))
        chain.append(path)
    return [*chain, Path(os.path.realpath(path))]


def ask_rustup(path: Path) -> Path:
    """The real compiler that a stand-in of rustup stands for: the stand-in needs a home folder."""
    done = subprocess.run(  # noqa: S603 - a program that the host's owner has installed
        [path.resolve(), "which", path.name], capture_output=True, text=True, check=False
    )
    real = Path(done.stdout.strip())
    return real if done.returncode == 0 and real.is_absolute() else path


def installation(program: Path) -> Path | None:
    """The folder with `bin` and `lib` that a program belongs to; None if it stands for itself.

    A home folder, and the `.local` in it, look like installations but hold much else: never those.
    """
    if program.parent.name not in ("bin", "sbin"):
        return None
    prefix = program.parent.parent
    if not may_be_shown(prefix) or prefix.name == ".local" or not (prefix / "lib").is_dir():
        return None
    return prefix


def may_be_shown(folder: Path) -> bool:
    """Whether a folder may be shown to a bot: no home, no folder of the system."""
    home = Path.home()
    return folder != home and folder not in home.parents and str(folder) not in NOT_SHOWN


def outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths without those that lie inside another of them.

    >>> outermost([Path("/a/b"), Path("/a"), Path("/c")])
    [PosixPath('/a'), PosixPath('/c')]
    """
    unique = sorted(set(paths))
    return [p for p in unique if not any(p != q and p.is_relative_to(q) for q in unique)]
