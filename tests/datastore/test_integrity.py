"""`check_database` finds every kind of damage, and names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from agon.datastore.codec import Packed, pack, unpack
from agon.datastore.enums import Codec
from agon.datastore.integrity import STEPS, check_database
from agon.errors import DatastoreError
from tests.datastore.samples import fill

if TYPE_CHECKING:
    from agon.datastore import Store


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
