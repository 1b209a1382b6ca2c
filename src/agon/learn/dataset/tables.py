"""The tables of a dataset while they are written, in groups of rows."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from agon.learn.dataset.schema import FORMAT, VERSION, arrow_schema, decisions_schema
from agon.learn.policy import reward_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agon.games.game import Game, Outcome
    from agon.games.learning import Learning, Part
    from agon.learn.dataset.decisions import Decision
    from agon.learn.dataset.row import Row
    from agon.learn.dataset.summary import Summary

GROUP_EVENTS = 1 << 16
GROUP_MATCHES = 1 << 14
GROUP_DECISIONS = 1 << 14


class MatchesTable:
    """The matches."""

    def __init__(self, path: Path, game: Game, group_events: int = GROUP_EVENTS) -> None:
        self._schema = arrow_schema().with_metadata(_about(game))
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Row] = []
        self._events = 0
        self._group_events = group_events

    def add(self, row: Row) -> None:
        self._rows.append(row)
        self._events += len(row["events"])
        if self._events >= self._group_events or len(self._rows) >= GROUP_MATCHES:
            self._flush()

    def finish(self, summary: Summary) -> None:
        """Write what is left, and what is known of all matches only now."""
        self._flush()
        about = {"agon.matches": str(summary.matches)}
        if len(summary.options) == 1:
            about["agon.options"] = next(iter(summary.options))
        self._writer.add_key_value_metadata(about)

    def _flush(self) -> None:
        if self._rows:
            batch = pa.RecordBatch.from_pylist(self._rows, schema=self._schema)
            self._writer.write_batch(batch, row_group_size=len(self._rows))
        self._rows, self._events = [], 0

    def close(self) -> None:
        self._writer.close()


class DecisionsTable:
    """The decisions."""

    def __init__(self, path: Path, game: Game, learning: Learning) -> None:
        parts = {
            "agon.actions": _parts_text(learning.actions),
            "agon.observation": _parts_text(learning.observation),
        }
        self._schema = decisions_schema(learning).with_metadata(_about(game) | parts)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._size = learning.observation_size
        self._rows: list[tuple[int, float | None, Decision]] = []

    def add(self, match: int, outcome: Outcome | None, decisions: Sequence[Decision]) -> None:
        for one in decisions:
            reward = None if outcome is None else reward_of(outcome, one.seat)
            self._rows.append((match, reward, one))
        if len(self._rows) >= GROUP_DECISIONS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            matches, rewards, decisions = zip(*self._rows, strict=True)
            numbers = np.concatenate([one.observation for one in decisions])
            ends = np.cumsum([0, *(len(one.legal) for one in decisions)])
            legal = np.concatenate([one.legal for one in decisions])
            columns: list[Any] = [
                matches,
                [one.event for one in decisions],
                [one.seat for one in decisions],
                pa.FixedSizeListArray.from_arrays(pa.array(numbers), self._size),
                pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(legal, pa.int32())),
                [one.action for one in decisions],
                rewards,
            ]
            arrays = [
                one if isinstance(one, pa.Array) else pa.array(one, field.type)
                for one, field in zip(columns, self._schema, strict=True)
            ]
            batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema)
            self._writer.write_batch(batch, row_group_size=len(self._rows))
        self._rows = []

    def close(self) -> None:
        self._writer.close()


def _about(game: Game) -> dict[str, str]:
    return {
        "agon.format": FORMAT,
        "agon.format_version": VERSION,
        "agon.version": version("agon"),
        "agon.game": game.name,
        "agon.rules_version": str(game.rules_version),
    }


def _parts_text(parts: Sequence[Part]) -> str:
    return json.dumps([{"name": part.name, "shape": part.shape} for part in parts])
