"""Some of the ladder's matches are shown, from their records: the most interesting first."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.live_journal import LiveJournal, LiveMirror
from agon.arena.live_matches import GIVEN_UP, LiveMatches
from agon.arena.pace import Pace
from agon.arena.shown_matches import LATEST, ShownMatches, interest
from agon.datastore import JournalKind, MatchFilter, Rating, Store
from tests.arena.ladder.test_service import Ring
from tests.website.ranked import store_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from agon.arena.live_matches import LiveMatch
    from agon.datastore.matches import StoredMatch
    from agon.games.game import Position

NOON = 1_760_000_000_000_000_000


class Watched(LiveMatches):
    """Live matches of which all positions are noted."""

    def __init__(self) -> None:
        super().__init__()
        self.matches: list[LiveMatch] = []
        self.positions: list[Position[Any]] = []
        self.on_position: Callable[[], object] = lambda: None

    def begin(self, *args: Any, **settings: Any) -> LiveMatch:
        live = super().begin(*args, **settings)
        show = live.show

        def note(position: Position[Any]) -> None:
            self.on_position()
            self.positions.append(position)
            show(position)

        live.show = note  # type: ignore[method-assign]
        self.matches.append(live)
        self.positions.append(live.position)
        return live


class Stage:
    """A ladder of MebiPenny, and what of it is shown."""

    def __init__(self, store: Store, file: Path) -> None:
        self.file = file
        self.ring = Ring(store, turns=12)
        self.live_matches = Watched()
        self.stopping = threading.Event()
        self.wanted = 0
        pace = Pace(0, self.ring.tick, self.stopping)
        self.shown = ShownMatches(
            store, self.ring.game, self.live_matches, pace, self.ring.tick, self.want
        )

    def want(self) -> None:
        self.wanted += 1

    def play(self, number: int) -> None:
        for _ in range(number):
            assert self.ring.ladder.play_next()

    def ids(self) -> list[int | None]:
        return [live.match_id for live in self.live_matches.matches]


@pytest.fixture
def stage(blank: Path) -> Iterator[Stage]:
    with Store.open(blank) as store:
        stage = Stage(store, blank)
        yield stage
        stage.ring.bot_builds.close()


def test_a_match_is_shown_from_its_beginning_to_its_end(stage: Stage) -> None:
    assert not stage.shown.show_next()
    stage.play(1)
    assert stage.shown.show_next()
    (live,) = stage.live_matches.matches
    (match,) = stage.ring.store.matches.find(MatchFilter())
    assert (live.is_over, live.match_id, live.turns) == (True, match.id, match.turns)
    assert live.players == tuple(seat.bot for seat in match.seats)
    assert [one.turn for one in stage.live_matches.positions[: match.turns + 1]] == [
        *range(match.turns + 1)
    ]
    assert live.position.outcome is not None
    assert live.position.outcome.reason == match.reason
    assert not stage.shown.show_next(), "none is shown twice"


def test_the_most_interesting_one_comes_first_and_none_twice(stage: Stage) -> None:
    assert not stage.shown.show_next()
    stage.play(6)
    matches = stage.ring.store.matches.find(MatchFilter())
    wanted = sorted(matches, key=interest, reverse=True)
    while stage.shown.show_next():
        pass
    assert stage.ids() == [match.id for match in wanted]


def test_only_the_latest_matches_are_shown_and_the_others_are_left_out(stage: Stage) -> None:
    stage.play(1)
    assert not stage.shown.show_next(), "it was played before"
    stage.play(LATEST + 5)
    newest = stage.ring.store.matches.newest("mebipenny")
    while stage.shown.show_next():
        pass
    shown = stage.ids()
    assert sorted(shown, key=str) == sorted(range(newest - LATEST + 1, newest + 1), key=str)


def test_more_is_wanted_when_none_is_left(stage: Stage) -> None:
    assert not stage.shown.show_next()
    assert (stage.shown.is_wanting, stage.wanted) == (True, 1)
    stage.play(2)
    assert stage.shown.show_next()
    assert not stage.shown.is_wanting, "one is left"
    assert stage.shown.show_next()
    assert (stage.shown.is_wanting, stage.wanted) == (True, 2)


def test_one_of_several_servers_shows_them_for_all(stage: Stage) -> None:
    assert not stage.shown.show_next()
    store = stage.ring.store
    store.servers.join("one", "", "", NOON)
    other, others = Store.open(stage.file), LiveMatches()
    other.servers.join("two", "", "", NOON)
    mirror = LiveMirror(other, others, lambda: True)
    seen: list[LiveMatch] = []
    stage.live_matches.journal = LiveJournal(store, lambda: True)

    def look() -> None:
        mirror.look()
        seen.extend(others.running())

    stage.live_matches.on_position = look
    stage.play(1)
    stage.live_matches.shows_ladder = lambda game: False
    assert not stage.shown.show_next()
    assert not stage.shown.is_wanting
    stage.live_matches.shows_ladder = lambda game: True
    assert stage.shown.show_next()
    (live,) = stage.live_matches.matches
    (match,) = store.matches.find(MatchFilter())
    mirror.look()
    assert {one.key for one in seen} == {live.key}
    assert (seen[-1].is_over, seen[-1].match_id) == (True, match.id)
    assert match.turns - 1 <= seen[-1].turns <= match.turns
    assert store.journal.entries(JournalKind.LIVE) == []
    other.close()


def test_what_is_not_of_the_ladder_is_not_shown(stage: Stage) -> None:
    assert not stage.shown.show_next()
    store = stage.ring.store
    stage.play(1)
    (match,) = store.matches.find(MatchFilter())
    versions = [seat.version_id for seat in match.seats]
    store_result(store, versions, (2, 0), rated=False)
    store_result(store, versions, (2, 0))  # of another game
    assert stage.shown.show_next()
    assert not stage.shown.show_next()
    assert stage.ids() == [match.id]


def test_at_the_end_of_the_site_a_match_is_not_shown_to_its_end(stage: Stage) -> None:
    assert not stage.shown.show_next()
    stage.play(2)
    begin = stage.live_matches.begin

    def begin_and_stop(*args: Any, **settings: Any) -> LiveMatch:
        stage.stopping.set()
        return begin(*args, **settings)

    stage.live_matches.begin = begin_and_stop  # type: ignore[method-assign]
    stage.shown.show_next()
    (live,) = stage.live_matches.matches
    assert live.is_over
    assert live.turns == 0
    assert live.position.outcome is not None
    assert live.position.outcome.reason == GIVEN_UP
    assert stage.live_matches.running() == []


def rated(match: StoredMatch, *ratings: Rating, ranks: Sequence[int] = (0, 1)) -> StoredMatch:
    """The match of bots with these ratings, of which the first has won."""
    seats = (
        replace(seat, before=rating, rank=rank)
        for seat, rating, rank in zip(match.seats, ratings, ranks, strict=True)
    )
    return replace(match, seats=tuple(seats))


def test_what_is_interesting(stage: Stage) -> None:
    stage.play(1)
    (match,) = stage.ring.store.matches.find(MatchFilter())
    strong, weak, new = Rating(35, 1), Rating(15, 1), Rating(25, 8)
    dull = interest(rated(match, strong, weak))
    equals = interest(rated(match, strong, strong))
    upset = interest(rated(match, weak, strong))
    assert dull < min(equals, upset)
    assert interest(rated(match, strong, new)) > dull
    drawn = interest(rated(match, strong, weak, ranks=(0, 0)))
    assert dull < drawn < upset
    unrated = replace(match, seats=tuple(replace(seat, before=None) for seat in match.seats))
    assert interest(unrated) == 0
