"""What begins with the application and ends with it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from fastapi import FastAPI

    from agon.website.site import Site

LOG = logging.getLogger("agon.website")


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start what the site has behind its pages; stop it in order at the end.

    Where the rules are made ready meanwhile, pages are answered before all of it has started.
    """
    site: Site = app.state.site
    async with AsyncExitStack() as stack:
        if site.rules is None:
            await _start(site, stack)
            yield
        else:
            async with beside(_start(site, stack)):
                yield


@asynccontextmanager
async def beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do this work during the block, and give it up at the end of the block."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        (error,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(error, Exception):
            LOG.error("the site did not start as a whole", exc_info=error)


async def _start(site: Site, stack: AsyncExitStack) -> None:
    if site.workers is not None:
        stack.push_async_callback(run_in_threadpool, site.workers.stop)
        await run_in_threadpool(site.workers.start_ladders)
    await site.until_ready()
    if site.workers is not None:
        await run_in_threadpool(site.workers.start_queues)
    if site.contests is not None:
        stack.push_async_callback(run_in_threadpool, site.contests.stop)
        await run_in_threadpool(site.contests.start)
    stack.push_async_callback(run_in_threadpool, site.plays.close)
    await run_in_threadpool(site.plays.restore)
