"""The tables of matches in progress: the events so far, in case the server stops."""

from __future__ import annotations

from sqlalchemy import Column, Table, UniqueConstraint

from agon.datastore.columns import EnumText, JsonColumn, Name, Whole, Words
from agon.datastore.enums import JournalKind
from agon.datastore.schema.base import column, metadata, row_id, to

journal = Table(
    "journal",
    metadata,
    row_id(),
    column("key", Name),
    column("kind", EnumText(JournalKind)),
    column("game", Name),
    column("head", JsonColumn),
    column("created_ns", Whole),
    column("server_id", Whole, nullable=True),
    UniqueConstraint("key"),
)

journal_lines = Table(
    "journal_lines",
    metadata,
    to("journal_id", "journal", key=True),
    Column("number", Whole, primary_key=True),
    column("line", Words),
    sqlite_with_rowid=False,
)
