"""The pages on which a bot is uploaded: a new one, or the next version of one's own."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from agon.arena.check_report import check_command
from agon.arena.settings import WorkerSettings
from agon.errors import SettingError, UploadError
from agon.games.registry import game_names
from agon.website.accounts.policy import hold_up
from agon.website.bots.manifest import UploadFields, describe
from agon.website.bots.ownership import own_bot
from agon.website.bots.submission import submit
from agon.website.bots.upload_form import FIELDS, read_form, read_upload, read_upload_fields
from agon.website.http.lookup import Id  # noqa: TC001  FastAPI reads it
from agon.website.http.redirects import see
from agon.website.identity import LoggedIn  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.site import get_site

if TYPE_CHECKING:
    from starlette.datastructures import FormData

    from agon.datastore.bots import StoredBot
    from agon.datastore.users import User
    from agon.website.site import Site

router = APIRouter(include_in_schema=False)


@router.get("/upload")
def show_upload(request: Request, user: LoggedIn, game: str = "") -> Response:
    return _page(request, user, UploadFields(game=game if game in game_names() else ""))


@router.post("/upload")
async def upload(request: Request, user: LoggedIn) -> Response:
    """Take a bot, or the next version of one's bot of that name; then its check is shown."""
    return await _receive(request, user, None)


@router.get("/bots/{bot_id}/upload")
def show_next(request: Request, user: LoggedIn, bot_id: Id) -> Response:
    """The page on which the next version is uploaded."""
    bot = own_bot(get_site(request), user, bot_id)
    return _page(request, user, UploadFields(game=bot.game, name=bot.name), bot)


@router.post("/bots/{bot_id}/upload")
async def upload_next(request: Request, user: LoggedIn, bot_id: Id) -> Response:
    bot = await run_in_threadpool(own_bot, get_site(request), user, bot_id)
    return await _receive(request, user, bot)


async def _receive(request: Request, user: User, bot: StoredBot | None) -> Response:
    site = get_site(request)
    hold_up(site.guard.upload, f"user {user.id}", site.now_ns())
    try:
        form = await read_form(request, site.uploads)
    except HTTPException as error:
        return await run_in_threadpool(_refuse, request, user, bot, error)
    try:
        return await run_in_threadpool(_take, request, user, form, bot)
    finally:
        await form.close()


def _take(request: Request, user: User, form: FormData, bot: StoredBot | None) -> Response:
    site = get_site(request)
    try:
        fields = read_upload_fields(form)
        submitted = submit(site, user, describe(read_upload(form, site.uploads), fields), bot)
    except (UploadError, SettingError) as error:
        return _page(request, user, _typed(form), bot, problem=str(error))
    return see(f"/checks/{submitted.check.id}")


def _refuse(request: Request, user: User, bot: StoredBot | None, error: HTTPException) -> Response:
    """The page again; what was typed is lost with the form, which could not be read."""
    fields = UploadFields() if bot is None else UploadFields(game=bot.game, name=bot.name)
    page = _page(request, user, fields, bot, problem=str(error.detail))
    page.status_code = error.status_code
    return page


def _typed(form: FormData) -> UploadFields:
    """What was filled in, to be shown again."""
    texts = {key: form.get(key, "") for key in FIELDS}
    return UploadFields(**{key: text for key, text in texts.items() if isinstance(text, str)})


def _page(
    request: Request,
    user: User,
    fields: UploadFields,
    bot: StoredBot | None = None,
    problem: str = "",
) -> Response:
    site = get_site(request)
    mine = [one for one in site.store.bots.all(owner_id=user.id) if one.removed_ns is None]
    return render(
        request,
        "upload.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        fields=fields,
        bot=bot,
        bots=mine,
        limits=site.uploads,
        problem=problem,
        command=_command(site, bot),
    )


def _command(site: Site, bot: StoredBot | None) -> str:
    """The check of this site, as it is done on one's own machine."""
    settings = WorkerSettings() if site.workers is None else site.workers.settings
    return check_command(settings.limits, "" if bot is None else bot.game)
