"""The data card of a dataset: what it is, where it comes from, and how to read it."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

from agon.learn.dataset.schema import (
    DECISIONS,
    DECISIONS_FILE,
    FORMAT,
    MATCHES_FILE,
    VERSION,
    describe_columns,
)
from agon.learn.describe import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.learn.dataset.summary import Summary

MOST_LISTED = 100
LONGEST = 200
MARKS = str.maketrans(dict.fromkeys("`|<>&\\", "?"))

READ = f"""\
```python
import pandas, polars, pyarrow.parquet
pandas.read_parquet("{MATCHES_FILE}")
turns = polars.read_parquet("{MATCHES_FILE}", columns=["match", "events"])
turns.explode("events").unnest("events")
pyarrow.parquet.read_table("{MATCHES_FILE}", columns=["players", "reason"])

from agon.learn.dataset import read_dataset  # whole transcripts, which can be replayed
for record in read_dataset("."):
    print(record.transcript.players, record.transcript.outcome)
```"""


def format_card(summary: Summary, licence: str = "") -> str:
    """The card as a page of Markdown."""
    game = summary.game
    return "\n".join(
        (
            f"# {game.title}: {summary.matches:,} matches",
            "",
            f"Matches of the game {game.title}, written by Agon {version('agon')} as"
            f" “{FORMAT} {VERSION}”. What bots wrote to their standard error and what was"
            " exchanged with them is not part of it.",
            "",
            *_figures(summary, licence),
            "",
            "## How to read it",
            "",
            READ,
            "",
            f"## Columns of {MATCHES_FILE}",
            "",
            describe_columns(),
            "",
            *_decisions(summary),
            "## Options",
            "",
            "| matches | options |",
            "|---|---|",
            *_listed((f"{n:,}", f"`{_plain(text)}`") for text, n in summary.options.most_common()),
            "",
            "## Players",
            "",
            "| seats | name | version |",
            "|---|---|---|",
            *_listed(
                (f"{n:,}", f"`{_plain(name)}`", "" if number is None else str(number))
                for (name, number), n in summary.players.most_common()
            ),
            "",
        )
    )


def _figures(summary: Summary, licence: str) -> Iterator[str]:
    yield f"- Licence: {' '.join(licence.split()) or 'not stated'}"
    yield f"- Rules: version {summary.game.rules_version}"
    yield f"- Matches: {summary.matches:,}, with {summary.turns:,} turns"
    yield f"- Without an outcome, so that they count for nothing: {summary.without_outcome:,}"
    yield f"- In which a player failed: {summary.with_faults:,}"
    if summary.first_ns is not None and summary.last_ns is not None:
        yield f"- Played: {_date(summary.first_ns)} to {_date(summary.last_ns)}"


def _decisions(summary: Summary) -> Iterator[str]:
    if summary.learning is None:
        return
    yield f"## Columns of {DECISIONS_FILE}"
    yield ""
    yield f"{summary.decisions:,} decisions. {summary.undecided:,} turns are made of none: they"
    yield "hold what the rules refuse or pass over, or more soldiers than amounts can tell."
    yield f"{summary.on_other_maps:,} matches have none, as they were played with other options"
    yield "or on another map than the first one, so that their numbers would mean something else."
    yield ""
    yield describe_columns(DECISIONS)
    yield ""
    yield describe(summary.learning)
    yield ""


def _date(ns: int) -> str:
    """A moment in UTC, to the second."""
    return datetime.fromtimestamp(ns // 10**9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _plain(text: str) -> str:
    """A text that others chose, as it can stand in a table."""
    shown = "".join(char if char.isprintable() else "?" for char in text).translate(MARKS)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _listed(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    for number, cells in enumerate(rows):
        if number == MOST_LISTED:
            yield "| … |" + " |" * (len(cells) - 1)
            return
        yield f"| {' | '.join(cells)} |"
