"""How quick the store is: bounds with room for a busy machine. `-s` shows the figures."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from agon.datastore import NewTournament, Rating, ResultFilter
from tests.datastore.samples import NOON, add_versions, make_match, rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.datastore import NewMatch, Store

pytestmark = pytest.mark.slow

SINGLE, ALL, BATCH = 1_000, 100_000, 500


def matches(versions: list[int], tournament_id: int) -> list[NewMatch]:
    step = (Rating(25.0, 8.0), Rating(25.5, 7.9))
    return [
        rate(
            make_match(
                [versions[n % 50], versions[(n + 1 + n // 50 % 49) % 50]],
                (n % 2, n // 2 % 2),
                seed=n,
                tournament_id=tournament_id,
                fixture=str(n),
            ),
            step,
            step,
        )
        for n in range(ALL)
    ]


def test_storing_and_reading_100_000_matches(store: Store) -> None:
    versions = add_versions(store, 50)
    friday = store.tournaments.add(NewTournament("friday", "hive", "round-robin", NOON)).id
    new = matches(versions, friday)
    begin = time.perf_counter()
    for match in new[:SINGLE]:
        store.record_match(match)
    single = (time.perf_counter() - begin) / SINGLE
    begin = time.perf_counter()
    for first in range(SINGLE, ALL, BATCH):
        store.record_matches(new[first : first + BATCH])
    several = (time.perf_counter() - begin) / (ALL - SINGLE)
    figures = {"one at a time, ms": single * 1e3, "in batches, ms": several * 1e3}
    reads: dict[str, Callable[[], object]] = {
        "results of a game, s": lambda: list(store.results.stream(ResultFilter("hive"))),
        "of a tournament, s": lambda: list(
            store.results.stream(ResultFilter("hive", tournament_id=friday))
        ),
        "head to head, s": lambda: store.results.head_to_head(ResultFilter("hive")),
        "ratings, s": lambda: store.ratings.current("hive"),
    }
    for name, read in reads.items():
        begin = time.perf_counter()
        assert read()
        figures[name] = time.perf_counter() - begin
    print(f"\n{store.database.place[:20]}", figures)  # noqa: T201
    assert figures["one at a time, ms"] < 5
    assert figures["results of a game, s"] < 5
