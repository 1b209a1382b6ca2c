"""`agon db`: the commands, as a user types them."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from agon.cli.db import db
from agon.datastore import Store
from agon.datastore.location import format_location, parse_location
from agon.datastore.schema import REVISION
from agon.errors import DatastoreError
from tests.datastore.conftest import KINDS
from tests.datastore.samples import fill

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result


def run(*arguments: str) -> Result:
    """Run a command that ends well."""
    result = CliRunner().invoke(db, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*arguments: str) -> str:
    """Run a command that is an error, which `agon` shows as one line."""
    result = CliRunner().invoke(db, arguments)
    assert isinstance(result.exception, DatastoreError)
    return str(result.exception)


def data_of(place: str) -> str:
    return place.removesuffix("/agon.db")


def test_upgrade_makes_a_store_and_says_what_it_did(empty_place: str) -> None:
    data = data_of(empty_place)
    first, second = run("upgrade", "--data", data), run("upgrade", "--data", data)
    place = format_location(parse_location(empty_place))
    assert first.stdout == f"{place}: new, revision {REVISION}\n"
    assert second.stdout == f"{place}: revision {REVISION}, up to date\n"


def test_check_says_that_all_is_well(place: str) -> None:
    result = run("check", "--data", data_of(place))
    assert result.exit_code == 0
    assert result.stdout.endswith("all is well\n")


def test_check_ends_with_status_1_when_something_is_wrong(place: str) -> None:
    with Store.open(place) as store:
        fill(store)
        store.database.write(lambda c: c.exec_driver_sql("DELETE FROM transcripts"))
    result = run("check", "--data", data_of(place))
    assert result.exit_code == 1
    assert "its transcript is missing\n" in result.stdout


@pytest.mark.system
def test_export_and_import_through_a_file(
    place: str, kind: str, new_place: Callable[[str], str], tmp_path: Path
) -> None:
    with Store.open(place) as store:
        fill(store)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    run("export", str(first), "--data", data_of(place))
    (other_kind,) = {*KINDS} - {kind}
    other = data_of(new_place(other_kind))
    assert "rows\n" in run("import", str(first), "--data", other).stdout
    run("export", str(second), "--data", other)
    assert first.read_bytes() == second.read_bytes()
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert run("export", "--data", other).stdout_bytes == first.read_bytes()


def test_export_through_pipes(place: str, tmp_path: Path) -> None:
    with Store.open(place) as store:
        fill(store)
    exported = run("export", "--data", data_of(place)).stdout_bytes
    new = str(tmp_path / "new")
    result = CliRunner().invoke(db, ["import", "-", "--data", new], input=exported)
    assert result.exit_code == 0
    assert run("export", "--data", new).stdout_bytes == exported


def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    old = tmp_path / "backup.jsonl"
    old.write_text("old")
    Store.open(tmp_path / "agon.db").close()
    with Store.open(tmp_path / "agon.db") as store:
        fill(store)
        store.database.write(lambda c: c.exec_driver_sql("UPDATE blobs SET size = size + 1"))
    assert "bytes are stored; expected" in refused("export", str(old), "--data", str(tmp_path))
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agon.db", "backup.jsonl"]


def test_errors_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGON_DATA", str(tmp_path / "none"))
    assert "there is none; `agon db upgrade` makes one" in refused("check")
    assert "there is none" in refused("export")
    assert "No such file" in refused("import", str(tmp_path / "missing"))
    run("upgrade")
    assert "No such file" in refused("export", str(tmp_path / "no" / "folder"))
    (tmp_path / "text").write_text("hello\n")
    assert "line 1: " in refused("import", str(tmp_path / "text"))


@pytest.mark.parametrize("command", ["upgrade", "check", "export", "import"])
def test_help_has_examples(command: str) -> None:
    result = run(command, "--help")
    assert f"  agon db {command}" in result.stdout.partition("Examples:")[2]


def test_recount_makes_counts_that_pass_the_check(place: str) -> None:
    data = data_of(place)
    with Store.open(place) as store:
        fill(store)
        store.database.write(lambda c: c.exec_driver_sql("UPDATE result_counts SET times = 9"))
    result = run("check", "--data", data)
    assert result.exit_code == 1
    assert result.stdout.count("`agon db recount`") == 4
    assert "salvage" not in result.output
    assert run("recount", "--data", data).stdout.endswith(": 4 counts of results\n")
    assert run("check", "--data", data).exit_code == 0
