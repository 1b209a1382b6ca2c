"""Who is who in a game: the versions of its bots, and whose they are, for pages and the API."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.datastore.bots import Bot
    from agon.datastore.choices import VersionStatus
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion

FEW_OWNERS = 3


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
    has_namesake: bool = False
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


class Owners:
    """The names of users by their ids; each is looked up once."""

    def __init__(self, store: Store) -> None:
        """The users of this store."""
        self._store = store
        self._names: dict[int, str] = {}

    def learn_all(self) -> None:
        """Look all of them up at once, which takes no longer than a few alone."""
        self._names = {user.id: user.name for user in self._store.users.all()}

    def name(self, bot: Bot) -> str | None:
        """Whose the bot is; None if it is nobody's."""
        if bot.owner_id is None:
            return None
        if bot.owner_id not in self._names:
            self._names[bot.owner_id] = self._store.users.get(bot.owner_id).name
        return self._names[bot.owner_id]


def load_roster(store: Store, game: str) -> dict[int, Contender]:
    """All versions of a game's bots, by their ids."""
    versions = store.versions.of_game(game)
    bots = {bot.id: bot for bot in store.bots.all(game)}  # after them: every version's is there
    owners = Owners(store)
    if len({bot.owner_id for bot in bots.values()}) > FEW_OWNERS:
        owners.learn_all()
    times = Counter(bot.name for bot in bots.values())
    return {
        version.id: make_contender(
            bots[version.bot_id], version, owners, has_namesake=times[bots[version.bot_id].name] > 1
        )
        for version in versions
    }


def make_contender(
    bot: Bot, version: BotVersion, owners: Owners, *, has_namesake: bool = False
) -> Contender:
    """A version with what is to be told of its bot."""
    return Contender(
        version.id,
        bot.id,
        bot.name,
        version.number,
        bot.built_in,
        owners.name(bot),
        version.language,
        version.status,
        bot.removed_ns is not None,
        has_namesake,
    )
