"""`check_database` finds every kind of damage, and names it."""

from __future__ import annotations

import math
import sqlite3
import struct
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, text
from typer.testing import CliRunner

from agon.cli.db import db
from agon.datastore import Store, schema
from agon.datastore.codec import Packed, pack, unpack
from agon.datastore.enums import Codec
from agon.datastore.integrity import STEPS, check_database
from agon.datastore.lines import TABLES, format_line
from agon.datastore.salvage import MOST_FAILURES, salvage_lines
from agon.datastore.transfer import export_lines, import_lines
from agon.errors import DatabaseError, DatastoreError
from tests.datastore.samples import fill, make_match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_sound_store_passes(store: Store) -> None:
    steps: list[Any] = []
    assert check_database(store.database) == []
    fill(store)
    assert check_database(store.database, lambda *step: steps.append(step)) == []
    assert [(done, total) for _, done, total in steps] == [
        (n, len(STEPS)) for n in range(len(STEPS) + 1)
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM transcripts", r"match \d+: its transcript is missing"),
        ("UPDATE transcripts SET size = 1", r"transcript of match \d+: \d+ bytes are stored"),
        ("UPDATE transcripts SET data = BYTES WHERE codec = 'gzip'", r"stored bytes are damaged"),
        ("UPDATE blobs SET data = BYTES, size = 1, codec = 'plain'", r"blob .*have another hash"),
        ("UPDATE matches SET status = 'lost'", r"matches.status: 'lost': expected one of finish"),
        ("UPDATE matches SET options = '[1]'", r"matches.options: '\[1\]': expected a JSON obj"),
        ("UPDATE matches SET options = '{'", r"matches.options: '\{': expected a JSON object"),
        ("UPDATE seats SET fault = 'tired'", r"seats.fault: 'tired': expected one of timeout"),
        ("DELETE FROM ratings; DELETE FROM seats WHERE seat = 0", r"match \d+: \d seats are st"),
        ("DELETE FROM ratings; DELETE FROM seats", r"match \d+: 0 seats are stored"),
        ("UPDATE bookings SET match_id = NULL", r"booking \d+: it is done without a match"),
        ("UPDATE bookings SET state = 'queued'", r"booking \d+: .* has one and is not done"),
        ("UPDATE contests SET state = 'odd'", r"contests.state: 'odd': expected one of draft"),
    ],
)
def test_damage_is_found(store: Store, change: str, told: str) -> None:
    fill(store)
    letter = "X'78'" if store.database.is_sqlite else "'x'::bytea"
    statements = [text(part.replace("BYTES", letter)) for part in change.split("; ")]
    store.database.write(lambda connection: [connection.execute(s) for s in statements])
    problems = check_database(store.database)
    assert problems
    with pytest.raises(DatastoreError, match=told):
        raise DatastoreError("\n".join(problems))


def test_a_missing_index_is_found(own_store: Store) -> None:
    drop = text("DROP INDEX uq_matches_finished_fixture")
    own_store.database.write(lambda connection: connection.execute(drop))
    (problem,) = check_database(own_store.database)
    assert problem.startswith("schema: ")
    assert "uq_matches_finished_fixture" in problem


def test_a_row_that_refers_to_nothing_is_found(own_store: Store) -> None:
    if not own_store.database.is_sqlite:
        return  # PostgreSQL cannot be brought to hold one
    fill(own_store)
    with own_store.database.read() as connection:
        connection.rollback()
        raw = connection.connection.dbapi_connection
        assert raw
        raw.execute("PRAGMA foreign_keys=OFF")
        raw.execute("DELETE FROM blobs")
    assert "refers to a row of blobs that is missing" in check_database(own_store.database)[0]


@pytest.mark.parametrize("content", [b"", b"x", b"x" * 1000, bytes(range(256))])
@pytest.mark.parametrize("codec", [None, *Codec])
def test_packing_inverts(content: bytes, codec: Codec | None) -> None:
    packed = pack(content, codec)
    assert unpack(packed, "this") == content
    assert codec in (None, packed.codec)


@pytest.mark.parametrize("data", [b"", b"x", pack(b"x" * 99, Codec.GZIP).data[:-9]])
def test_damaged_bytes_are_named(data: bytes) -> None:
    with pytest.raises(DatastoreError, match="this: "):
        unpack(Packed(Codec.GZIP, 99, data), "this")


def run_sql(store: Store, statement: str, values: dict[str, Any]) -> None:
    store.database.write(lambda connection: connection.execute(text(statement), values))


ONCE = ("matches", "seats", "transcripts", "ratings")


def changed(value: Any) -> Any:
    """The same value with one bit changed."""
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"
    if isinstance(value, float):
        return math.nextafter(value, math.inf)
    return 1 if value is None else value ^ 1


@pytest.mark.long
def test_every_changed_value_of_what_is_written_once_is_found(store: Store) -> None:
    fill(store)
    database = store.database
    for name in ONCE:
        table = schema.metadata.tables[name]
        keys = [column.name for column in table.primary_key]
        for column in table.columns:
            if column.name in keys or column.foreign_keys:
                continue
            with database.read() as connection:
                row = connection.execute(text(f"SELECT * FROM {name} LIMIT 1")).one()  # noqa: S608
            old, key = row._mapping[column.name], {one: row._mapping[one] for one in keys}
            here = " AND ".join(f"{one} = :{one}" for one in keys)
            change = f"UPDATE {name} SET {column.name} = :new WHERE {here}"  # noqa: S608
            for new, is_sound in ((changed(old), False), (old, True)):
                run_sql(store, change, {"new": new, **key})
                assert (not check_database(database)) is is_sound, (name, column.name, new)


@pytest.mark.long
def test_every_flipped_bit_of_a_match_in_the_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "agon.db"
    with Store.open(path) as store:
        fill(store)
        with store.database.read() as connection:
            (packed,) = connection.execute(text("SELECT data FROM transcripts LIMIT 1")).one()
            (mu,) = connection.execute(text("SELECT mu FROM ratings LIMIT 1")).one()
    sound = path.read_bytes()
    reason = b"queen surrounded"
    for stored in (packed, reason, struct.pack(">d", mu)):
        place = sound.index(stored)
        for number in {0, 4, 8, 9, len(stored) // 2, len(stored) - 1} & {*range(len(stored))}:
            damaged = bytearray(sound)
            damaged[place + number] ^= 1 << number % 8
            path.write_bytes(damaged)
            with Store.open(path) as store:
                assert check_database(store.database), (stored, number)


def test_an_export_in_which_a_letter_was_changed_is_refused(store: Store, kind: str) -> None:
    fill(store)
    lines = [line.replace(b"queen surrounded", b"queen Surrounded") for line in export(store)]
    store.database.write(lambda c: [c.execute(delete(t)) for t in reversed(TABLES)])
    with pytest.raises(DatastoreError, match=r"expected .*'sha256'"):
        import_lines(store.database, lines)
    edited = [*lines[:-1], format_line({"end": {"rows": len(lines) - 2}})]
    assert import_lines(store.database, edited) == len(lines) - 2


def export(store: Store) -> list[bytes]:
    return list(export_lines(store.database))


@pytest.mark.parametrize("table", ["seats", "matches", "blobs", "users"])
def test_what_can_be_read_of_a_damaged_file_is_exported(tmp_path: Path, table: str) -> None:
    """A page of rubbish; all else comes over, and what comes over is sound."""
    folder, rest = tmp_path / "damaged", tmp_path / "rest.jsonl"
    path = folder / "agon.db"
    with Store.open(path) as store:
        fill(store)
        versions = [version.id for version in store.versions.of_game("hive")]
        store.record_matches([make_match(versions[:2], seed=n) for n in range(400)])
    with closing(sqlite3.connect(path)) as connection:
        rows = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno"
        try:
            pages = [page for (page,) in connection.execute(rows, [table])]
        except sqlite3.OperationalError:
            root = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
            pages = [page for (page,) in connection.execute(root, [table])]
    with path.open("r+b") as file:
        file.seek((pages[len(pages) // 2] - 1) * 4096)
        file.write(b"\xa5" * 4096)
    checked = CliRunner().invoke(db, ["check", "--data", str(folder)])
    assert checked.exit_code == 1
    assert "agon db export --salvage FILE" in checked.output
    saved = CliRunner().invoke(db, ["export", str(rest), "--salvage", "--data", str(folder)])
    assert saved.exit_code == 1
    assert f"lost: {table}" in saved.output
    with Store.open(tmp_path / "new" / "agon.db") as new:
        assert import_lines(new.database, rest.read_bytes().splitlines(keepends=True)) > 50
        wrong = check_database(new.database)
        assert [one for one in wrong if "seats are stored" not in one] == []


class WithoutUsers:
    """A database in which one table cannot be read, and the others are empty."""

    reads = 0

    @contextmanager
    def read(self) -> Iterator[WithoutUsers]:
        yield self

    def execute(self, query: Any) -> list[Any]:
        if schema.users in query.columns_clause_froms:
            self.reads += 1
            raise DatabaseError("it is damaged")
        return []


def test_a_table_that_cannot_be_read_at_all_is_given_up() -> None:
    database, told = WithoutUsers(), list[str]()
    head, end = salvage_lines(database, told.append)  # type: ignore[arg-type]
    assert b"datastore" in head
    assert b'"rows":0' in end
    assert database.reads == MOST_FAILURES
    assert "users: whatever follows" in told[-1]
    assert told[0] == "users 1: it cannot be read"
