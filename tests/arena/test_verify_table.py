"""The official table looked at once more: by its counts, and by the matches alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from agon.arena.verify_table import compare_tables, verify_table
from agon.datastore.store import Store
from agon.ranker.result import Result
from agon.ranker.table import make_table
from tests.website.ranked import add_versions, store_result, store_results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def run_sql(store: Store, statement: str) -> None:
    store.database.write(lambda connection: connection.execute(text(statement)))


def test_tables_of_stored_matches_are_equal(store: Store) -> None:
    store_results(store, add_versions(store, 4), 60)
    assert verify_table(store, "hive") == []
    assert verify_table(store, "chess") == []


def test_each_count_and_row_that_differs_is_named(store: Store) -> None:
    one, two, three = add_versions(store, 3)
    for white, black in ((one, two), (two, three), (three, one)):
        for scores in ((2, 0), (0, 2)):
            store_result(store, (white, black), scores)
    run_sql(store, "UPDATE result_counts SET times = 4 WHERE versions = '1,2' AND ranks = '0,1'")
    count, *rows = verify_table(store, "hive")
    assert count == (
        "hive, rules 1, versions 1,2, ranks 0,1, faults none,none: 4 counted, 1 matches are stored"
    )
    told = "\n".join(rows)
    assert "rules 1, bot 00@1: rating " in told
    assert "by the counts, 0.0 by the matches" in told
    assert "wins 5 by the counts, 2 by the matches" in told
    assert "rules 1, matches: 9 by the counts, 6 by the matches" in told
    assert "rules 1, head to head: not the same" in told
    store.result_counts.make_anew()
    assert verify_table(store, "hive") == []


def test_a_changed_match_is_noticed(store: Store) -> None:
    store_result(store, add_versions(store, 2), (2, 0))
    run_sql(store, "UPDATE seats SET score = 2 WHERE seat = 1")
    first, second, *rows = verify_table(store, "hive")
    assert "ranks 0,0, faults none,none: 0 counted, 1 matches" in first
    assert "ranks 0,1, faults none,none: 1 counted, 0 matches" in second
    assert rows


def test_a_fault_changes_no_table(store: Store) -> None:
    store_result(store, add_versions(store, 2), (2, 0))
    run_sql(store, "UPDATE result_counts SET faults = ',crash'")
    assert [line.partition("faults ")[2] for line in verify_table(store, "hive")] == [
        "none,none: 0 counted, 1 matches are stored",
        "none,crash: 1 counted, 0 matches are stored",
    ]


def test_rows_that_only_one_of_two_tables_has() -> None:
    few = make_table([Result(("a", "b"), (1, 0))])
    more = make_table([Result(("a", "b"), (1, 0))], ["c"])
    assert list(compare_tables(few, few)) == []
    assert ("c", "no row by the counts, one by the matches") in compare_tables(few, more)
    assert ("c", "a row by the counts, none by the matches") in compare_tables(more, few)


def test_the_last_digit_is_compared() -> None:
    table = make_table([Result(("a", "b"), (1, 0))])
    first = table.rows[0]
    other = replace(table, rows=(replace(first, high=first.high + 0.001), *table.rows[1:]))
    ((bot, said),) = compare_tables(table, other)
    assert bot == "a"
    assert said == f"high {first.high} by the counts, {first.high + 0.001} by the matches"
