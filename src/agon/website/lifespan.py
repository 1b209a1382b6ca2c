"""What begins with the application and ends with it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import FastAPI

    from agon.website.site import Site


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start what the site has behind its pages; stop it in order at the end."""
    site: Site = app.state.site
    async with AsyncExitStack() as stack:
        if site.workers is not None:
            await run_in_threadpool(site.workers.start)
            stack.push_async_callback(run_in_threadpool, site.workers.stop)
        if site.contests is not None:
            await run_in_threadpool(site.contests.start)
            stack.push_async_callback(run_in_threadpool, site.contests.stop)
        await run_in_threadpool(site.plays.restore)
        stack.push_async_callback(run_in_threadpool, site.plays.close)
        yield
