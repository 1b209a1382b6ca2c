"""Stored bots made ready to play: unpacked into folders and built.

A version is unpacked once and stays until the site ends. What its build command makes comes from
the cache of builds, which is asked for every match: it forgets what was not used for long.
"""

from __future__ import annotations

import logging
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.arbiter.bot_process import Program
from agon.arbiter.build import prepare
from agon.arbiter.entrant import Entrant, launch_on_host, load_program
from agon.arbiter.sandboxed import launch_in_sandbox, tell_missing
from agon.arena.bot_versions import version_name
from agon.arena.unpacked_bots import UnpackedBots
from agon.arena.version_names import titles_among
from agon.errors import SettingError, UnfitBotError
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agon.arbiter.bot_process import Launch
    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion

LOG = logging.getLogger("agon.arena")


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

    def __init__(
        self,
        store: Store,
        *,
        unsafe_host: bool = False,
        elsewhere: Callable[[], str] | None = None,
        tell_lack: Callable[[Sequence[Program]], str] = lambda programs: "",
    ) -> None:
        """`unsafe_host`: programs are built and run without a sandbox.

        `elsewhere`: other machines build and play them; it says why these cannot, if they cannot.
        `tell_lack` says why none of these can play a match of some programs now.
        """
        self._elsewhere = elsewhere
        self._tell_lack = tell_lack
        self._store = store
        self.unsafe_host = unsafe_host
        self._unpacked = UnpackedBots(store)

    @property
    def launch(self) -> Launch:
        return launch_on_host if self.unsafe_host else launch_in_sandbox

    @property
    def plays_elsewhere(self) -> bool:
        """Whether other machines build and play programs."""
        return self._elsewhere is not None

    def obstacle(self) -> str:
        """Why programs cannot be checked and play against each other; empty if they can."""
        return self.obstacle_here() if self._elsewhere is None else self._elsewhere()

    def obstacle_here(self) -> str:
        """Why they cannot play on this machine, against people; empty if they can."""
        gaps = "" if self.unsafe_host else tell_missing()
        return f"this machine cannot hold programs of others safely, {gaps}" if gaps else ""

    def match_obstacle(self, versions: Sequence[BotVersion]) -> str:
        """Why no machine can play a match of these versions now; empty if one can.

        It is not known of versions that play on this machine: then it is empty, too.
        """
        programs = [
            Program(str(one.id), tuple(shlex.split(one.run)), build=tuple(shlex.split(one.build)))
            for one in versions
            if one.run
        ]
        return self._tell_lack(programs)

    def entrants(self, versions: Sequence[int]) -> tuple[Entrant, ...]:
        """These versions, built, under names that tell them apart."""
        titles = titles_among(self._store, versions)
        return distinct([replace(self.entrant(one), name=titles[one]) for one in versions])

    def entrant(self, version_id: int) -> Entrant:
        """A version, built if it plays here; SettingError if it cannot be, or has no program.

        Opponents read that error: what the build said is in the log, and for the author.
        """
        return self._entrant(version_id, is_built=not self.plays_elsewhere)

    def entrant_here(self, version_id: int) -> Entrant:
        """A version, built in any case: it plays on this machine, against people."""
        return self._entrant(version_id, is_built=True)

    def _entrant(self, version_id: int, *, is_built: bool) -> Entrant:
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
            entrant = Entrant(name, program)
            return prepare(entrant, self.unsafe_host) if is_built else entrant
        except (SettingError, UnfitBotError) as error:
            LOG.warning("version %s cannot be built: %s", version_id, error)
            raise UnbuiltError(name, str(error)) from error

    def _built_in(self, bot: StoredBot) -> Entrant:
        if not find_game(bot.game).has_bot(bot.name):
            raise SettingError(f"bot {bot.name!r}: {bot.game} has no such built-in bot any more")
        return Entrant(bot.name, built_in=bot.name)

    def unpack(self, version_id: int) -> Path | None:
        """The folder with the version's files; None if it has none."""
        return self._unpacked.folder(version_id)

    def close(self) -> None:
        """Remove all folders, when no match is played any more."""
        self._unpacked.close()


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
