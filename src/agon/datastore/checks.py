"""Checks: each building and checking of a bot version, what it printed, and how it ended.

They wait in a queue. A check that was running when the server ended is marked as interrupted, and
another one takes its place in the queue: a server that stops is not the bot's fault,
unless it happens again and again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from agon.datastore import schema
from agon.datastore.enums import CheckState, VersionStatus
from agon.datastore.servers import is_left
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from agon.datastore.database import Database

CHECKS, VERSIONS = schema.checks, schema.bot_versions
MOST_OUTPUT = 1 << 18
"""The most characters of a check's output that are kept."""
CUT = "\n… the rest is not kept\n"
MOST_INTERRUPTED = 3
"""How often in a row a version's checks may be interrupted before it is given up."""
SUSPENDED = select(VERSIONS.c.id).where(VERSIONS.c.status == VersionStatus.SUSPENDED)
OUT_OF_PLAY = (VersionStatus.WITHDRAWN, VersionStatus.SUSPENDED)


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """One building and checking of a version."""

    id: int
    version_id: int
    state: CheckState
    output: str
    created_ns: int
    started_ns: int | None
    ended_ns: int | None
    server_id: int | None
    """Who does it, or did."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state not in (CheckState.QUEUED, CheckState.RUNNING)


class Checks:
    """The checks of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, version_id: int, now_ns: int) -> StoredCheck:
        """Let the version wait for its check, behind those that wait already."""
        return self._database.write(lambda connection: add_check(connection, version_id, now_ns))

    def get(self, check_id: int) -> StoredCheck:
        with self._database.read() as connection:
            row = connection.execute(select(CHECKS).where(CHECKS.c.id == check_id)).one_or_none()
        if row is None:
            raise DatastoreError(f"check {check_id}: there is none of that id")
        return _check(row)

    def of_version(self, version_id: int) -> list[StoredCheck]:
        """The version's checks, the latest first."""
        query = select(CHECKS).where(CHECKS.c.version_id == version_id)
        with self._database.read() as connection:
            return [_check(row) for row in connection.execute(query.order_by(CHECKS.c.id.desc()))]

    def latest(self, version_id: int) -> StoredCheck | None:
        query = select(CHECKS).where(CHECKS.c.version_id == version_id)
        with self._database.read() as connection:
            row = connection.execute(query.order_by(CHECKS.c.id.desc()).limit(1)).one_or_none()
        return None if row is None else _check(row)

    def queue(self) -> list[StoredCheck]:
        """The checks that wait, the next one first."""
        query = select(CHECKS).where(CHECKS.c.state == CheckState.QUEUED).order_by(CHECKS.c.id)
        with self._database.read() as connection:
            return [_check(row) for row in connection.execute(query)]

    def take(self, now_ns: int) -> StoredCheck | None:
        """The next one of the queue, now running, for this caller alone; None if there is none.

        Versions of authors who are suspended keep their places.
        """

        def work(connection: Connection) -> StoredCheck | None:
            waiting = (
                select(CHECKS.c.id)
                .where(CHECKS.c.state == CheckState.QUEUED, CHECKS.c.version_id.not_in(SUSPENDED))
                .order_by(CHECKS.c.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            check_id = connection.execute(waiting).scalar()
            if check_id is None:
                return None
            begun = update(CHECKS).where(CHECKS.c.id == check_id)
            own = self._database.server.id
            begun = begun.values(state=CheckState.RUNNING, started_ns=now_ns, server_id=own)
            return _check(connection.execute(begun.returning(CHECKS)).one())

        return self._database.write(work)

    def append(self, check_id: int, text: str) -> None:
        """Add to the output of a check that runs; what is too much of it is not kept."""
        clean = text.replace("\0", "\ufffd").encode(errors="replace").decode()

        def work(connection: Connection) -> None:
            length = select(func.length(CHECKS.c.output)).where(*_running(check_id))
            there = connection.execute(length.with_for_update()).scalar()
            if there is None:
                raise DatastoreError(f"check {check_id}: it does not run")
            room = MOST_OUTPUT - there
            if room < 0:
                return
            more = clean if len(clean) <= room else clean[:room] + CUT
            longer = update(CHECKS).where(CHECKS.c.id == check_id)
            connection.execute(longer.values(output=CHECKS.c.output + more))

        self._database.write(work)

    def end(self, check_id: int, *, passed: bool, now_ns: int) -> None:
        """Say how a running check ended; the version becomes active or failed with it.

        A version that was withdrawn meanwhile, or whose author was suspended, stays so.
        """

        def work(connection: Connection) -> None:
            over = update(CHECKS).where(*_running(check_id))
            over = over.values(
                state=CheckState.PASSED if passed else CheckState.FAILED, ended_ns=now_ns
            )
            version_id = connection.execute(over.returning(CHECKS.c.version_id)).scalar()
            if version_id is None:
                raise DatastoreError(f"check {check_id}: it does not run")
            _judge(connection, version_id, passed)

        self._database.write(work)

    def mark_interrupted(self, now_ns: int) -> list[StoredCheck]:
        """Checks that ran on servers that are gone, or on none, are interrupted, and queued again.

        The new checks. A version that was interrupted too often gets none and has failed.
        """

        def work(connection: Connection) -> list[StoredCheck]:
            cut_off = (
                update(CHECKS)
                .where(CHECKS.c.state == CheckState.RUNNING, is_left(CHECKS.c.server_id))
                .values(state=CheckState.INTERRUPTED, ended_ns=now_ns)
                .returning(CHECKS.c.version_id)
            )
            again = []
            for version_id in sorted(set(connection.execute(cut_off).scalars())):
                if _interrupted_in_a_row(connection, version_id) < MOST_INTERRUPTED:
                    again.append(add_check(connection, version_id, now_ns))
                else:
                    _judge(connection, version_id, passed=False)
            return again

        return self._database.write(work)


def _running(check_id: int) -> tuple[Any, Any]:
    return (CHECKS.c.id == check_id, CHECKS.c.state == CheckState.RUNNING)


def add_check(connection: Connection, version_id: int, now_ns: int) -> StoredCheck:
    """Let the version wait for its check, in the transaction of this connection."""
    values = {
        "version_id": version_id,
        "state": CheckState.QUEUED,
        "output": "",
        "created_ns": now_ns,
    }
    return _check(connection.execute(insert(CHECKS).values(values).returning(CHECKS)).one())


def _judge(connection: Connection, version_id: int, passed: bool) -> None:
    status = VersionStatus.ACTIVE if passed else VersionStatus.FAILED
    connection.execute(
        update(VERSIONS)
        .where(VERSIONS.c.id == version_id, VERSIONS.c.status.not_in(OUT_OF_PLAY))
        .values(status=status)
    )


def _interrupted_in_a_row(connection: Connection, version_id: int) -> int:
    query = select(CHECKS.c.state).where(CHECKS.c.version_id == version_id)
    number = 0
    for state in connection.execute(query.order_by(CHECKS.c.id.desc())).scalars():
        if state is not CheckState.INTERRUPTED:
            break
        number += 1
    return number


def _check(row: Row[Any]) -> StoredCheck:
    return StoredCheck(**row._mapping)
