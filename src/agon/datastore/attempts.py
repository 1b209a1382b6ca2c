"""Attempts that count against rate limits, for all servers of the datastore together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select

from agon.datastore import schema
from agon.datastore.database import Begin

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from agon.datastore.database import Database

ATTEMPTS = schema.attempts


class Attempts:
    """The attempts of a store, by the name of the limit and the key of who tries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, limit: str, key: str, most: int, window_ns: int, now_ns: int) -> int:
        """Count an attempt if there were fewer than `most` within the window.

        0 if it counts, else in how many nanoseconds one will.
        """
        ours = ATTEMPTS.c.limit == limit
        mine = ours & (ATTEMPTS.c.key == key)

        def work(connection: Connection) -> int:
            if not self._database.is_sqlite:  # there another server may count at the same moment
                lock = func.pg_advisory_xact_lock(func.hashtext(limit), func.hashtext(key))
                connection.execute(select(lock))
            connection.execute(delete(ATTEMPTS).where(ours, ATTEMPTS.c.at_ns <= now_ns - window_ns))
            query = select(func.count(), func.min(ATTEMPTS.c.at_ns)).where(mine)
            count, first_ns = connection.execute(query).one()
            if count >= most:
                return int(first_ns) + window_ns - now_ns
            new = {"limit": limit, "key": key, "at_ns": now_ns}
            connection.execute(insert(ATTEMPTS).values(new))
            return 0

        return self._database.write(work, Begin.QUICK)

    def give_back(self, limit: str, key: str) -> None:
        """The latest attempt of the key was none that should count."""
        mine = (ATTEMPTS.c.limit == limit) & (ATTEMPTS.c.key == key)
        latest = select(func.max(ATTEMPTS.c.id)).where(mine).scalar_subquery()
        gone = delete(ATTEMPTS).where(ATTEMPTS.c.id == latest)
        self._database.write(lambda connection: connection.execute(gone), Begin.QUICK)
