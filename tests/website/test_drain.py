"""Draining: what is under way comes to its end, nothing new begins, and the wait is bounded."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.cli.stopping import stop_events
from agon.datastore import BookingFilter, BookingState, MatchFilter, Store
from agon.games.registry import find_game
from agon.website.accounts.policy import AccountPolicy
from agon.website.drain import drain
from agon.website.site import Site, SiteSettings
from tests.website.people import CHEAP, NOON
from tests.website.running import running_arena

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

LONG_S = 120
GAME = find_game("mebipenny")
HOUR_NS = 3600 * 10**9


@pytest.fixture
def site(blank: Path) -> Iterator[Site]:
    with Store.open(blank) as store:
        now = count(NOON, 10**9).__next__
        yield Site(store, LiveMatches(), now, SiteSettings(), AccountPolicy(CHEAP))


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LONG_S))


@pytest.mark.system
def test_the_matches_under_way_are_the_last_and_are_stored(site: Site) -> None:
    settings = WorkerSettings(pace_ns=HOUR_NS, turns=6, ladder=("mebipenny",), examples=())
    workers = Workers(site.store, site.live_matches, site.now_ns, settings)
    run(drain_ladder(replace(site, workers=workers), workers))
    bookings = site.store.bookings.find(BookingFilter())
    assert {one.state for one in bookings} == {BookingState.DONE}
    assert len(site.store.matches.find(MatchFilter())) == len(bookings)


async def drain_ladder(site: Site, workers: Workers) -> None:
    """At this pace the match would be shown for hours."""
    workers.start()
    try:
        while not site.live_matches.running():
            await site.live_matches.signal.beyond(site.live_matches.signal.value)
        assert not workers.is_idle
        assert await drain(site, LONG_S, asyncio.Event())
        assert workers.is_idle
        assert workers.dead_threads() == []
        assert site.draining.is_set()
    finally:
        workers.stop()


def test_matches_of_network_clients_are_waited_for_and_peoples_are_not(site: Site) -> None:
    async def work() -> None:
        of_person = site.live_matches.begin(GAME, "ab", GAME.start(), NOON, private=True)
        of_client = site.live_matches.begin(GAME, "ab", GAME.start(), NOON)
        draining = asyncio.create_task(drain(site, LONG_S, asyncio.Event()))
        while not site.draining.is_set():  # noqa: ASYNC110  threads wait for that event
            await asyncio.sleep(0)
        site.live_matches.begin(GAME, "ab", GAME.start(), NOON)  # too late to be waited for
        assert not draining.done()
        of_client.end(None)
        assert await draining
        assert not of_person.is_over

    run(work())


def test_it_does_not_wait_longer_than_it_may(site: Site) -> None:
    site.live_matches.begin(GAME, "ab", GAME.start(), NOON)

    async def work() -> None:
        assert not await drain(site, 0.01, asyncio.Event())
        given_up = asyncio.Event()
        given_up.set()
        assert not await drain(site, LONG_S, given_up)

    run(work())


TERM, INT = signal.SIGTERM, signal.SIGINT


@pytest.mark.parametrize(
    ("drains", "signals", "wanted", "now"),
    [
        (True, [TERM], True, False),
        (True, [TERM, TERM], True, True),
        (True, [TERM, INT], True, True),
        (True, [INT], True, True),
        (False, [TERM], True, True),
        (True, [], False, False),
    ],
)
def test_what_signals_ask_for(
    drains: bool, signals: list[signal.Signals], wanted: bool, now: bool
) -> None:
    async def work() -> None:
        with stop_events(drains=drains) as events:
            for number in signals:
                os.kill(os.getpid(), number)
                await asyncio.sleep(0.01)  # the loop reads signals from a pipe
            assert (events.wanted.is_set(), events.now.is_set()) == (wanted, now)

    run(work())


@pytest.mark.system
def test_the_command_drains(tmp_path: Path) -> None:
    arguments = ("--game", "mebipenny", "--pace", "60s", "--drain", "100s")
    with running_arena(tmp_path, *arguments) as arena:
        with Store.open(tmp_path / "agon.db") as store:
            running = BookingFilter(state=BookingState.RUNNING)
            while not store.bookings.find(running):
                assert arena.process.poll() is None
        assert arena.stop(TERM) == ["ended"]
        assert arena.process.returncode == 0
        told = arena.log.read_text()
        assert "no match begins any more; up to 100 s for those under way" in told
        assert "back to the queue" not in told
    with Store.open(tmp_path / "agon.db") as store:
        assert {one.state for one in store.bookings.find(BookingFilter())} == {BookingState.DONE}
