"""Export what can still be read of a damaged store, as `import_lines` takes it.

A range of rows that cannot be read is halved until the damaged rows are found. A row that refers to
one that is lost is left out with it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from agon.datastore import schema
from agon.datastore.checksum import CHECKSUM, check_row
from agon.datastore.lines import TABLES, format_row
from agon.datastore.transfer import format_export
from agon.errors import DatabaseError, DatastoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import ForeignKeyConstraint, Table

    from agon.datastore.database import Database

    Row = dict[str, Any]

LAST_ID = 2**62
MOST_FAILURES = 5_000
"""Failed reads of one table after which it is given up."""


def salvage_lines(database: Database, on_loss: Callable[[str], None]) -> Iterator[bytes]:
    """The lines of an export; `on_loss` is told of each row, or range, that is left out."""
    return format_export(_Salvage(database, on_loss).lines())


class _Salvage:
    def __init__(self, database: Database, on_loss: Callable[[str], None]) -> None:
        self._database = database
        self._on_loss = on_loss
        self._kept: dict[tuple[str, ...], set[tuple[Any, ...]]] = defaultdict(set)
        """The rows that others may refer to, by table and columns."""
        self._failures = 0

    def lines(self) -> Iterator[bytes]:
        for table in TABLES:
            self._failures = 0
            for row in self._rows(table):
                key = ", ".join(str(row[column.name]) for column in table.primary_key)
                try:
                    if CHECKSUM in row:
                        check_row(table, row)
                    self._check_references(table, row)
                    line = format_row(table, row)
                except DatastoreError as error:
                    self._on_loss(f"{table.name} {key}: {error}")
                    continue
                self._keep(table, row)
                yield line

    def _rows(self, table: Table) -> Iterator[Row]:
        if table is not schema.blobs:
            yield from self._range(table, 1, LAST_ID)
            return
        names = sorted(sha256 for (sha256,) in self._kept_names())
        for name in names:
            yield from self._read(table, name, name, f"{table.name} {name}") or ()

    def _kept_names(self) -> set[tuple[Any, ...]]:
        """The names of blobs: those of the files, which are read beforehand for it."""
        files = schema.version_files
        return {(row["sha256"],) for row in self._range(files, 1, LAST_ID)}

    def _range(self, table: Table, low: int, high: int) -> Iterator[Row]:
        """The rows whose keys begin with a number from low to below high."""
        if self._failures >= MOST_FAILURES:
            return
        rows = self._read(table, low, high - 1, f"{table.name} {low}" if high - low == 1 else "")
        if rows is not None:
            yield from rows
        elif high - low > 1:
            middle = (low + high) // 2
            yield from self._range(table, low, middle)
            yield from self._range(table, middle, high)

    def _read(self, table: Table, first: Any, last: Any, name: str) -> list[Row] | None:
        """The rows with these keys; None if they cannot be read, which is told if it has a name."""
        key = next(iter(table.primary_key))
        query = select(table).where(key >= first, key <= last).order_by(*table.primary_key)
        try:
            with self._database.read() as connection:
                return [row._asdict() for row in connection.execute(query)]
        except (DatabaseError, DatastoreError):
            self._failures += 1
            if self._failures == MOST_FAILURES:
                self._on_loss(f"{table.name}: whatever follows {first} cannot be read")
            elif name:
                self._on_loss(f"{name}: it cannot be read")
            return None

    def _check_references(self, table: Table, row: Row) -> None:
        for reference in table.foreign_key_constraints:
            value = tuple(row[name] for name in reference.column_keys)
            if None not in value and value not in self._kept[_target(reference)]:
                lost = reference.referred_table.name
                raise DatastoreError(f"it belongs to {lost} {value[0]}, which is lost")

    def _keep(self, table: Table, row: Row) -> None:
        self._kept[table.name, *(column.name for column in table.primary_key)].add(
            tuple(row[column.name] for column in table.primary_key)
        )


def _target(reference: ForeignKeyConstraint) -> tuple[str, ...]:
    """The table and the columns that a column refers to."""
    return (
        reference.referred_table.name,
        *(element.column.name for element in reference.elements),
    )
