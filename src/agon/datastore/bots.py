"""Bots: their owners and names. The files of a bot belong to its versions.

A bot that was removed has no files any more and plays no more; its matches stay under its name,
which its owner may give to another bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, or_, select, update

from agon.datastore import schema
from agon.datastore.blobs import drop_blobs
from agon.datastore.bookings import cancel_bookings
from agon.datastore.database import insert_new
from agon.datastore.enums import CheckState, VersionStatus
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Row

    from agon.datastore.database import Database

BOTS, VERSIONS, FILES = schema.bots, schema.bot_versions, schema.version_files
SEATS = schema.seats
CHECKS, CONTESTS, ENTRIES = schema.checks, schema.contests, schema.contest_entries


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot to be stored: a user's, one of Agon's own, or one from this machine (neither)."""

    game: str
    name: str
    created_ns: int
    owner_id: int | None = None
    built_in: bool = False


@dataclass(frozen=True, slots=True)
class StoredBot:
    """A bot that is stored."""

    id: int
    game: str
    name: str
    created_ns: int
    owner_id: int | None
    built_in: bool
    removed_ns: int | None = None


class Bots:
    """The bots of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, bot: NewBot) -> StoredBot:
        """A new bot. TakenError if its owner has one of that name in that game."""

        def work(connection: Connection) -> StoredBot:
            row = _insert(connection, bot)
            if row is None:
                raise TakenError(f"bot {bot.name!r}: the name is taken; expected another one")
            return _bot(row)

        return self._database.write(work)

    def ensure(self, bot: NewBot) -> StoredBot:
        """The bot of that owner, game and name, new if there was none."""
        found = self.find(bot.game, bot.name, owner_id=bot.owner_id, built_in=bot.built_in)
        if found is not None:
            return found
        return self._database.write(lambda connection: ensure_bot(connection, bot))

    def get(self, bot_id: int) -> StoredBot:
        with self._database.read() as connection:
            row = connection.execute(select(BOTS).where(BOTS.c.id == bot_id)).one_or_none()
        if row is None:
            raise DatastoreError(f"bot {bot_id}: there is none of that id")
        return _bot(row)

    def find(
        self, game: str, name: str, *, owner_id: int | None = None, built_in: bool = False
    ) -> StoredBot | None:
        """The bot of that game and name among its owner's, Agon's own, or this machine's."""
        with self._database.read() as connection:
            query = select(BOTS).where(*_is(game, name, owner_id, built_in))
            row = connection.execute(query).one_or_none()
        return None if row is None else _bot(row)

    def all(self, game: str | None = None, owner_id: int | None = None) -> list[StoredBot]:
        """All bots, of a game or an owner if given, by game and name; also those removed."""
        query = select(BOTS).order_by(BOTS.c.game, BOTS.c.name, BOTS.c.id)
        if game is not None:
            query = query.where(BOTS.c.game == game)
        if owner_id is not None:
            query = query.where(BOTS.c.owner_id == owner_id)
        with self._database.read() as connection:
            return [_bot(row) for row in connection.execute(query)]

    def that_played(self, game: str | None = None, also: int | None = None) -> list[StoredBot]:
        """The bots that had a seat in a match, of a game if given; `also` is one more."""
        seat = exists().where(VERSIONS.c.bot_id == BOTS.c.id, SEATS.c.version_id == VERSIONS.c.id)
        query = select(BOTS).where(or_(seat, BOTS.c.id == also))
        query = query.order_by(BOTS.c.game, BOTS.c.name, BOTS.c.id)
        if game is not None:
            query = query.where(BOTS.c.game == game)
        with self._database.read() as connection:
            return [_bot(row) for row in connection.execute(query)]

    def owners_in(self, match_id: int) -> set[int]:
        """The users whose bots had a seat in the match."""
        query = (
            select(BOTS.c.owner_id)
            .join(VERSIONS, VERSIONS.c.bot_id == BOTS.c.id)
            .join(SEATS, SEATS.c.version_id == VERSIONS.c.id)
            .where(SEATS.c.match_id == match_id, BOTS.c.owner_id.is_not(None))
        )
        with self._database.read() as connection:
            return set(connection.scalars(query))

    def withdraw(self, bot_id: int, now_ns: int) -> None:
        """All its versions play no more; their matches are cancelled."""
        mine = BOTS.c.id == bot_id
        self._database.write(lambda connection: withdraw_bots(connection, mine, now_ns))

    def remove(self, bot_id: int, now_ns: int) -> None:
        """Delete its files and withdraw it; its matches stay, and so do its versions' numbers.

        It leaves the contests that have not begun.
        """

        def work(connection: Connection) -> None:
            gone = update(BOTS).where(BOTS.c.id == bot_id, BOTS.c.removed_ns.is_(None))
            if not connection.execute(gone.values(removed_ns=now_ns)).rowcount:
                raise DatastoreError(f"bot {bot_id}: there is none of that id")
            withdraw_bots(connection, BOTS.c.id == bot_id, now_ns)
            versions = select(VERSIONS.c.id).where(VERSIONS.c.bot_id == bot_id)
            files = FILES.c.version_id.in_(versions)
            names = set(connection.execute(select(FILES.c.sha256).where(files)).scalars())
            connection.execute(delete(FILES).where(files))
            drop_blobs(connection, names)
            to_come = select(CONTESTS.c.id).where(CONTESTS.c.tournament_id.is_(None))
            connection.execute(
                delete(ENTRIES).where(
                    ENTRIES.c.version_id.in_(versions), ENTRIES.c.contest_id.in_(to_come)
                )
            )

        self._database.write(work)


def ensure_bot(connection: Connection, bot: NewBot) -> StoredBot:
    """The bot of that owner, game and name, new if need be, in this connection's transaction."""
    row = _insert(connection, bot)
    if row is None:  # there is one already, or another process was quicker
        same = _is(bot.game, bot.name, bot.owner_id, bot.built_in)
        row = connection.execute(select(BOTS).where(*same)).one()
    return _bot(row)


def withdraw_bots(connection: Connection, which: ColumnElement[bool], now_ns: int) -> None:
    """Let the versions of these bots play no more, nor wait for a check or a match."""
    theirs = VERSIONS.c.bot_id.in_(select(BOTS.c.id).where(which))
    connection.execute(update(VERSIONS).where(theirs).values(status=VersionStatus.WITHDRAWN))
    versions = select(VERSIONS.c.id).where(theirs)
    connection.execute(
        update(CHECKS)
        .where(CHECKS.c.version_id.in_(versions), CHECKS.c.state == CheckState.QUEUED)
        .values(state=CheckState.FAILED, ended_ns=now_ns, output="the bot was withdrawn")
    )
    cancel_bookings(connection, versions, now_ns)


def suspend_bots(connection: Connection, which: ColumnElement[bool], now_ns: int) -> None:
    """Let the versions of these bots wait that play, or are to be checked, until `reinstate_bots`.

    Their matches are cancelled; checks keep their places in the queue.
    """
    theirs = VERSIONS.c.bot_id.in_(select(BOTS.c.id).where(which))
    in_play = theirs & VERSIONS.c.status.in_((VersionStatus.ACTIVE, VersionStatus.PENDING))
    connection.execute(update(VERSIONS).where(in_play).values(status=VersionStatus.SUSPENDED))
    cancel_bookings(connection, select(VERSIONS.c.id).where(theirs), now_ns)


def reinstate_bots(connection: Connection, which: ColumnElement[bool]) -> None:
    """Let the versions of these bots play again that `suspend_bots` has stopped."""
    theirs = VERSIONS.c.bot_id.in_(select(BOTS.c.id).where(which))
    waiting = theirs & (VERSIONS.c.status == VersionStatus.SUSPENDED)
    for version_id in connection.scalars(select(VERSIONS.c.id).where(waiting)).all():
        checks = select(CHECKS.c.state).where(CHECKS.c.version_id == version_id)
        latest = connection.scalar(checks.order_by(CHECKS.c.id.desc()).limit(1))
        status = {
            None: VersionStatus.ACTIVE,
            CheckState.PASSED: VersionStatus.ACTIVE,
            CheckState.FAILED: VersionStatus.FAILED,
        }.get(latest, VersionStatus.PENDING)
        connection.execute(
            update(VERSIONS).where(VERSIONS.c.id == version_id).values(status=status)
        )


def _is(
    game: str, name: str, owner_id: int | None, built_in: bool
) -> tuple[ColumnElement[bool], ...]:
    owner = BOTS.c.owner_id.is_(None) if owner_id is None else BOTS.c.owner_id == owner_id
    return (
        BOTS.c.game == game,
        BOTS.c.name == name,
        BOTS.c.built_in == built_in,
        owner,
        BOTS.c.removed_ns.is_(None),
    )


def _insert(connection: Connection, bot: NewBot) -> Row[Any] | None:
    if bot.built_in and bot.owner_id is not None:
        raise DatastoreError(f"bot {bot.name!r}: a built-in bot has no owner")
    new = insert_new(connection, BOTS).values(
        owner_id=bot.owner_id,
        built_in=bot.built_in,
        game=bot.game,
        name=bot.name,
        created_ns=bot.created_ns,
    )
    row: Row[Any] | None = connection.execute(
        new.on_conflict_do_nothing().returning(BOTS)
    ).one_or_none()
    return row


def _bot(row: Row[Any]) -> StoredBot:
    return StoredBot(
        row.id, row.game, row.name, row.created_ns, row.owner_id, row.built_in, row.removed_ns
    )
