"""Jumps of the machine's clock, a day forward and an hour back: told, and nothing goes wrong."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.clock_watch import ClockWatch
from agon.arena.rate_limit import RateLimit
from agon.arena.worker_thread import Worker
from agon.datastore import BookingState, MatchFilter, Store
from agon.datastore.integrity import check_database
from agon.errors import ExhaustedError, NoMachineError
from tests.arena.ladder.test_service import Ring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECOND = 10**9
EXHAUSTED = "booking 1 waits, as this machine is exhausted: "
HOUR, DAY = 3600 * SECOND, 86400 * SECOND


@pytest.fixture
def ring(blank: Path) -> Iterator[Ring]:
    with Store.open(blank) as store:
        ring = Ring(store)
        yield ring
        ring.bot_builds.close()


@pytest.mark.parametrize(
    ("jump_ns", "told"), [(DAY, "forward by 86400 s"), (-HOUR, "back by 3600 s"), (SECOND, None)]
)
def test_a_jump_is_told_once(
    jump_ns: int, told: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    now = [100 * DAY]
    watch = ClockWatch(lambda: now[0], lambda: 7)
    now[0] += jump_ns
    with caplog.at_level(logging.WARNING):
        assert not watch.look()
        assert not watch.look()
    assert [record for record in caplog.messages if told and told in record] == caplog.messages
    assert len(caplog.messages) == (told is not None)


@pytest.mark.parametrize("jump_ns", [DAY, -HOUR])
def test_a_rate_limit_holds_nobody_longer_than_its_window(jump_ns: int) -> None:
    limit = RateLimit(1, 60)
    assert limit.take("ada", 100 * DAY) == 0
    assert limit.take("ada", 100 * DAY + 1) > 0
    assert limit.take("ada", 100 * DAY + jump_ns) == 0
    assert limit.take("ada", 100 * DAY + jump_ns + 1) <= 60 * SECOND


@pytest.mark.parametrize("jump_ns", [DAY, -HOUR])
def test_the_ladder_plays_on(ring: Ring, jump_ns: int) -> None:
    """The clock is set in the middle of a match, which lasts by the other clock."""
    now = [100 * DAY]

    def now_ns() -> int:
        now[0] += SECOND
        return now[0]

    clock = ring.tick
    ticks = [0]

    def tick() -> int:
        ticks[0] += 1
        if ticks[0] == 10:
            now[0] += jump_ns
        return clock()

    ring.fleet._runner = replace(ring.fleet._runner, clock=tick)
    for part in (ring.match_runner, ring.game_ladder):
        part._now_ns = now_ns
    for _ in range(3):
        assert ring.ladder.play_next()
    assert ticks[0] > 10
    matches = ring.store.matches.find(MatchFilter())
    assert len(matches) == 3
    assert all(match.started_ns <= match.ended_ns for match in matches)
    assert all(not seat.fault for match in matches for seat in match.seats)
    assert check_database(ring.store.database) == []


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ExhaustedError("mine cannot be started: Too many open files"), EXHAUSTED),
        (MemoryError(), EXHAUSTED),
        (NoMachineError("no machine has node"), "booking 1 waits: no machine has node"),
    ],
)
def test_a_booking_waits_while_no_machine_can_play_it(
    ring: Ring, error: Exception, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """However often: what counts as an attempt is what the match did."""
    failures = iter([error] * 20)
    play = ring.match_runner._play

    def attempt(*arguments: object) -> int | None:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return play(*arguments)  # type: ignore[arg-type]

    ring.match_runner._play = attempt  # type: ignore[method-assign, assignment]
    outcomes = [ring.ladder.play_next() for _ in range(21)]
    assert outcomes == [False] * 20 + [True]
    (booking,) = ring.bookings()
    assert booking.state is BookingState.DONE
    assert booking.attempts == 1
    assert told in caplog.text


def test_a_worker_goes_on_after_it_had_no_memory() -> None:
    attempts: list[int] = []

    def work() -> bool:
        attempts.append(1)
        if len(attempts) == 1:
            raise MemoryError
        worker.stop()
        return True

    worker = Worker("test", work, idle_seconds=0)
    worker.start()
    assert worker.join(60)
    assert len(attempts) == 2
