"""Which program a command means, and what of the host must be visible for it to run.

Inside the sandbox the system's own folders (/usr and its like) are there, and the bot's folder as
/bot; nothing else. A program from elsewhere, such as a Python that pyenv built below a home folder
or a virtual environment, needs exactly its installation: the folder that has its `bin` and its
`lib`. That folder, and nothing above or beside it, is shown read-only under its own name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import UnfitBotError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

INSIDE = Path("/bot")
"""Where a bot finds its own folder."""

SOURCE = Path("/source")
"""Where a build finds it, which makes a copy of it at /bot."""

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
PYTHON = re.compile(r"python(3(\.\d+)?)?")
MOST_LINKS = 40


@dataclass(frozen=True, slots=True)
class SandboxCommand:
    """A command as it is run inside, and the host's folders and files that it needs to see."""

    command: tuple[str, ...]
    shown: tuple[Path, ...] = ()

    @property
    def search_path(self) -> str:
        """The PATH inside: the program's own installation first, then the system."""
        own = [str(path / "bin") for path in self.shown if (path / "bin").is_dir()]
        return ":".join([*own, SYSTEM_PATH])


def find_program(command: Sequence[str], folder: Path | None) -> SandboxCommand:
    """Find what the command means for a bot with this folder; an error says where was looked."""
    if not command:
        raise UnfitBotError("the command is empty: expected a program and its arguments")
    name, arguments = command[0], [translate(word, folder) for word in command[1:]]
    if "/" not in name:
        if shutil.which(name, path=SYSTEM_PATH):
            return SandboxCommand((name, *arguments))
        path = find_on_host(name)
        return SandboxCommand((str(path), *arguments), shown_for(path, folder))
    path = Path(name)
    if not path.is_absolute():
        if folder is None:
            raise UnfitBotError(f"program {name!r}: a relative name needs a bot's folder")
        path = folder / path
    if not os.access(path, os.X_OK) or path.is_dir():
        raise UnfitBotError(f"program {name!r}: expected a file that may be executed at {path}")
    return SandboxCommand((translate(str(path), folder), *arguments), shown_for(path, folder))


def find_on_host(name: str) -> Path:
    """A program that the system's folders do not have."""
    if PYTHON.fullmatch(name):
        # A `python3` of pyenv is a script that looks for the real one; ours is real.
        return Path(sys.executable).resolve()
    found = shutil.which(name)
    if found is None:
        places = f"{SYSTEM_PATH}:{os.environ.get('PATH', '')}".rstrip(":")
        raise UnfitBotError(f"program {name!r}: not found in {places}")
    path = Path(found).absolute()
    return ask_rustup(path) if path.resolve().name == "rustup" else path


def ask_rustup(path: Path) -> Path:
    """The real compiler that a stand-in of rustup stands for: the stand-in needs a home folder."""
    done = subprocess.run(  # noqa: S603 - a program that the host's user has installed
        [path.resolve(), "which", path.name], capture_output=True, text=True, check=False
    )
    real = Path(done.stdout.strip())
    return real if done.returncode == 0 and real.is_absolute() else path


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


def shown_for(program: Path, folder: Path | None) -> tuple[Path, ...]:
    """What must be visible for a program: the installation of every link on the way to the file."""
    shown = {}
    for path in links(program):
        if is_visible(path, folder):
            continue
        prefix = installation(path)
        shown[prefix or path] = True
    return tuple(outermost(shown))


def links(path: Path) -> list[Path]:
    """The path, where it points to if it is a link, and so on to the file itself."""
    chain = [path]
    while path.is_symlink() and len(chain) < MOST_LINKS:
        path = Path(os.path.normpath(path.parent.resolve() / path.readlink()))
        chain.append(path)
    return [*chain, path.resolve()]


def is_visible(path: Path, folder: Path | None) -> bool:
    """Whether a path is there inside the sandbox anyway."""
    places = [Path(place) for place in SYSTEM_FOLDERS]
    if folder is not None:
        places += [folder, folder.resolve()]
    return any(path.is_relative_to(place) for place in places)


def installation(program: Path) -> Path | None:
    """The folder with `bin` and `lib` that a program belongs to; None if it stands for itself.

    A home folder, and the `.local` in it, look like installations but hold much else: never those.
    """
    if program.parent.name not in ("bin", "sbin"):
        return None
    prefix = program.parent.parent
    private = prefix == Path.home() or prefix in Path.home().parents or prefix.name == ".local"
    if private or not (prefix / "lib").is_dir() or len(prefix.parts) < 3:
        return None
    return prefix


def outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths without those that lie inside another of them.

    >>> outermost([Path("/a/b"), Path("/a"), Path("/c")])
    [PosixPath('/a'), PosixPath('/c')]
    """
    unique = sorted(set(paths))
    return [p for p in unique if not any(p != q and p.is_relative_to(q) for q in unique)]
