"""Bots in the datastore: a folder becomes a version, and a version a folder again.

A folder that has changed since it entered last is the bot's next version. Built-in bots are called
by their name, all others `name@version`.
"""

from __future__ import annotations

import os
import shlex
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, load_program
from agon.arena.unpacked_bots import UnpackedBots
from agon.datastore.bots import NewBot
from agon.datastore.columns import NAME_LENGTH
from agon.datastore.schema import PATH_LENGTH
from agon.datastore.versions import NewFile, NewVersion
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game

MOST_FILES = 1000
MOST_BYTES = 32 << 20
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules"})
COMPILED = (b"\x7fELF", b"\xca\xfe\xba\xbe", b"!<arch>\n", b"MZ")
"""How files begin that a build makes: they are not stored, the build makes them again."""


def version_name(bot: StoredBot, version: BotVersion) -> str:
    return bot.name if bot.built_in else f"{bot.name}@{version.number}"


def enter_bot(store: Store, game: Game, entrant: Entrant, now_ns: int) -> int:
    """The id of the bot's version in the store, which is made if it is new."""
    return _enter(store, game, entrant, entrant.name, now_ns)[1].id


def enter_bots(
    store: Store, game: Game, entrants: Sequence[Entrant], now_ns: int
) -> tuple[tuple[Entrant, ...], dict[str, int]]:
    """The entrants under the names of their versions, and the versions' ids by these names.

    No two have the same name: the second `greedy` becomes `greedy 2`, a bot of its own.
    """
    named: list[Entrant] = []
    versions: dict[str, int] = {}
    for entrant in entrants:
        base = entrant.name if entrant.program is None else entrant.program.name
        for times in count(1):
            wanted = base if times == 1 else f"{base} {times}"
            bot, version = _enter(store, game, entrant, wanted, now_ns)
            name = version_name(bot, version)
            if name not in versions:
                break
        named.append(replace(entrant, name=name))
        versions[name] = version.id
    return tuple(named), versions


def _enter(
    store: Store, game: Game, entrant: Entrant, name: str, now_ns: int
) -> tuple[StoredBot, BotVersion]:
    program = entrant.program
    if program is not None:
        base, at, number = name.rpartition("@")  # entered before: the name says its version
        name = base if at and number.isdigit() else name
    bot = store.bots.ensure(NewBot(game.name, name, now_ns, built_in=program is None))
    version = NewVersion(now_ns) if program is None else _version_of(program, now_ns)
    return bot, store.versions.ensure(bot.id, version)


def _version_of(program: Program, now_ns: int) -> NewVersion:
    return NewVersion(
        now_ns,
        language=program.language,
        build=shlex.join(program.build),
        run=shlex.join(program.run),
        protocol=program.protocol or "",
        files={} if program.folder is None else read_files(program.folder, bool(program.build)),
    )


def read_files(folder: Path, is_built: bool = False) -> dict[str, NewFile]:
    """The files of a bot's folder by their paths; hidden ones and what a build makes are left out.

    Raises SettingError if they are too many or too large, or lie elsewhere.
    """
    files: dict[str, NewFile] = {}
    size = 0
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        content = _read(folder, path, MOST_BYTES - size)
        if is_built and content.startswith(COMPILED):
            continue
        size += len(content)
        files[name] = NewFile(content, os.access(path, os.X_OK))
        if len(files) > MOST_FILES:
            raise SettingError(f"{folder}: more than {MOST_FILES} files; expected a bot's alone")
        if len(name) > PATH_LENGTH or "\\" in name or not name.isprintable():
            raise SettingError(f"{folder}: {name[:80]!r}: expected a shorter and plainer path")
    return files


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS
        )
        for name in folders:
            if (Path(place) / name).is_symlink():
                raise SettingError(f"{Path(place) / name}: a link to a folder; expected files")
        yield from (Path(place) / name for name in sorted(names) if not name.startswith("."))


def _read(folder: Path, path: Path, room: int) -> bytes:
    """The bytes of a file that lies in the folder, links followed."""
    try:
        where = path.resolve(strict=True)
        if not where.is_relative_to(folder.resolve()):
            raise SettingError(f"{path}: a link out of the bot's folder; expected files inside it")
        if not S_ISREG(where.stat().st_mode):
            raise SettingError(f"{path}: expected a plain file")
        with where.open("rb") as file:
            content = file.read(room + 1)
    except (OSError, RuntimeError) as error:
        raise SettingError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > room:
        raise SettingError(
            f"{folder}: more than {MOST_BYTES >> 20} MiB; expected a bot's own files alone"
        )
    return content


def may_be_stored(text: str) -> bool:
    """Whether a text of the command line may name a stored version: not if it is a path.

    >>> may_be_stored("crawler@2"), may_be_stored("./crawler@2"), may_be_stored("crawler")
    (True, False, True)
    """
    return bool(text) and "/" not in text and not os.path.isdir(text)


def known_versions(store: Store, game: Game) -> list[str]:
    """The names of all stored versions that can be asked for."""
    return [
        version_name(bot, version)
        for bot in store.bots.all(game.name)
        if not bot.built_in and bot.owner_id is None
        for version in reversed(store.versions.of_bot(bot.id))
    ]


@contextmanager
def unpacked_version(store: Store, game: Game, text: str) -> Iterator[Entrant | None]:
    """The stored version `NAME@N`, its files in a folder of its own; None if there is none."""
    name, _, number = text.rpartition("@")
    is_name = 0 < len(name) <= NAME_LENGTH and number.isascii() and number.isdigit()
    bot = store.bots.find(game.name, name) if is_name else None
    version = None if bot is None else store.versions.find(bot.id, int(number[:9]))
    if bot is None or version is None:
        yield None
        return
    title = version_name(bot, version)
    with closing(UnpackedBots(store)) as unpacked:
        folder = unpacked.folder(version.id)
        if folder is None:  # a command line
            run = tuple(shlex.split(version.run))
            yield Entrant(title, Program(bot.name, run, protocol=version.protocol or None))
            return
        yield Entrant(title, replace(load_program(folder), name=bot.name))
