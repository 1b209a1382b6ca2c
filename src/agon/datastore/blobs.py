"""Files by their content: the same bytes are stored once, under their SHA-256."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, select

from agon.datastore import schema
from agon.datastore.codec import Packed, pack, unpack
from agon.datastore.database import insert_new
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from agon.datastore.database import Database

BLOBS, FILES = schema.blobs, schema.version_files


class Blobs:
    """The blobs of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, content: bytes) -> str:
        """Store the bytes, unless they are there; their SHA-256 in hexadecimal."""
        return self._database.write(lambda connection: put_blobs(connection, [content])[0])

    def get(self, sha256: str) -> bytes:
        """The bytes of that hash, checked against it."""
        with self._database.read() as connection:
            row = connection.execute(select(BLOBS).where(BLOBS.c.sha256 == sha256)).one_or_none()
        if row is None:
            raise DatastoreError(f"blob {sha256[:64]!r}: there is none of that hash")
        return open_blob(sha256, Packed(row.codec, row.size, row.data))


def blob_name(content: bytes) -> str:
    """The SHA-256 under which the bytes are stored."""
    return hashlib.sha256(content).hexdigest()


def open_blob(sha256: str, packed: Packed) -> bytes:
    """The bytes of a stored blob; DatastoreError if they are not what the hash says."""
    content = unpack(packed, f"blob {sha256[:12]}…")
    if blob_name(content) != sha256:
        raise DatastoreError(f"blob {sha256[:12]}…: its bytes have another hash")
    return content


def put_blobs(connection: Connection, contents: Iterable[bytes]) -> list[str]:
    """Store these bytes in the transaction of this connection; their names in the same order."""
    contents = list(contents)
    by_name = {blob_name(content): content for content in contents}
    known = select(BLOBS.c.sha256).where(BLOBS.c.sha256.in_(by_name)).order_by(BLOBS.c.sha256)
    # Locked until the end, so that no process drops one of them before it has its new file.
    there = set(connection.execute(known.with_for_update(read=True, key_share=True)).scalars())
    rows = []
    for name in sorted(by_name.keys() - there):
        packed = pack(by_name[name])
        rows.append(
            {
                "sha256": name,
                "size": packed.size,
                "codec": packed.codec,
                "data": packed.data,
            }
        )
    if rows:
        connection.execute(insert_new(connection, BLOBS).on_conflict_do_nothing(), rows)
    return [blob_name(content) for content in contents]


def drop_blobs(connection: Connection, names: Iterable[str]) -> None:
    """Delete those of these blobs that are no version's file any more."""
    given = BLOBS.c.sha256.in_(list(names))
    # First held, then looked at: who stores the same bytes just now has come before, or waits.
    held = select(BLOBS.c.sha256).where(given).order_by(BLOBS.c.sha256).with_for_update()
    connection.execute(held).all()
    connection.execute(
        delete(BLOBS).where(given, ~exists().where(FILES.c.sha256 == BLOBS.c.sha256))
    )
