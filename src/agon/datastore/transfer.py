"""Export a store, and import it into an empty one of either kind."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from agon.datastore import schema
from agon.datastore.checksum import CHECKSUM, check_row
from agon.datastore.lines import TABLES, format_line, format_row, parse_line, parse_row
from agon.datastore.result_counts import recount
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection, Table

    from agon.datastore.database import Database

HEADER = {"agon": "datastore", "revision": schema.REVISION}
BATCH = 500
FEW_ROWS = 20  # of those with whole files in them


def count_rows(database: Database) -> int:
    """How many rows an export has."""
    with database.read() as connection:
        return sum(
            connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in TABLES
        )


def export_lines(database: Database) -> Iterator[bytes]:
    """The whole store as it is at one moment, line by line."""
    return format_export(_rows(database))


def format_export(lines: Iterable[bytes]) -> Iterator[bytes]:
    head, rows = format_line(HEADER), 0
    whole = sha256(head)
    yield head
    for line in lines:
        whole.update(line)
        rows += 1
        yield line
    yield format_line({"end": {"rows": rows, "sha256": whole.hexdigest()}})


def _rows(database: Database) -> Iterator[bytes]:
    with database.snapshot() as connection:
        for table in TABLES:
            query = select(table).order_by(*table.primary_key)
            if "data" in table.columns:
                query = query.execution_options(yield_per=FEW_ROWS)
            with closing(connection.execute(query)) as found:
                for row in found:
                    values = row._asdict()
                    if CHECKSUM in values:
                        check_row(table, values)
                    yield format_row(table, values)


def import_lines(database: Database, lines: Iterable[bytes]) -> int:
    """Fill an empty store from an export: all of it, or nothing; how many rows there were."""

    def work(connection: Connection) -> int:
        for table in TABLES:
            if connection.execute(select(exists().select_from(table))).scalar():
                raise DatastoreError(
                    f"datastore {database.place}: it has {table.name}; expected an empty one"
                )
        rows = _Import(connection).read(lines)
        recount(connection)
        if not database.is_sqlite:
            _set_sequences(connection)
        return rows

    return database.write(work)


class _Import:
    """The lines of an export on their way into the tables."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.number = 0
        self.rows = 0
        self.table: Table | None = None
        self.batch: list[dict[str, Any]] = []
        self.whole = sha256()

    def read(self, lines: Iterable[bytes]) -> int:
        ended = False
        for self.number, line in enumerate(lines, 1):
            try:
                if ended:
                    raise DatastoreError("expected nothing after the end")
                ended = self._take(parse_line(line))
                self.whole.update(line)
            except DatastoreError as error:
                raise DatastoreError(f"line {self.number}: {error}") from None
        if not ended:
            raise DatastoreError(f"line {self.number + 1}: the export is cut off; expected more")
        return self.rows

    def _take(self, found: dict[str, Any]) -> bool:
        """Take a line; whether it was the last."""
        if self.number == 1:
            _check_header(found)
            return False
        if "end" in found:
            self._store()
            end = {"rows": self.rows, "sha256": self.whole.hexdigest()}
            if found not in ({"end": end}, {"end": {"rows": self.rows}}):
                raise DatastoreError(f"{str(found)[:60]}: expected {end}, as it was read")
            return True
        table, row = parse_row(found, self.connection.dialect)
        if table is not self.table or len(self.batch) >= BATCH:
            self._store()
        self.table = table
        self.batch.append(row)
        self.rows += 1
        return False

    def _store(self) -> None:
        if self.table is None or not self.batch:
            return
        try:
            self.connection.execute(insert(self.table), self.batch)
        except IntegrityError as error:
            raise DatastoreError(
                f"one of {len(self.batch)} rows of {self.table.name} up to here does not fit"
                f" the others: {' '.join(str(error.orig).split())}"
            ) from None
        self.batch = []


def _check_header(found: dict[str, Any]) -> None:
    if found == HEADER:
        return
    if found.get("agon") == "datastore":
        raise DatastoreError(
            f"the export has revision {str(found.get('revision'))[:20]}, this Agon has"
            f" {schema.REVISION}; export it again with the same version of Agon"
        )
    raise DatastoreError(f"{str(found)[:60]}: expected an export of `agon db export`")


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL count on after the ids that came with the rows."""
    for table in TABLES:
        if "id" in table.columns:
            last = connection.execute(select(func.max(table.c.id))).scalar()
            if last is not None:
                connection.execute(
                    text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)"),
                    {"table": table.name, "last": last},
                )
