"""A connection to either database: how a transaction begins, waits, is tried again, and fails.

What a commit promises on SQLite, in WAL mode:

- `synchronous=NORMAL` (matches): a commit is in the operating system's hands. `kill -9` of the
  process, at any moment, loses nothing that was committed. A power cut can lose the last commits,
  each as a whole, but never damages the file; a tournament that is resumed plays those again.
- `synchronous=FULL` (all else: users, tokens, bots, tournaments): a commit has reached the disk,
  and with it all the commits before it. These writes are rare, and cannot be repeated.

PostgreSQL waits for its disk at each commit, unless its own settings say otherwise. A process that
is killed in the middle of a transaction leaves nothing of it behind, on both.

Writing transactions take SQLite's one write lock when they begin (`BEGIN IMMEDIATE`), so that two
writers wait for each other and never fail halfway.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from agon.datastore.location import format_location
from agon.datastore.retry import NO_RETRY
from agon.errors import DatabaseError, DatastoreError, MissingPartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import URL, Connection, Engine, Table
    from sqlalchemy.engine.interfaces import DBAPIConnection

    from agon.datastore.retry import Retry

T = TypeVar("T")

BUSY_MS = 10_000
BUSY_S = 10.0  # in all attempts together
WRITE_ATTEMPTS = 6
CONNECT_ATTEMPTS = 30
PAUSE_S = 0.02
CONNECT_S = 10
LEAST_CONNECT_S = 2  # less is not taken
MANY_ROWS = 2_000

BUSY_SQLITE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
PASSING_SQLITE = BUSY_SQLITE | {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
}
BUSY_POSTGRESQL = {"40001", "40P01"}  # serialization failure, deadlock

INSERT: dict[str, Callable[[Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


class Begin(Enum):
    """How a transaction begins on SQLite."""

    READ = ("BEGIN",)
    QUICK = ("PRAGMA synchronous=NORMAL", "BEGIN IMMEDIATE")
    DURABLE = ("PRAGMA synchronous=FULL", "BEGIN IMMEDIATE")
    # A migration may drop and rebuild a table that others refer to.
    MIGRATE = ("PRAGMA foreign_keys=OFF", "PRAGMA synchronous=FULL", "BEGIN IMMEDIATE")


@dataclass
class OwnServer:
    """Which server of the datastore this process is; None: it has not joined it as one."""

    id: int | None = None


class Database:
    """One database, open; several threads may use it, but a forked process needs its own."""

    def __init__(
        self,
        url: URL,
        busy_ms: int = BUSY_MS,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        answer_seconds: int | None = None,
    ) -> None:
        """Nothing is opened before the first transaction; `pause` and `clock` are in seconds.

        `busy_ms` is how long SQLite waits for another process; then the work is tried again.
        `answer_seconds` is how long PostgreSQL may take for an answer; None: as long as it takes.
        """
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._pause = pause
        self._clock = clock
        self._retry = NO_RETRY
        self.server = OwnServer()
        self._engine = (
            _sqlite_engine(url, busy_ms)
            if self.is_sqlite
            else _postgresql_engine(url, answer_seconds)
        )

    @property
    def place(self) -> str:
        return format_location(self.url)

    def close(self) -> None:
        """Close all connections; a later transaction would open new ones."""
        self._engine.dispose()

    def retrying(self, retry: Retry) -> Database:
        """The same database for a caller that waits while it does not answer."""
        waiting = copy(self)
        waiting._retry = retry
        return waiting

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        connection = self._retry.run(self._connect_told)
        with self._told(), connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A transaction that only reads, and sees one moment however long it takes."""
        with self.read() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ")
            connection.execution_options(yield_per=MANY_ROWS)
            yield connection

    def write(self, work: Callable[[Connection], T], begin: Begin = Begin.DURABLE) -> T:
        """Do the work in one transaction: all of it is stored, or none.

        The work is done again from its beginning if another process was in the way, or if the
        database did not answer and this one retries: see `may_be_stored`.
        """

        def attempt(is_again: bool) -> T:
            def once() -> T:
                with self._connect() as connection:
                    connection.execution_options(agon_begin=begin, agon_again=is_again)
                    with connection.begin():
                        return work(connection)

            with self._told():
                return self._with_attempts(once, WRITE_ATTEMPTS)

        return self._retry.run(attempt)

    def _connect_told(self, is_again: bool) -> Connection:
        with self._told():
            return self._connect()

    def _connect(self) -> Connection:
        """A connection. SQLite itself does not wait while other processes make a new file's log."""
        return self._with_attempts(self._engine.connect, CONNECT_ATTEMPTS)

    def _with_attempts(self, work: Callable[[], T], attempts: int) -> T:
        """Try up to `attempts` times, each time later, while another process is in the way."""
        give_up = self._clock() + BUSY_S
        for attempt in range(1, attempts):
            try:
                return work()
            except DBAPIError as error:
                if not _is_busy(error.orig) or self._clock() > give_up:
                    raise
                self._pause(PAUSE_S * attempt)
        return work()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn the library's errors into ours."""
        try:
            yield
        except StatementError as error:
            if isinstance(error.orig, DatastoreError):
                raise error.orig from None
            if isinstance(error, IntegrityError | DataError):
                raise DatastoreError(f"it does not fit the rest: {_explain(error.orig)}") from error
            raise self._failure(error, error.orig) from error
        except (SQLAlchemyError, sqlite3.Error, MemoryError) as error:
            raise self._failure(error, error) from error

    def _failure(self, error: BaseException, cause: BaseException | None) -> DatabaseError:
        return DatabaseError(f"datastore {self.place}: {_explain(cause)}", _is_passing(error))


def may_be_stored(connection: Connection) -> bool:
    """Whether the same work was tried before, and its end is not known: it may have been done."""
    return bool(connection.get_execution_options().get("agon_again"))


def insert_new(connection: Connection, table: Table) -> Any:
    """An INSERT for this database that knows ON CONFLICT, which both have in the same form."""
    return INSERT[connection.dialect.name](table)


def _sqlite_engine(url: URL, busy_ms: int) -> Engine:
    engine = create_engine(url, connect_args={"timeout": busy_ms / 1000})

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _record: Any) -> None:
        connection.isolation_level = None  # begin() below begins; the driver must not
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA journal_mode=WAL")
        (mode,) = cursor.fetchone() or ("unknown",)
        cursor.close()
        if mode != "wal":
            raise DatastoreError(
                f"datastore {url.database}: SQLite cannot keep a write-ahead log there"
                f" (journal mode {mode}); expected a folder on a disk of this machine"
            )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        how: Begin = connection.get_execution_options().get("agon_begin", Begin.READ)
        for statement in how.value:
            connection.exec_driver_sql(statement)

    return engine


def _postgresql_engine(url: URL, answer_seconds: int | None) -> Engine:
    connect_s = CONNECT_S if answer_seconds is None else max(LEAST_CONNECT_S, answer_seconds // 2)
    given = {"connect_timeout": connect_s, "application_name": "agon", "client_encoding": "utf8"}
    chosen = {name: value for name, value in given.items() if name not in url.query}
    try:
        engine = create_engine(url, connect_args=chosen, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingPartError(f"PostgreSQL needs {error.name}: install agon[postgres]") from None
    if answer_seconds is not None:
        from agon.datastore.postgresql import connect

        event.listen(
            engine,
            "do_connect",
            lambda dialect, record, arguments, given: connect(answer_seconds, *arguments, **given),
        )
    return engine


def _is_busy(error: BaseException | None) -> bool:
    """Whether another process was in the way, so that trying again can help."""
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode & 0xFF in BUSY_SQLITE
    return getattr(error, "sqlstate", None) in BUSY_POSTGRESQL


def _is_passing(error: BaseException) -> bool:
    """Whether the database may recover by itself, or its operator may help it."""
    if isinstance(error, PoolTimeoutError | MemoryError):
        return True
    cause = error.orig if isinstance(error, StatementError) else error
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in PASSING_SQLITE
    return isinstance(error, OperationalError | InterfaceError)


def _explain(error: BaseException | None) -> str:
    """The database's own words, on one line, and what they mean for us."""
    words = " ".join(str(error).split())
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return f"{words}; expected a file that Agon made. If it is one, take the last export of it"
    if code == sqlite3.SQLITE_CORRUPT:
        return (
            f"the file is damaged ({words}); `agon db check` says where, and"
            " `agon db export --salvage FILE` writes what can be read, for `agon db import` into a"
            " new folder"
        )
    if code in BUSY_SQLITE:
        return f"another process has been writing for too long ({words})"
    return words
