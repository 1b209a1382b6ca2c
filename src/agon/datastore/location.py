"""Where the data lies: a folder with a SQLite file in it, or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME = "agon.db"
EXPECTED = "expected the path of a file, or postgresql://USER@HOST/DATABASE"


def data_folder(environ: Mapping[str, str]) -> Path:
    """The user's folder for Agon's data, as the XDG base directory specification has it.

    >>> data_folder({"HOME": "/home/ada"}).as_posix()
    '/home/ada/.local/share/agon'
    >>> data_folder({"HOME": "/home/ada", "XDG_DATA_HOME": "/data"}).as_posix()
    '/data/agon'
    """
    given = Path(environ.get("XDG_DATA_HOME", ""))
    if given.is_absolute():  # the specification: a relative path is to be ignored
        return given / "agon"
    home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    return home / ".local" / "share" / "agon"


def find_data(data: str | None, environ: Mapping[str, str]) -> str:
    """What to open: from `--data`, else AGON_DATA, else in the user's data folder.

    >>> find_data("contest", {})
    'contest/agon.db'
    >>> find_data(None, {"AGON_DATA": "postgresql://db.local/agon"})
    'postgresql://db.local/agon'
    """
    given = data if data is not None else environ.get("AGON_DATA")
    if given and "://" in given:
        return given
    if data == "":
        raise DatastoreError("--data '': expected a folder, or the URL of a database")
    folder = Path(given).expanduser() if given else data_folder(environ)
    if folder.is_file():
        raise DatastoreError(f"data folder {str(folder)!r}: it is a file; expected a folder")
    return str(folder / FILE_NAME)


def parse_location(where: str | Path) -> URL:
    """The URL of a path or of a URL's text; PostgreSQL's with the driver that we use.

    >>> parse_location("postgres://ada@db.local/agon").render_as_string()
    'postgresql+psycopg://ada@db.local/agon'
    >>> parse_location("data/agon.db").render_as_string()
    'sqlite:///data/agon.db'
    """
    text = str(where)
    if "\0" in text:
        raise DatastoreError(f"datastore {text!r}: {EXPECTED}")
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # not quoted: it may hold a password
        raise DatastoreError(f"the datastore's URL cannot be read: {EXPECTED}") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return url
    raise DatastoreError(f"datastore {format_location(url)!r}: {EXPECTED}")


def format_location(url: URL) -> str:
    """The place for people: a path, or a URL without its password."""
    if url.drivername == "sqlite":
        return url.database or "sqlite://"
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)
