"""The audit log: what organisers did, to what, and when. Entries are never changed or deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from agon.datastore import schema

if TYPE_CHECKING:
    from agon.datastore.database import Database
    from agon.datastore.enums import AuditAction

LOG, USERS = schema.audit_log, schema.users


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that an organiser did, and the name of the organiser."""

    id: int
    at_ns: int
    by: str | None
    """None: on the command line of the machine."""
    action: AuditAction
    target: str
    """The name that the user, the bot or the contest had."""
    target_id: int
    detail: str


class AuditLog:
    """The audit log of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        user_id: int | None,
        action: AuditAction,
        target: str,
        target_id: int,
        at_ns: int,
        detail: str = "",
    ) -> None:
        """Note what the organiser of that id did; None: on the command line."""
        values = {
            "at_ns": at_ns,
            "user_id": user_id,
            "action": action,
            "target": target,
            "target_id": target_id,
            "detail": detail,
        }
        self._database.write(lambda connection: connection.execute(insert(LOG).values(values)))

    def find(self, limit: int | None = None, before_id: int | None = None) -> list[AuditEntry]:
        """The entries, the latest first; the next page begins before an id."""
        known = [column for column in LOG.columns if column.name != "user_id"]
        query = select(*known, USERS.c.name.label("by")).select_from(LOG.outerjoin(USERS))
        query = query.order_by(LOG.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(LOG.c.id < before_id)
        with self._database.read() as connection:
            return [AuditEntry(**row._mapping) for row in connection.execute(query)]
