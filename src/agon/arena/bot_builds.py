"""Stored bots made ready to play: unpacked into folders and built.

A version is unpacked once and stays until the site ends. What its build command makes comes from
the cache of builds, which is asked for every match: it forgets what was not used for long.
"""

from __future__ import annotations

import logging
import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING

from agon.arbiter.build import prepare
from agon.arbiter.entrant import Entrant, launch_on_host, load_program
from agon.arbiter.sandboxed import launch_in_sandbox, tell_missing
from agon.arena.bot_versions import version_name
from agon.arena.version_names import titles_among
from agon.errors import SettingError, UnfitBotError
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Launch
    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")
OPEN_FOLDER = 0o755  # in the sandbox another user reads it


class UnbuiltError(SettingError):
    """A version cannot be made ready.

    The message is public; `whole` is for its author and for organisers of its contests.
    """

    def __init__(self, name: str, whole: str) -> None:
        """`whole` may quote the version's files, and what its build command said."""
        super().__init__(f"bot {name!r}: it could not be built here")
        self.whole = whole


class BotBuilds:
    """The bots of a store, as the arbiter takes them. Threads may share it."""

    def __init__(self, store: Store, *, unsafe_host: bool = False) -> None:
        """`unsafe_host`: programs are built and run without a sandbox."""
        self._store = store
        self.unsafe_host = unsafe_host
        self._home: Path | None = None
        self._unpacked: dict[int, Path] = {}
        self._lock = Lock()

    @property
    def launch(self) -> Launch:
        return launch_on_host if self.unsafe_host else launch_in_sandbox

    def obstacle(self) -> str:
        """Why programs cannot be run here, for people; empty if they can."""
        gaps = "" if self.unsafe_host else tell_missing()
        return f"this machine cannot hold programs of others safely, {gaps}" if gaps else ""

    def entrants(self, versions: Sequence[int]) -> tuple[Entrant, ...]:
        """These versions, built, under names that tell them apart."""
        titles = titles_among(self._store, versions)
        return distinct([replace(self.entrant(one), name=titles[one]) for one in versions])

    def entrant(self, version_id: int) -> Entrant:
        """A version, built; SettingError if it cannot be, or has nothing that could be run.

        Opponents read that error: what the build said is in the log, and for the author.
        """
        version = self._store.versions.get(version_id)
        bot = self._store.bots.get(version.bot_id)
        name = version_name(bot, version)
        if bot.built_in:
            return self._built_in(bot)
        if not version.run:
            raise SettingError(f"bot {name!r}: there is no program of it here")
        folder = self.unpack(version_id)
        if folder is None:
            raise SettingError(f"bot {name!r}: its files are not here any more")
        try:
            program = replace(load_program(folder), name=bot.name)
            return prepare(Entrant(name, program), self.unsafe_host)
        except (SettingError, UnfitBotError) as error:
            LOG.warning("version %s cannot be built: %s", version_id, error)
            raise UnbuiltError(name, str(error)) from error

    def _built_in(self, bot: StoredBot) -> Entrant:
        if bot.name not in find_game(bot.game).bot_names:
            raise SettingError(f"bot {bot.name!r}: {bot.game} has no such built-in bot any more")
        return Entrant(bot.name, built_in=bot.name)

    def unpack(self, version_id: int) -> Path | None:
        """The folder with the version's files; None if it has none."""
        with self._lock:
            known = self._unpacked.get(version_id)
            if known is None:
                known = self._unpack(version_id)
                if known is not None:
                    self._unpacked[version_id] = known
            return known

    def _unpack(self, version_id: int) -> Path | None:
        files = self._store.versions.files(version_id)
        if not files:
            return None
        if self._home is None:
            self._home = Path(mkdtemp(prefix="agon-bots-"))
            self._home.chmod(OPEN_FOLDER)
        folder = self._home / str(version_id) / "bot"
        for file in files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._store.blobs.get(file.sha256))
            path.chmod(0o755 if file.executable else 0o644)
        return folder

    def close(self) -> None:
        """Remove all folders, when no match is played any more."""
        with self._lock:
            self._unpacked.clear()
            if self._home is not None:
                shutil.rmtree(self._home, ignore_errors=True)
                self._home = None


def distinct(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants, of which no two have the same name: a bot may play against itself.

    >>> [one.name for one in distinct([Entrant("crawler@1"), Entrant("crawler@1")])]
    ['crawler@1', 'crawler@1 (2)']
    """
    seen: dict[str, int] = {}
    named = []
    for entrant in entrants:
        seen[entrant.name] = times = seen.get(entrant.name, 0) + 1
        named.append(entrant if times == 1 else replace(entrant, name=f"{entrant.name} ({times})"))
    return tuple(named)
