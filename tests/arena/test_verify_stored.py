"""Stored matches looked at once more: scores and ratings as they should be, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from agon.arena.verify_stored import verify_stored
from agon.datastore import schema
from agon.datastore.store import Store
from tests.arena.test_tournament import begin, plan, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Update


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        run(begin(opened, plan(rounds=1)))
        run(begin(opened, plan("saturday", rounds=1)))
        yield opened


def test_what_a_tournament_stores_is_right(store: Store) -> None:
    seen: list[int] = []
    found = verify_stored(store, "hive", seen.append)
    assert (found.matches, found.ratings, found.difference) == (12, 24, None)
    assert seen == list(range(1, 13))


def test_a_game_without_matches(store: Store) -> None:
    assert verify_stored(store, "chess").matches == 0


SEATS, RATINGS, MATCHES = schema.seats, schema.ratings, schema.matches
CHANGES: list[tuple[Update, str]] = [
    (update(SEATS).where(SEATS.c.match_id == 5, SEATS.c.seat == 1).values(score=9), "scores"),
    (update(SEATS).where(SEATS.c.match_id == 5, SEATS.c.seat == 0).values(rank=7), "ranks"),
    (update(SEATS).where(SEATS.c.match_id == 5).values(fault="crash"), "faults"),
    (update(MATCHES).where(MATCHES.c.id == 5).values(seed=1), "seed 1: the transcript gives"),
    (
        update(RATINGS).where(RATINGS.c.match_id == 5, RATINGS.c.seat == 1).values(mu=26.0),
        "after it: stored 26.000000",
    ),
    (
        update(RATINGS).where(RATINGS.c.match_id == 5).values(sigma_before=1.0),
        "before it: stored",
    ),
    (
        update(schema.transcripts).where(schema.transcripts.c.match_id == 5).values(size=3),
        "its checksum does not fit",
    ),
]


@pytest.mark.parametrize(("change", "told"), CHANGES)
def test_the_first_difference_is_named(store: Store, change: Update, told: str) -> None:
    store.database.write(lambda connection: connection.execute(change))
    found = verify_stored(store, "hive")
    assert found.difference is not None
    assert found.difference.startswith("match 5: ")
    assert told in found.difference
    assert found.matches == 5


def test_two_tournaments_at_once_share_one_line_of_ratings(tmp_path: Path) -> None:
    """Each begins from the ratings that the other left, no matter which stores first."""
    with Store.open(tmp_path / "two.db") as store:
        one, two = begin(store, plan("one")), begin(store, plan("two"))
        for _ in range(6):
            run(one, most=1)
            run(two, most=1)
        assert verify_stored(store, "hive").difference is None
        assert verify_stored(store, "hive").ratings == 24
