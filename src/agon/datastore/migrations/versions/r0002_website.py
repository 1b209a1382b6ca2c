"""The website's tables: sessions, checks, bookings, contests; users and bots can be removed.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from agon.errors import DatastoreError

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
OWNED = sa.text("owner_id IS NOT NULL AND removed_ns IS NULL")
UNOWNED = sa.text("owner_id IS NULL AND removed_ns IS NULL")


def text(length: int | None = None) -> sa.types.TypeEngine[str]:
    """A text, sorted by code points."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def column(title: str, kind: Any, *, nullable: bool = False) -> sa.Column[Any]:
    """A column that must be filled, unless said otherwise."""
    return sa.Column(title, kind, nullable=nullable)


def key_to(table: str, title: str, target: str) -> sa.ForeignKeyConstraint:
    """The rule that a column refers to the id of another table."""
    return sa.ForeignKeyConstraint([title], [f"{target}.id"], name=f"fk_{table}_{title}")


def upgrade() -> None:
    """Change users and bots, create the new tables."""
    change_users()
    change_bots()
    create_sessions()
    create_checks()
    create_bookings()
    create_contests()


def change_users() -> None:
    """Names that differ in case only are the same; a password may be temporary."""
    op.add_column("users", column("folded_name", text(600), nullable=True))
    op.add_column("users", column("password_is_temporary", sa.Boolean(), nullable=True))
    op.add_column("users", column("removed_ns", WHOLE, nullable=True))
    fill_users(op.get_bind())
    with op.batch_alter_table("users") as users:
        users.alter_column("folded_name", existing_type=text(600), nullable=False)
        users.alter_column("password_is_temporary", existing_type=sa.Boolean(), nullable=False)
        users.create_unique_constraint("uq_users_folded_name", ["folded_name"])


def fill_users(connection: sa.Connection) -> None:
    """Fold the names that there are; two that become one are for a person to tell apart."""
    users = sa.table("users", *map(sa.column, ("id", "name", "folded_name")))
    temporary = sa.table("users", sa.column("password_is_temporary"))
    connection.execute(sa.update(temporary).values(password_is_temporary=sa.false()))
    names: dict[str, str] = {}
    for row in connection.execute(sa.select(users.c.id, users.c.name)).all():
        folded = row.name.casefold()
        if folded in names:
            raise DatastoreError(
                f"users {names[folded]!r} and {row.name!r}: their names differ in case only;"
                f" rename one of them in the database, then upgrade"
            )
        names[folded] = row.name
        change = sa.update(users).where(users.c.id == row.id).values(folded_name=folded)
        connection.execute(change)


def change_bots() -> None:
    """The name of a bot that was removed is free again; blobs without files can be found."""
    op.add_column("bots", column("removed_ns", WHOLE, nullable=True))
    for title, columns, where in (
        ("uq_bots_owned", ["owner_id", "game", "name"], OWNED),
        ("uq_bots_unowned", ["game", "name", "built_in"], UNOWNED),
    ):
        op.drop_index(title, "bots")
        op.create_index(
            title, "bots", columns, unique=True, sqlite_where=where, postgresql_where=where
        )
    op.create_index("ix_version_files_sha256", "version_files", ["sha256"])


def create_sessions() -> None:
    """Sessions of browsers."""
    op.create_table(
        "sessions",
        column("id", WHOLE),
        column("user_id", WHOLE),
        column("digest", text(64)),
        column("created_ns", WHOLE),
        column("last_used_ns", WHOLE),
        column("expires_ns", WHOLE),
        key_to("sessions", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])


def create_checks() -> None:
    """Builds and checks of bot versions."""
    op.create_table(
        "checks",
        column("id", WHOLE),
        column("version_id", WHOLE),
        column("state", sa.String(20)),
        column("output", text()),
        column("created_ns", WHOLE),
        column("started_ns", WHOLE, nullable=True),
        column("ended_ns", WHOLE, nullable=True),
        key_to("checks", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("id", name="pk_checks"),
    )
    op.create_index("ix_checks_version_id_id", "checks", ["version_id", "id"])
    op.create_index("ix_checks_state_id", "checks", ["state", "id"])


def create_bookings() -> None:
    """Matches that are to be played, and who has their seats."""
    op.create_table(
        "bookings",
        column("id", WHOLE),
        column("kind", sa.String(20)),
        column("game", text(200)),
        column("options", sa.Text()),
        column("seed", WHOLE),
        column("settings", sa.Text()),
        column("requested_by", WHOLE, nullable=True),
        column("state", sa.String(20)),
        column("reason", text()),
        column("attempts", WHOLE),
        column("created_ns", WHOLE),
        column("started_ns", WHOLE, nullable=True),
        column("ended_ns", WHOLE, nullable=True),
        column("match_id", WHOLE, nullable=True),
        key_to("bookings", "requested_by", "users"),
        key_to("bookings", "match_id", "matches"),
        sa.PrimaryKeyConstraint("id", name="pk_bookings"),
    )
    op.create_index("ix_bookings_state_id", "bookings", ["state", "id"])
    op.create_index("ix_bookings_requested_by_id", "bookings", ["requested_by", "id"])
    op.create_index("ix_bookings_match_id", "bookings", ["match_id"])
    op.create_table(
        "booking_seats",
        column("booking_id", WHOLE),
        column("seat", WHOLE),
        column("version_id", WHOLE, nullable=True),
        key_to("booking_seats", "booking_id", "bookings"),
        key_to("booking_seats", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("booking_id", "seat", name="pk_booking_seats"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_booking_seats_version_id_booking_id", "booking_seats", ["version_id", "booking_id"]
    )


def create_contests() -> None:
    """Contests, who entered, who is listed."""
    op.create_table(
        "contests",
        column("id", WHOLE),
        column("name", text(200)),
        column("game", text(200)),
        column("format", text(200)),
        column("options", sa.Text()),
        column("settings", sa.Text()),
        column("description", text()),
        column("who_may_enter", sa.String(20)),
        column("opens_ns", WHOLE, nullable=True),
        column("closes_ns", WHOLE, nullable=True),
        column("state", sa.String(20)),
        column("published", sa.Boolean()),
        column("created_by", WHOLE),
        column("created_ns", WHOLE),
        column("tournament_id", WHOLE, nullable=True),
        key_to("contests", "created_by", "users"),
        key_to("contests", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_contests"),
        sa.UniqueConstraint("name", name="uq_contests_name"),
    )
    op.create_table(
        "contest_entries",
        column("contest_id", WHOLE),
        column("version_id", WHOLE),
        column("user_id", WHOLE),
        column("entered_ns", WHOLE),
        key_to("contest_entries", "contest_id", "contests"),
        key_to("contest_entries", "version_id", "bot_versions"),
        key_to("contest_entries", "user_id", "users"),
        sa.PrimaryKeyConstraint("contest_id", "version_id", name="pk_contest_entries"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "contest_guests",
        column("contest_id", WHOLE),
        column("user_id", WHOLE),
        key_to("contest_guests", "contest_id", "contests"),
        key_to("contest_guests", "user_id", "users"),
        sa.PrimaryKeyConstraint("contest_id", "user_id", name="pk_contest_guests"),
        sqlite_with_rowid=False,
    )
