"""Who is who in a game: the versions of its bots, and whose they are, for pages and the API."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.datastore.bots import Bot
    from agon.datastore.choices import VersionStatus
    from agon.datastore.store import Store


@dataclass(frozen=True, slots=True)
class Contender:
    """A version of a bot."""

    version_id: int
    bot_id: int
    bot: str
    number: int
    built_in: bool
    owner: str | None
    """The user whose it is; None for the arena's own, and for guests."""
    language: str
    status: VersionStatus
    is_removed: bool
    has_namesake: bool
    """Whether somebody else's bot of the game has the same name."""

    @property
    def title(self) -> str:
        """What tables and the command line call it; whose it is, if another one is called so."""
        if self.built_in:
            return self.bot
        whose = f"{self.owner}/" if self.owner is not None and self.has_namesake else ""
        return f"{whose}{self.bot}@{self.number}"

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/bots/{self.bot_id}/versions/{self.number}"


def load_roster(store: Store, game: str) -> dict[int, Contender]:
    """All versions of a game's bots, by their ids."""
    versions = store.versions.named(game)
    times = Counter(name for _, name in {(one.bot_id, one.bot) for one in versions})
    return {
        one.id: Contender(
            one.id,
            one.bot_id,
            one.bot,
            one.number,
            one.built_in,
            one.owner,
            one.language,
            one.status,
            one.bot_removed_ns is not None,
            times[one.bot] > 1,
        )
        for one in versions
    }


def owner_name(store: Store, bot: Bot) -> str | None:
    """Whose the bot is; None if it is nobody's."""
    return None if bot.owner_id is None else store.users.get(bot.owner_id).name
