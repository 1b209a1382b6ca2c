"""The journal: what was played so far in matches of people and guests that are under way.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(length: int | None = None) -> sa.types.TypeEngine[str]:
    """A text, sorted by code points."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def column(title: str, kind: Any) -> sa.Column[Any]:
    """A column that must be filled."""
    return sa.Column(title, kind, nullable=False)


def upgrade() -> None:
    """Create the tables."""
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
        sa.ForeignKeyConstraint(["journal_id"], ["journal.id"], name="fk_journal_lines_journal_id"),
        sa.PrimaryKeyConstraint("journal_id", "number", name="pk_journal_lines"),
        sqlite_with_rowid=False,
    )
