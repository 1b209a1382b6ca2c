"""All tables, once: what is kept, and which rows belong together.

    users ─┬─ tokens
           └─ bots ── bot_versions ─┬─ version_files ── blobs
                                    ├─ entrants ── tournaments
                                    └─ seats ── matches ─┬─ transcripts
                                         └─ ratings      └─ (tournaments)

Times are nanoseconds since 1970 and come from the caller. What a table needs later comes by a
migration; a test holds the migrations and this module to the same schema, on both databases.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)

from agon.datastore.choices import Codec, MatchStatus, TournamentState, Verdict, VersionStatus
from agon.datastore.columns import Choice, JsonObject, Name, Real, Whole, Words

REVISION = "0001"
"""The newest migration: the one that this code reads and writes."""

VERSION_TABLE = "agon_revision"
PATH_LENGTH = 500


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", Whole, primary_key=True)


def _to(name: str, target: str, *, nullable: bool = False, key: bool = False) -> Column[int]:
    """A column that refers to another table's id."""
    return Column(name, Whole, ForeignKey(f"{target}.id"), nullable=nullable, primary_key=key)


def _column(name: str, kind: Any, *, nullable: bool = False) -> Column[Any]:
    return Column(name, kind, nullable=nullable)


users = Table(
    "users",
    metadata,
    _id(),
    _column("name", Name),
    _column("password_hash", Words),
    _column("organiser", Boolean),
    _column("created_ns", Whole),
    UniqueConstraint("name"),
)

tokens = Table(
    "tokens",
    metadata,
    _id(),
    _to("user_id", "users"),
    _column("name", Name),
    _column("digest", Name(64)),
    _column("created_ns", Whole),
    _column("last_used_ns", Whole, nullable=True),
    _column("revoked_ns", Whole, nullable=True),
    UniqueConstraint("digest"),
    Index("ix_tokens_user_id", "user_id"),
)

bots = Table(
    "bots",
    metadata,
    _id(),
    _to("owner_id", "users", nullable=True),
    _column("built_in", Boolean),
    _column("game", Name),
    _column("name", Name),
    _column("created_ns", Whole),
    CheckConstraint("owner_id IS NULL OR NOT built_in", name="built_in_has_no_owner"),
)

# A name is one's own among the bots of its owner; the bots of nobody are built-in or local.
Index(
    "uq_bots_owned",
    bots.c.owner_id,
    bots.c.game,
    bots.c.name,
    unique=True,
    sqlite_where=bots.c.owner_id.is_not(None),
    postgresql_where=bots.c.owner_id.is_not(None),
)
Index(
    "uq_bots_unowned",
    bots.c.game,
    bots.c.name,
    bots.c.built_in,
    unique=True,
    sqlite_where=bots.c.owner_id.is_(None),
    postgresql_where=bots.c.owner_id.is_(None),
)

bot_versions = Table(
    "bot_versions",
    metadata,
    _id(),
    _to("bot_id", "bots"),
    _column("number", Whole),
    _column("label", Words),
    _column("language", Words),
    _column("build", Words),
    _column("run", Words),
    _column("protocol", Words),
    _column("status", Choice(VersionStatus)),
    _column("fingerprint", Name(64)),
    _column("created_ns", Whole),
    UniqueConstraint("bot_id", "number"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", Name(64), primary_key=True),
    _column("size", Whole),
    _column("codec", Choice(Codec)),
    _column("data", LargeBinary),
)

version_files = Table(
    "version_files",
    metadata,
    _to("version_id", "bot_versions", key=True),
    Column("path", Name(PATH_LENGTH), primary_key=True),
    Column("sha256", Name(64), ForeignKey("blobs.sha256"), nullable=False),
    _column("executable", Boolean),
    sqlite_with_rowid=False,
)

tournaments = Table(
    "tournaments",
    metadata,
    _id(),
    _column("name", Name),
    _column("game", Name),
    _column("format", Name),
    _column("settings", JsonObject),
    _column("state", Choice(TournamentState)),
    _column("created_ns", Whole),
    UniqueConstraint("name"),
)

entrants = Table(
    "entrants",
    metadata,
    _to("tournament_id", "tournaments", key=True),
    _to("version_id", "bot_versions", key=True),
    _column("place", Whole),
    UniqueConstraint("tournament_id", "place"),
    sqlite_with_rowid=False,
)

matches = Table(
    "matches",
    metadata,
    _id(),
    _column("game", Name),
    _column("rules_version", Whole),
    _column("options", JsonObject),
    _column("seed", Whole),
    _to("tournament_id", "tournaments", nullable=True),
    _column("fixture", Name, nullable=True),
    _column("status", Choice(MatchStatus)),
    _column("rated", Boolean),
    _column("turns", Whole),
    _column("reason", Words),
    _column("started_ns", Whole),
    _column("ended_ns", Whole),
    _column("lateness_ns", Whole),
    CheckConstraint(
        "(tournament_id IS NULL) = (fixture IS NULL)", name="fixture_is_of_a_tournament"
    ),
    Index("ix_matches_game_id", "game", "id"),
    Index("ix_matches_tournament_id_id", "tournament_id", "id"),
)

# A fixture may be void several times, but is finished once, whoever stores it and however often.
FINISHED_FIXTURE = text("fixture IS NOT NULL AND status = 'finished'")
Index(
    "uq_matches_finished_fixture",
    matches.c.tournament_id,
    matches.c.fixture,
    unique=True,
    sqlite_where=FINISHED_FIXTURE,
    postgresql_where=FINISHED_FIXTURE,
)

seats = Table(
    "seats",
    metadata,
    _to("match_id", "matches", key=True),
    Column("seat", Whole, primary_key=True),
    _to("version_id", "bot_versions"),
    _column("verdict", Choice(Verdict)),
    _column("score", Whole),
    _column("rank", Whole),
    _column("thinking_ns", Whole),
    Index("ix_seats_version_id_match_id", "version_id", "match_id"),
    sqlite_with_rowid=False,
)

transcripts = Table(
    "transcripts",
    metadata,
    _to("match_id", "matches", key=True),
    _column("size", Whole),
    _column("codec", Choice(Codec)),
    _column("data", LargeBinary),
)

ratings = Table(
    "ratings",
    metadata,
    Column("match_id", Whole, primary_key=True),
    Column("seat", Whole, primary_key=True),
    _to("version_id", "bot_versions"),
    _column("game", Name),
    _column("mu_before", Real),
    _column("sigma_before", Real),
    _column("mu", Real),
    _column("sigma", Real),
    ForeignKeyConstraint(["match_id", "seat"], ["seats.match_id", "seats.seat"]),
    Index("ix_ratings_game_version_id_match_id", "game", "version_id", "match_id"),
    sqlite_with_rowid=False,
)
