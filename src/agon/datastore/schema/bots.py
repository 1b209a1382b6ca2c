"""The tables of bots: their versions, files and checks."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    Table,
    UniqueConstraint,
    text,
)

from agon.datastore.columns import EnumText, Name, Whole, Words
from agon.datastore.enums import CheckState, Codec, VersionStatus
from agon.datastore.schema.base import column, metadata, row_id, to

PATH_LENGTH = 500

bots = Table(
    "bots",
    metadata,
    row_id(),
    to("owner_id", "users", nullable=True),
    column("built_in", Boolean),
    column("game", Name),
    column("name", Name),
    column("created_ns", Whole),
    column("removed_ns", Whole, nullable=True),
    CheckConstraint("owner_id IS NULL OR NOT built_in", name="built_in_has_no_owner"),
)

# A name is unique among the bots of its owner; bots without an owner are built-in or local. The
# name of a bot that was removed is free again.
OWNED = text("owner_id IS NOT NULL AND removed_ns IS NULL")
UNOWNED = text("owner_id IS NULL AND removed_ns IS NULL")
Index(
    "uq_bots_owned",
    bots.c.owner_id,
    bots.c.game,
    bots.c.name,
    unique=True,
    sqlite_where=OWNED,
    postgresql_where=OWNED,
)
Index(
    "uq_bots_unowned",
    bots.c.game,
    bots.c.name,
    bots.c.built_in,
    unique=True,
    sqlite_where=UNOWNED,
    postgresql_where=UNOWNED,
)

bot_versions = Table(
    "bot_versions",
    metadata,
    row_id(),
    to("bot_id", "bots"),
    column("number", Whole),
    column("label", Words),
    column("language", Words),
    column("build", Words),
    column("run", Words),
    column("protocol", Words),
    column("status", EnumText(VersionStatus)),
    column("fingerprint", Name(64)),
    column("created_ns", Whole),
    UniqueConstraint("bot_id", "number"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("sha256", Name(64), primary_key=True),
    column("size", Whole),
    column("codec", EnumText(Codec)),
    column("data", LargeBinary),
)

version_files = Table(
    "version_files",
    metadata,
    to("version_id", "bot_versions", key=True),
    Column("path", Name(PATH_LENGTH), primary_key=True),
    Column("sha256", Name(64), ForeignKey("blobs.sha256"), nullable=False),
    column("executable", Boolean),
    Index("ix_version_files_sha256", "sha256"),
    sqlite_with_rowid=False,
)

checks = Table(
    "checks",
    metadata,
    row_id(),
    to("version_id", "bot_versions"),
    column("state", EnumText(CheckState)),
    column("output", Words),
    column("created_ns", Whole),
    column("started_ns", Whole, nullable=True),
    column("ended_ns", Whole, nullable=True),
    column("server_id", Whole, nullable=True),
    Index("ix_checks_version_id_id", "version_id", "id"),
    Index("ix_checks_state_id", "state", "id"),
)
