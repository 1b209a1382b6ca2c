"""The versions of a game's bots and their owners, for pages and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.versions import NamedVersion

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store


class Contender(NamedVersion):
    """A version of a bot; its owner is None for the arena's own, and for network clients."""

    __slots__ = ()

    @property
    def version_id(self) -> int:
        """Its own number, among all versions."""
        return self.id

    @property
    def is_removed(self) -> bool:
        return self.bot_removed_ns is not None

    @property
    def title(self) -> str:
        """Its name in tables, with its owner if another version has the same name."""
        if self.built_in:
            return self.bot
        whose = f"{self.owner}/" if self.owner is not None and self.has_namesake else ""
        return f"{whose}{self.bot}@{self.number}"

    @property
    def path(self) -> str:
        return f"/bots/{self.bot_id}/versions/{self.number}"


def load_roster(store: Store, game: str) -> dict[int, Contender]:
    """All versions of a game's bots, by their ids."""
    return {one.id: Contender(*one) for one in store.versions.named(game)}


def owner_name(store: Store, bot: StoredBot) -> str | None:
    """The name of the bot's owner; None if it has none."""
    return None if bot.owner_id is None else store.users.get(bot.owner_id).name
