"""Authors' logs: the lines, standard error and times of one's own bot, beside the replay.

They are for the author of the bot in that seat, and for no other visitor.
"""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from agon.games.registry import find_game
from agon.match.wording import seat_title
from agon.website.http.errors import not_found
from agon.website.http.lookup import Id  # noqa: TC001
from agon.website.identity import LoggedIn  # noqa: TC001  FastAPI reads it
from agon.website.replay.author_log import read_author_log
from agon.website.replay.author_panel import own_seats
from agon.website.replay.match_pages import find_match, load
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.users import User
    from agon.website.replay.author_log import AuthorLog

router = APIRouter(include_in_schema=False)

Seat = Annotated[int, Query(ge=0)]


def own_log(site: Site, user: User, match_id: int, seat: int) -> AuthorLog:
    """The log of a seat, for the author of its bot."""
    match = find_match(site, match_id)
    if seat >= len(match.seats):
        raise not_found(f"Match {match_id} has no seat {seat}")
    if seat not in own_seats(site, user, match):
        raise HTTPException(HTTPStatus.FORBIDDEN, "This is for the bot's author.")
    return read_author_log(load(site, match_id), seat)


@router.get("/matches/{match_id}/log")
def log(request: Request, user: LoggedIn, match_id: Id, seat: Seat) -> Response:
    """The log of one's own bot by turn, for the page's script."""
    log = own_log(get_site(request), user, match_id, seat)
    pages = [asdict(page) | {"words": page.words} for page in log.pages]
    return JSONResponse({"seat": seat, "turns": pages})


@router.get("/matches/{match_id}/log.txt")
def log_text(request: Request, user: LoggedIn, match_id: Id, seat: Seat) -> Response:
    site = get_site(request)
    log = own_log(site, user, match_id, seat)
    game = find_game(find_match(site, match_id).game)
    name = f"match-{match_id}-{seat_title(game, seat).lower()}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(log.text(), headers=headers)
