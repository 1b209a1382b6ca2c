"""Matches from files or from the datastore, for the commands that read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.errors import SettingError, TranscriptError

if TYPE_CHECKING:
    from agon.datastore.store import Store
    from agon.match.transcript import Transcript

MatchId = Annotated[
    int | None,
    typer.Option("--match", metavar="ID", help="The stored match of this number."),
]


def open_stored(data: str | None) -> Store:
    """The datastore, which must be there."""
    from agon.datastore.location import find_data
    from agon.datastore.store import Store

    return Store.open(find_data(data, os.environ), create=False)


def read_transcript(file: str | None, match: int | None, data: str | None) -> Transcript:
    """The one transcript that is asked for: of a file, or of a stored match."""
    from agon.match.transcript import load_transcript

    if (file is None) == (match is None):
        raise SettingError("expected a transcript: a FILE, or --match with a stored match's number")
    if file is not None:
        if data is not None:
            raise SettingError(f"--data {data!r}: goes with --match")
        return load_transcript(Path(file))
    with open_stored(data) as store:
        return stored_transcript(store, match or 0)


def stored_transcript(store: Store, match_id: int) -> Transcript:
    from agon.match.transcript import parse_transcript

    content = store.matches.transcript(match_id)
    try:
        return parse_transcript(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise TranscriptError(f"match {match_id}: byte {error.start} is not UTF-8") from None
    except TranscriptError as error:
        raise TranscriptError(f"match {match_id}: {error}") from None


def source_name(file: str | None, match: int | None) -> str:
    """How errors call what was read."""
    return f"match {match}" if file is None else file
