"""The first tables, as the schema has them.

Agon is not released yet, so a change of the schema needs no migration of its own. With the first
release the tables are written out here: later migrations begin with these, whatever the schema is.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

from alembic import op

from agon.datastore.schema import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)
