"""The tables: always those of the stored matches, and no request waits for them for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.official_table import version_key
from agon.arena.roster import load_roster
from agon.datastore import Store
from agon.datastore.result_counts import ResultCounts, SeatedResult
from agon.datastore.results import ResultFilter
from agon.errors import DatastoreError
from agon.games.hive.game import GAME
from agon.ranker.result import Result
from agon.ranker.table import make_table
from agon.website.ranking.rating_history import MOST_POINTS, load_history
from agon.website.ranking.standings import RESTS, Standings
from tests.website.people import NOON, Clock
from tests.website.ranked import add_version, add_versions, store_result, store_results

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as store:
        yield store


class Later:
    """Keeps jobs until they are run."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def __call__(self, job: Callable[[], None]) -> None:
        self.jobs.append(job)

    def run(self) -> None:
        """Run all of them."""
        jobs, self.jobs = self.jobs, []
        for job in jobs:
            job()


class Laboured(Clock):
    """A clock on which every look takes some seconds."""

    step_s = 0

    def __call__(self) -> int:
        self.pass_s(self.step_s)
        return self.now_ns


def test_a_game_without_matches_has_an_empty_table(store: Store) -> None:
    standing = Standings(store, Clock()).find(GAME)
    assert standing is not None
    assert standing.table.rows == ()
    assert standing.histories == ()
    assert standing.newest == 0


def test_a_table_is_kept_until_a_match_is_stored(store: Store) -> None:
    one, two = add_versions(store, 2)
    standings = Standings(store, Clock())
    store_result(store, (one, two), (2, 0))
    first = standings.find(GAME)
    assert first is not None
    assert first.versions == (one, two)
    assert standings.find(GAME) is first
    for _ in range(3):
        store_result(store, (one, two), (0, 2))
    second = standings.find(GAME)
    assert second is not None
    assert second.versions == (two, one)
    assert second.table.matches == 4


def test_matches_that_do_not_count_change_nothing_but_the_newest(store: Store) -> None:
    one, two = add_versions(store, 2)
    standings = Standings(store, Clock())
    store_result(store, (one, two), (2, 0))
    first = standings.find(GAME)
    number = store_result(store, (one, two), (0, 2), rated=False)
    second = standings.find(GAME)
    assert first is not None
    assert second is not None
    assert second.newest == number
    assert second.table == first.table


def test_a_table_of_counts_is_that_of_all_matches(store: Store) -> None:
    versions = add_versions(store, 5)
    standings = Standings(store, Clock())
    for seed in range(4):
        store_results(store, versions, 60, seed)
        made = standings.find(GAME)
    assert made is not None
    stored = store.results.stream(ResultFilter("hive"))
    results = [Result(tuple(map(version_key, one.versions)), one.scores) for one in stored]
    assert len(results) == 240
    assert made.table == make_table(results)


def test_bots_of_two_people_with_one_name_stay_apart(store: Store) -> None:
    ada = store.users.add("ada", "", NOON).id
    bob = store.users.add("bob", "", NOON).id
    one, two = (add_version(store, "crawler", owner) for owner in (ada, bob))
    store_result(store, (one, two), (2, 0))
    standing = Standings(store, Clock()).find(GAME)
    assert standing is not None
    assert standing.versions == (one, two)
    assert standing.meetings(one)[two] == (1, 0, 0)
    assert standing.meetings(two)[one] == (0, 0, 1)


def test_no_request_waits_for_a_table_that_takes_long(store: Store) -> None:
    one, two = add_versions(store, 2)
    later = Later()
    standings = Standings(store, Clock(), later, patience_s=0)
    store_result(store, (one, two), (2, 0))
    assert standings.find(GAME) is None
    assert standings.find(GAME) is None
    assert len(later.jobs) == 1, "the same table is not made twice"
    later.run()
    first = standings.find(GAME)
    assert first is not None
    store_result(store, (one, two), (2, 0))
    assert standings.find(GAME) is first, "the old one is shown while the new one is made"
    later.run()
    second = standings.find(GAME)
    assert second is not None
    assert second.table.matches == 2


def test_after_a_table_that_took_long_there_is_a_rest(store: Store) -> None:
    one, two = add_versions(store, 2)
    clock = Laboured()
    later = Later()
    standings = Standings(store, clock, later, patience_s=0)
    store_result(store, (one, two), (2, 0))
    standings.find(GAME)
    clock.step_s = 4
    later.run()
    clock.step_s = 0
    store_result(store, (one, two), (2, 0))
    first = standings.find(GAME)
    assert first is not None
    assert later.jobs == []
    clock.pass_s(4 * RESTS - 1)
    assert standings.find(GAME) is first
    assert later.jobs == []
    clock.pass_s(1)
    assert standings.find(GAME) is first
    assert len(later.jobs) == 1


@pytest.mark.parametrize("jump_s", [-3600, 86400])
def test_a_clock_that_is_set_holds_no_table_up(store: Store, jump_s: int) -> None:
    one, two = add_versions(store, 2)
    clock, later = Laboured(), Later()
    standings = Standings(store, clock, later, patience_s=0)
    store_result(store, (one, two), (2, 0))
    standings.find(GAME)
    clock.step_s = max(4, jump_s)  # set while the table is made, or 4 s, and set back after it
    later.run()
    clock.step_s = 0
    clock.pass_s(min(jump_s, 0))
    store_result(store, (one, two), (2, 0))
    clock.pass_s(600)
    standings.find(GAME)
    assert len(later.jobs) == 1


class Stumbling(ResultCounts):
    """Counts that cannot be read the first time."""

    fails = True

    def find(
        self, game: str, but_tournaments: Collection[int] = frozenset()
    ) -> Counter[SeatedResult]:
        if self.fails:
            self.fails = False
            raise DatastoreError("the disk is gone")
        return super().find(game, but_tournaments)


def test_a_table_that_cannot_be_made_is_tried_again(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.result_counts = Stumbling(store.database)
    store_result(store, add_versions(store, 2), (2, 0))
    standings = Standings(store, Clock())
    assert standings.find(GAME) is None
    assert "the table of hive could not be made" in caplog.text
    standing = standings.find(GAME)
    assert standing is not None
    assert standing.table.matches == 1


def test_histories_are_thinned_out_and_keep_their_ends(store: Store) -> None:
    one, two = add_versions(store, 2)
    numbers = [store_result(store, (one, two), (2, 0)) for _ in range(MOST_POINTS + 30)]
    history = load_history(store, "hive", one, frozenset())
    assert len(history.points) == MOST_POINTS
    assert (history.points[0].match_id, history.points[-1].match_id) == (numbers[0], numbers[-1])
    assert history.points[-1].elo > history.points[0].elo > 0
    assert history.points[-1].error < history.points[0].error
    ours = [point.match_id for point in history.points]
    assert ours == sorted(set(ours))


def test_bots_of_one_name_are_told_apart_by_their_users(store: Store) -> None:
    ada, bob = (store.users.add(name, "hash", NOON).id for name in ("ada", "bob"))
    versions = [add_version(store, "crawler", ada), add_version(store, "crawler", bob)]
    versions.append(add_version(store, "hopper", ada))
    roster = load_roster(store, "hive")
    titles = [roster[version].title for version in versions]
    assert titles == ["ada/crawler@1", "bob/crawler@1", "hopper@1"]
