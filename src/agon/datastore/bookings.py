"""Bookings: matches that are to be played, and what became of them.

A booking waits, is taken by a worker, and is completed in the transaction that stores the
match (`Store.record_booked_match`): a match that was played is kept once, whenever the server ends.
What was running then is marked as interrupted, and is taken again before all that came after it.
Whoever takes it begins a new attempt; a server that was taken for gone and comes back with the
match of an earlier one is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, insert, or_, select, update

from agon.datastore import schema
from agon.datastore.database import Begin, insert_new, may_be_stored
from agon.datastore.enums import BookingKind, BookingState
from agon.datastore.servers import is_left
from agon.errors import DatastoreError, GivenUpError, TakenError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from agon.datastore.database import Database

BOOKINGS, SEATS = schema.bookings, schema.booking_seats
PAGE = 50
WAITING = (BookingState.QUEUED, BookingState.INTERRUPTED)
OPEN = (*WAITING, BookingState.RUNNING)


@dataclass(frozen=True, slots=True)
class NewBooking:
    """A match to be played; the bot versions by seat, None for a person."""

    kind: BookingKind
    game: str
    options: Mapping[str, Any]
    seed: int
    versions: tuple[int | None, ...]
    created_ns: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Limits, and what else the worker that plays it needs."""
    requested_by: int | None = None
    fixture: str | None = None
    """Of a plan that several servers make: it is booked once."""


@dataclass(frozen=True, slots=True)
class Booking:
    """A booking that is stored."""

    id: int
    kind: BookingKind
    game: str
    options: Mapping[str, Any]
    seed: int
    fixture: str | None
    settings: Mapping[str, Any]
    requested_by: int | None
    state: BookingState
    reason: str
    """Why it was cancelled, for people."""
    attempts: int
    created_ns: int
    started_ns: int | None
    ended_ns: int | None
    match_id: int | None
    server_id: int | None
    """Who plays it, or did so last."""
    versions: tuple[int | None, ...]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in OPEN


@dataclass(frozen=True, slots=True)
class BookingFilter:
    """Which bookings are wanted; what is None does not matter."""

    kind: BookingKind | None = None
    game: str | None = None
    state: BookingState | None = None
    requested_by: int | None = None
    match_id: int | None = None


class Bookings:
    """The bookings of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, booking: NewBooking) -> Booking:
        """Let the match wait for its turn. TakenError if its fixture is booked already."""
        if not booking.versions:
            raise DatastoreError("booking without seats: expected at least one")
        return self._database.write(lambda connection: _add(connection, booking))

    def get(self, booking_id: int) -> Booking:
        with self._database.read() as connection:
            found = _load(connection, select(BOOKINGS).where(BOOKINGS.c.id == booking_id))
        if not found:
            raise DatastoreError(f"booking {booking_id}: there is none of that id")
        return found[0]

    def find(
        self, wanted: BookingFilter, limit: int = PAGE, before_id: int | None = None
    ) -> list[Booking]:
        """A page of bookings, the latest first; the next page is before the last one's id."""
        query = _filtered(wanted).order_by(BOOKINGS.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(BOOKINGS.c.id < before_id)
        with self._database.read() as connection:
            return _load(connection, query)

    def of_user(self, user_id: int, limit: int = PAGE) -> list[Booking]:
        """What the user asked for, the latest first."""
        return self.find(BookingFilter(requested_by=user_id), limit)

    def count_open(self, user_id: int) -> int:
        """How many matches that the user asked for wait or run."""
        query = _filtered(BookingFilter(requested_by=user_id)).where(BOOKINGS.c.state.in_(OPEN))
        with self._database.read() as connection:
            counted = select(func.count()).select_from(query.subquery())
            return int(connection.execute(counted).scalar_one())

    def waiting(self, kind: BookingKind, game: str | None = None) -> list[Booking]:
        """All bookings of this kind that wait, the oldest first; of one game, if given."""
        query = _filtered(BookingFilter(kind=kind, game=game)).where(BOOKINGS.c.state.in_(WAITING))
        with self._database.read() as connection:
            return _load(connection, query.order_by(BOOKINGS.c.id))

    def take(
        self,
        now_ns: int,
        kinds: Collection[BookingKind] = tuple(BookingKind),
        game: str | None = None,
        only: int | None = None,
    ) -> Booking | None:
        """The oldest booking of these kinds that waits, now running; only this caller gets it.

        Of one game, or the one with that id, if given.
        """

        wanted = select(BOOKINGS.c.id).where(BOOKINGS.c.kind.in_(kinds))
        if only is not None:
            wanted = wanted.where(BOOKINGS.c.id == only)
        if game is not None:
            wanted = wanted.where(BOOKINGS.c.game == game)
        return self._take(wanted, now_ns)

    def take_one(self, booking_id: int, now_ns: int) -> Booking | None:
        """The booking of that id, now running; None if another worker has taken it."""
        wanted = select(BOOKINGS.c.id).where(BOOKINGS.c.id == booking_id)
        return self._take(wanted, now_ns)

    def _take(self, wanted: Select[Any], now_ns: int) -> Booking | None:
        own = self._database.server.id
        return self._database.write(
            lambda connection: _take(connection, wanted, now_ns, own), Begin.QUICK
        )

    def put_back(self, booking: Booking, *, counts: bool = True) -> None:
        """The match that runs was given up before its end: it is played again.

        `counts`: as one of the attempts that it has.
        """
        change = update(BOOKINGS).where(
            BOOKINGS.c.id == booking.id,
            BOOKINGS.c.state == BookingState.RUNNING,
            BOOKINGS.c.attempts == booking.attempts,
        )
        attempts = booking.attempts - (0 if counts else 1)
        change = change.values(state=BookingState.INTERRUPTED, attempts=attempts)
        if not self._database.write(lambda connection: connection.execute(change).rowcount):
            raise GivenUpError(f"booking {booking.id}: attempt {booking.attempts} does not run")

    def cancel(self, booking_id: int, now_ns: int, reason: str = "") -> None:
        """The match is cancelled; if it was running, its server gives it up."""
        self._move(booking_id, OPEN, state=BookingState.CANCELLED, ended_ns=now_ns, reason=reason)

    def open_attempts(self, ids: Collection[int]) -> set[tuple[int, int]]:
        """Those of these bookings that wait or run, and the latest attempt of each."""
        wanted = BOOKINGS.c.id.in_(ids), BOOKINGS.c.state.in_(OPEN)
        query = select(BOOKINGS.c.id, BOOKINGS.c.attempts).where(*wanted)
        with self._database.read() as connection:
            return {(row.id, row.attempts) for row in connection.execute(query)}

    def mark_interrupted(self) -> int:
        """Matches that ran on servers that are gone, or on none, are queued again; how many."""
        left = is_left(BOOKINGS.c.server_id)
        cut_off = update(BOOKINGS).where(BOOKINGS.c.state == BookingState.RUNNING, left)
        cut_off = cut_off.values(state=BookingState.INTERRUPTED)
        return self._database.write(lambda connection: connection.execute(cut_off).rowcount)

    def _move(self, booking_id: int, of: tuple[BookingState, ...], **values: Any) -> None:
        change = update(BOOKINGS).where(BOOKINGS.c.id == booking_id, BOOKINGS.c.state.in_(of))
        change = change.values(**values)
        if not self._database.write(lambda connection: connection.execute(change).rowcount):
            raise DatastoreError(f"booking {booking_id}: there is none that is {' or '.join(of)}")


def _take(
    connection: Connection, wanted: Select[Any], now_ns: int, server_id: int | None
) -> Booking | None:
    """Let the oldest of the wanted bookings run that waits."""
    is_free: ColumnElement[bool] = BOOKINGS.c.state.in_(WAITING)
    if may_be_stored(connection):  # this call itself may have taken one
        is_mine = and_(
            BOOKINGS.c.state == BookingState.RUNNING,
            BOOKINGS.c.started_ns == now_ns,
            BOOKINGS.c.server_id.is_not_distinct_from(server_id),
        )
        is_free = or_(is_free, is_mine)
    waiting = (
        wanted.where(is_free).order_by(BOOKINGS.c.id).limit(1).with_for_update(skip_locked=True)
    )
    booking_id = connection.execute(waiting).scalar()
    if booking_id is None:
        return None
    mine = BOOKINGS.c.id == booking_id
    begun = {
        "state": BookingState.RUNNING,
        "started_ns": now_ns,
        "attempts": BOOKINGS.c.attempts + 1,
        "server_id": server_id,
    }
    connection.execute(update(BOOKINGS).where(mine).values(begun))
    return _load(connection, select(BOOKINGS).where(mine))[0]


def finish_booking(connection: Connection, booking_id: int, match_id: int, now_ns: int) -> None:
    """The match was played and stored, in the transaction of this connection."""
    done = update(BOOKINGS).where(BOOKINGS.c.id == booking_id)
    connection.execute(done.values(state=BookingState.DONE, match_id=match_id, ended_ns=now_ns))


def find_booked(connection: Connection, booking_id: int, attempt: int | None) -> int | None:
    """The match of a booking, if it is stored already; the booking is held until the end.

    GivenUpError if this attempt is not to be stored.
    """
    columns = BOOKINGS.c.state, BOOKINGS.c.match_id, BOOKINGS.c.attempts
    query = select(*columns).where(BOOKINGS.c.id == booking_id)
    row = connection.execute(query.with_for_update()).one_or_none()
    if row is None or row.state is BookingState.CANCELLED:
        raise GivenUpError(f"booking {booking_id}: there is none that is {' or '.join(OPEN)}")
    match_id: int | None = row.match_id
    if match_id is None and attempt not in (None, row.attempts):
        raise GivenUpError(f"booking {booking_id}: attempt {row.attempts} has begun since then")
    return match_id


def cancel_bookings(connection: Connection, versions: Select[Any], now_ns: int) -> None:
    """Cancel what one of these bot versions is to play, or plays: its server gives that up."""
    theirs = select(SEATS.c.booking_id).where(SEATS.c.version_id.in_(versions))
    connection.execute(
        update(BOOKINGS)
        .where(BOOKINGS.c.id.in_(theirs), BOOKINGS.c.state.in_(OPEN))
        .values(state=BookingState.CANCELLED, ended_ns=now_ns, reason="a bot plays no more")
    )


def _add(connection: Connection, booking: NewBooking) -> Booking:
    values = {
        "kind": booking.kind,
        "game": booking.game,
        "options": booking.options,
        "seed": booking.seed,
        "fixture": booking.fixture,
        "settings": booking.settings,
        "requested_by": booking.requested_by,
        "state": BookingState.QUEUED,
        "reason": "",
        "attempts": 0,
        "created_ns": booking.created_ns,
    }
    new = insert_new(connection, BOOKINGS).values(values)
    new = new.on_conflict_do_nothing(
        index_elements=[BOOKINGS.c.fixture], index_where=schema.BOOKED_FIXTURE
    )
    row = connection.execute(new.returning(BOOKINGS)).one_or_none()
    if row is None:
        raise TakenError(f"fixture {booking.fixture!r}: it is booked already")
    seats = [
        {"booking_id": row.id, "seat": seat, "version_id": version_id}
        for seat, version_id in enumerate(booking.versions)
    ]
    connection.execute(insert(SEATS), seats)
    return Booking(**row._mapping, versions=booking.versions)


def _filtered(wanted: BookingFilter) -> Select[Any]:
    query = select(BOOKINGS)
    for column in ("kind", "game", "state", "requested_by", "match_id"):
        if getattr(wanted, column) is not None:
            query = query.where(BOOKINGS.c[column] == getattr(wanted, column))
    return query


def _load(connection: Connection, query: Select[Any]) -> list[Booking]:
    """The bookings of the query, in its order, with their seats."""
    rows: list[Row[Any]] = list(connection.execute(query).all())
    versions: dict[int, list[int | None]] = {row.id: [] for row in rows}
    of_seats = select(SEATS).where(SEATS.c.booking_id.in_(versions))
    for seat in connection.execute(of_seats.order_by(SEATS.c.booking_id, SEATS.c.seat)):
        versions[seat.booking_id].append(seat.version_id)
    return [Booking(**row._mapping, versions=tuple(versions[row.id])) for row in rows]
