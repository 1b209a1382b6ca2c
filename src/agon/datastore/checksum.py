"""A checksum in every row that is written once: matches, seats, transcripts, ratings.

It covers all columns of the row but its own id, in the form in which both databases hold them, so
that `agon db check` finds a single bit that was changed.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sqlalchemy import LargeBinary
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeDecorator

from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Table

CHECKSUM = "checksum"
NOT_COVERED = (CHECKSUM, "id")
BYTES = 8
DIALECT = sqlite.dialect()


def with_checksum(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a new row, and their checksum."""
    return {**row, CHECKSUM: _checksum(table, row)}


def check_row(table: Table, row: Mapping[str, Any]) -> None:
    """Raise DatastoreError if a stored row is not what was stored."""
    if _checksum(table, row) != row[CHECKSUM]:
        key = ", ".join(f"{column.name} {row[column.name]}" for column in table.primary_key)
        raise DatastoreError(f"{table.name}, {key}: it was changed: its checksum does not fit")


def _checksum(table: Table, row: Mapping[str, Any]) -> int:
    digest = blake2b(digest_size=BYTES)
    values = []
    for column in table.columns:
        value = row.get(column.name)
        if column.name in NOT_COVERED:
            continue
        if isinstance(column.type, LargeBinary):
            digest.update(value or b"")
        elif isinstance(column.type, TypeDecorator):
            values.append(column.type.process_bind_param(value, DIALECT))
        else:
            values.append(value)
    digest.update(json.dumps(values).encode())
    return int.from_bytes(digest.digest(), signed=True)
