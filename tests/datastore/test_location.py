"""Where the data lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.datastore.location import find_data, format_location, parse_location
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from pathlib import Path

HOME = {"HOME": "/home/ada"}
URL = "postgresql://ada:secret@db.local:5433/agon"


@pytest.mark.parametrize(
    ("data", "environ", "found"),
    [
        (None, HOME, "/home/ada/.local/share/agon/agon.db"),
        (None, HOME | {"XDG_DATA_HOME": "/data"}, "/data/agon/agon.db"),
        (None, HOME | {"XDG_DATA_HOME": "data"}, "/home/ada/.local/share/agon/agon.db"),
        (None, HOME | {"XDG_DATA_HOME": ""}, "/home/ada/.local/share/agon/agon.db"),
        (None, HOME | {"AGON_DATA": "/srv/agon", "XDG_DATA_HOME": "/data"}, "/srv/agon/agon.db"),
        (None, HOME | {"AGON_DATA": ""}, "/home/ada/.local/share/agon/agon.db"),
        (None, HOME | {"AGON_DATA": URL}, URL),
        ("/tmp/x", HOME | {"AGON_DATA": URL}, "/tmp/x/agon.db"),  # noqa: S108
        (URL, HOME | {"AGON_DATA": "/srv/agon"}, URL),
    ],
)
def test_the_nearest_word_counts(data: str | None, environ: dict[str, str], found: str) -> None:
    assert find_data(data, environ) == found


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "agon.db"
    file.touch()
    with pytest.raises(DatastoreError, match="it is a file; expected a folder"):
        find_data(str(file), HOME)
    with pytest.raises(DatastoreError, match="--data ''"):
        find_data("", HOME)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_has_one_driver(scheme: str) -> None:
    url = parse_location(f"{scheme}://ada:secret@db.local/agon")
    assert url.drivername == "postgresql+psycopg"
    assert url.password == "secret"  # noqa: S105


def test_a_password_is_not_shown() -> None:
    assert format_location(parse_location(URL)) == "postgresql://ada:***@db.local:5433/agon"


@pytest.mark.parametrize(
    "where", ["mysql://x/y", "sqlite://", "postgresql+asyncpg://x/y", "nothing://", "a\0b"]
)
def test_what_is_no_datastore(where: str) -> None:
    with pytest.raises(DatastoreError, match="expected the path of a file, or postgresql://"):
        parse_location(where)


@pytest.mark.parametrize("where", ["://secret", "postgresql://x:secret@h:port/d"])
def test_a_url_that_cannot_be_read_is_not_shown(where: str) -> None:
    with pytest.raises(DatastoreError, match="expected the path of a file") as caught:
        parse_location(where)
    assert "secret" not in str(caught.value)
