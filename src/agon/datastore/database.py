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
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from agon.datastore.location import format_location
from agon.errors import DatastoreError, MissingPartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import URL, Connection, Engine, Table
    from sqlalchemy.engine.interfaces import DBAPIConnection

T = TypeVar("T")

BUSY_MS = 10_000
WRITE_ATTEMPTS = 6
CONNECT_ATTEMPTS = 30
PAUSE_S = 0.02
CONNECT_S = 10
MANY_ROWS = 2_000

BUSY_SQLITE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
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


class Database:
    """One database, open; several threads may use it, but a forked process needs its own."""

    def __init__(
        self, url: URL, busy_ms: int = BUSY_MS, pause: Callable[[float], None] = time.sleep
    ) -> None:
        """Nothing is opened before the first transaction; `pause` waits that many seconds.

        `busy_ms` is how long SQLite waits for another process; then the work is tried again.
        """
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._pause = pause
        self._engine = _sqlite_engine(url, busy_ms) if self.is_sqlite else _postgresql_engine(url)

    @property
    def place(self) -> str:
        return format_location(self.url)

    def close(self) -> None:
        """Close all connections; a later transaction would open new ones."""
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self._told(), self._connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A transaction that only reads, and sees one moment however long it takes."""
        with self._told(), self._connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ")
            connection.execution_options(yield_per=MANY_ROWS)
            yield connection

    def write(self, work: Callable[[Connection], T], begin: Begin = Begin.DURABLE) -> T:
        """Do the work in one transaction: all of it is stored, or none.

        The work is done again from its beginning if another process was in the way.
        """

        def once() -> T:
            with self._connect() as connection:
                connection.execution_options(agon_begin=begin)
                with connection.begin():
                    return work(connection)

        with self._told():
            return self._patiently(once, WRITE_ATTEMPTS)

    def _connect(self) -> Connection:
        """A connection. SQLite itself does not wait while other processes make a new file's log."""
        return self._patiently(self._engine.connect, CONNECT_ATTEMPTS)

    def _patiently(self, work: Callable[[], T], attempts: int) -> T:
        """Try so often, a little later each time, as long as another process is in the way."""
        for attempt in range(1, attempts):
            try:
                return work()
            except DBAPIError as error:
                if not _is_busy(error.orig):
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
            raise DatastoreError(f"datastore {self.place}: {_explain(error.orig)}") from error
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise DatastoreError(f"datastore {self.place}: {_explain(error)}") from error


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


def _postgresql_engine(url: URL) -> Engine:
    given = {"connect_timeout": CONNECT_S, "application_name": "agon", "client_encoding": "utf8"}
    chosen = {name: value for name, value in given.items() if name not in url.query}
    try:
        return create_engine(url, connect_args=chosen, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingPartError(f"PostgreSQL needs {error.name}: install agon[postgres]") from None


def _is_busy(error: BaseException | None) -> bool:
    """Whether another process was in the way, so that trying again can help."""
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode & 0xFF in BUSY_SQLITE
    return getattr(error, "sqlstate", None) in BUSY_POSTGRESQL


def _explain(error: BaseException | None) -> str:
    """The database's own words, on one line, and what they mean for us."""
    words = " ".join(str(error).split())
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return f"{words}; expected a file that Agon made"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"the file is damaged ({words}); `agon db check` says where"
    if code in BUSY_SQLITE:
        return f"another process has been writing for too long ({words})"
    return words
