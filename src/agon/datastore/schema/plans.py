"""The tables of what is to come: matches that were asked for, and organisers' contests."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Table, UniqueConstraint, text

from agon.datastore.columns import EnumText, JsonColumn, Name, Whole, Words
from agon.datastore.enums import BookingKind, BookingState, ContestState, WhoMayEnter
from agon.datastore.schema.base import column, metadata, row_id, to

bookings = Table(
    "bookings",
    metadata,
    row_id(),
    column("kind", EnumText(BookingKind)),
    column("game", Name),
    column("options", JsonColumn),
    column("seed", Whole),
    column("fixture", Name, nullable=True),  # of a ladder, by which servers know it
    column("settings", JsonColumn),
    to("requested_by", "users", nullable=True),
    column("state", EnumText(BookingState)),
    column("reason", Words),
    column("attempts", Whole),
    column("created_ns", Whole),
    column("started_ns", Whole, nullable=True),
    column("ended_ns", Whole, nullable=True),
    to("match_id", "matches", nullable=True),
    column("server_id", Whole, nullable=True),
    Index("ix_bookings_state_id", "state", "id"),
    Index("ix_bookings_requested_by_id", "requested_by", "id"),
    Index("ix_bookings_match_id", "match_id"),
)

# Of a ladder that several servers plan, each match is booked once; again if it was cancelled.
BOOKED_FIXTURE = text("fixture IS NOT NULL AND state <> 'cancelled'")
Index(
    "uq_bookings_fixture",
    bookings.c.fixture,
    unique=True,
    sqlite_where=BOOKED_FIXTURE,
    postgresql_where=BOOKED_FIXTURE,
)

booking_seats = Table(
    "booking_seats",
    metadata,
    to("booking_id", "bookings", key=True),
    Column("seat", Whole, primary_key=True),
    to("version_id", "bot_versions", nullable=True),  # none: a person's seat
    Index("ix_booking_seats_version_id_booking_id", "version_id", "booking_id"),
    sqlite_with_rowid=False,
)

contests = Table(
    "contests",
    metadata,
    row_id(),
    column("name", Name),
    column("game", Name),
    column("format", Name),
    column("options", JsonColumn),
    column("settings", JsonColumn),
    column("description", Words),
    column("who_may_enter", EnumText(WhoMayEnter)),
    column("opens_ns", Whole, nullable=True),
    column("closes_ns", Whole, nullable=True),
    column("state", EnumText(ContestState)),
    column("published", Boolean),
    to("created_by", "users"),
    column("created_ns", Whole),
    to("tournament_id", "tournaments", nullable=True),
    column("server_id", Whole, nullable=True),
    UniqueConstraint("name"),
)

contest_entries = Table(
    "contest_entries",
    metadata,
    to("contest_id", "contests", key=True),
    to("version_id", "bot_versions", key=True),
    to("user_id", "users"),
    column("entered_ns", Whole),
    sqlite_with_rowid=False,
)

contest_invited = Table(
    "contest_invited",
    metadata,
    to("contest_id", "contests", key=True),
    to("user_id", "users", key=True),
    sqlite_with_rowid=False,
)
