"""People: their accounts. Passwords arrive as hashes; nothing here can read or check them.

Names that differ in case only are the same name. An account that was removed keeps its row, so
that its name stays taken and what its owner did stays theirs; it opens nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select, update

from agon.datastore import schema
from agon.datastore.bookings import OPEN
from agon.datastore.bots import reinstate_bots, suspend_bots, withdraw_bots
from agon.datastore.columns import Name
from agon.datastore.database import insert_new
from agon.datastore.enums import BookingState
from agon.errors import DatastoreError, TakenError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

USERS, TOKENS, SESSIONS = schema.users, schema.tokens, schema.sessions
BOTS, BOOKINGS = schema.bots, schema.bookings


@dataclass(frozen=True, slots=True)
class User:
    """An account."""

    id: int
    name: str
    password_hash: str
    organiser: bool
    created_ns: int
    password_is_temporary: bool = False
    """Whether an organiser chose it, so that its owner must choose another."""
    removed_ns: int | None = None
    suspended_ns: int | None = None
    """Since when an organiser keeps the user out; None: not at all."""
    suspended_for: str = ""
    """Why, in the organiser's words."""

    @property
    def is_present(self) -> bool:
        """Whether the account can be used."""
        return self.removed_ns is None and self.suspended_ns is None


class Users:
    """The accounts of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        password_hash: str,
        created_ns: int,
        *,
        organiser: bool = False,
        password_is_temporary: bool = False,
    ) -> User:
        """A new account. TakenError if the name has one."""

        def work(connection: Connection) -> User:
            new = insert_new(connection, USERS).values(
                name=name,
                folded_name=_fold(name),
                password_hash=password_hash,
                password_is_temporary=password_is_temporary,
                organiser=organiser,
                created_ns=created_ns,
                suspended_for="",
            )
            row = connection.execute(new.on_conflict_do_nothing().returning(USERS)).one_or_none()
            if row is None:
                raise TakenError(f"user {name!r}: the name is taken; expected another one")
            return _user(row)

        return self._database.write(work)

    def get(self, user_id: int) -> User:
        with self._database.read() as connection:
            row = connection.execute(select(USERS).where(USERS.c.id == user_id)).one_or_none()
        if row is None:
            raise DatastoreError(f"user {user_id}: there is none of that id")
        return _user(row)

    def find(self, name: str) -> User | None:
        """The account of that name, in upper or lower case."""
        query = select(USERS).where(USERS.c.folded_name == _fold(name))
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _user(row)

    def all(self) -> list[User]:
        """All accounts, by name, with those that were removed."""
        with self._database.read() as connection:
            return [_user(row) for row in connection.execute(select(USERS).order_by(USERS.c.name))]

    def set_password(self, user_id: int, password_hash: str, *, is_temporary: bool = False) -> None:
        self._change(user_id, password_hash=password_hash, password_is_temporary=is_temporary)

    def set_organiser(self, user_id: int, organiser: bool) -> None:
        self._change(user_id, organiser=organiser)

    def remove(self, user_id: int, now_ns: int) -> None:
        """Close the account: nothing opens it any more, its bots play no more.

        Its sessions end, its tokens are revoked, its password is forgotten, its matches that are
        to be played are cancelled; its bots' matches stay.
        """

        def work(connection: Connection) -> None:
            _change(connection, user_id, removed_ns=now_ns, password_hash="", organiser=False)
            _lock_out(connection, user_id, now_ns, "who asked for it was removed")
            tokens = update(TOKENS).where(TOKENS.c.user_id == user_id)
            connection.execute(
                tokens.where(TOKENS.c.revoked_ns.is_(None)).values(revoked_ns=now_ns)
            )
            withdraw_bots(connection, BOTS.c.owner_id == user_id, now_ns)

        self._database.write(work)

    def suspend(self, user_id: int, reason: str, now_ns: int) -> None:
        """Keep the user out until `reinstate`: sessions end, bots and their matches stop."""

        def work(connection: Connection) -> None:
            _change(connection, user_id, suspended_ns=now_ns, suspended_for=reason)
            _lock_out(connection, user_id, now_ns, "who asked for it was suspended")
            suspend_bots(connection, BOTS.c.owner_id == user_id, now_ns)

        self._database.write(work)

    def reinstate(self, user_id: int) -> None:
        """End a suspension: the user may log in, and the bots play as before."""

        def work(connection: Connection) -> None:
            _change(connection, user_id, suspended_ns=None, suspended_for="")
            reinstate_bots(connection, BOTS.c.owner_id == user_id)

        self._database.write(work)

    def _change(self, user_id: int, **values: Any) -> None:
        self._database.write(lambda connection: _change(connection, user_id, **values))


def _change(connection: Connection, user_id: int, **values: Any) -> None:
    there = update(USERS).where(USERS.c.id == user_id, USERS.c.removed_ns.is_(None))
    if not connection.execute(there.values(**values)).rowcount:
        raise DatastoreError(f"user {user_id}: there is none of that id")


def _lock_out(connection: Connection, user_id: int, now_ns: int, reason: str) -> None:
    """End the user's sessions, and cancel the matches that the user has asked for."""
    connection.execute(delete(SESSIONS).where(SESSIONS.c.user_id == user_id))
    theirs = update(BOOKINGS).where(BOOKINGS.c.requested_by == user_id, BOOKINGS.c.state.in_(OPEN))
    connection.execute(theirs.values(state=BookingState.CANCELLED, ended_ns=now_ns, reason=reason))


def _fold(name: str) -> str:
    """What names that differ in case only have in common."""
    return Name().check(name).casefold()


def _user(row: Row[Any]) -> User:
    return User(
        row.id,
        row.name,
        row.password_hash,
        row.organiser,
        row.created_ns,
        row.password_is_temporary,
        row.removed_ns,
        row.suspended_ns,
        row.suspended_for,
    )
