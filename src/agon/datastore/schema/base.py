"""What all tables share: their catalogue, how constraints are called, and the usual columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, MetaData

from agon.datastore.columns import Whole

REVISION = "0001"
"""The newest migration: the one that this code reads and writes."""

VERSION_TABLE = "agon_revision"

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def row_id() -> Column[int]:
    """The column `id`, counted by the database."""
    return Column("id", Whole, primary_key=True)


def to(name: str, target: str, *, nullable: bool = False, key: bool = False) -> Column[int]:
    """A column that refers to another table's id."""
    return Column(name, Whole, ForeignKey(f"{target}.id"), nullable=nullable, primary_key=key)


def column(name: str, kind: Any, *, nullable: bool = False) -> Column[Any]:
    """A column that must be filled, unless said otherwise."""
    return Column(name, kind, nullable=nullable)
