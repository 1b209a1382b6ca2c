"""The table of the servers that work on this datastore at this moment."""

from __future__ import annotations

from sqlalchemy import Table

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
