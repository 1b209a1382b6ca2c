"""The tables of what servers share for the moment: who they are, and what clients have tried."""

from __future__ import annotations

from sqlalchemy import Index, Table

from agon.datastore.columns import Name, Whole, Words
from agon.datastore.schema.base import column, metadata, row_id

servers = Table(
    "servers",
    metadata,
    row_id(),
    column("name", Name),
    column("address", Words),
    column("process", Words),
    column("secret", Name),
    column("joined_ns", Whole),
    column("seen_ns", Whole),
    sqlite_autoincrement=True,  # what a server left must not become the next one's
)

attempts = Table(
    "attempts",
    metadata,
    row_id(),
    column("limit", Name),
    column("key", Words),
    column("at_ns", Whole),
    Index("ix_attempts_limit_key_at_ns", "limit", "key", "at_ns"),
    Index("ix_attempts_limit_at_ns", "limit", "at_ns"),
)
