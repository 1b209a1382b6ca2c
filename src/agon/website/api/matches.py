"""The API's matches: those that were played, and challenges, which are to be."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic reads it
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from agon.datastore.enums import MatchStatus, VersionStatus
from agon.datastore.matches import MatchFilter
from agon.errors import SettingError
from agon.games.registry import find_game, game_names
from agon.match.public_part import public_part
from agon.match.transcript import format_transcript
from agon.website.bots.challenges import address_of, challenge, check_players, find_booking
from agon.website.bots.ownership import find_standing_bot
from agon.website.http.api_router import FOR_ALL, FOR_USERS, MISSING, ApiUser, api_router, moment
from agon.website.http.lookup import LARGEST_ID, Id, SomeId, find_version
from agon.website.http.match_access import find_matches
from agon.website.identity import current_user
from agon.website.render.filters import ending
from agon.website.replay.log_pages import own_log
from agon.website.replay.match_pages import find_match, load
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.bookings import Booking
    from agon.datastore.matches import StoredMatch

router = api_router("Matches")

MOST = 200
Seat = Annotated[int, Query(ge=0)]


class SeatBody(BaseModel):
    """One seat of a match, and how it did."""

    bot_id: int
    bot: str
    version: int
    score: int
    rank: int = Field(description="How many seats did better.")
    verdict: str = Field(description="`rules`, or how the bot failed, in the words of transcripts.")
    thinking_ns: int


class MatchBody(BaseModel):
    """A match that was played."""

    id: int
    game: str
    seed: int
    turns: int
    reason: str = Field(description="How it ended, in words.")
    status: MatchStatus = Field(description="`void`: it was interrupted, and has no result.")
    rated: bool
    begun: datetime
    ended: datetime
    seats: list[SeatBody]


class PageBody(BaseModel):
    """What one's bot exchanged and printed at one turn."""

    turn: int
    ns: int | None = Field(description="How long it thought; null: it was not asked, or failed.")
    lines: list[str] = Field(description="`> ` to the bot, `< ` from it.")
    stderr: str
    failure: str = Field(description="How it failed when it was asked next; often it did not.")


class WantedPlayerBody(BaseModel):
    """A bot that is challenged."""

    bot_id: int = Field(ge=1, le=LARGEST_ID)
    version: int | None = Field(
        None, ge=1, le=LARGEST_ID, description="null: the newest that plays."
    )


class ChallengeBody(BaseModel):
    """A match that is wanted."""

    game: str = Field(max_length=40)
    players: list[WantedPlayerBody] = Field(min_length=1, description="By seat.")


class BookingBody(BaseModel):
    """A match that was asked for."""

    id: int
    game: str
    state: str = Field(description="queued, running, interrupted, done or cancelled.")
    reason: str = Field(description="Why it was cancelled.")
    match_id: int | None
    page: str | None = Field(description="Where on this site it can be watched; null: not yet.")


@router.get("/matches", responses=FOR_ALL)
def list_matches(
    request: Request,
    game: Annotated[str, Query(max_length=40)] = "",
    bot_id: SomeId = None,
    before: SomeId = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
) -> list[MatchBody]:
    """The matches that were played, the latest first; the next page is `before` the last one."""
    if game and game not in game_names():
        raise HTTPException(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"game: expected {', '.join(game_names())}"
        )
    wanted = MatchFilter(game=game or None, bot_id=bot_id)
    found = find_matches(get_site(request), current_user(request), wanted, limit, before)
    return [_match_body(match) for match in found]


@router.get("/matches/{match_id}", responses=FOR_ALL | MISSING)
def show_match(request: Request, match_id: Id) -> MatchBody:
    """A match."""
    return _match_body(find_match(get_site(request), match_id))


@router.get(
    "/matches/{match_id}/transcript",
    response_class=Response,
    responses=FOR_ALL | MISSING | {200: {"content": {"application/json": {}}}},
)
def show_transcript(request: Request, match_id: Id) -> Response:
    """The record of a match: `agon replay` and `agon verify` read it."""
    text = format_transcript(public_part(load(get_site(request), match_id)))
    return Response(text, media_type="application/json")


@router.get("/matches/{match_id}/log", responses=FOR_USERS | MISSING)
def show_log(request: Request, user: ApiUser, match_id: Id, seat: Seat) -> list[PageBody]:
    """What one's own bot in that seat exchanged and printed, turn by turn; turn 0 is the start."""
    log = own_log(get_site(request), user, match_id, seat)
    return [
        PageBody(
            turn=page.turn,
            ns=page.ns,
            lines=list(page.lines),
            stderr=page.stderr,
            failure=page.failure,
        )
        for page in log.pages
    ]


@router.post("/challenges", status_code=HTTPStatus.CREATED, responses=FOR_USERS | MISSING)
def add_challenge(request: Request, user: ApiUser, body: ChallengeBody) -> BookingBody:
    """Let these bots meet now. The match is kept, and not rated."""
    site = get_site(request)
    try:
        game = find_game(body.game)
        check_players(game, len(body.players))
        versions = [_version_id(site, player) for player in body.players]
        booking = challenge(site, user, game, versions)
    except SettingError as error:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
    return _booking_body(site, booking)


@router.get("/challenges/{booking_id}", responses=FOR_USERS | MISSING)
def show_challenge(request: Request, user: ApiUser, booking_id: Id) -> BookingBody:
    """What has become of a challenge."""
    site = get_site(request)
    return _booking_body(site, find_booking(site, user, booking_id))


def _version_id(site: Site, player: WantedPlayerBody) -> int:
    bot = find_standing_bot(site, player.bot_id)
    if player.version is not None:
        return find_version(site, bot, player.version).id
    for version in site.store.versions.of_bot(bot.id):
        if version.status is VersionStatus.ACTIVE:
            return version.id
    raise SettingError(f"bot {bot.name!r}: no version of it plays")


def _match_body(match: StoredMatch) -> MatchBody:
    return MatchBody(
        id=match.id,
        game=match.game,
        seed=match.seed,
        turns=match.turns,
        reason=ending(match),
        status=match.status,
        rated=match.rated,
        begun=moment(match.started_ns),
        ended=moment(match.ended_ns),
        seats=[
            SeatBody(
                bot_id=seat.bot_id,
                bot=seat.bot,
                version=seat.number,
                score=seat.score,
                rank=seat.rank,
                verdict="rules" if seat.fault is None else seat.fault.value,
                thinking_ns=seat.thinking_ns,
            )
            for seat in match.seats
        ],
    )


def _booking_body(site: Site, booking: Booking) -> BookingBody:
    return BookingBody(
        id=booking.id,
        game=booking.game,
        state=booking.state.value,
        reason=booking.reason,
        match_id=booking.match_id,
        page=address_of(site, booking),
    )
