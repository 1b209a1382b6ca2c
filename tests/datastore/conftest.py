"""Every test of the store runs on both databases: SQLite files, and a real PostgreSQL server."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from agon.datastore import Store, schema
from tests.datastore.server import PostgreSQL, running_postgresql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQL]:
    with running_postgresql() as running:
        yield running


@pytest.fixture(scope="session")
def template_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite store without rows."""
    file = tmp_path_factory.mktemp("template") / "agon.db"
    Store.open(file).close()
    return file


@pytest.fixture(scope="session")
def shared_store(server: PostgreSQL) -> Iterator[Store]:
    """A PostgreSQL store for many tests: emptying one is quicker than making one."""
    server.execute("CREATE DATABASE shared")
    with Store.open(server.url("shared")) as store:
        yield store


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.system)])
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def new_place(
    template_file: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[str], str]:
    """Where there is a store of that kind without rows; its tables are not to be changed."""

    def empty(connection: Connection) -> None:
        tables = ", ".join(schema.metadata.tables)
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))  # ids begin at 1 again

    def make(kind: str) -> str:
        if kind == "sqlite":
            return str(shutil.copy(template_file, tmp_path / "agon.db"))
        shared_store: Store = request.getfixturevalue("shared_store")
        shared_store.database.write(empty)
        return shared_store.database.url.render_as_string(hide_password=False)

    return make


@pytest.fixture
def empty_place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no store yet."""
    if kind == "sqlite":
        return str(tmp_path / "new" / "agon.db")
    server: PostgreSQL = request.getfixturevalue("server")
    return server.new_room()


@pytest.fixture
def place(kind: str, new_place: Callable[[str], str]) -> str:
    return new_place(kind)


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with Store.open(place, create=False) as opened:
        yield opened


@pytest.fixture
def own_store(empty_place: str) -> Iterator[Store]:
    """A store of the test's own, tables and all."""
    with Store.open(empty_place) as opened:
        yield opened
