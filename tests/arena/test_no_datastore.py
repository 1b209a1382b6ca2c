"""The database crashes under a tournament and under the ladder: they wait, and lose nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.datastore import BookingState, MatchFilter, Store, TournamentState
from agon.datastore.integrity import check_database
from agon.datastore.retry import Retry
from tests.arena.ladder.test_service import Ring
from tests.arena.test_tournament import begin, plan, run
from tests.datastore.server import running_postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.datastore.server import PostgreSQL

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    with running_postgresql(synchronous_commit="on") as server:
        yield server


class Outage:
    """The server is down from the nth tick on, until the first caller says that it waits."""

    def __init__(self, server: PostgreSQL, tick: int) -> None:
        self.server = server
        self.tick = tick
        self.ticks = 0
        self.told: list[str] = []
        self.retry = Retry(self.tell)

    def now_ns(self) -> int:
        self.ticks += 1
        if self.ticks == self.tick:
            self.server.stop()
        return self.ticks * 1000

    def tell(self, told: str) -> None:
        self.told.append(told)
        if self.server.process.poll() is not None:
            self.server.start()


@pytest.mark.parametrize("tick", [8, 15, 23])
def test_a_tournament(server: PostgreSQL, tick: int) -> None:
    outage = Outage(server, tick)
    with Store.open(server.new_room()) as store:
        tournament = begin(store.retrying(outage.retry), plan())
        tournament._now_ns = outage.now_ns
        run(tournament)
        matches = store.matches.find(MatchFilter(), limit=50)
        assert len({match.fixture for match in matches}) == len(matches) == 12
        assert store.tournaments.get(tournament.id).state is TournamentState.FINISHED
        assert check_database(store.database) == []
    assert len(outage.told) == 2


@pytest.mark.parametrize("tick", [2, 3, 20, 200])
def test_the_ladder(server: PostgreSQL, tick: int) -> None:
    outage = Outage(server, tick)
    with Store.open(server.new_room()) as store:
        ring = Ring(store.retrying(outage.retry))
        ring.tick = outage.now_ns  # type: ignore[method-assign]
        for part in (ring.match_runner, ring.game_ladder):
            part._now_ns = outage.now_ns
        ring.fleet._runner = replace(ring.fleet._runner, clock=outage.now_ns)
        while outage.ticks < max(tick, 400):
            assert ring.ladder.play_next()
        bookings = ring.bookings()
        assert {booking.state for booking in bookings} == {BookingState.DONE}
        played = [booking.match_id for booking in bookings]
        assert len({*played}) == len(played) == store.matches.count(MatchFilter())
        assert check_database(store.database) == []
        ring.bot_builds.close()
    assert len(outage.told) == 2
