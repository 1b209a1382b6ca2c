"""The stored bots that can be played against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.people.party import BotPlayer
from agon.arena.roster import load_roster
from agon.datastore.enums import VersionStatus
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.arena.roster import Contender
    from agon.datastore.store import Store
    from agon.games.game import Game


def list_opponents(store: Store, game: Game) -> list[Contender]:
    """Of each bot that is a program the newest version that plays."""
    playing = (one for one in load_roster(store, game.name).values() if _is_playing(one))
    return _newest(one for one in playing if can_run(store, one.version_id))


def find_opponent(store: Store, game: Game, name: str) -> BotPlayer:
    """The bot of that name, `crawler` or `ada/crawler`, or a version of it: `crawler@3`."""
    playing = [one for one in load_roster(store, game.name).values() if _is_playing(one)]
    found = [one for one in playing if name in _version_names(one)]
    if not found:
        found = _newest(one for one in playing if name in (one.bot, f"{one.owner}/{one.bot}"))
    found = [one for one in found if can_run(store, one.version_id)]
    if len(found) == 1:
        return BotPlayer(found[0].title, version_id=found[0].version_id)
    expected = f"{game.known_bots}, or a stored bot that plays, such as crawler@3"
    if found:
        expected = " or ".join(one.title for one in found)
    raise SettingError(f"bot {name[:60]!r}: expected {expected}")


def can_run(store: Store, version_id: int) -> bool:
    """Whether there is a program: people and clients of the network servers have none."""
    return bool(store.versions.get(version_id).run) and bool(store.versions.files(version_id))


def _is_playing(one: Contender) -> bool:
    return one.status is VersionStatus.ACTIVE and not one.is_removed and not one.built_in


def _version_names(one: Contender) -> tuple[str, ...]:
    short = f"{one.bot}@{one.number}"
    return short, f"{one.owner}/{short}"


def _newest(versions: Iterable[Contender]) -> list[Contender]:
    """The last one of each bot."""
    return list({one.bot_id: one for one in versions}.values())
