"""The files of stored bots, in folders of their own as long as they play.

    DATA/unpacked/                            open to this user alone
        bots-4026531836-812-99131-0/          one process's, which removes it at its end
            7/bot/bot.toml, …                 version 7

If a process is killed, the next one that has to do with stored bots removes what it has left.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from agon.datastore.location import data_folder
from agon.sandbox.leftovers import is_left_over, new_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.store import Store
    from agon.datastore.versions import VersionFile

PLACE, PREFIX = "unpacked", "bots"
PRIVATE = 0o700


class UnpackedBots:
    """Versions of a store, each unpacked once. Threads may share it."""

    def __init__(self, store: Store) -> None:
        """What processes that are gone have left is removed."""
        self._store = store
        self._place = place_of(store)
        remove_left_over(self._place)
        self._home: Path | None = None
        self._folders: dict[int, Path] = {}
        self._lock = Lock()

    def folder(self, version_id: int) -> Path | None:
        """The folder with the version's files; None if it has none."""
        with self._lock:
            known = self._folders.get(version_id)
            if known is None and (files := self._store.versions.files(version_id)):
                self._home = self._home or new_home(self._place)
                known = self._home / str(version_id) / "bot"
                self._write(known, files)
                self._folders[version_id] = known
            return known

    def _write(self, folder: Path, files: Sequence[VersionFile]) -> None:
        for file in files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._store.blobs.get(file.sha256))
            path.chmod(0o755 if file.executable else 0o644)  # in the sandbox another user reads it

    def close(self) -> None:
        """Remove all folders, when no match is played any more."""
        with self._lock:
            self._folders.clear()
            if self._home is not None:
                shutil.rmtree(self._home, ignore_errors=True)
                self._home = None


def place_of(store: Store) -> Path:
    """Where bots of a store are unpacked: beside its file, else in the user's data folder."""
    url = store.database.url
    is_file = store.database.is_sqlite and url.database is not None
    folder = Path(url.database or "").absolute().parent if is_file else data_folder(os.environ)
    return folder / PLACE


def remove_left_over(place: Path) -> None:
    for path in place.iterdir() if place.is_dir() else ():
        if is_left_over(path.name, PREFIX):
            shutil.rmtree(path, ignore_errors=True)


def new_home(place: Path) -> Path:
    """An empty folder of this process."""
    place.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    place.chmod(PRIVATE)
    home = place / new_name(PREFIX)
    home.mkdir(mode=PRIVATE)
    return home
