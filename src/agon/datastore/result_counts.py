"""How many matches ended with the same result: what the official table is made of.

There is a row for every result that occurred: game, rules version, tournament, the bot versions by
seat, their ranks and their faults. The transaction that stores a match adds 1 to the row of its
result, so the counts are those of the matches at every moment. Only finished and rated matches
count.

With two seats the rows follow the number of bots: for each ordered pair a win, a draw, a loss, and
those with a fault. With more seats few line-ups occur twice, and there are almost as many rows as
matches.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, insert, select, text

from agon.datastore import schema
from agon.datastore.database import INSERT, MANY_ROWS
from agon.datastore.enums import MatchStatus
from agon.errors import DatastoreError
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from agon.datastore.database import Database
    from agon.datastore.matches import NewMatch

MATCHES, SEATS, COUNTS = schema.matches, schema.seats, schema.result_counts
KEY = [column.name for column in COUNTS.primary_key]
NO_TOURNAMENT = 0
RECOUNT = "`agon db recount`"
"""What a message names as the remedy for counts that are not those of the matches."""
SEPARATOR = ","
MOST_KNOWN = 1024
"""Texts of ranks and of faults whose meaning is remembered: the same few stand in most rows."""

# Made once: making a statement takes longer than storing a row.
ADD = {
    dialect: (new := make(COUNTS)).on_conflict_do_update(
        index_elements=KEY, set_={"times": COUNTS.c.times + new.excluded.times}
    )
    for dialect, make in INSERT.items()
}


class SeatedResult(NamedTuple):
    """A result by seat: who sat there, how many did better, and who failed."""

    game: str
    rules_version: int
    tournament_id: int | None
    versions: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[Fault | None, ...]

    def __str__(self) -> str:
        """A line for people who look for an error."""
        played_in = "" if self.tournament_id is None else f", tournament {self.tournament_id}"
        failed = SEPARATOR.join(fault or "none" for fault in self.faults)
        return (
            f"{self.game}, rules {self.rules_version}{played_in}, versions"
            f" {_join(self.versions)}, ranks {_join(self.ranks)}, faults {failed}"
        )


class CountDifference(NamedTuple):
    """A result whose stored count is not the number of its matches."""

    result: SeatedResult
    stored: int
    matches: int


class ResultCounts:
    """The counts of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(
        self, game: str, but_tournaments: Collection[int] = frozenset()
    ) -> Counter[SeatedResult]:
        """How often each result of a game occurred, not counting these tournaments."""
        with self._database.read() as connection:
            return _read_counts(connection, game, but_tournaments)

    def compare(self, game: str) -> tuple[Counter[SeatedResult], Counter[SeatedResult]]:
        """The counts of a game as they are stored, and as the matches of that moment give them."""
        with self._database.snapshot() as connection:
            return _read_counts(connection, game), _count_matches(connection, game)

    def make_anew(self) -> int:
        """Count all stored matches again; how many rows there are."""
        return self._database.write(recount)


def add_matches(connection: Connection, matches: Iterable[NewMatch]) -> None:
    """Count these matches, in the transaction that stores them.

    Others who count the same results wait for its end. So this comes last in a transaction, and
    the rows are taken in a fixed order: then no two transactions wait for each other.
    """
    counts = Counter(
        _seated_result(
            match.game,
            match.rules_version,
            match.tournament_id,
            [(seat.version_id, seat.score, seat.fault) for seat in match.seats],
        )
        for match in matches
        if match.rated and match.status is MatchStatus.FINISHED
    )
    if counts:
        connection.execute(ADD[connection.dialect.name], _rows(counts))


def recount(connection: Connection) -> int:
    """Make all counts from the matches; how many rows there are.

    Matches that are being stored wait until this transaction ends, and add to the new counts.
    """
    if connection.dialect.name != "sqlite":  # which has one writer at a time
        connection.execute(text(f"LOCK TABLE {COUNTS.name} IN SHARE ROW EXCLUSIVE MODE"))
    counts = _count_matches(connection)
    connection.execute(delete(COUNTS))
    if counts:
        connection.execute(insert(COUNTS), _rows(counts))
    return len(counts)


def find_differences(connection: Connection) -> list[CountDifference]:
    """The counts that are not those of the matches, in a snapshot."""
    stored, counted = _read_counts(connection), _count_matches(connection)
    return compare_counts(stored, counted)


def compare_counts(
    stored: Counter[SeatedResult], counted: Counter[SeatedResult]
) -> list[CountDifference]:
    return sorted(
        (
            CountDifference(result, stored[result], counted[result])
            for result in stored.keys() | counted.keys()
            if stored[result] != counted[result]
        ),
        key=lambda difference: _row(difference.result),
    )


def _read_counts(
    connection: Connection, game: str | None = None, but_tournaments: Collection[int] = ()
) -> Counter[SeatedResult]:
    query = select(COUNTS)
    if game is not None:
        query = query.where(COUNTS.c.game == game)
    if but_tournaments:
        query = query.where(COUNTS.c.tournament_id.not_in(but_tournaments))
    with closing(connection.execute(query)) as rows:
        try:
            return Counter(dict(map(_parse_row, rows)))
        except ValueError as error:
            raise DatastoreError(f"{COUNTS.name}: {error}; {RECOUNT} makes them anew") from None


def _count_matches(connection: Connection, game: str | None = None) -> Counter[SeatedResult]:
    """The counts as the matches give them."""
    columns = (
        MATCHES.c.id,
        MATCHES.c.game,
        MATCHES.c.rules_version,
        MATCHES.c.tournament_id,
        SEATS.c.version_id,
        SEATS.c.score,
        SEATS.c.fault,
    )
    query = (
        select(*columns)
        .join_from(MATCHES, SEATS)
        .where(MATCHES.c.status == MatchStatus.FINISHED, MATCHES.c.rated)
        .order_by(MATCHES.c.id, SEATS.c.seat)
        .execution_options(yield_per=MANY_ROWS)
    )
    if game is not None:
        query = query.where(MATCHES.c.game == game)
    with closing(connection.execute(query)) as rows:
        return Counter(_results(rows))


def _results(rows: Iterable[Any]) -> Iterator[SeatedResult]:
    """The result of each match, from the rows of its seats."""
    for _, (first, *others) in groupby(rows, itemgetter(0)):
        seats = [(seat.version_id, seat.score, seat.fault) for seat in (first, *others)]
        yield _seated_result(first.game, first.rules_version, first.tournament_id, seats)


def _seated_result(
    game: str,
    rules_version: int,
    tournament_id: int | None,
    seats: Sequence[tuple[int, int, Fault | None]],
) -> SeatedResult:
    """From the version, score and fault of each seat."""
    versions, scores, faults = zip(*seats, strict=True)
    ranks = tuple(sum(other > own for other in scores) for own in scores)
    return SeatedResult(game, rules_version, tournament_id, versions, ranks, faults)


def _rows(counts: Counter[SeatedResult]) -> list[dict[str, Any]]:
    """The rows in the order of their keys."""
    keys = sorted((_row(result), times) for result, times in counts.items())
    return [dict(zip(KEY, key, strict=True), times=times) for key, times in keys]


def _row(result: SeatedResult) -> tuple[str, int, int, str, str, str]:
    return (
        result.game,
        result.rules_version,
        result.tournament_id or NO_TOURNAMENT,
        _join(result.versions),
        _join(result.ranks),
        SEPARATOR.join(fault or "" for fault in result.faults),
    )


def _parse_row(row: Sequence[Any]) -> tuple[SeatedResult, int]:
    game, rules_version, tournament_id, versions, ranks, faults, times = row
    result = SeatedResult(
        game,
        rules_version,
        tournament_id or None,
        tuple(map(int, versions.split(SEPARATOR))),
        _parse_ranks(ranks),
        _parse_faults(faults),
    )
    return result, times


@lru_cache(MOST_KNOWN)
def _parse_ranks(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(SEPARATOR)))


@lru_cache(MOST_KNOWN)
def _parse_faults(text: str) -> tuple[Fault | None, ...]:
    return tuple(Fault(word) if word else None for word in text.split(SEPARATOR))


def _join(numbers: Iterable[int]) -> str:
    return SEPARATOR.join(map(str, numbers))
