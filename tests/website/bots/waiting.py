"""Wait for what threads do, by the signals that they give."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.live_matches import Signal
    from agon.datastore import Booking, StoredCheck
    from tests.website.people import World

LONG_S = 120


def wait_until(signal: Signal, is_there: Callable[[], bool]) -> None:
    """Wait until something is so; the signal is raised after each change."""

    async def wait() -> None:
        async with asyncio.timeout(LONG_S):
            while True:
                seen = signal.value
                if is_there():
                    return
                await signal.beyond(seen)

    asyncio.run(wait())


def wait_for_check(world: World, check_id: int) -> StoredCheck:
    """The check when it is over."""
    assert world.site.workers
    signal = world.site.workers.check_signal
    wait_until(signal, lambda: world.store.checks.get(check_id).is_over)
    return world.store.checks.get(check_id)


def wait_for_booking(world: World, booking_id: int) -> Booking:
    """The booking when its match is over."""
    signal = world.site.live_matches.signal
    wait_until(signal, lambda: world.store.bookings.get(booking_id).is_over)
    return world.store.bookings.get(booking_id)
