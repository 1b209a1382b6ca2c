"""Versions of bots: how one is built and run, and its files.

A version never changes, only its status: its matches and its rating are of just these bytes. Its
fingerprint covers all that could make it play another way, so that a tournament that is started
twice with the same programs finds the same versions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import exists, func, insert, select, update

from agon.datastore import schema
from agon.datastore.blobs import blob_name, put_blobs
from agon.datastore.bookings import cancel_bookings
from agon.datastore.enums import VersionStatus
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import ColumnElement, Connection, Row

    from agon.datastore.database import Database

BOTS, VERSIONS, FILES, BLOBS = schema.bots, schema.bot_versions, schema.version_files, schema.blobs
USERS = schema.users


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file of a version to be stored."""

    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be stored; files by their path in the bot's folder, with slashes."""

    created_ns: int
    label: str = ""
    language: str = ""
    build: str = ""
    run: str = ""
    protocol: str = ""
    files: Mapping[str, NewFile] = field(default_factory=dict)
    status: VersionStatus = VersionStatus.ACTIVE

    @property
    def fingerprint(self) -> str:
        """The same for two versions only if they are the same program."""
        files = [[p, blob_name(f.content), f.executable] for p, f in sorted(self.files.items())]
        parts = [self.label, self.language, self.build, self.run, self.protocol, files]
        return sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BotVersion:
    """A version that is stored; its number counts from 1 for each bot."""

    id: int
    bot_id: int
    number: int
    label: str
    language: str
    build: str
    run: str
    protocol: str
    status: VersionStatus
    fingerprint: str
    created_ns: int


@dataclass(frozen=True, slots=True)
class VersionFile:
    """A file of a stored version; its bytes are the blob of that hash."""

    path: str
    sha256: str
    size: int
    executable: bool


class NamedVersion(NamedTuple):
    """A stored version, and what people call it."""

    id: int
    bot_id: int
    bot: str
    number: int
    built_in: bool
    owner: str | None
    """The user whose it is; None: no user's."""
    language: str
    status: VersionStatus
    bot_removed_ns: int | None
    has_namesake: bool
    """Whether another bot of the game has the same name."""


class Versions:
    """The versions of the bots of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, bot_id: int, version: NewVersion) -> BotVersion:
        return self._database.write(lambda connection: add_version(connection, bot_id, version))

    def ensure(self, bot_id: int, version: NewVersion) -> BotVersion:
        """The bot's newest version that is this same program, new if there is none."""

        def work(connection: Connection) -> BotVersion:
            _lock_bot(connection, bot_id)
            same = (VERSIONS.c.bot_id == bot_id, VERSIONS.c.fingerprint == version.fingerprint)
            newest = select(VERSIONS).where(*same).order_by(VERSIONS.c.number.desc()).limit(1)
            row = connection.execute(newest).one_or_none()
            return add_version(connection, bot_id, version) if row is None else _version(row)

        return self._database.write(work)

    def get(self, version_id: int) -> BotVersion:
        with self._database.read() as connection:
            query = select(VERSIONS).where(VERSIONS.c.id == version_id)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise DatastoreError(f"bot version {version_id}: there is none of that id")
        return _version(row)

    def find(self, bot_id: int, number: int) -> BotVersion | None:
        same = (VERSIONS.c.bot_id == bot_id, VERSIONS.c.number == number)
        with self._database.read() as connection:
            row = connection.execute(select(VERSIONS).where(*same)).one_or_none()
        return None if row is None else _version(row)

    def of_bot(self, bot_id: int) -> list[BotVersion]:
        """The bot's versions, the newest first."""
        query = select(VERSIONS).where(VERSIONS.c.bot_id == bot_id)
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(VERSIONS.c.number.desc()))
            return [_version(row) for row in rows]

    def of_game(self, game: str, status: VersionStatus | None = None) -> list[BotVersion]:
        """The versions of all bots of a game, the oldest first, of one status if given."""
        query = select(VERSIONS).join(BOTS).where(BOTS.c.game == game).order_by(VERSIONS.c.id)
        if status is not None:
            query = query.where(VERSIONS.c.status == status)
        with self._database.read() as connection:
            return [_version(row) for row in connection.execute(query)]

    def named(self, game: str) -> list[NamedVersion]:
        """Who is who: the versions of all bots of a game, the oldest first."""
        return self._named(BOTS.c.game == game)

    def named_by_id(self, ids: Collection[int]) -> list[NamedVersion]:
        """Who these versions are, the oldest first."""
        return self._named(VERSIONS.c.id.in_(ids))

    def _named(self, wanted: ColumnElement[bool]) -> list[NamedVersion]:
        other = BOTS.alias()
        same = (other.c.game == BOTS.c.game, other.c.name == BOTS.c.name, other.c.id != BOTS.c.id)
        query = (
            select(
                VERSIONS.c.id,
                VERSIONS.c.bot_id,
                BOTS.c.name,
                VERSIONS.c.number,
                BOTS.c.built_in,
                USERS.c.name,
                VERSIONS.c.language,
                VERSIONS.c.status,
                BOTS.c.removed_ns,
                exists().where(*same),
            )
            .select_from(VERSIONS.join(BOTS).outerjoin(USERS, USERS.c.id == BOTS.c.owner_id))
            .where(wanted)
            .order_by(VERSIONS.c.id)
        )
        with self._database.read() as connection:
            return [NamedVersion(*row) for row in connection.execute(query)]

    def set_status(self, version_id: int, status: VersionStatus) -> None:
        """Say what may be done with the version from now on."""
        change = update(VERSIONS).where(VERSIONS.c.id == version_id).values(status=status)
        if not self._database.write(lambda connection: connection.execute(change).rowcount):
            raise DatastoreError(f"bot version {version_id}: there is none of that id")

    def withdraw(self, version_id: int, now_ns: int) -> None:
        """The version plays no more; its matches that are to be played, or are, are cancelled."""
        mine = VERSIONS.c.id == version_id
        change = update(VERSIONS).where(mine).values(status=VersionStatus.WITHDRAWN)

        def work(connection: Connection) -> None:
            if not connection.execute(change).rowcount:
                raise DatastoreError(f"bot version {version_id}: there is none of that id")
            cancel_bookings(connection, select(VERSIONS.c.id).where(mine), now_ns)

        self._database.write(work)

    def files(self, version_id: int) -> list[VersionFile]:
        query = (
            select(FILES.c.path, FILES.c.sha256, BLOBS.c.size, FILES.c.executable)
            .join(BLOBS)
            .where(FILES.c.version_id == version_id)
            .order_by(FILES.c.path)
        )
        with self._database.read() as connection:
            return [VersionFile(*row) for row in connection.execute(query)]


def add_version(connection: Connection, bot_id: int, version: NewVersion) -> BotVersion:
    """The bot's next version, in the transaction of this connection."""
    _lock_bot(connection, bot_id)
    for path in version.files:
        _check_path(path)
    last = select(func.max(VERSIONS.c.number)).where(VERSIONS.c.bot_id == bot_id)
    values = {
        "bot_id": bot_id,
        "number": (connection.execute(last).scalar() or 0) + 1,
        "label": version.label,
        "language": version.language,
        "build": version.build,
        "run": version.run,
        "protocol": version.protocol,
        "status": version.status,
        "fingerprint": version.fingerprint,
        "created_ns": version.created_ns,
    }
    row = connection.execute(insert(VERSIONS).values(values).returning(VERSIONS)).one()
    names = put_blobs(connection, [file.content for file in version.files.values()])
    files = [
        {"version_id": row.id, "path": path, "sha256": name, "executable": file.executable}
        for (path, file), name in zip(version.files.items(), names, strict=True)
    ]
    if files:
        connection.execute(insert(FILES), files)
    return _version(row)


def _lock_bot(connection: Connection, bot_id: int) -> None:
    """Keep other processes from numbering a version of this bot meanwhile."""
    there = select(BOTS.c.id).where(BOTS.c.id == bot_id, BOTS.c.removed_ns.is_(None))
    row = connection.execute(there.with_for_update())
    if row.one_or_none() is None:
        raise DatastoreError(f"bot {bot_id}: there is none of that id")


def _check_path(path: str) -> None:
    """A stored path, joined to any folder, must stay inside that folder."""
    parts = path.split("/")
    if "\\" in path or any(part in ("", ".", "..") for part in parts):
        raise DatastoreError(f"file {path[:80]!r}: expected a path inside the bot's folder")


def _version(row: Row[Any]) -> BotVersion:
    return BotVersion(**row._mapping)
