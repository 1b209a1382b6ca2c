"""The titles of bot versions in tables: no two are the same.

Usually that is `name@version`, and a built-in bot's name alone. Bots of two users may have the same
name; then the owner's name stands before it: `ada/crawler@1` and `bob/crawler@1`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.bot_versions import version_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agon.datastore.bots import StoredBot
    from agon.datastore.store import Store
    from agon.datastore.versions import BotVersion


def version_titles(store: Store, game: str) -> dict[int, str]:
    """The titles of all stored versions of a game's bots, by the versions' ids."""
    return make_titles(*_load(store, game))


def titles_among(store: Store, version_ids: Iterable[int]) -> dict[int, str]:
    """The titles of a few versions; versions that are not among them do not matter."""
    versions = [store.versions.get(version_id) for version_id in version_ids]
    pairs = [(store.bots.get(version.bot_id), version) for version in versions]
    ids = {bot.owner_id for bot, _ in pairs if bot.owner_id is not None}
    return make_titles(pairs, {user_id: store.users.get(user_id).name for user_id in ids})


@dataclass(frozen=True, slots=True)
class Named:
    """The version that a title stands for."""

    version_id: int
    bot: str
    version: int
    owner: str | None
    """Its owner; None for built-in bots and those from a command line."""


def name_versions(store: Store, game: str) -> dict[str, Named]:
    """The versions by their titles."""
    versions, owners = _load(store, game)
    titles = make_titles(versions, owners)
    return {
        titles[version.id]: Named(
            version.id,
            bot.name,
            version.number,
            None if bot.owner_id is None else owners[bot.owner_id],
        )
        for bot, version in versions
    }


def make_titles(
    versions: Iterable[tuple[StoredBot, BotVersion]], owners: Mapping[int, str]
) -> dict[int, str]:
    """The titles of these versions, of which no two are the same; `owners` are users' names."""
    pairs = list({version.id: (bot, version) for bot, version in versions}.values())
    found = {version.id: version_name(bot, version) for bot, version in pairs}
    for bot, version in _shared(pairs, found):
        if bot.owner_id is not None:
            found[version.id] = f"{owners[bot.owner_id]}/{found[version.id]}"
    for _, version in _shared(pairs, found):  # a bot may itself be called `ada/crawler`
        found[version.id] += f" (version {version.id})"
    return found


def _shared(
    pairs: Iterable[tuple[StoredBot, BotVersion]], titles: Mapping[int, str]
) -> list[tuple[StoredBot, BotVersion]]:
    """The versions whose title another version has, too."""
    times = Counter(titles.values())
    return [pair for pair in pairs if times[titles[pair[1].id]] > 1]


def _load(store: Store, game: str) -> tuple[list[tuple[StoredBot, BotVersion]], dict[int, str]]:
    """All versions of a game's bots, and the names of users."""
    versions = store.versions.of_game(game)
    bots = {bot.id: bot for bot in store.bots.all(game)}  # after them: every version's is there
    owners = {user.id: user.name for user in store.users.all()}
    return [(bots[version.bot_id], version) for version in versions], owners
