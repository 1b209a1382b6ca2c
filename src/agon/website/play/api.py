"""Playing through the API: for the page's own script, and for other programs."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Path, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from agon.arena.people.context import StaleError
from agon.games.registry import find_game
from agon.website.http.api_router import MISSING, ErrorBody, api_router
from agon.website.http.event_stream import EventStream
from agon.website.play.actions import MOST_STREAMS, find_play, find_seat, follow, open_play
from agon.website.play.choices import Wish
from agon.website.play.person_cookie import meet_person
from agon.website.play.schemas import (
    LONGEST_PICK,
    NewPlayBody,
    OpenedBody,
    PicksBody,
    PlayBody,
    SentTurnBody,
    StepBody,
)
from agon.website.play.view import play_body, step_body
from agon.website.site import get_site, require_rules

if TYPE_CHECKING:
    from agon.arena.people.party import Person

router = api_router("Play", require_rules)

Key = Annotated[str, Path(max_length=40, description="The key of the match.")]
REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "The rules or the settings do not allow this"}
}
STALE: dict[int | str, dict[str, Any]] = {
    409: {"model": ErrorBody, "description": "The match has gone on, or it is not your turn"}
}


@router.post("/plays", status_code=HTTPStatus.CREATED, responses=REFUSED)
def open_match(request: Request, body: NewPlayBody) -> OpenedBody:
    """Play a match now. Without an account, keep the secret that comes with the answer."""
    person = meet_person(request)
    wish = Wish(body.opponent, body.seat, body.players, body.others, body.options)
    session = open_play(request, find_game(body.game), person, wish)
    seat = session.party.seat_of(person)
    return OpenedBody(key=session.key, seat=seat or 0, secret=_secret(person))


@router.get("/plays/{play}", responses=MISSING)
def show_match(request: Request, play: Key) -> PlayBody:
    """The match as you see it: the board, whose turn it is, and what you may pick."""
    return play_body(*find_seat(request, play))


@router.get("/plays/{play}/events", responses=MISSING, response_class=Response)
async def follow_match(request: Request, play: Key) -> Response:
    """Server-sent events named `news`, one whenever it is worth asking for the match again."""
    session, _ = await run_in_threadpool(find_seat, request, play)
    if session.streams >= MOST_STREAMS:
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "Too many pages show this match.")
    return EventStream(follow(session))


@router.post("/plays/{play}/join", responses=MISSING | STALE)
def join_match(request: Request, play: Key) -> OpenedBody:
    """Take the free seat of a match whose key you were given."""
    session = find_play(request, play)
    person = meet_person(request)
    seat = session.party.seat_of(person)
    if seat is None and session.party.free is None:
        raise HTTPException(HTTPStatus.CONFLICT, "The seat is taken.")
    return OpenedBody(key=session.key, seat=session.join(person), secret=_secret(person))


@router.post("/plays/{play}/step", responses=MISSING | STALE | REFUSED)
def take_step(request: Request, play: Key, body: PicksBody) -> StepBody:
    """Where your picks lead. Nothing is kept: to take back is to ask with fewer picks."""
    session, seat = find_seat(request, play)
    try:
        return step_body(session.step(seat, body.moment, _picks(body)), body.picks)
    except StaleError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from None


@router.post("/plays/{play}/turn", responses=MISSING | STALE | REFUSED)
def send_turn(request: Request, play: Key, body: SentTurnBody) -> PlayBody:
    """Play a turn: picks that make a whole one, or a text in the game's notation."""
    session, seat = find_seat(request, play)
    try:
        if body.text is not None:
            session.submit_text(seat, body.moment, body.text)
        else:
            session.submit(seat, body.moment, _picks(body))
    except StaleError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from None
    return play_body(session, seat)


@router.post("/plays/{play}/resign", responses=MISSING | STALE)
def resign(request: Request, play: Key) -> PlayBody:
    """Give up, in any seat's turn. While a seat is free, this withdraws the invitation."""
    session, seat = find_seat(request, play)
    try:
        session.resign(seat)
    except StaleError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from None
    return play_body(session, seat)


@router.post("/plays/{play}/rematch", responses=MISSING | REFUSED, status_code=HTTPStatus.CREATED)
def play_again(request: Request, play: Key) -> OpenedBody:
    """The same once more, each player a seat further; other people join by its key."""
    session, _ = find_seat(request, play)
    person = meet_person(request)
    new = get_site(request).plays.rematch(session, person)
    return OpenedBody(key=new.key, seat=new.party.seat_of(person) or 0, secret=_secret(person))


def _secret(person: Person) -> str | None:
    return person.secret if person.user_id is None else None


def _picks(body: PicksBody) -> list[str]:
    return [pick[:LONGEST_PICK] for pick in body.picks]
