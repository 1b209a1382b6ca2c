"""Several matches at a time: none is booked twice, and games take turns."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from agon.arena.ladder.game_ladder import SETTLED, GameLadder, Need
from agon.arena.ladder.participants import ladder_versions
from agon.arena.ladder.service import PATIENCE_NS, LadderService
from agon.arena.match_runner import MatchRunner
from agon.datastore import BookingState, MatchFilter, Store, VersionStatus
from tests.arena.ladder.test_service import Ring
from tests.website.bots.packing import starter_files
from tests.website.ranked import store_result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.datastore import Booking


@pytest.fixture
def store(blank: Path) -> Iterator[Store]:
    with Store.open(blank) as store:
        yield store


@pytest.fixture
def ring(store: Store) -> Iterator[Ring]:
    ring = Ring(store, "hive", turns=4)
    yield ring
    ring.bot_builds.close()


def take(*ladders: GameLadder) -> list[Booking]:
    """What these ladders begin, in turn, until there is no more."""
    taken = []
    while some := [booking for ladder in ladders if (booking := ladder.take()) is not None]:
        taken += some
    return taken


def test_matches_under_way_are_not_booked_again(ring: Ring) -> None:
    taken = take(ring.game_ladder)
    assert len(taken) == 16, "two batches of four sets"
    assert len({(one.seed, one.versions) for one in taken}) == 16
    assert {one.state for one in taken} == {BookingState.RUNNING}


def test_two_servers_share_the_matches(ring: Ring) -> None:
    other = ring.new_ladder()._ladders["hive"]
    taken = take(ring.game_ladder, other)
    assert len(taken) == len({(one.seed, one.versions) for one in taken}) == 16
    for booking in taken:
        assert ring.match_runner.play(booking, None, rated=True)
    again = take(other, ring.game_ladder)
    assert len({(one.seed, one.versions) for one in (*taken, *again)}) == 32


def test_with_many_bots_or_jobs_more_is_planned_at_a_time(ring: Ring) -> None:
    game_ladder = GameLadder(
        ring.store,
        ring.game,
        ring.bot_builds,
        ring.ladder._fitness,
        ring.step,
        ring.tick,
        lambda: 8,
    )
    assert len(take(game_ladder)) == 32


def test_a_begun_set_is_completed_when_a_bot_goes(ring: Ring) -> None:
    first = ring.game_ladder.take()
    assert first
    gone = next(v for _, v in ladder_versions(ring.store, ring.game) if v.id not in first.versions)
    ring.store.versions.set_status(gone.id, VersionStatus.WITHDRAWN)
    ring.ladder.look_again("hive")
    ring.ladder.look_again("chess")  # of which there is no ladder
    second = ring.game_ladder.take()
    assert second
    assert (second.seed, second.versions) == (first.seed, first.versions[::-1])
    rest = take(ring.game_ladder)
    assert all(gone.id not in one.versions for one in rest)
    assert first.seed not in {one.seed for one in rest}, "another set has another seed"


class Begun(MatchRunner):
    """Plays no match to its end, and notes what was begun."""

    def __init__(self) -> None:
        self.bookings: list[Booking] = []

    def play(self, booking: Booking, pace_ns: int | None, *, rated: bool) -> int | None:
        self.bookings.append(booking)
        return None


class Turns:
    """A ladder of Hive and MebiPenny on a clock that the test moves."""

    def __init__(self, store: Store) -> None:
        self.rings = {name: Ring(store, name) for name in ("hive", "mebipenny")}
        self.now = 1
        self.room = 100
        self.runner = Begun()
        ring = self.rings["hive"]
        self.ring = ring
        self.ladder = LadderService(
            store,
            [one.game for one in self.rings.values()],
            self.runner,
            ring.bot_builds,
            lambda name: ring.is_wanted,
            ring.stored.append,
            lambda: self.now,
            ring.tick,
            lambda: self.room,
        )

    def begin(self, number: int) -> list[str]:
        """The games of so many matches that are begun now and stay under way."""
        games = []
        for _ in range(number):
            self.now += 1
            booking = self.ladder._take()
            assert booking
            games.append(booking.game)
        return games


@pytest.fixture
def turns(store: Store) -> Iterator[Turns]:
    turns = Turns(store)
    yield turns
    for ring in turns.rings.values():
        ring.bot_builds.close()


def test_games_with_the_fewest_matches_under_way_come_first(turns: Turns) -> None:
    assert Counter(turns.begin(6)) == {"hive": 3, "mebipenny": 3}


def test_no_more_matches_are_under_way_than_there_is_room_for(turns: Turns) -> None:
    turns.room = 3
    turns.begin(3)
    assert turns.ladder._take() is None
    assert not turns.ladder.play_next()
    turns.room = 4
    turns.begin(1)


def test_after_a_match_its_game_waits_for_the_others(turns: Turns) -> None:
    for _ in range(4):
        turns.now += 1
        turns.ladder.play_next()
    games = [booking.game for booking in turns.runner.bookings]
    assert games in (["hive", "mebipenny"] * 2, ["mebipenny", "hive"] * 2)


def test_a_new_bot_comes_first_but_other_games_do_not_wait_for_long(
    turns: Turns, tmp_path: Path
) -> None:
    turns.begin(2)
    version = turns.ring.add_program(starter_files(tmp_path / "bot"), "python3 hive_bot.py")
    turns.ladder.look_again("hive")
    assert turns.begin(4) == ["hive"] * 4
    turns.now += PATIENCE_NS
    assert turns.begin(3) == ["hive", "mebipenny", "hive"]
    assert version.id in turns.ladder.playing()


def test_a_settled_game_plays_what_is_to_be_shown(ring: Ring) -> None:
    versions = [version.id for _, version in ladder_versions(ring.store, ring.game)]
    for seed in range(SETTLED // 2):
        assert ring.game_ladder.need() is Need.LEARNING
        for pair in combinations(versions, 2):
            store_result(ring.store, pair, (2, 0), seed=seed)
    assert ring.game_ladder.need() is Need.SETTLED
    before = ring.store.matches.count(MatchFilter())
    ring.is_wanted = False
    assert not ring.ladder.play_next()
    ring.is_wanted = True
    assert ring.ladder.play_next()
    assert ring.store.matches.count(MatchFilter()) == before + 1
    assert ring.ladder._take()
    assert ring.ladder._take() is None, "one at a time is enough"
