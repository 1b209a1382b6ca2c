"""Matches as files of Parquet: a folder with the matches, a data card, and the decisions if wanted.

    write_dataset(folder, matches)    of transcripts, results of matches, or records
    read_dataset(folder)              the same matches again

`schema` says what the columns are, `row` what becomes of a match. Needs pyarrow: `agon[learn]`.
"""

from __future__ import annotations

from agon.learn.dataset.reader import read_dataset
from agon.learn.dataset.record import MatchRecord, SeatRecord
from agon.learn.dataset.writer import write_dataset

__all__ = ["MatchRecord", "SeatRecord", "read_dataset", "write_dataset"]
