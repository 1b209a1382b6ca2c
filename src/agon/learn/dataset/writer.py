"""Writes a dataset: matches in row groups, so that memory holds a few of them at a time.

All files are written under other names and get their own at the end: a dataset is whole, or it is
not there.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from agon.errors import SettingError, TranscriptError
from agon.learn.dataset.card import format_card
from agon.learn.dataset.decisions import DecisionFinder
from agon.learn.dataset.record import MatchRecord
from agon.learn.dataset.row import row_of
from agon.learn.dataset.schema import CARD_FILE, DECISIONS_FILE, FILES, MATCHES_FILE
from agon.learn.dataset.summary import Summary
from agon.learn.dataset.tables import GROUP_EVENTS, DecisionsTable, MatchesTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agon.games.game import Game
    from agon.match.result import MatchResult
    from agon.match.transcript import Transcript

PART = ".part"


def write_dataset(
    folder: Path | str,
    matches: Iterable[MatchRecord | MatchResult | Transcript],
    *,
    observations: bool = False,
    licence: str = "",
    force: bool = False,
    on_refused: Callable[[TranscriptError], None] | None = None,
    group_events: int = GROUP_EVENTS,
) -> Summary:
    """Write matches of one game as `matches.parquet`, with a data card, into a folder.

    With `observations` their decisions are written too, as `decisions.parquet`. A folder that is
    there is refused; with `force` these files of it are replaced. A match that a row cannot hold is
    left out and told to `on_refused`; without that, it is an error. A row group has about
    `group_events` events.
    """
    place = Path(folder)
    if place.exists() and not (force and place.is_dir()):
        raise SettingError(f"{str(place)!r} is there already: expected a new folder, or force")
    records = (MatchRecord.of(match) for match in matches)
    with ExitStack() as stack:
        try:
            if not place.exists():
                place.mkdir(parents=True)
                stack.callback(_remove_empty, place)
            for name in FILES:
                stack.callback((place / (name + PART)).unlink, missing_ok=True)
            summary = _write_tables(place, records, observations, on_refused, group_events)
            card = format_card(summary, licence)
            (place / (CARD_FILE + PART)).write_text(card, "utf-8")
            for name in FILES:
                part = place / (name + PART)
                if part.exists():
                    part.replace(place / name)
                else:  # of an earlier dataset
                    (place / name).unlink(missing_ok=True)
        except OSError as error:
            raise SettingError(f"{str(place)!r}: {error.strerror or error}") from None
    return summary


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _write_tables(
    folder: Path,
    records: Iterable[MatchRecord],
    observations: bool,
    on_refused: Callable[[TranscriptError], None] | None,
    group_events: int,
) -> Summary:
    rest = iter(records)
    first = next(rest, None)
    if first is None:
        raise SettingError("no matches: expected one at least")
    with DatasetWriter(folder, first.transcript.game, observations, group_events) as writer:
        for record in chain([first], rest):
            try:
                writer.add(record)
            except TranscriptError as error:
                named = TranscriptError(f"{record.name}: {error}") if record.name else error
                if on_refused is None:
                    raise named from None
                on_refused(named)
        if not writer.summary.matches:
            raise SettingError("no matches: all of them were refused")
        writer.finish()
    return writer.summary


class DatasetWriter:
    """The tables of matches and, if they are wanted, of decisions."""

    def __init__(self, folder: Path, game: Game, observations: bool, group_events: int) -> None:
        self.summary = Summary(game)
        self._folder = folder
        self._stack = ExitStack()
        self._matches = MatchesTable(folder / (MATCHES_FILE + PART), game, group_events)
        self._stack.callback(self._matches.close)
        self._finder = DecisionFinder(game) if observations else None
        self._decisions: DecisionsTable | None = None

    def __enter__(self) -> DatasetWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def add(self, record: MatchRecord) -> None:
        """Write a match, or nothing of it if it is refused."""
        game, transcript = self.summary.game, record.transcript
        if transcript.game is not game:
            other = transcript.game.name
            raise SettingError(f"a match of {other}: expected matches of {game.name} alone")
        number = self.summary.matches
        row = row_of(record, number)
        if self._finder is not None:
            found = self._finder.find(transcript)
            if self._finder.learning is not None:
                self._table_of_decisions(self._finder).add(number, transcript.outcome, found)
            self.summary.count_decisions(self._finder, len(found))
        self._matches.add(row)
        self.summary.add(row)

    def _table_of_decisions(self, finder: DecisionFinder) -> DecisionsTable:
        """Made when a match has said what its numbers are."""
        if self._decisions is None:
            assert finder.learning is not None  # noqa: S101
            path = self._folder / (DECISIONS_FILE + PART)
            self._decisions = DecisionsTable(path, self.summary.game, finder.learning)
            self._stack.callback(self._decisions.close)
        return self._decisions

    def finish(self) -> None:
        """Write what is left."""
        self._matches.finish(self.summary)
        if self._decisions is not None:
            self._decisions.flush()
