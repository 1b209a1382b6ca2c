"""The arena is killed a hundred times while its ladder plays: no match is lost or doubled."""

from __future__ import annotations

import signal
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.datastore import BookingFilter, BookingKind, BookingState, MatchFilter, Store
from agon.datastore.integrity import check_database
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 100
LADDER = ("--game", "hive", "--game", "mebipenny", "--pace", "0s")
TWO = ("--ladder-jobs", "2", "--oversubscribe")
ALL = 10**6


@pytest.mark.slow
@pytest.mark.system
def test_a_hundred_kills(tmp_path: Path) -> None:
    data, chance = tmp_path / "data", Random(3)  # noqa: S311
    seen: dict[int, bytes] = {}
    for _ in range(KILLS):
        with running_arena(data, *LADDER, *TWO) as arena:
            with Store.open(data / "agon.db", create=False) as store:
                goal = len(seen) + chance.randrange(8)
                end = time.monotonic() + PATIENCE
                while store.matches.count(MatchFilter()) < goal:
                    assert time.monotonic() < end, arena.log.read_text()
                    time.sleep(0.01)
                for match in store.matches.find(MatchFilter(), limit=ALL):
                    seen.setdefault(match.id, store.matches.transcript(match.id))
            time.sleep(chance.random() * 0.3)  # any moment of the next match
            arena.process.send_signal(signal.SIGKILL)
            arena.process.wait()
    with Store.open(data / "agon.db", create=False) as store:
        assert check_database(store.database) == []
        for number, transcript in seen.items():
            assert store.matches.transcript(number) == transcript
        matches = store.matches.find(MatchFilter(), limit=ALL)
        booked = store.bookings.find(BookingFilter(kind=BookingKind.LADDER), ALL)
        done = [one for one in booked if one.state is BookingState.DONE]
        assert len({one.match_id for one in done}) == len(done) == len(matches)
        fixtures = {
            (match.game, match.seed, *(seat.version_id for seat in match.seats))
            for match in matches
        }
        assert len(fixtures) == len(matches)
        assert len(seen) >= KILLS
