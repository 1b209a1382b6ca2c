"""Matches under way for spectators: a page for each, and the streams that move the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from agon.website.boards import draw_board, draw_glyphs, look_address
from agon.website.errors import not_found
from agon.website.pages import render
from agon.website.site import Site, get_site
from agon.website.verdicts import seat_title, tell_outcome

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from markupsafe import Markup

    from agon.website.live import LiveMatch

router = APIRouter(include_in_schema=False)

STREAM_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # proxies that wait for the end would wait for ever
}
RETRY = b"retry: 2000\n\n"

Seat = Annotated[int | None, Query(ge=0, le=7)]


def find_live(site: Site, key: str, seat: int | None) -> LiveMatch:
    """The match of that key, if everybody may watch it."""
    match = site.stage.find(key)
    if match is None or match.private:
        raise not_found("This match is not being played; it may have ended long ago.")
    if seat is not None and seat >= match.position.seats:
        raise not_found(f"This match has no seat {seat}")
    return match


def current_board(site: Site, match: LiveMatch, seat: int | None = None) -> Markup:
    """The board of a match under way as it is now; drawn once for all who ask."""
    key = (match.key, match.signal.value, seat)
    board = site.shelf.boards.get(key)
    if board is None:
        board = draw_board(match.position.scene(seat))
        site.shelf.boards.put(key, board)
    return board


@router.get("/live/{key}", response_class=HTMLResponse)
def live_page(request: Request, key: str, seat: Seat = None) -> Response:
    """A match under way; once it is stored, its page there."""
    site = get_site(request)
    match = find_live(site, key, seat)
    if match.is_over and match.match_id is not None:
        return RedirectResponse(f"/matches/{match.match_id}", 303)
    position = match.position
    views = [position.scene(each) for each in range(position.seats)]
    return render(
        request,
        "live.html",
        match=match,
        seat=seat,
        board=current_board(site, match, seat),
        verdict=tell_outcome(position.outcome, match.players) if position.outcome else "",
        players=[
            (number, seat_title(match.game, number), name)
            for number, name in enumerate(match.players)
        ],
        has_views=any(view != position.scene(None) for view in views),
        look=look_address(match.game.name),
        glyphs=draw_glyphs(match.game.name),
    )


@router.get("/live/{key}/events")
async def live_events(request: Request, key: str, seat: Seat = None) -> Response:
    """What happens in a match, as it happens."""
    site = get_site(request)
    match = find_live(site, key, seat)
    return stream(site.broadcasts.of_match(match, seat).listen())


@router.get("/live")
async def showcase_events(request: Request) -> Response:
    """What happens on the boards of the front page."""
    return stream(get_site(request).broadcasts.showcase().listen())


def stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    """Server-sent events as an answer."""

    async def all_events() -> AsyncIterator[bytes]:
        yield RETRY
        async for event in events:
            yield event

    return StreamingResponse(all_events(), media_type="text/event-stream", headers=STREAM_HEADERS)
