"""Who sees a contest, who may enter it, and with which bots."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from agon.arena.contests.dates import keep_dates
from agon.arena.contests.terms import load_terms
from agon.arena.ladder.participants import is_playable, playable_versions
from agon.datastore.contests import NOT_BEGUN
from agon.datastore.enums import AuditAction, ContestState, VersionStatus, WhoMayEnter
from agon.errors import DatastoreError, SettingError
from agon.games.registry import find_game
from agon.website.http.errors import not_found

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.contests import Contest, ContestEntry
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.website.site import Site

NOT_YOURS = "This is not your bot."
LEAVING = (ContestState.DRAFT, ContestState.OPEN)
"""When users can take their bots out themselves."""


def find_contest(site: Site, user: User | None, contest_id: int) -> Contest:
    """The contest of that id as it is now, if the user may see it."""
    try:
        contest = site.store.contests.get(contest_id)
    except DatastoreError:
        raise not_found(f"There is no contest {contest_id}") from None
    if not contest.published and not (user is not None and user.organiser):
        raise not_found(f"There is no contest {contest_id}")
    return keep_dates(site.store, contest, site.now_ns())


def list_contests(site: Site, user: User | None) -> list[Contest]:
    """All contests that the user may see, the latest first."""
    sees_all = user is not None and user.organiser
    found = site.store.contests.all(published=None if sees_all else True)
    return [keep_dates(site.store, contest, site.now_ns()) for contest in found]


def is_welcome(site: Site, contest: Contest, user: User) -> bool:
    """Whether the user may enter at all, whenever that is."""
    if contest.who_may_enter is WhoMayEnter.EVERYONE or user.organiser:
        return True
    return user.id in site.store.contests.invited(contest.id)


def versions_to_enter(
    site: Site, contest: Contest, user: User
) -> list[tuple[StoredBot, BotVersion]]:
    """What the user could enter: their own versions, for organisers also bots without an owner."""
    return [
        (bot, version)
        for bot, version in playable_versions(site.store, find_game(contest.game))
        if bot.owner_id == user.id or (user.organiser and bot.owner_id is None)
    ]


def enter(site: Site, contest: Contest, user: User, version_id: int) -> None:
    """Let a version take part, in place of another one of the same bot.

    SettingError, and DatastoreError if the contest is not open, say why it cannot.
    """
    bot, version = _find_version(site, version_id)
    if bot.owner_id != user.id and not (user.organiser and bot.owner_id is None):
        raise HTTPException(HTTPStatus.FORBIDDEN, NOT_YOURS)
    if contest.state is not ContestState.OPEN:
        raise SettingError(f"entry is not open: the contest is {contest.state}")
    if bot.game != contest.game:
        raise SettingError(f"bot {bot.name!r} plays {bot.game}, not {contest.game}")
    if not is_playable(find_game(bot.game), bot, version):
        raise SettingError(
            f"bot {bot.name!r}, version {version.number}: it is {version.status};"
            f" expected one that is {VersionStatus.ACTIVE}"
        )
    if find_entry(site, contest, version.id) is not None:
        raise SettingError(f"bot {bot.name!r}, version {version.number}: it is entered already")
    if not is_welcome(site, contest, user):
        raise SettingError("this contest is only for users invited by the organiser")
    _list_organiser(site, contest, user)
    site.store.contests.enter(contest.id, version.id, user.id, site.now_ns())
    _check_number(site, contest, user, version)
    if bot.owner_id != user.id:
        _note(site, AuditAction.ENTER_BOT, contest, user, bot, version)


def remove_entry(site: Site, contest: Contest, user: User, version_id: int) -> None:
    """Take a version out: until entry is closed by its user, at any time by an organiser.

    Once the contest is under way, the version is withdrawn: it plays no more, here and anywhere,
    and loses what it does not play. Until the contest is over, it stays withdrawn.
    """
    entry = find_entry(site, contest, version_id)
    if entry is None:
        raise not_found(f"Bot version {version_id} is not in this contest")
    if not user.organiser and entry.user_id != user.id:
        raise HTTPException(HTTPStatus.FORBIDDEN, NOT_YOURS)
    if not user.organiser and contest.state not in LEAVING:
        raise SettingError(
            f"it cannot leave any more: the contest is {contest.state}; ask an organiser"
        )
    bot, version = _find_version(site, version_id)
    if contest.state in NOT_BEGUN:
        site.store.contests.leave(contest.id, version_id)
    elif contest.state is ContestState.FINISHED or bot.owner_id is None:
        raise SettingError(f"it cannot leave any more: the contest is {contest.state}")
    else:
        site.store.versions.withdraw(version_id, site.now_ns())
    if bot.owner_id != user.id:
        _note(site, AuditAction.TAKE_OUT_BOT, contest, user, bot, version)


def _note(
    site: Site,
    action: AuditAction,
    contest: Contest,
    user: User,
    bot: StoredBot,
    version: BotVersion,
) -> None:
    """Note what an organiser has done to the entry of a bot that is not their own."""
    site.note(user, action, contest.name, contest.id, f"{bot.name}@{version.number}")


def find_entry(site: Site, contest: Contest, version_id: int) -> ContestEntry | None:
    entries = site.store.contests.entries(contest.id)
    return next((one for one in entries if one.version_id == version_id), None)


def _find_version(site: Site, version_id: int) -> tuple[StoredBot, BotVersion]:
    try:
        version = site.store.versions.get(version_id)
    except DatastoreError:
        raise SettingError(f"bot version {version_id}: there is none of that id") from None
    return site.store.bots.get(version.bot_id), version


def _list_organiser(site: Site, contest: Contest, user: User) -> None:
    """An organiser who enters a bot is invited with it: the datastore takes invited users only."""
    if contest.who_may_enter is WhoMayEnter.INVITED and user.organiser:
        invited = site.store.contests.invited(contest.id)
        site.store.contests.set_invited(contest.id, [*invited, user.id])


def _check_number(site: Site, contest: Contest, user: User, version: BotVersion) -> None:
    """Take the bot out again if the user has too many now, also by two requests at once."""
    most = load_terms(contest.settings).bots_each
    entries = site.store.contests.entries(contest.id)
    if user.organiser or sum(entry.user_id == user.id for entry in entries) <= most:
        return
    site.store.contests.leave(contest.id, version.id)
    raise SettingError(
        f"a user may enter {most} {'bot' if most == 1 else 'bots'}: take another one out first"
    )
