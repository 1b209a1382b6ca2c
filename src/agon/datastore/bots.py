"""Bots: who owns them, and what they are called. What a bot is made of is its versions' matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from agon.datastore import schema
from agon.datastore.database import insert_new
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Row

    from agon.datastore.database import Database

BOTS = schema.bots


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot to be stored: a user's, one of Agon's own, or one from this machine (neither)."""

    game: str
    name: str
    created_ns: int
    owner_id: int | None = None
    built_in: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that is stored."""

    id: int
    game: str
    name: str
    created_ns: int
    owner_id: int | None
    built_in: bool


class Bots:
    """The bots of a store."""

    def __init__(self, database: Database) -> None:
        """The bots in this database."""
        self._database = database

    def add(self, bot: NewBot) -> Bot:
        """A new bot. TakenError if its owner has one of that name in that game."""

        def work(connection: Connection) -> Bot:
            row = _insert(connection, bot)
            if row is None:
                raise TakenError(f"bot {bot.name!r}: the name is taken; expected another one")
            return _bot(row)

        return self._database.write(work)

    def ensure(self, bot: NewBot) -> Bot:
        """The bot of that owner, game and name, new if there was none."""
        found = self.find(bot.game, bot.name, owner_id=bot.owner_id, built_in=bot.built_in)
        if found is not None:
            return found

        def work(connection: Connection) -> Bot:
            row = _insert(connection, bot)
            if row is None:  # another process was quicker
                same = _is(bot.game, bot.name, bot.owner_id, bot.built_in)
                row = connection.execute(select(BOTS).where(*same)).one()
            return _bot(row)

        return self._database.write(work)

    def get(self, bot_id: int) -> Bot:
        """The bot of that id."""
        with self._database.read() as connection:
            row = connection.execute(select(BOTS).where(BOTS.c.id == bot_id)).one_or_none()
        if row is None:
            raise DatastoreError(f"bot {bot_id}: there is none of that id")
        return _bot(row)

    def find(
        self, game: str, name: str, *, owner_id: int | None = None, built_in: bool = False
    ) -> Bot | None:
        """The bot of that game and name among its owner's, Agon's own, or this machine's."""
        with self._database.read() as connection:
            query = select(BOTS).where(*_is(game, name, owner_id, built_in))
            row = connection.execute(query).one_or_none()
        return None if row is None else _bot(row)

    def all(self, game: str | None = None, owner_id: int | None = None) -> list[Bot]:
        """All bots, of a game or an owner if given, by game and name."""
        query = select(BOTS).order_by(BOTS.c.game, BOTS.c.name, BOTS.c.id)
        if game is not None:
            query = query.where(BOTS.c.game == game)
        if owner_id is not None:
            query = query.where(BOTS.c.owner_id == owner_id)
        with self._database.read() as connection:
            return [_bot(row) for row in connection.execute(query)]


def _is(
    game: str, name: str, owner_id: int | None, built_in: bool
) -> tuple[ColumnElement[bool], ...]:
    owner = BOTS.c.owner_id.is_(None) if owner_id is None else BOTS.c.owner_id == owner_id
    return (BOTS.c.game == game, BOTS.c.name == name, BOTS.c.built_in == built_in, owner)


def _insert(connection: Connection, bot: NewBot) -> Row[Any] | None:
    """The new row, or None if the name is taken."""
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


def _bot(row: Row[Any]) -> Bot:
    return Bot(row.id, row.game, row.name, row.created_ns, row.owner_id, row.built_in)
