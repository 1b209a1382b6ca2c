"""Many stored matches: the official table, from the counts of results and from the matches alone.

Live ratings anew, too; all against the bare reading of the matches' rows.

The matches are made up. Who wins follows from strengths that are a few Elo apart, so that the
ratings have something to find.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agon.arena.tournament import stored_counts, stored_results
from agon.datastore.bots import NewBot
from agon.datastore.matches import NewMatch, NewSeat
from agon.datastore.store import Store
from agon.datastore.versions import NewVersion
from agon.errors import AgonError
from agon.games.hive.game import GAME
from agon.ranker.live_ratings import replay
from agon.ranker.table import make_table, table_of
from benchmarks.duel import Duel, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.ranker.result import Result
    from agon.ranker.table import RankingTable

MATCHES = 100_000
BOTS = 50
AT_MOST_NS = 5 * 10**9
BATCH = 5_000
ELO_APART = 10
DRAWN = 0.1
ROWS = """
    SELECT matches.id, matches.seed, seats.version_id, seats.score, seats.rank
    FROM seats JOIN matches ON matches.id = seats.match_id
    WHERE matches.game = ? AND matches.status = 'finished' AND matches.rated
    ORDER BY matches.id, seats.seat
"""


def fill(store: Store, matches: int, bots: int) -> None:
    """Store that many matches of that many bots."""
    versions = []
    for number in range(bots):
        bot = store.bots.ensure(NewBot(GAME.name, f"bot {number:02}", 0))
        versions.append(store.versions.ensure(bot.id, NewVersion(0)).id)
    rng = Random(0)  # noqa: S311
    for first in range(0, matches, BATCH):
        seeds = range(first, min(matches, first + BATCH))
        store.record_matches([invent(seed, versions, rng) for seed in seeds])


def invent(seed: int, versions: Sequence[int], rng: Random) -> NewMatch:
    """A match of two of these bots, of which later ones are stronger."""
    white, black = rng.sample(range(len(versions)), 2)
    white_wins = 1 / (1 + 10 ** (ELO_APART * (black - white) / 400))
    scores = (1, 1) if rng.random() < DRAWN else (2, 0) if rng.random() < white_wins else (0, 2)
    seats = tuple(
        NewSeat(versions[bot], None, own, int(own < other))
        for bot, own, other in zip((white, black), scores, reversed(scores), strict=True)
    )
    options = asdict(GAME.options())
    return NewMatch(GAME.name, GAME.rules_version, options, seed, seats, b"{}", 0, 1, 60, "made up")


def rank(store: Store) -> tuple[list[Result], RankingTable]:
    """The table from each match by itself, as `agon rank --variant` makes it."""
    results = stored_results(store, GAME)
    return results, make_table(results)


def read_rows(file: Path, matches: int) -> int:
    """The rows of which the table is made, and nothing done with them."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(ROWS, (GAME.name,)).fetchall()
    if len(rows) != 2 * matches:
        raise AgonError(f"{len(rows)} rows in the bench's store: expected {2 * matches}")
    return matches


@contextmanager
def ranking_duels(matches: int = MATCHES, bots: int = BOTS) -> Iterator[list[Duel]]:
    """Both tables, and live ratings from nothing; the store is removed afterwards."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "agon.db"
        with Store.open(file) as store:
            fill(store, matches, bots)

            def counts() -> int:
                return table_of(stored_counts(store, GAME)).matches

            def table() -> int:
                return rank(store)[1].matches

            def table_and_ratings() -> int:
                results, table = rank(store)
                replay(results)
                return table.matches

            bare = Side("the rows by sqlite3, bare", lambda: read_rows(file, matches))
            of_all = f"{matches:,} stored matches of {bots} bots"
            units = ("match", "matches")
            yield [
                Duel(f"official table, {of_all}", *units, Side("Agon's counts", counts), bare),
                Duel(f"table, {of_all}", *units, Side("Agon's table", table), bare),
                Duel(
                    f"table and live ratings anew, {of_all}",
                    *units,
                    Side("Agon's table and ratings", table_and_ratings),
                    bare,
                    at_most_ns=AT_MOST_NS,
                ),
            ]
