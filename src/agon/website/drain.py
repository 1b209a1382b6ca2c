"""Draining: nothing new begins, and what is under way comes to its end before the site stops."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from agon.website.site import Site

MOMENT_SECONDS = 0.1


async def drain(site: Site, seconds: float, given_up: asyncio.Event) -> bool:
    """Begin no match and no check, and wait for those under way; whether all have ended.

    Not longer than that, and not after `given_up` is set. Pages are answered meanwhile. Matches of
    people are not waited for, as they go on after the next start. Matches of network clients are,
    if they have begun by now.
    """
    site.draining.set()
    running = site.live_matches.running()
    under_way = [one for one in running if not (one.has_person or one.is_elsewhere)]
    workers = [one for one in (site.workers, site.contests) if one is not None]
    for worker in workers:
        await run_in_threadpool(worker.drain)

    def has_ended() -> bool:
        return all(match.is_over for match in under_way) and all(one.is_idle for one in workers)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not has_ended() and not given_up.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(given_up.wait(), MOMENT_SECONDS)
    return has_ended()
