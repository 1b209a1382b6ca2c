"""Migrate a datastore's tables to this version's schema, with Alembic.

A store says in its table `agon_revision` which migration it has; revisions are numbered 0001,
0002, … An empty store is brought up to date when it is opened; one with data only when its owner
asks for it, with `agon db upgrade`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, text

from agon.datastore.database import Begin
from agon.datastore.schema import REVISION, VERSION_TABLE, metadata
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

    from agon.datastore.database import Database

MIGRATIONS = Path(__file__).parent / "migrations"
UPGRADE_LOCK = 0x41474F4E  # a number of our own for PostgreSQL's advisory lock: "AGON"


def read_revision(database: Database) -> str | None:
    """The revision of the store; None if there is nothing in it yet."""
    with database.read() as connection:
        return _read_revision(connection, database.place)


def check_revision(database: Database, revision: str) -> None:
    """Raise DatastoreError unless this code can work with a store of that revision."""
    if revision == REVISION:
        return
    if revision.isdigit() and int(revision) < int(REVISION):
        raise DatastoreError(
            f"datastore {database.place}: it has revision {revision}, this Agon needs {REVISION};"
            f" run `agon db upgrade`"
        )
    raise DatastoreError(
        f"datastore {database.place}: it has revision {revision}, this Agon knows up to"
        f" {REVISION}; a newer Agon wrote it: install that one"
    )


def upgrade(database: Database) -> tuple[str | None, str]:
    """Bring the store to the newest revision, in one transaction: from which one, to which one."""

    def work(connection: Connection) -> str | None:
        from alembic import command

        if not database.is_sqlite:
            _check_encoding(connection, database.place)
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": UPGRADE_LOCK})
        before = _read_revision(connection, database.place)
        if before is not None and not (before.isdigit() and int(before) < int(REVISION)):
            check_revision(database, before)
            return before
        command.upgrade(_config(connection), "head")
        if database.is_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise DatastoreError(f"datastore {database.place}: rows refer to rows that are missing")
        return before

    before = database.write(work, Begin.MIGRATE)
    database.close()  # its connections were told to ignore foreign keys
    return before, REVISION


def schema_differences(connection: Connection) -> list[Any]:
    """What Alembic finds to be different between the tables and the schema module."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    options = {"version_table": VERSION_TABLE, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


def _read_revision(connection: Connection, place: str) -> str | None:
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise DatastoreError(
                f"datastore {place}: it has tables such as {tables[0]!r} and no revision;"
                f" expected a store of Agon, or an empty database"
            )
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
    revision: str | None = found.scalar()
    return revision


def _check_encoding(connection: Connection, place: str) -> None:
    encoding = connection.execute(text("SHOW server_encoding")).scalar()
    if encoding != "UTF8":
        raise DatastoreError(f"datastore {place}: its encoding is {encoding}; expected UTF8")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
