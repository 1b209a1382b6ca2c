"""Places where no store can be, and files that are damaged: each gets its own clear words."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from agon.datastore import Store
from agon.datastore.integrity import check_database
from agon.errors import DatabaseError, DatastoreError
from tests.datastore.samples import fill
from tests.datastore.server import server_rights

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.datastore.server import PostgreSQL


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "agon.db"
    with Store.open(path) as store:
        fill(store)
        for file in (path, path.parent / "agon.db-wal"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["agon.db"]


def test_how_sqlite_is_set(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store, store.database.read() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        }
    assert found == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 10_000}


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DatastoreError, match="it is a folder; expected a file"):
        Store.open(tmp_path)


def test_a_place_under_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DatastoreError, match="it cannot be made there: File exists"):
        Store.open(tmp_path / "file" / "agon.db")


def test_a_place_where_nothing_can_be_made() -> None:
    with pytest.raises(DatastoreError, match="it cannot be made there"):
        Store.open("/proc/agon/agon.db")


@pytest.mark.parametrize(("mode", "told"), [(0o444, "readonly database"), (0, "unable to open")])
def test_a_file_that_may_not_be_written(tmp_path: Path, mode: int, told: str) -> None:
    path = tmp_path / "agon.db"
    path.touch()
    path.chmod(mode)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    with as_another_user(), pytest.raises(DatabaseError, match=told):
        Store.open(path)


@contextmanager
def as_another_user() -> Iterator[None]:
    """Root may write everything: be the user nobody for a while."""
    rights, group, user = server_rights(), os.getegid(), os.geteuid()
    if rights:
        os.setegid(rights["group"])
        os.seteuid(rights["user"])
    try:
        yield
    finally:
        os.seteuid(user)
        os.setegid(group)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "agon.db"
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(
        DatabaseError, match="file is not a database; expected a file that Agon made"
    ):
        Store.open(path)


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "agon.db"
    with Store.open(path) as store:
        fill(store)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    with pytest.raises(DatabaseError, match="the file is damaged"), Store.open(path) as store:
        fill(store)


def test_a_file_with_a_page_of_rubbish_does_not_pass_the_check(tmp_path: Path) -> None:
    path = tmp_path / "agon.db"
    with Store.open(path) as store:
        fill(store)
        assert check_database(store.database) == []
    with sqlite3.connect(path) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'seats'"
        (page,) = connection.execute(query).fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    with Store.open(path) as store:
        problems = check_database(store.database)
    assert any("damaged" in problem or problem.startswith("file:") for problem in problems)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "agon.db"
    path.touch()
    with pytest.raises(DatastoreError, match="there is none"):
        Store.open(path, create=False)
    with Store.open(path) as store:
        assert check_database(store.database) == []


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="No such file or directory") as caught:
        Store.open(f"postgresql://ada:secret@/agon?host={tmp_path}")
    assert "secret" not in str(caught.value)


@pytest.mark.system
def test_a_database_that_is_not_there(server: PostgreSQL) -> None:
    with pytest.raises(DatabaseError, match='database "nowhere" does not exist'):
        Store.open(server.url("nowhere"))


@pytest.mark.system
def test_a_database_that_is_not_unicode(server: PostgreSQL) -> None:
    server.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(DatastoreError, match="its encoding is LATIN1; expected UTF8"):
        Store.open(server.url("latin"))
