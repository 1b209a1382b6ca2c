"""The API for authors: upload bots, follow their checks, withdraw and delete them."""

from __future__ import annotations

import io
from datetime import datetime  # noqa: TC003  pydantic reads it
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from agon.arena.ladder.participants import ladder_versions
from agon.errors import SettingError, UploadError
from agon.games.registry import find_game, game_names
from agon.website.accounts.policy import hold_up
from agon.website.bots.bot_actions import (
    activate_version,
    delete_bot,
    recheck_version,
    withdraw_version,
)
from agon.website.bots.check_pages import count_before, find_check
from agon.website.bots.manifest import UploadFields, describe
from agon.website.bots.ownership import bot_in_charge, own_bot
from agon.website.bots.submission import submit
from agon.website.bots.upload_form import LONGEST_FIELD, too_much
from agon.website.bots.zips import unpack_zip
from agon.website.http.api_router import (
    FOR_ALL,
    FOR_USERS,
    MISSING,
    ApiUser,
    ErrorBody,
    api_router,
    moment,
)
from agon.website.http.body_limit import said_length
from agon.website.http.lookup import Id, find_version
from agon.website.identity import LogInNeededError, current_user
from agon.website.site import Site, get_site

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.checks import StoredCheck
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.website.bots.submission import Submitted
    from agon.website.upload_limits import UploadLimits

router = api_router("Bots")

ZIP: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": ErrorBody, "description": "The version is not in a state for this"}
}

GameName = Annotated[str, Query(max_length=40, description=f"One of {', '.join(game_names())}.")]
Words = Annotated[str, Query(max_length=LONGEST_FIELD)]


class ListedBody(BaseModel):
    """A bot, and which of its versions plays on the ladder."""

    id: int
    game: str
    name: str
    owner: str | None
    built_in: bool
    playing: int | None = Field(description="The version on the ladder; null: none plays.")


class CheckBody(BaseModel):
    """A building and checking of a version; its output grows while it runs."""

    id: int
    bot_id: int
    version: int
    state: str = Field(description="queued, running, passed, failed or interrupted.")
    is_over: bool
    before: int | None = Field(description="Checks that wait before it; null: it does not wait.")
    output: str = Field(description="From the character on that was asked for.")
    length: int = Field(description="Characters of the whole output: where to go on.")
    created: datetime


class SubmittedBody(BaseModel):
    """What has become of an upload: its version, and the check that it waits for."""

    bot_id: int
    game: str
    bot: str
    version: int
    check: CheckBody
    page: str = Field(description="The address of the check's page on this site.")


class StateBody(BaseModel):
    """Where a version stands, and the check that it waits for, if it does."""

    bot_id: int
    version: int
    state: str = Field(description="pending, failed, active, withdrawn or suspended.")
    check: CheckBody | None


@router.get("/bots", responses=FOR_ALL | FOR_USERS)
def list_bots(
    request: Request, game: GameName = "", mine: Annotated[bool, Query()] = False
) -> list[ListedBody]:
    """All bots that are not deleted; of one game, or one's own."""
    site, user = get_site(request), current_user(request)
    if mine and user is None:
        raise LogInNeededError(request)
    if game and game not in game_names():
        raise HTTPException(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"game: expected {', '.join(game_names())}"
        )
    owner_id = user.id if mine and user is not None else None
    bots = [one for one in site.store.bots.all(game or None, owner_id) if one.removed_ns is None]
    playing = _playing(site, {bot.game for bot in bots})
    owners = {one.id: one.name for one in site.store.users.all()}
    return [
        ListedBody(
            id=bot.id,
            game=bot.game,
            name=bot.name,
            owner=None if bot.owner_id is None else owners[bot.owner_id],
            built_in=bot.built_in,
            playing=playing.get(bot.id),
        )
        for bot in bots
    ]


@router.post(
    "/bots",
    status_code=HTTPStatus.CREATED,
    responses=FOR_USERS,
    openapi_extra=ZIP,
)
async def upload(
    request: Request,
    user: ApiUser,
    game: GameName = "",
    name: Words = "",
    run: Words = "",
    build: Words = "",
    language: Words = "",
    protocol: Words = "",
) -> SubmittedBody:
    """Upload a bot: the body is a zip of its folder, with a `bot.toml` in it.

    Without one, `name` and `run` say how it is called and run. A name that one of the user's bots
    of the game has makes it that bot's next version. It is built and checked: follow the check.
    """
    site = get_site(request)
    hold_up(site.guard.upload, f"user {user.id}", site.now_ns())
    body = await _read_body(request, site.uploads)
    fields = UploadFields(game, name, run, build, language, protocol)
    return await run_in_threadpool(_submit, site, user, body, fields)


@router.get("/checks/{check_id}", responses=FOR_USERS | MISSING)
def show_check(
    request: Request,
    user: ApiUser,
    check_id: Id,
    begin: Annotated[int, Query(ge=0, description="Leave out this number of characters.")] = 0,
) -> CheckBody:
    """A check of one of the user's bots."""
    site = get_site(request)
    check, version, _ = find_check(site, user, check_id)
    return _check_body(site, check, version, begin)


@router.post("/bots/{bot_id}/versions/{number}/withdraw", responses=FOR_USERS | MISSING | CONFLICT)
def withdraw(request: Request, user: ApiUser, bot_id: Id, number: Id) -> StateBody:
    """The version plays no more; its matches stay. Organisers may withdraw every user's bots."""
    site = get_site(request)
    bot = bot_in_charge(site, user, bot_id)
    withdraw_version(site, user, bot, find_version(site, bot, number))
    return _state(site, bot, number, None)


@router.post("/bots/{bot_id}/versions/{number}/activate", responses=FOR_USERS | MISSING | CONFLICT)
def activate(request: Request, user: ApiUser, bot_id: Id, number: Id) -> StateBody:
    """A withdrawn version plays again; one that never passed a check is checked first."""
    site = get_site(request)
    bot = own_bot(site, user, bot_id)
    return _state(site, bot, number, activate_version(site, find_version(site, bot, number)))


@router.post("/bots/{bot_id}/versions/{number}/check", responses=FOR_USERS | MISSING | CONFLICT)
def recheck(request: Request, user: ApiUser, bot_id: Id, number: Id) -> StateBody:
    """Check a version that has failed once more."""
    site = get_site(request)
    bot = own_bot(site, user, bot_id)
    version = find_version(site, bot, number)
    hold_up(site.guard.upload, f"user {user.id}", site.now_ns())
    return _state(site, bot, number, recheck_version(site, version))


@router.delete("/bots/{bot_id}", status_code=HTTPStatus.NO_CONTENT, responses=FOR_USERS | MISSING)
def delete(request: Request, user: ApiUser, bot_id: Id) -> None:
    """Delete a bot and its files; its matches stay. Organisers may delete every user's bots."""
    site = get_site(request)
    delete_bot(site, user, bot_in_charge(site, user, bot_id))


async def _read_body(request: Request, limits: UploadLimits) -> io.BytesIO:
    if said_length(request.scope) > limits.bytes:
        raise too_much(limits)
    body = io.BytesIO()
    async for chunk in request.stream():
        if body.tell() + len(chunk) > limits.bytes:
            raise too_much(limits)
        body.write(chunk)
    body.seek(0)
    return body


def _submit(site: Site, user: User, body: io.BytesIO, fields: UploadFields) -> SubmittedBody:
    try:
        submitted = submit(site, user, describe(unpack_zip(body, site.uploads), fields))
    except (UploadError, SettingError) as error:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
    return _submitted_body(site, submitted)


def _playing(site: Site, games: set[str]) -> dict[int, int]:
    """The versions on the ladders of these games, by bot."""
    return {
        bot.id: version.number
        for game in games
        for bot, version in ladder_versions(site.store, find_game(game))
    }


def _submitted_body(site: Site, submitted: Submitted) -> SubmittedBody:
    return SubmittedBody(
        bot_id=submitted.bot.id,
        game=submitted.bot.game,
        bot=submitted.bot.name,
        version=submitted.version.number,
        check=_check_body(site, submitted.check, submitted.version),
        page=f"/checks/{submitted.check.id}",
    )


def _check_body(site: Site, check: StoredCheck, version: BotVersion, begin: int = 0) -> CheckBody:
    return CheckBody(
        id=check.id,
        bot_id=version.bot_id,
        version=version.number,
        state=check.state.value,
        is_over=check.is_over,
        before=count_before(site, check),
        output=check.output[begin:],
        length=len(check.output),
        created=moment(check.created_ns),
    )


def _state(site: Site, bot: StoredBot, number: int, check: StoredCheck | None) -> StateBody:
    version = find_version(site, bot, number)
    return StateBody(
        bot_id=bot.id,
        version=number,
        state=version.status.value,
        check=None if check is None else _check_body(site, check, version),
    )
