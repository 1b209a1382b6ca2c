"""Reads a dataset back: the matches that were written, a few at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from agon.errors import TranscriptError
from agon.learn.dataset.row import record_of
from agon.learn.dataset.schema import FORMAT, MATCHES_FILE, TIME, VERSION, arrow_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.learn.dataset.record import MatchRecord

AT_A_TIME = 128


def read_dataset(path: Path | str) -> Iterator[MatchRecord]:
    """The matches of a dataset, in order; `path` is its folder, or its file of matches.

    Raises TranscriptError if it is none, or of other rules than this program's.
    """
    given = Path(path)
    place = given / MATCHES_FILE if given.is_dir() else given
    try:
        with pq.ParquetFile(place) as file:
            _check_format(file, place)
            names = arrow_schema().names
            for batch in file.iter_batches(AT_A_TIME, columns=names):
                for row in _with_whole_times(batch).to_pylist():
                    yield record_of(row)
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or error
        raise TranscriptError(f"{place}: {reason}") from None


def _check_format(file: pq.ParquetFile, place: Path) -> None:
    about = file.schema_arrow.metadata or {}
    found = [about.get(key, b"").decode() for key in (b"agon.format", b"agon.format_version")]
    if found != [FORMAT, VERSION]:
        raise TranscriptError(f"{place}: {' '.join(found)!r}: expected {FORMAT} {VERSION}")


def _with_whole_times(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Times as numbers: Python's own have no nanoseconds."""
    for place, field in enumerate(batch.schema):
        if field.type == TIME:
            batch = batch.set_column(place, field.name, batch.column(place).cast(pa.int64()))
    return batch
