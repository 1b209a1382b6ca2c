"""Tournaments: every fixture once, stored as it ends, and resumed to the same table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.entrant import find_entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.series import Arena
from agon.datastore.matches import MatchFilter
from agon.datastore.store import Store
from agon.errors import SettingError
from agon.games.bot import no_time
from agon.games.hive.game import GAME, HiveOptions
from agon.ranker.formats import Format, new_schedule
from agon.ranker.table import make_table
from agon.ranker.tournament import Plan, Tournament, distinct_names, stored_results
from agon.transcript import parse_transcript, verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOTS = ("random", "greedy", "random")
ARENA = Arena(no_time, launch_on_host)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as opened:
        yield opened


def plan(name: str = "friday", rounds: int = 2) -> Plan:
    entrants = distinct_names([find_entrant(GAME, bot) for bot in BOTS])
    limits = Limits(depth=1, turns=60)
    return Plan(name, GAME, HiveOptions(), entrants, limits, "round-robin", rounds, 5)


def begin(store: Store, of: Plan) -> Tournament:
    ticks = iter(range(1, 10**6))
    return Tournament(store, of, lambda: next(ticks))


def run(tournament: Tournament, jobs: int = 1, most: int | None = None) -> None:
    of = tournament.plan
    names = [entrant.name for entrant in of.entrants]
    schedule = new_schedule(Format(of.format), names, of.seed, 2, of.rounds)
    already = len(tournament.results)
    tournament.run(
        schedule,
        ARENA,
        jobs,
        goes_on=lambda: most is None or len(tournament.results) - already < most,
    )


def test_the_same_bot_may_enter_twice_under_two_names() -> None:
    assert [entrant.name for entrant in plan().entrants] == ["random", "greedy", "random 2"]


def test_every_fixture_is_played_once_and_stored(store: Store) -> None:
    tournament = begin(store, plan())
    run(tournament)
    assert len(tournament.results) == 12
    assert len({(result.seed, result.bots) for result in tournament.results}) == 12
    stored = store.matches.find(MatchFilter(), limit=50)
    assert len(stored) == 12
    for match in stored:
        verify(parse_transcript(store.matches.transcript(match.id).decode()))


@pytest.mark.parametrize("stop_after", [1, 5, 11])
def test_a_tournament_that_was_stopped_goes_on_to_the_same_table(
    store: Store, tmp_path: Path, stop_after: int
) -> None:
    whole = begin(store, plan())
    run(whole)
    with Store.open(tmp_path / "other.db") as other:
        run(begin(other, plan()), most=stop_after)
        resumed = begin(other, plan())
        assert len(resumed.results) == stop_after
        run(resumed, jobs=3)
        assert make_table(resumed.results) == make_table(whole.results)
        assert stored_results(other, GAME) != []
        run(begin(other, plan()))
        assert len(other.matches.find(MatchFilter(), limit=50)) == 12


def test_other_settings_under_the_same_name_are_refused(store: Store) -> None:
    run(begin(store, plan()), most=1)
    with pytest.raises(SettingError, match="'friday' was begun with rounds 2, not 3"):
        begin(store, plan(rounds=3))
    other_game = replace(plan(), options=HiveOptions(variant="Base+P"))
    with pytest.raises(SettingError, match="was begun with options"):
        begin(store, other_game)


def test_a_bots_rating_goes_on_from_match_to_match(store: Store) -> None:
    run(begin(store, plan()))
    ratings = store.ratings.current("hive")
    assert len(ratings) == 3
    assert max(rating.sigma for rating in ratings.values()) < 25 / 3
