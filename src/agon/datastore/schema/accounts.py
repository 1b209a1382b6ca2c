"""The tables of people: accounts, and what opens them."""

from __future__ import annotations

from sqlalchemy import Boolean, Index, Table, UniqueConstraint

from agon.datastore.columns import NAME_LENGTH, EnumText, Name, Whole, Words
from agon.datastore.enums import AuditAction
from agon.datastore.schema.base import column, metadata, row_id, to

FOLDED_LENGTH = 3 * NAME_LENGTH  # no character becomes more than three when its case is folded

users = Table(
    "users",
    metadata,
    row_id(),
    column("name", Name),
    column("folded_name", Name(FOLDED_LENGTH)),  # the same for names that differ in case only
    column("password_hash", Words),
    column("password_is_temporary", Boolean),  # chosen by an organiser
    column("organiser", Boolean),
    column("created_ns", Whole),
    column("removed_ns", Whole, nullable=True),
    column("suspended_ns", Whole, nullable=True),
    column("suspended_for", Words),  # the reason, which the user is told
    UniqueConstraint("name"),
    UniqueConstraint("folded_name"),
)

tokens = Table(
    "tokens",
    metadata,
    row_id(),
    to("user_id", "users"),
    column("name", Name),
    column("digest", Name(64)),
    column("created_ns", Whole),
    column("last_used_ns", Whole, nullable=True),
    column("revoked_ns", Whole, nullable=True),
    UniqueConstraint("digest"),
    Index("ix_tokens_user_id", "user_id"),
)

sessions = Table(
    "sessions",
    metadata,
    row_id(),
    to("user_id", "users"),
    column("digest", Name(64)),
    column("created_ns", Whole),
    column("last_used_ns", Whole),
    column("expires_ns", Whole),
    UniqueConstraint("digest"),
    Index("ix_sessions_user_id", "user_id"),
)

audit_log = Table(
    "audit_log",
    metadata,
    row_id(),
    column("at_ns", Whole),
    to("user_id", "users", nullable=True),  # none: the command line
    column("action", EnumText(AuditAction)),
    column("target", Words),  # the name that the user, bot or contest had
    column("target_id", Whole),  # without a foreign key: contests can be deleted
    column("detail", Words),
)
