"""Sessions: browsers in which a user is logged in. Only the hashes of their secrets are stored.

A session ends when its user says so, when it was not used for too long, and at the latest when it
expires. Sessions that have ended are deleted: there is nothing to look up in them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, or_, select, update

from agon.datastore import schema
from agon.datastore.database import Begin
from agon.datastore.tokens import USE_NOTED_NS, secret_digest
from agon.errors import DatabaseError

if TYPE_CHECKING:
    from sqlalchemy import Row

    from agon.datastore.database import Database

SESSIONS = schema.sessions


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of a session; the secret itself is not."""

    id: int
    user_id: int
    created_ns: int
    last_used_ns: int
    expires_ns: int


class Sessions:
    """The sessions of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, user_id: int, secret: str, now_ns: int, expires_ns: int) -> Session:
        """Let this secret stand for the user until then."""
        values = {
            "user_id": user_id,
            "digest": secret_digest(secret),
            "created_ns": now_ns,
            "last_used_ns": now_ns,
            "expires_ns": expires_ns,
        }
        new = insert(SESSIONS).values(values).returning(SESSIONS)
        return self._database.write(lambda connection: _session(connection.execute(new).one()))

    def use(self, secret: str, now_ns: int, idle_ns: int) -> Session | None:
        """The session of that secret, noted as used now, to the minute.

        None if there is none, if it has expired, or if it was not used for `idle_ns`.
        """
        query = select(SESSIONS).where(
            SESSIONS.c.digest == secret_digest(secret),
            SESSIONS.c.expires_ns > now_ns,
            SESSIONS.c.last_used_ns > now_ns - idle_ns,
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        session = _session(row)
        if now_ns - session.last_used_ns < USE_NOTED_NS:
            return session
        noted = update(SESSIONS).where(SESSIONS.c.id == session.id).values(last_used_ns=now_ns)
        with suppress(DatabaseError):  # on a full disk pages are read all the same
            self._database.write(lambda connection: connection.execute(noted), Begin.QUICK)
        return replace(session, last_used_ns=now_ns)

    def of_user(self, user_id: int) -> list[Session]:
        """The user's sessions, the oldest first."""
        query = select(SESSIONS).where(SESSIONS.c.user_id == user_id).order_by(SESSIONS.c.id)
        with self._database.read() as connection:
            return [_session(row) for row in connection.execute(query)]

    def end(self, secret: str) -> None:
        """From now on the secret opens nothing; it may not have done so before."""
        gone = delete(SESSIONS).where(SESSIONS.c.digest == secret_digest(secret))
        self._database.write(lambda connection: connection.execute(gone))

    def end_all(self, user_id: int, *, but: int | None = None) -> int:
        """End the user's sessions, all or all but one; how many there were."""
        gone = delete(SESSIONS).where(SESSIONS.c.user_id == user_id)
        if but is not None:
            gone = gone.where(SESSIONS.c.id != but)
        return self._database.write(lambda connection: connection.execute(gone).rowcount)

    def sweep(self, now_ns: int, idle_ns: int) -> int:
        """Delete the sessions that have ended by themselves; how many there were."""
        gone = delete(SESSIONS).where(
            or_(SESSIONS.c.expires_ns <= now_ns, SESSIONS.c.last_used_ns <= now_ns - idle_ns)
        )
        return self._database.write(lambda connection: connection.execute(gone).rowcount)


def _session(row: Row[Any]) -> Session:
    return Session(row.id, row.user_id, row.created_ns, row.last_used_ns, row.expires_ns)
