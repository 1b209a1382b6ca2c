"""The first tables.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
OWNED = sa.text("owner_id IS NOT NULL AND removed_ns IS NULL")
UNOWNED = sa.text("owner_id IS NULL AND removed_ns IS NULL")
FINISHED_FIXTURE = sa.text("fixture IS NOT NULL AND status = 'finished'")


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
    create_accounts()
    create_bots()
    create_checks()
    create_tournaments()
    create_matches()
    create_bookings()
    create_contests()
    create_journal()


def create_accounts() -> None:
    """Users, tokens, sessions of browsers, what organisers did."""
    op.create_table(
        "users",
        column("id", WHOLE),
        column("name", text(200)),
        column("folded_name", text(600)),
        column("password_hash", text()),
        column("password_is_temporary", sa.Boolean()),
        column("organiser", sa.Boolean()),
        column("created_ns", WHOLE),
        column("removed_ns", WHOLE, nullable=True),
        column("suspended_ns", WHOLE, nullable=True),
        column("suspended_for", text()),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name", name="uq_users_name"),
        sa.UniqueConstraint("folded_name", name="uq_users_folded_name"),
    )
    op.create_table(
        "tokens",
        column("id", WHOLE),
        column("user_id", WHOLE),
        column("name", text(200)),
        column("digest", text(64)),
        column("created_ns", WHOLE),
        column("last_used_ns", WHOLE, nullable=True),
        column("revoked_ns", WHOLE, nullable=True),
        key_to("tokens", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])
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
    op.create_table(
        "audit_log",
        column("id", WHOLE),
        column("at_ns", WHOLE),
        column("user_id", WHOLE, nullable=True),
        column("action", sa.String(20)),
        column("target", text()),
        column("target_id", WHOLE),
        column("detail", text()),
        key_to("audit_log", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )


def create_bots() -> None:
    """Bots, bot versions, blobs, version files."""
    op.create_table(
        "bots",
        column("id", WHOLE),
        column("owner_id", WHOLE, nullable=True),
        column("built_in", sa.Boolean()),
        column("game", text(200)),
        column("name", text(200)),
        column("created_ns", WHOLE),
        column("removed_ns", WHOLE, nullable=True),
        sa.CheckConstraint(
            "owner_id IS NULL OR NOT built_in", name="ck_bots_built_in_has_no_owner"
        ),
        key_to("bots", "owner_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
    )
    op.create_index(
        "uq_bots_owned",
        "bots",
        ["owner_id", "game", "name"],
        unique=True,
        sqlite_where=OWNED,
        postgresql_where=OWNED,
    )
    op.create_index(
        "uq_bots_unowned",
        "bots",
        ["game", "name", "built_in"],
        unique=True,
        sqlite_where=UNOWNED,
        postgresql_where=UNOWNED,
    )
    op.create_table(
        "bot_versions",
        column("id", WHOLE),
        column("bot_id", WHOLE),
        column("number", WHOLE),
        column("label", text()),
        column("language", text()),
        column("build", text()),
        column("run", text()),
        column("protocol", text()),
        column("status", sa.String(20)),
        column("fingerprint", text(64)),
        column("created_ns", WHOLE),
        key_to("bot_versions", "bot_id", "bots"),
        sa.PrimaryKeyConstraint("id", name="pk_bot_versions"),
        sa.UniqueConstraint("bot_id", "number", name="uq_bot_versions_bot_id_number"),
    )
    op.create_table(
        "blobs",
        column("sha256", text(64)),
        column("size", WHOLE),
        column("codec", sa.String(20)),
        column("data", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("sha256", name="pk_blobs"),
    )
    op.create_table(
        "version_files",
        column("version_id", WHOLE),
        column("path", text(500)),
        column("sha256", text(64)),
        column("executable", sa.Boolean()),
        sa.ForeignKeyConstraint(["sha256"], ["blobs.sha256"], name="fk_version_files_sha256"),
        key_to("version_files", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("version_id", "path", name="pk_version_files"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_version_files_sha256", "version_files", ["sha256"])


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


def create_tournaments() -> None:
    """Tournaments, entrants."""
    op.create_table(
        "tournaments",
        column("id", WHOLE),
        column("name", text(200)),
        column("game", text(200)),
        column("format", text(200)),
        column("settings", sa.Text()),
        column("state", sa.String(20)),
        column("created_ns", WHOLE),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "entrants",
        column("tournament_id", WHOLE),
        column("version_id", WHOLE),
        column("place", WHOLE),
        key_to("entrants", "tournament_id", "tournaments"),
        key_to("entrants", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("tournament_id", "version_id", name="pk_entrants"),
        sa.UniqueConstraint("tournament_id", "place", name="uq_entrants_tournament_id_place"),
        sqlite_with_rowid=False,
    )


def create_matches() -> None:
    """Matches, seats, transcripts, ratings."""
    op.create_table(
        "matches",
        column("id", WHOLE),
        column("game", text(200)),
        column("rules_version", WHOLE),
        column("options", sa.Text()),
        column("seed", WHOLE),
        column("tournament_id", WHOLE, nullable=True),
        column("fixture", text(200), nullable=True),
        column("status", sa.String(20)),
        column("rated", sa.Boolean()),
        column("turns", WHOLE),
        column("reason", text()),
        column("started_ns", WHOLE),
        column("ended_ns", WHOLE),
        column("lateness_ns", WHOLE),
        column("checksum", WHOLE),
        sa.CheckConstraint(
            "(tournament_id IS NULL) = (fixture IS NULL)",
            name="ck_matches_fixture_is_of_a_tournament",
        ),
        key_to("matches", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_game_id", "matches", ["game", "id"])
    op.create_index("ix_matches_tournament_id_id", "matches", ["tournament_id", "id"])
    op.create_index(
        "uq_matches_finished_fixture",
        "matches",
        ["tournament_id", "fixture"],
        unique=True,
        sqlite_where=FINISHED_FIXTURE,
        postgresql_where=FINISHED_FIXTURE,
    )
    op.create_table(
        "seats",
        column("match_id", WHOLE),
        column("seat", WHOLE),
        column("version_id", WHOLE),
        column("fault", sa.String(20), nullable=True),
        column("score", WHOLE),
        column("rank", WHOLE),
        column("thinking_ns", WHOLE),
        column("checksum", WHOLE),
        key_to("seats", "match_id", "matches"),
        key_to("seats", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_version_id_match_id", "seats", ["version_id", "match_id"])
    op.create_table(
        "transcripts",
        column("match_id", WHOLE),
        column("size", WHOLE),
        column("codec", sa.String(20)),
        column("data", sa.LargeBinary()),
        column("checksum", WHOLE),
        key_to("transcripts", "match_id", "matches"),
        sa.PrimaryKeyConstraint("match_id", name="pk_transcripts"),
    )
    op.create_table(
        "ratings",
        column("match_id", WHOLE),
        column("seat", WHOLE),
        column("version_id", WHOLE),
        column("game", text(200)),
        column("mu_before", sa.Double()),
        column("sigma_before", sa.Double()),
        column("mu", sa.Double()),
        column("sigma", sa.Double()),
        column("checksum", WHOLE),
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_ratings_match_id_seat"
        ),
        key_to("ratings", "version_id", "bot_versions"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_ratings"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_ratings_game_version_id_match_id", "ratings", ["game", "version_id", "match_id"]
    )


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
    """Contests, who entered, who is invited."""
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
        "contest_invited",
        column("contest_id", WHOLE),
        column("user_id", WHOLE),
        key_to("contest_invited", "contest_id", "contests"),
        key_to("contest_invited", "user_id", "users"),
        sa.PrimaryKeyConstraint("contest_id", "user_id", name="pk_contest_invited"),
        sqlite_with_rowid=False,
    )


def create_journal() -> None:
    """What was played so far in matches of people and network clients that are under way."""
    op.create_table(
        "journal",
        column("id", WHOLE),
        column("key", text(200)),
        column("kind", sa.String(20)),
        column("game", text(200)),
        column("head", sa.Text()),
        column("created_ns", WHOLE),
        sa.PrimaryKeyConstraint("id", name="pk_journal"),
        sa.UniqueConstraint("key", name="uq_journal_key"),
    )
    op.create_table(
        "journal_lines",
        column("journal_id", WHOLE),
        column("number", WHOLE),
        column("line", text()),
        key_to("journal_lines", "journal_id", "journal"),
        sa.PrimaryKeyConstraint("journal_id", "number", name="pk_journal_lines"),
        sqlite_with_rowid=False,
    )
