"""Is everything in the store what it should be? Each step looks for one kind of damage."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from sqlalchemy import Text, func, select, type_coerce

from agon.datastore import schema
from agon.datastore.blobs import open_blob
from agon.datastore.checksum import check_row
from agon.datastore.codec import Packed, unpack
from agon.datastore.columns import EnumText, JsonColumn
from agon.datastore.enums import BookingState, MatchStatus
from agon.datastore.result_counts import RECOUNT, find_differences
from agon.datastore.upgrade import schema_differences
from agon.errors import DatabaseError, DatastoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Row, Table

    from agon.datastore.database import Database

    Step = Callable[[Connection], Iterator[str]]

MATCHES, SEATS, TRANSCRIPTS = schema.matches, schema.seats, schema.transcripts
BOOKINGS = schema.bookings
FEW_ROWS = 20  # of those with whole files in them


def check_database(
    database: Database, on_step: Callable[[str, int, int], None] = lambda name, done, steps: None
) -> list[str]:
    """What is wrong with the store, a line each; nothing if all is well.

    `on_step` is told each step's name before it begins, how many are done, and how many there are.
    """
    problems = []
    for done, (name, step) in enumerate(STEPS):
        on_step(name, done, len(STEPS))
        try:
            with database.snapshot() as connection:
                problems += list(step(connection))
        except (DatabaseError, DatastoreError) as error:
            problems.append(str(error))
    on_step("done", len(STEPS), len(STEPS))
    return problems


def check_file(connection: Connection) -> Iterator[str]:
    """SQLite looks through its file; PostgreSQL's server looks after its own."""
    if connection.dialect.name != "sqlite":
        return
    for (message,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if message != "ok":
            yield f"file: {message}"
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"{table}: row {row} refers to a row of {parent} that is missing"


def check_schema(connection: Connection) -> Iterator[str]:
    """The tables, columns, indexes and constraints are those of the schema module."""
    for difference in schema_differences(connection):
        yield f"schema: {difference}"


def check_words(connection: Connection) -> Iterator[str]:
    """Every word of a closed set is known, every JSON text can be read."""
    for table in schema.metadata.sorted_tables:
        for column in table.columns:
            if not isinstance(column.type, EnumText | JsonColumn):
                continue
            stored = select(type_coerce(column, Text)).distinct()
            for value in connection.execute(stored).scalars():
                try:
                    column.type.process_result_value(value, connection.dialect)
                except DatastoreError as error:
                    yield f"{table.name}.{column.name}: {error}"


def check_seats(connection: Connection) -> Iterator[str]:
    """Every match has its seats, numbered from 0."""
    query = (
        select(MATCHES.c.id, func.count(SEATS.c.seat))
        .outerjoin(SEATS)
        .group_by(MATCHES.c.id)
        .having(
            (func.count(SEATS.c.seat) == 0)
            | (func.min(SEATS.c.seat) != 0)
            | (func.max(SEATS.c.seat) != func.count(SEATS.c.seat) - 1)
        )
        .order_by(MATCHES.c.id)
    )
    for match_id, number in connection.execute(query):
        yield f"match {match_id}: {number} seats are stored, not numbered from 0 without a gap"


def check_transcripts(connection: Connection) -> Iterator[str]:
    """Every finished match has a transcript, and every transcript can be unpacked."""
    missing = (
        select(MATCHES.c.id)
        .outerjoin(TRANSCRIPTS)
        .where(TRANSCRIPTS.c.match_id.is_(None), MATCHES.c.status == MatchStatus.FINISHED)
        .order_by(MATCHES.c.id)
    )
    for match_id in connection.execute(missing).scalars():
        yield f"match {match_id}: its transcript is missing"
    for row in _packed(connection, TRANSCRIPTS):
        try:
            unpack(Packed(row.codec, row.size, row.data), f"transcript of match {row.match_id}")
            check_row(TRANSCRIPTS, row._asdict())
        except DatastoreError as error:
            yield str(error)


def check_checksums(connection: Connection) -> Iterator[str]:
    """Every match, seat and rating is what was stored."""
    for table in (MATCHES, SEATS, schema.ratings):
        query = select(table).order_by(*table.primary_key)
        with closing(connection.execute(query)) as rows:
            for row in rows:
                try:
                    check_row(table, row._asdict())
                except DatastoreError as error:
                    yield str(error)


def check_counts(connection: Connection) -> Iterator[str]:
    """The counts of results are those of the matches."""
    for result, stored, matches in find_differences(connection):
        yield (
            f"result_counts, {result}: {stored} counted, {matches} matches are stored;"
            f" {RECOUNT} counts them again"
        )


def check_bookings(connection: Connection) -> Iterator[str]:
    """A booking is done if it has a match, and has one if it is done."""
    is_done = BOOKINGS.c.state == BookingState.DONE
    odd = select(BOOKINGS.c.id).where(is_done == BOOKINGS.c.match_id.is_(None))
    for booking_id in connection.execute(odd.order_by(BOOKINGS.c.id)).scalars():
        yield f"booking {booking_id}: it is done without a match, or has one and is not done"


def check_blobs(connection: Connection) -> Iterator[str]:
    """Every blob can be unpacked and has the hash that names it."""
    for row in _packed(connection, schema.blobs):
        try:
            open_blob(row.sha256, Packed(row.codec, row.size, row.data))
        except DatastoreError as error:
            yield str(error)


def _packed(connection: Connection, table: Table) -> Iterator[Row[Any]]:
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=FEW_ROWS)
    with closing(connection.execute(query)) as rows:
        yield from rows


STEPS: tuple[tuple[str, Step], ...] = (
    ("the file", check_file),
    ("tables", check_schema),
    ("words", check_words),
    ("seats", check_seats),
    ("checksums", check_checksums),
    ("transcripts", check_transcripts),
    ("counts of results", check_counts),
    ("bookings", check_bookings),
    ("blobs", check_blobs),
)
