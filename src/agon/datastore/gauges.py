"""What operators watch of a datastore: does it answer, how long are its queues, how large is it.

All of it is cheap however much is stored: queues are read by their index on the state, so the cost
follows what waits and runs; contests are few.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text

from agon.datastore import schema
from agon.datastore.bookings import OPEN
from agon.datastore.enums import BookingKind, BookingState, CheckState, ContestState

if TYPE_CHECKING:
    from agon.datastore.database import Database

BOOKINGS, CHECKS, CONTESTS = schema.bookings, schema.checks, schema.contests
BOOKING_QUEUE = (
    select(BOOKINGS.c.kind, BOOKINGS.c.state, func.count(), func.min(BOOKINGS.c.created_ns))
    .where(BOOKINGS.c.state.in_(OPEN))
    .group_by(BOOKINGS.c.kind, BOOKINGS.c.state)
)
CHECK_QUEUE = (
    select(CHECKS.c.state, func.count(), func.min(CHECKS.c.created_ns))
    .where(CHECKS.c.state.in_((CheckState.QUEUED, CheckState.RUNNING)))
    .group_by(CHECKS.c.state)
)
CONTEST_STATES = select(CONTESTS.c.state, func.count()).group_by(CONTESTS.c.state)


@dataclass(frozen=True, slots=True)
class QueueLength:
    """How many are in that state, and when the oldest of them was asked for."""

    length: int
    oldest_ns: int


def check_answer(database: Database) -> None:
    """Raise DatabaseError if the database does not answer."""
    with database.read() as connection:
        connection.execute(text("SELECT 1"))


def booking_queues(database: Database) -> dict[tuple[BookingKind, BookingState], QueueLength]:
    """The matches that wait or are played; a queue that is empty is not among them."""
    with database.read() as connection:
        rows = connection.execute(BOOKING_QUEUE).all()
    return {(kind, state): QueueLength(length, oldest) for kind, state, length, oldest in rows}


def check_queues(database: Database) -> dict[CheckState, QueueLength]:
    """The checks of bots that wait or run."""
    with database.read() as connection:
        rows = connection.execute(CHECK_QUEUE).all()
    return {state: QueueLength(length, oldest) for state, length, oldest in rows}


def count_contests(database: Database) -> dict[str, int]:
    """How many contests are in each state."""
    with database.read() as connection:
        found = {row.state: row[1] for row in connection.execute(CONTEST_STATES)}
    return {state: found.get(state, 0) for state in ContestState}


def size_in_bytes(database: Database) -> int:
    """What it takes on disk; of SQLite its write-ahead log, too."""
    if database.is_sqlite:
        files = (Path(f"{database.url.database}{end}") for end in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    with database.read() as connection:
        size = connection.execute(text("SELECT pg_database_size(current_database())"))
        return int(size.scalar_one())
