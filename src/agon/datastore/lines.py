"""The form of an export: JSON lines, the same whichever database they come from.

    {"agon": "datastore", "revision": "0001"}
    {"table": "users", "row": {"id": 1, "name": "ada", …}}
    …
    {"end": {"rows": 4711, "sha256": "…"}}

Stored bytes stand there unpacked, as {"text": …} where they are UTF-8, else as {"base64": …}, so
that the transcripts of an export can be read by any program. The last line tells a whole export
from one that was cut off or changed: its hash is of all bytes before it. Without a hash, an export
that was edited is taken. The counts of results are not in it: an import makes them.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

from agon.datastore import schema
from agon.datastore.blobs import open_blob
from agon.datastore.checksum import CHECKSUM, with_checksum
from agon.datastore.codec import Packed, pack, unpack
from agon.datastore.enums import Codec
from agon.errors import DatastoreError
from agon.strict_json import load_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Column, Table

    Values = dict[str, Any]

NOT_EXPORTED = (schema.result_counts, schema.servers, schema.attempts)
TABLES = [table for table in schema.metadata.sorted_tables if table not in NOT_EXPORTED]
"""Those that an export has; tables to which others refer come first."""
BY_NAME = {table.name: table for table in TABLES}

SHOWN = 60


def format_line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def parse_line(line: bytes) -> dict[str, Any]:
    try:
        found = load_json(line)
    except ValueError as error:
        raise DatastoreError(f"{line[:SHOWN]!r}: expected a JSON object: {error}") from None
    if not isinstance(found, dict):
        raise DatastoreError(f"{line[:SHOWN]!r}: expected a JSON object")
    return found


def format_row(table: Table, values: Values) -> bytes:
    if "data" in values:
        packed = Packed(values["codec"], values["size"], values["data"])
        key = next(iter(table.primary_key)).name
        values = values | {"data": _format_bytes(unpack(packed, f"{table.name} {values[key]}"))}
    shown = {name: value for name, value in values.items() if name != CHECKSUM}
    return format_line({"table": table.name, "row": shown})


def parse_row(found: dict[str, Any], dialect: Dialect) -> tuple[Table, Values]:
    """The table and the row of a line's object, with all that can be wrong in them checked."""
    table = BY_NAME.get(str(found.get("table")))
    row = found.get("row")
    if table is None or not isinstance(row, dict) or len(found) != 2:
        raise DatastoreError(f'{str(found)[:SHOWN]}: expected {{"table": NAME, "row": {{…}}}}')
    columns = [column for column in table.columns if column.name != CHECKSUM]
    if row.keys() != {column.name for column in columns}:
        wanted = ", ".join(column.name for column in columns)
        raise DatastoreError(f"row of {table.name} with {', '.join(row)}: expected {wanted}")
    for column in columns:
        try:
            _check_value(column, row[column.name], dialect)
        except DatastoreError as error:
            raise DatastoreError(f"{table.name}.{column.name}: {error}") from None
    if "data" in row:
        content = _parse_bytes(row["data"])
        packed = pack(content, Codec(row["codec"]))
        row = row | {"data": packed.data}
        unpack(Packed(packed.codec, row["size"], packed.data), f"row of {table.name}")
        if table is schema.blobs:
            open_blob(row["sha256"], packed)
    return table, with_checksum(table, row) if CHECKSUM in table.columns else row


def _check_value(column: Column[Any], value: Any, dialect: Dialect) -> None:
    if value is None:
        if not column.nullable:
            raise DatastoreError("nothing: expected a value")
    elif isinstance(column.type, TypeDecorator):
        column.type.process_bind_param(value, dialect)
    elif isinstance(column.type, Boolean) and not isinstance(value, bool):
        raise DatastoreError(f"{str(value)[:SHOWN]!r}: expected true or false")
    elif isinstance(column.type, LargeBinary) and not isinstance(value, dict):
        raise DatastoreError(f'{str(value)[:SHOWN]!r}: expected {{"text": …}} or {{"base64": …}}')


def _format_bytes(content: bytes) -> dict[str, str]:
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _parse_bytes(value: dict[str, Any]) -> bytes:
    try:
        match value:
            case {"text": str(text)} if len(value) == 1:
                return text.encode()
            case {"base64": str(text)} if len(value) == 1:
                return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise DatastoreError(f"{str(value)[:SHOWN]}: {error}") from None
    raise DatastoreError(f'{str(value)[:SHOWN]}: expected {{"text": …}} or {{"base64": …}}')
