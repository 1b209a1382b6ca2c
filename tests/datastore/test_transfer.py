"""An export is the same from either database, and an import gives the same tables."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from agon.datastore import NewBot, Store, schema
from agon.datastore.integrity import check_database
from agon.datastore.transfer import count_rows, export_lines, import_lines
from agon.errors import DatastoreError
from tests.datastore.conftest import KINDS
from tests.datastore.samples import NOON, fill, make_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def other(kind: str, new_place: Callable[[str], str]) -> Iterator[Store]:
    """A store without rows, of the other kind."""
    (other_kind,) = {*KINDS} - {kind}
    with Store.open(new_place(other_kind)) as opened:
        yield opened


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """An export of a store with something in every table."""
    with Store.open(tmp_path_factory.mktemp("sample") / "agon.db") as store:
        fill(store)
        return export(store)


def export(store: Store) -> list[bytes]:
    return list(export_lines(store.database))


@pytest.mark.system
def test_the_other_database_gives_the_same_bytes(store: Store, other: Store) -> None:
    fill(store)
    lines = export(store)
    assert import_lines(other.database, lines) == count_rows(store.database) == len(lines) - 2
    assert export(other) == lines
    assert check_database(other.database) == []


@pytest.mark.system
def test_ids_go_on_after_an_import(store: Store, other: Store) -> None:
    fill(store)
    import_lines(other.database, export(store))
    assert other.users.add("new", "", NOON).id > max(user.id for user in store.users.all())
    bot = other.bots.add(NewBot("hive", "new", NOON))
    assert bot.id > max(bot.id for bot in store.bots.all())
    versions = [version.id for version in other.versions.of_game("hive")]
    assert other.record_match(make_match(versions[:2]))


@pytest.mark.system
def test_an_empty_store(store: Store, other: Store) -> None:
    lines = export(store)
    assert [json.loads(line) for line in lines] == [
        {"agon": "datastore", "revision": schema.REVISION},
        {"end": {"rows": 0, "sha256": sha256(lines[0]).hexdigest()}},
    ]
    assert import_lines(other.database, lines) == 0


def test_bytes_can_be_read_in_an_export(store: Store) -> None:
    fill(store)
    rows = [json.loads(line) for line in export(store)]
    files = [row["row"]["data"] for row in rows if row.get("table") == "blobs"]
    assert {"text": "print('naïve')\n" * 50} in files
    assert any("base64" in file for file in files)


@pytest.mark.system
def test_many_rows(store: Store, other: Store) -> None:
    fill(store)
    versions = [version.id for version in store.versions.of_game("hive")]
    store.record_matches([make_match(versions[:2], seed=seed) for seed in range(600)])
    lines = export(store)
    import_lines(other.database, lines)
    assert export(other) == lines


@pytest.mark.system
def test_an_export_is_of_one_moment(store: Store, other: Store) -> None:
    fill(store)
    lines = export_lines(store.database)
    begun = [next(lines), next(lines)]
    versions = [version.id for version in store.versions.of_game("hive")]
    late = store.record_match(make_match(versions[:2]))
    begun += lines
    assert not any(json.loads(line).get("row", {}).get("match_id") == late for line in begun)
    import_lines(other.database, begun)


def test_only_an_empty_store_is_filled(store: Store) -> None:
    fill(store)
    with pytest.raises(DatastoreError, match=r"it has \w+; expected an empty one"):
        import_lines(store.database, export(store))


def changed(lines: list[bytes], table: str, **values: Any) -> list[bytes]:
    """The lines with the first row of the table changed."""
    found = [json.loads(line) for line in lines]
    next(line for line in found if line.get("table") == table)["row"].update(values)
    return [json.dumps(line).encode() + b"\n" for line in found]


def without(lines: list[bytes], table: str) -> list[bytes]:
    return [line for line in lines if json.loads(line).get("table") != table]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda ls: [], "line 1: the export is cut off"),
        (lambda ls: ls[:-1], r"line \d+: the export is cut off; expected more"),
        (lambda ls: ls[1:], "line 1: .*expected an export of `agon db export`"),
        (lambda ls: [b'{"agon":"datastore","revision":"9"}\n', *ls[1:]], "line 1: .* revision 9"),
        (lambda ls: [*ls, ls[1]], "expected nothing after the end"),
        (lambda ls: [ls[0], *ls[2:]], r"line \d+: .*(does not fit|expected \d+ rows)"),
        (lambda ls: [*ls[:2], ls[1], *ls[2:]], r"line \d+: one of .* does not fit"),
        (lambda ls: [*ls[:3], ls[3][:20] + b"\n", *ls[4:]], "line 4: .*expected a JSON object"),
        (lambda ls: [*ls[:3], b"[1]\n", *ls[4:]], "line 4: .*expected a JSON object"),
        (lambda ls: [*ls[:3], b"\xff\n", *ls[4:]], "line 4: .*expected a JSON object"),
        (lambda ls: [*ls[:3], b"[" * 99999 + b"\n"], "line 4: .*expected a JSON object"),
        (lambda ls: [*ls[:3], b'{"table":"shoes","row":{}}\n'], "line 4: .*expected {.table"),
        (lambda ls: [*ls[:3], ls[3][:-2] + b',"odd":1}\n'], "line 4: .*expected {.table"),
        (lambda ls: [*ls[:3], b'{"table":"users","row":{"id":1}}\n'], "expected id, name, folded"),
        (lambda ls: changed(ls, "users", id="1"), "users.id: '1': expected a whole number"),
        (lambda ls: changed(ls, "users", name="\0"), "users.name: .*no NUL"),
        (lambda ls: changed(ls, "users", name=None), "users.name: nothing: expected a value"),
        (lambda ls: changed(ls, "users", organiser=1), "users.organiser: '1': expected true"),
        (lambda ls: changed(ls, "seats", fault="x"), "seats.fault: 'x': expected one of"),
        (lambda ls: changed(ls, "matches", options=[1]), "matches.options: .*JSON object"),
        (lambda ls: changed(ls, "blobs", data={"text": "x"}), "bytes are stored|another hash"),
        (lambda ls: changed(ls, "blobs", data="x"), "expected {.text.: …} or {.base64.: …}"),
        (lambda ls: changed(ls, "blobs", data={"base64": "?"}), "line .*: "),
        (lambda ls: changed(ls, "blobs", data={"hex": "?"}), "expected {.text.: …} or"),
        (lambda ls: changed(ls, "ratings", mu=float("nan")), "ratings.mu: .*finite number"),
        (lambda ls: without(ls, "blobs"), r"line \d+: one of .*version_files.* does not fit"),
    ],
)
def test_a_damaged_export_leaves_nothing(
    store: Store, sample: list[bytes], change: Any, told: str
) -> None:
    with pytest.raises(DatastoreError, match=told):
        import_lines(store.database, change(sample))
    assert count_rows(store.database) == 0
