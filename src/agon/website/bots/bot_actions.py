"""An author's tools: the versions of a bot, withdraw, let play again, check again, delete.

Organisers may withdraw and delete every user's bots.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from agon.arena.contests.lineup import is_in_contest
from agon.arena.ladder.participants import is_playable
from agon.datastore.enums import AuditAction, VersionStatus
from agon.games.registry import find_game
from agon.website.accounts.policy import hold_up
from agon.website.bots.ownership import bot_in_charge, own_bot
from agon.website.bots.submission import check_again, reactivate
from agon.website.http.lookup import Id, find_version
from agon.website.http.redirects import see
from agon.website.identity import LoggedIn  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.bots import StoredBot
    from agon.datastore.checks import StoredCheck
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game
    from agon.website.site import Site

router = APIRouter(prefix="/bots/{bot_id}", include_in_schema=False)

WORDS = {
    VersionStatus.PENDING: "waits for its check",
    VersionStatus.FAILED: "did not pass its check",
    VersionStatus.ACTIVE: "can be challenged",
    VersionStatus.WITHDRAWN: "withdrawn",
    VersionStatus.SUSPENDED: "does not play: its author is suspended",
}
PLAYS = "plays on the ladder"
STAYS_AWAY = "cannot be challenged"
"""A client of a network server, or a bot from the command line: no program of it is here."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version on its author's page."""

    version: BotVersion
    words: str
    check: StoredCheck | None

    @property
    def can_withdraw(self) -> bool:
        """Whether it plays, or is about to."""
        return self.version.status in (VersionStatus.ACTIVE, VersionStatus.PENDING)


@router.get("/edit")
def show_tools(request: Request, user: LoggedIn, bot_id: Id) -> Response:
    site = get_site(request)
    bot = bot_in_charge(site, user, bot_id)
    return render(
        request,
        "bot_edit.html",
        bot=bot,
        game=find_game(bot.game),
        versions=_shown(site, bot),
        is_owner=bot.owner_id == user.id,
    )


@router.post("/versions/{number}/withdraw")
def withdraw(request: Request, user: LoggedIn, bot_id: Id, number: Id) -> Response:
    """The version plays no more; its matches stay."""
    site = get_site(request)
    bot = bot_in_charge(site, user, bot_id)
    withdraw_version(site, user, bot, find_version(site, bot, number))
    return see(f"/bots/{bot.id}/edit")


@router.post("/versions/{number}/activate")
def activate(request: Request, user: LoggedIn, bot_id: Id, number: Id) -> Response:
    """A withdrawn version plays again."""
    site = get_site(request)
    bot = own_bot(site, user, bot_id)
    check = activate_version(site, find_version(site, bot, number))
    return see(f"/bots/{bot.id}/edit" if check is None else f"/checks/{check.id}")


@router.post("/versions/{number}/check")
def recheck(request: Request, user: LoggedIn, bot_id: Id, number: Id) -> Response:
    """Check a version that has failed once more: the machine may have been at fault."""
    site = get_site(request)
    bot = own_bot(site, user, bot_id)
    version = find_version(site, bot, number)
    hold_up(site.guard.upload, f"user {user.id}", site.now_ns())
    check = recheck_version(site, version)
    return see(f"/checks/{check.id}")


@router.get("/delete")
def confirm_delete(request: Request, user: LoggedIn, bot_id: Id) -> Response:
    bot = bot_in_charge(get_site(request), user, bot_id)
    return render(request, "bot_delete.html", bot=bot, game=find_game(bot.game))


@router.post("/delete")
def delete(request: Request, user: LoggedIn, bot_id: Id) -> Response:
    """Delete the bot and its files; its matches stay."""
    site = get_site(request)
    bot = bot_in_charge(site, user, bot_id)
    delete_bot(site, user, bot)
    return see(f"/bots/{bot.id}")  # which says that it was deleted


def delete_bot(site: Site, user: User, bot: StoredBot) -> None:
    """Delete the bot and its files; an organiser who does it to another user's is noted."""
    site.store.bots.remove(bot.id, site.now_ns())
    if bot.owner_id != user.id:
        site.note(user, AuditAction.DELETE_BOT, bot.name, bot.id, bot.game)


def withdraw_version(site: Site, user: User, bot: StoredBot, version: BotVersion) -> None:
    """Withdraw the version: it gets no more matches, and those under way are given up."""
    if version.status is VersionStatus.FAILED:
        raise _conflict(version, "plays not at all: it did not pass its check")
    site.store.versions.withdraw(version.id, site.now_ns())
    if bot.owner_id != user.id:
        detail = f"{bot.game}, version {version.number}"
        site.note(user, AuditAction.WITHDRAW_VERSION, bot.name, bot.id, detail)


def activate_version(site: Site, version: BotVersion) -> StoredCheck | None:
    """A withdrawn version plays again, after its check if it never passed one."""
    if version.status is not VersionStatus.WITHDRAWN:
        raise _conflict(version, "is not withdrawn")
    if is_in_contest(site.store, version.id):
        raise _conflict(version, "is out of a contest: it can play again when that is over")
    return reactivate(site, version)


def recheck_version(site: Site, version: BotVersion) -> StoredCheck:
    """A version that has failed waits for another check."""
    if version.status is not VersionStatus.FAILED:
        raise _conflict(version, "did not fail")
    return check_again(site, version)


def _conflict(version: BotVersion, why: str) -> HTTPException:
    return HTTPException(HTTPStatus.CONFLICT, f"Version {version.number} {why}.")


def find_playing(game: Game, bot: StoredBot, versions: Sequence[BotVersion]) -> BotVersion | None:
    """The version that plays on the ladder: the first that may, of all with the newest first."""
    return next((one for one in versions if is_playable(game, bot, one)), None)


def tell_states(game: Game, bot: StoredBot, versions: Sequence[BotVersion]) -> dict[int, str]:
    """What may be done with each of a bot's versions, in words; the newest comes first."""
    playing = find_playing(game, bot, versions)
    return {one.id: PLAYS if one == playing else _tell_state(game, bot, one) for one in versions}


def _tell_state(game: Game, bot: StoredBot, version: BotVersion) -> str:
    if version.status is VersionStatus.ACTIVE and not is_playable(game, bot, version):
        return STAYS_AWAY
    return WORDS[version.status]


def _shown(site: Site, bot: StoredBot) -> list[VersionRow]:
    versions = site.store.versions.of_bot(bot.id)
    states = tell_states(find_game(bot.game), bot, versions)
    return [
        VersionRow(version, states[version.id], site.store.checks.latest(version.id))
        for version in versions
    ]
