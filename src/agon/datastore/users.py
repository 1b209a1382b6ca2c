"""People: their accounts. Passwords arrive as hashes; nothing here can read or check them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from agon.datastore import schema
from agon.datastore.database import insert_new
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

USERS = schema.users


@dataclass(frozen=True, slots=True)
class User:
    """An account."""

    id: int
    name: str
    password_hash: str
    organiser: bool
    created_ns: int


class Users:
    """The accounts of a store."""

    def __init__(self, database: Database) -> None:
        """The accounts in this database."""
        self._database = database

    def add(
        self, name: str, password_hash: str, created_ns: int, *, organiser: bool = False
    ) -> User:
        """A new account. TakenError if the name has one."""

        def work(connection: Connection) -> User:
            new = insert_new(connection, USERS).values(
                name=name,
                password_hash=password_hash,
                organiser=organiser,
                created_ns=created_ns,
            )
            row = connection.execute(
                new.on_conflict_do_nothing(index_elements=["name"]).returning(USERS)
            ).one_or_none()
            if row is None:
                raise TakenError(f"user {name!r}: the name is taken; expected another one")
            return _user(row)

        return self._database.write(work)

    def get(self, user_id: int) -> User:
        """The account of that id."""
        with self._database.read() as connection:
            row = connection.execute(select(USERS).where(USERS.c.id == user_id)).one_or_none()
        if row is None:
            raise DatastoreError(f"user {user_id}: there is none of that id")
        return _user(row)

    def find(self, name: str) -> User | None:
        """The account of that name."""
        with self._database.read() as connection:
            row = connection.execute(select(USERS).where(USERS.c.name == name)).one_or_none()
        return None if row is None else _user(row)

    def all(self) -> list[User]:
        """All accounts, by name."""
        with self._database.read() as connection:
            return [_user(row) for row in connection.execute(select(USERS).order_by(USERS.c.name))]

    def set_password(self, user_id: int, password_hash: str) -> None:
        """Another password."""
        self._change(user_id, password_hash=password_hash)

    def set_organiser(self, user_id: int, organiser: bool) -> None:
        """Give or take an organiser's rights."""
        self._change(user_id, organiser=organiser)

    def _change(self, user_id: int, **values: Any) -> None:
        def work(connection: Connection) -> None:
            changed = connection.execute(
                update(USERS).where(USERS.c.id == user_id).values(**values)
            ).rowcount
            if not changed:
                raise DatastoreError(f"user {user_id}: there is none of that id")

        self._database.write(work)


def _user(row: Row[Any]) -> User:
    return User(row.id, row.name, row.password_hash, row.organiser, row.created_ns)
