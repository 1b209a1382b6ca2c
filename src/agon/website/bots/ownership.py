"""Whose bot it is: for routes that are for its author alone, or for organisers, too."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from agon.website.http.errors import not_found
from agon.website.http.lookup import find_bot

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.users import User
    from agon.website.site import Site


def find_standing_bot(site: Site, bot_id: int) -> StoredBot:
    """The bot of that id, if it was not deleted."""
    bot = find_bot(site, bot_id)
    if bot.removed_ns is not None:
        raise not_found(f"Bot {bot_id} was deleted")
    return bot


def own_bot(site: Site, user: User, bot_id: int) -> StoredBot:
    """The user's own bot of that id."""
    bot = find_standing_bot(site, bot_id)
    if bot.owner_id != user.id:
        raise HTTPException(HTTPStatus.FORBIDDEN, "This is for the bot's author.")
    return bot


def bot_in_charge(site: Site, user: User, bot_id: int) -> StoredBot:
    """A bot that the user may stop: their own, or any bot for an organiser."""
    return find_standing_bot(site, bot_id) if user.organiser else own_bot(site, user, bot_id)
