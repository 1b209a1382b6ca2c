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
OWNED = sa.text("owner_id IS NOT NULL")
UNOWNED = sa.text("owner_id IS NULL")
FINISHED_FIXTURE = sa.text("fixture IS NOT NULL AND status = 'finished'")


def text(length: int | None = None) -> sa.types.TypeEngine[str]:
    """A text, sorted by code points."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def column(title: str, kind: Any, *, nullable: bool = False) -> sa.Column[Any]:
    """A column that must be filled, unless said otherwise."""
    return sa.Column(title, kind, nullable=nullable)


def upgrade() -> None:
    """Create all tables."""
    create_accounts()
    create_bots()
    create_tournaments()
    create_matches()


def create_accounts() -> None:
    """Users, tokens."""
    op.create_table(
        "users",
        column("id", WHOLE),
        column("name", text(200)),
        column("password_hash", text()),
        column("organiser", sa.Boolean()),
        column("created_ns", WHOLE),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name", name="uq_users_name"),
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
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])


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
        sa.CheckConstraint(
            "owner_id IS NULL OR NOT built_in", name="ck_bots_built_in_has_no_owner"
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_bots_owner_id"),
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
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_bot_versions_bot_id"),
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
        sa.ForeignKeyConstraint(
            ["version_id"], ["bot_versions.id"], name="fk_version_files_version_id"
        ),
        sa.PrimaryKeyConstraint("version_id", "path", name="pk_version_files"),
        sqlite_with_rowid=False,
    )


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
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_entrants_tournament_id"
        ),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name="fk_entrants_version_id"),
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
        sa.CheckConstraint(
            "(tournament_id IS NULL) = (fixture IS NULL)",
            name="ck_matches_fixture_is_of_a_tournament",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_matches_tournament_id"
        ),
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
        column("verdict", sa.String(20)),
        column("score", WHOLE),
        column("rank", WHOLE),
        column("thinking_ns", WHOLE),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id"),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name="fk_seats_version_id"),
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
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_transcripts_match_id"),
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
        sa.ForeignKeyConstraint(
            ["match_id", "seat"], ["seats.match_id", "seats.seat"], name="fk_ratings_match_id_seat"
        ),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name="fk_ratings_version_id"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_ratings"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_ratings_game_version_id_match_id", "ratings", ["game", "version_id", "match_id"]
    )
