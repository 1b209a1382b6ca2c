"""The cache of builds: one folder for each state of a bot's sources and build command.

    ~/.cache/agon/bots/5f0c…       a built folder; its name follows from what it was built from
    ~/.cache/agon/bots/.new-…      one that is being built; it gets its name when it is whole
    ~/.cache/agon/bots-locks/0c    locked while one is built whose name ends so

So of processes that want the same bot one builds it, and the others wait for its folder. What a
process that was killed has left half-built is removed by the next one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.sandbox.leftovers import is_left_over, new_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_KEPT = 50
DAY_SECONDS = 24 * 3600
NEW = ".new"
RECIPE = "1"
"""Rises when bots are built in another way."""


@dataclass(frozen=True, slots=True)
class BuildCache:
    """A folder of built folders."""

    home: Path

    def key_of(self, folder: Path, command: Sequence[str]) -> str:
        """What tells this build from others: the files, the command, the kind of machine."""
        digest = hashlib.sha256()

        def add(*parts: str) -> None:
            for part in parts:
                data = os.fsencode(part)
                digest.update(f"{len(data)}:".encode() + data)

        add(RECIPE, platform.machine(), *platform.libc_ver(), *command)
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink():
                add("link", name, str(path.readlink()))
            elif path.is_file():
                add("file", name, str(path.stat().st_mode & 0o111), digest_of(path))
            else:
                add("folder", name)
        return digest.hexdigest()

    def find(self, key: str) -> Path | None:
        """The folder that was built from this, if it is still there; it counts as used now."""
        folder = self.home / key
        try:
            os.utime(folder)
        except FileNotFoundError:
            return None
        return folder

    @contextmanager
    def one_at_a_time(self, key: str) -> Iterator[None]:
        """Whoever comes first may build; the others wait, and then look for its folder.

        They wait for the first one only: if it has failed, all try at once.
        """
        locks = self.home.with_name(f"{self.home.name}-locks")
        locks.mkdir(mode=0o700, exist_ok=True)
        with (locks / key[-2:]).open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(file, fcntl.LOCK_SH)
            try:
                yield
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)  # also for processes that were forked meanwhile

    @contextmanager
    def new_folder(self) -> Iterator[Path]:
        """An empty folder to build in; it is removed, unless it was kept."""
        folder = self.home / new_name(NEW)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, key: str, folder: Path) -> Path:
        """Keep a folder that is whole, and remove what has not been used for long."""
        folder.chmod(0o755)
        kept = self.home / key
        try:
            folder.rename(kept)
        except OSError:
            if not kept.is_dir():  # else another process was quicker, and its build is as good
                raise
        self.remove_old()
        return kept

    def remove_old(self) -> None:
        """Remove all but the last used; none of today, which may be in use."""
        ages: list[tuple[float, Path]] = []
        for path in self.home.iterdir():
            with suppress(FileNotFoundError):  # another process removes it
                ages.append((time.time() - path.stat().st_mtime, path))
        for age, path in sorted(ages)[MOST_KEPT:]:
            if age > DAY_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def digest_of(path: Path) -> str:
    """A file's contents, as a number."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_cache(environ: Mapping[str, str] = os.environ) -> BuildCache:
    """In AGON_CACHE, else in the user's cache folder."""
    wanted = environ.get("AGON_CACHE")
    user = environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    home = (Path(wanted) if wanted else Path(user) / "agon") / "bots"
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{home}: {error.strerror}: name another folder by AGON_CACHE") from None
    for path in home.iterdir():
        if is_left_over(path.name, NEW):
            shutil.rmtree(path, ignore_errors=True)
    return BuildCache(home)
