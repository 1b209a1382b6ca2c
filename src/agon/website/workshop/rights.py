"""Whose bot it is: for routes that are for its author alone, or for organisers, too."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import Path
from starlette.exceptions import HTTPException

from agon.errors import DatastoreError
from agon.website.errors import not_found

if TYPE_CHECKING:
    from agon.datastore.bots import Bot
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.website.site import Site

LARGEST_ID = 2**63 - 1
Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]


def find_bot(site: Site, bot_id: int) -> Bot:
    """The bot of that id, if it is there."""
    try:
        bot = site.store.bots.get(bot_id)
    except DatastoreError:
        raise not_found(f"There is no bot {bot_id}") from None
    if bot.removed_ns is not None:
        raise not_found(f"Bot {bot_id} was deleted")
    return bot


def find_version(site: Site, bot: Bot, number: int) -> BotVersion:
    """The bot's version of that number."""
    version = site.store.versions.find(bot.id, number)
    if version is None:
        raise not_found(f"There is no version {number} of {bot.name}")
    return version


def own_bot(site: Site, user: User, bot_id: int) -> Bot:
    """The user's own bot of that id."""
    bot = find_bot(site, bot_id)
    if bot.owner_id != user.id:
        raise HTTPException(HTTPStatus.FORBIDDEN, "This is for the bot's author.")
    return bot


def bot_in_charge(site: Site, user: User, bot_id: int) -> Bot:
    """A bot that the user may stop: their own, or anybody's for an organiser."""
    return find_bot(site, bot_id) if user.organiser else own_bot(site, user, bot_id)
