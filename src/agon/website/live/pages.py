"""Matches under way for spectators: a list, a page for each, the streams that move the boards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from agon.games.registry import all_games
from agon.match.wording import seat_title, tell_outcome
from agon.website.http.errors import not_found
from agon.website.http.event_stream import HEADERS, MEDIA_TYPE, EventStream
from agon.website.http.match_access import sees_all
from agon.website.identity import current_user
from agon.website.live.streams import Broadcasts, is_private
from agon.website.render.boards import draw_board, draw_glyphs, has_views, look_address
from agon.website.render.pages import public_page, render
from agon.website.site import get_site

if TYPE_CHECKING:
    from markupsafe import Markup

    from agon.arena.live_matches import LiveMatch
    from agon.website.live.streams import Broadcast
    from agon.website.site import Site

router = APIRouter(include_in_schema=False)

MOST_ENDED = 8
Once = Annotated[bool, Query()]
Seat = Annotated[int | None, Query(ge=0)]


def broadcasts_of(site: Site) -> Broadcasts:
    """The matches under way, for spectators."""
    return site.part(Broadcasts, lambda: Broadcasts(site.live_matches))


async def find_live(request: Request, key: str, seat: int | None) -> LiveMatch:
    """The match of that key, if the visitor may watch it."""
    match = get_site(request).live_matches.find(key)
    if match is None or not await may_watch(request, match):
        raise not_found("This match is not being played; it may have ended long ago.")
    if seat is not None and seat >= match.position.seats:
        raise not_found(f"This match has no seat {seat}")
    return match


async def may_watch(request: Request, match: LiveMatch) -> bool:
    """Whether the visitor may watch a match; hidden matches are for organisers."""
    if match.has_person or not await is_private(match):
        return not match.has_person
    return sees_all(await run_in_threadpool(current_user, request))


def current_board(match: LiveMatch, seat: int | None = None) -> Markup:
    """The board of a match under way as it is now."""
    return draw_board(match.position.scene(seat, match.players))


@router.get("/live", response_class=HTMLResponse)
async def list_page(request: Request) -> Response:
    """What is being played now and what has just ended; for scripts the front page's stream."""
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return await showcase_events(request)
    return await run_in_threadpool(public_page, request, lambda: _list_page(request))


def _list_page(request: Request) -> Response:
    live = get_site(request).live_matches
    running = [match for match in live.running() if not match.private and not match.is_decided]
    ended = [match for match in live.ended() if match.match_id is not None and not match.private]
    return render(
        request,
        "live_list.html",
        running={game: [one for one in running if one.game is game] for game in all_games()},
        is_empty=not running,
        ended=[(match, _verdict(match)) for match in ended[:MOST_ENDED]],
    )


@router.get("/live/events")
async def showcase_events(request: Request, once: Once = False) -> Response:
    """What happens on the boards of the front page."""
    return await _events(broadcasts_of(get_site(request)).showcase(), once)


@router.get("/live/{key}", response_class=HTMLResponse)
async def live_page(request: Request, key: str, seat: Seat = None) -> Response:
    """A match under way; once it is stored, its page there."""
    match = await find_live(request, key, seat)
    if match.is_over and match.match_id is not None:
        return RedirectResponse(f"/matches/{match.match_id}", 303)
    own = await is_private(match)
    make = partial(_live_page, request, match, seat)
    return await run_in_threadpool(public_page, request, make, own=own)


def _live_page(request: Request, match: LiveMatch, seat: int | None) -> Response:
    return render(
        request,
        "live.html",
        match=match,
        seat=seat,
        board=current_board(match, seat),
        verdict=_verdict(match),
        players=[
            (number, seat_title(match.game, number), name)
            for number, name in enumerate(match.players)
        ],
        has_views=has_views(match.game.name),
        look=look_address(match.game.name),
        glyphs=draw_glyphs(match.game.name),
    )


def _verdict(match: LiveMatch) -> str:
    outcome = match.position.outcome
    return tell_outcome(outcome, match.players) if outcome else ""


@router.get("/live/{key}/events")
async def live_events(
    request: Request, key: str, seat: Seat = None, once: Once = False
) -> Response:
    """What happens in a match, as it happens."""
    match = await find_live(request, key, seat)
    private = await is_private(match)
    return await _events(
        broadcasts_of(get_site(request)).of_match(match, seat, private=private), once
    )


async def _events(broadcast: Broadcast, once: bool) -> Response:
    """The broadcast as a stream; or how things stand, for clients that poll."""
    if once:
        return Response(await broadcast.look(), media_type=MEDIA_TYPE, headers=HEADERS)
    return EventStream(broadcast.listen())
