"""The columns of a dataset: their types and what they mean.

The data card and docs/learn.md have these tables, made from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.learning import Learning

FORMAT = "Agon matches"
VERSION = "1.0"
MATCHES_FILE = "matches.parquet"
DECISIONS_FILE = "decisions.parquet"
CARD_FILE = "README.md"
FILES = (MATCHES_FILE, DECISIONS_FILE, CARD_FILE)

TIME = pa.timestamp("ns", "UTC")


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or a field of the structs in a column that has lists of them."""

    name: str
    type: pa.DataType | None
    """None: a list of structs, made of the parts; or what the game says."""
    meaning: str
    parts: tuple[Column, ...] = ()


PLAYERS = (
    Column("seat", pa.int64(), "its place, from 0"),
    Column("name", pa.string(), "of the bot or person"),
    Column("kind", pa.string(), "such as `built-in`, `program`, `guest`; null: not known"),
    Column("version", pa.int64(), "the number of the bot's version; null: not known"),
    Column("mu", pa.float64(), "the live rating before the match; null: none"),
    Column("sigma", pa.float64(), "how uncertain that rating was"),
    Column("score", pa.int64(), "in the game's own terms, more is better; null: no outcome"),
    Column("points", pa.int64(), "what was counted, in a game whose scores are ranks; else null"),
    Column("rank", pa.int64(), "how many seats did better; null: no outcome"),
    Column("fault", pa.string(), "how it failed, such as `timeout`; null: it did not"),
    Column("extra", pa.string(), "what else the transcript says of it, as JSON; null: nothing"),
)
EVENTS = (
    Column("event", pa.int64(), "its number, from 0; turns made at the same time share one"),
    Column("kind", pa.string(), "`turn`, `fault`, `limit` (the match was stopped), `note` (chat)"),
    Column("seat", pa.int64(), "whose turn or fault; null for the other kinds"),
    Column("text", pa.string(), "the turn in the game's notation; or the fault, as in `players`"),
    Column("ns", pa.int64(), "how long the seat thought, in nanoseconds; null: not known"),
    Column("detail", pa.string(), "more about a fault; null: nothing"),
    Column("extra", pa.string(), "what else there is, as JSON, with the event's first entry"),
)
MATCHES = (
    Column("match", pa.int64(), "its number in this dataset, from 0"),
    Column("stored_id", pa.int64(), "its number in the datastore; null: it comes from elsewhere"),
    Column("game", pa.string(), "such as `hive`"),
    Column("rules_version", pa.int64(), "the version of the rules that it was played by"),
    Column("options", pa.string(), "the game's options, as a JSON object"),
    Column("seed", pa.int64(), "of all chance in the match"),
    Column("started", TIME, "when it began; null: not known"),
    Column("ended", TIME, "when it ended; null: not known"),
    Column("turns", pa.int64(), "how many events are turns"),
    Column("reason", pa.string(), "why it ended; null: it has no outcome, and counts for nothing"),
    Column("players", None, "by seat", PLAYERS),
    Column("events", None, "what happened, in order", EVENTS),
    Column("extra", pa.string(), "what else the transcript has, as JSON; null: nothing"),
)
DECISIONS = (
    Column("match", pa.int64(), "the number of its match, as in `matches.parquet`"),
    Column("event", pa.int64(), "the event that it is a part of"),
    Column("seat", pa.int64(), "who decides"),
    Column("observation", None, "what the seat knows, as `BatchEnv.observations` has it"),
    Column("legal", pa.list_(pa.int32()), "the actions that it may take"),
    Column("action", pa.int32(), "the one that it took"),
    Column("reward", pa.float32(), "of the seat at the end, from -1 to 1; null: no outcome"),
)


def arrow_schema(columns: Sequence[Column] = MATCHES) -> pa.Schema:
    return pa.schema(_fields(columns))


def _fields(columns: Sequence[Column]) -> list[pa.Field]:
    return [
        pa.field(column.name, column.type or pa.list_(pa.struct(_fields(column.parts))))
        for column in columns
    ]


def decisions_schema(learning: Learning) -> pa.Schema:
    numbers = pa.list_(pa.from_numpy_dtype(learning.observed), learning.observation_size)
    return pa.schema([pa.field(column.name, column.type or numbers) for column in DECISIONS])


def describe_columns(columns: Sequence[Column] = MATCHES) -> str:
    """The columns as a table in Markdown."""
    return "\n".join(("| column | type | meaning |", "|---|---|---|", *_rows(columns, "")))


def _rows(columns: Sequence[Column], prefix: str) -> Iterator[str]:
    for column in columns:
        of_game = "list of structs" if column.parts else "fixed-size list of the game's type"
        kind = of_game if column.type is None else str(column.type)
        yield f"| `{prefix}{column.name}` | {kind} | {column.meaning} |"
        yield from _rows(column.parts, f"{column.name}[].")
