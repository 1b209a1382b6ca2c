"""The page of a check: what it has printed so far, live; for the bot's author alone."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from agon.datastore.enums import CheckState
from agon.errors import DatastoreError
from agon.games.registry import find_game
from agon.website.http.errors import not_found
from agon.website.http.event_stream import EventStream
from agon.website.http.lookup import Id  # noqa: TC001
from agon.website.identity import LoggedIn  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agon.datastore.bots import StoredBot
    from agon.datastore.checks import StoredCheck
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion

router = APIRouter(prefix="/checks", include_in_schema=False)

WORDS = {
    CheckState.QUEUED: "waits for its turn",
    CheckState.RUNNING: "is being checked",
    CheckState.PASSED: "has passed",
    CheckState.FAILED: "did not pass",
    CheckState.INTERRUPTED: "was interrupted, and is checked again",
}
REFRESH_SECONDS = 2
"""How often a page without scripts asks again, and a stream looks without being told."""


def find_check(site: Site, user: User, check_id: int) -> tuple[StoredCheck, BotVersion, StoredBot]:
    """A check of one of the user's own bots."""
    try:
        check = site.store.checks.get(check_id)
        version = site.store.versions.get(check.version_id)
        bot = site.store.bots.get(version.bot_id)
    except DatastoreError:
        raise not_found(f"You have no check {check_id}") from None
    if bot.owner_id != user.id:
        raise not_found(f"You have no check {check_id}")
    return check, version, bot


def count_before(site: Site, check: StoredCheck) -> int | None:
    """How many other checks wait before this one; None: it does not wait."""
    if check.state is not CheckState.QUEUED:
        return None
    waiting = [one.id for one in site.store.checks.queue()]
    return waiting.index(check.id) if check.id in waiting else None


@router.get("/{check_id}")
def show_check(request: Request, user: LoggedIn, check_id: Id) -> Response:
    """The check, as far as it has come."""
    site = get_site(request)
    check, version, bot = find_check(site, user, check_id)
    return render(
        request,
        "check.html",
        check=check,
        version=version,
        bot=bot,
        game=find_game(bot.game),
        words=WORDS[check.state],
        before=count_before(site, check),
        refresh=REFRESH_SECONDS,
    )


@router.get("/{check_id}/events")
async def check_events(request: Request, user: LoggedIn, check_id: Id) -> Response:
    """What the check prints, as it does."""
    site = get_site(request)
    await run_in_threadpool(find_check, site, user, check_id)
    return EventStream(_events(site, check_id))


async def _events(site: Site, check_id: int) -> AsyncIterator[bytes]:
    """The output so far, then whatever is added, until the check is over."""
    told, seen = 0, 0
    while True:
        signal = None if site.workers is None else site.workers.check_signal
        seen = 0 if signal is None else signal.value
        check = await run_in_threadpool(site.store.checks.get, check_id)
        yield _event(check, told)
        told = len(check.output)
        if check.is_over or signal is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(REFRESH_SECONDS):  # another server may do the check
                await signal.beyond(seen)


def _event(check: StoredCheck, told: int) -> bytes:
    """The text from that place on, and where the check stands."""
    data = {
        "from": told,
        "text": check.output[told:],
        "state": check.state.value,
        "words": WORDS[check.state],
        "over": check.is_over,
    }
    return f"event: output\ndata: {json.dumps(data)}\n\n".encode()
