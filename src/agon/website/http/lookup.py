"""Numbers in addresses, and the bots and versions that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Path, Query

from agon.errors import DatastoreError
from agon.games.registry import game_names
from agon.website.http.errors import not_found

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.versions import BotVersion
    from agon.website.site import Site

LARGEST_ID = 2**63 - 1
Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
SomeId = Annotated[int | None, Query(ge=1, le=LARGEST_ID)]


def find_bot(site: Site, bot_id: int) -> StoredBot:
    """The bot of that id, also one that was deleted: its matches stay."""
    try:
        bot = site.store.bots.get(bot_id)
    except DatastoreError:
        raise not_found(f"There is no bot {bot_id}") from None
    if bot.game not in game_names():
        raise not_found(f"Bot {bot_id} plays {bot.game!r}, which is not played here")
    return bot


def find_version(site: Site, bot: StoredBot, number: int) -> BotVersion:
    version = site.store.versions.find(bot.id, number)
    if version is None:
        raise not_found(f"{bot.name} has no version {number}")
    return version
