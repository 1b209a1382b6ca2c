"""Which versions play on the ladder: of every bot, the newest that may.

Built-in bots play, the bots of users, and the examples. Other bots without an owner do not: clients
of the network servers, people, and bots from the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.enums import VersionStatus

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game

EXAMPLE = "example"
"""The label of the versions that a site adds itself."""


def is_playable(game: Game, bot: StoredBot, version: BotVersion) -> bool:
    """Whether a match can be asked of the version: it is active, and a program that is here."""
    if version.status is not VersionStatus.ACTIVE or bot.removed_ns is not None:
        return False
    if bot.built_in:
        return bot.name in game.bot_names
    return bool(version.run) and (bot.owner_id is not None or version.label == EXAMPLE)


def playable_versions(store: Store, game: Game) -> list[tuple[StoredBot, BotVersion]]:
    """All versions that can be asked for a match, bots by name, each one's newest first."""
    bots = {bot.id: bot for bot in store.bots.all(game.name)}
    active = store.versions.of_game(game.name, VersionStatus.ACTIVE)
    found = [(bots[version.bot_id], version) for version in active]
    found = [(bot, version) for bot, version in found if is_playable(game, bot, version)]
    return sorted(found, key=lambda pair: (pair[0].name, pair[0].id, -pair[1].number))


def ladder_versions(store: Store, game: Game) -> list[tuple[StoredBot, BotVersion]]:
    """The versions that play on the ladder: the newest of each bot."""
    newest: dict[int, tuple[StoredBot, BotVersion]] = {}
    for bot, version in playable_versions(store, game):
        newest.setdefault(bot.id, (bot, version))
    return list(newest.values())
