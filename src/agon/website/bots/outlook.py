"""What a version of a bot is waiting for, in words for its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.ladder.participants import is_playable
from agon.datastore.enums import CheckState, VersionStatus

if TYPE_CHECKING:
    from agon.arena.workers import Workers
    from agon.datastore.bots import StoredBot
    from agon.datastore.versions import BotVersion
    from agon.games.game import Game
    from agon.website.site import Site

NOT_PLAYED = "No matches are played on this site at the moment."


@dataclass(frozen=True, slots=True)
class Outlook:
    """A sentence, and where more of it can be seen."""

    words: str
    path: str | None = None
    """The page of its check, for the bot's author alone."""
    whole: str = ""
    """What there is to read about it; for the bot's author alone, too."""


def find_outlook(
    site: Site, game: Game, bot: StoredBot, version: BotVersion, matches: int
) -> Outlook | None:
    """What comes next for a version after its rated matches so far; None: nothing."""
    if bot.built_in or bot.owner_id is None or bot.removed_ns is not None:
        return None
    if version.status in (VersionStatus.PENDING, VersionStatus.FAILED):
        return _of_check(site, version)
    if version.status is not VersionStatus.ACTIVE or matches:
        return None
    return _of_first_match(site, game, bot, version)


def _of_check(site: Site, version: BotVersion) -> Outlook | None:
    check = site.store.checks.latest(version.id)
    if check is None:
        return None
    path = f"/checks/{check.id}"
    if version.status is VersionStatus.FAILED:
        return Outlook("It did not pass its check, so it does not play.", path)
    if check.state is CheckState.RUNNING:
        return Outlook("It is being built and checked now.", path)
    if site.workers is None:
        return Outlook(f"It waits for its check. {NOT_PLAYED}", path)
    obstacle = site.workers.bot_builds.obstacle()
    if obstacle:
        return Outlook(f"It waits for its check, but {obstacle}.", path)
    waiting = [one.id for one in site.store.checks.queue()]
    before = waiting.index(check.id) if check.id in waiting else 0
    return Outlook(f"It waits for its check{_behind(before)}.", path)


def _of_first_match(site: Site, game: Game, bot: StoredBot, version: BotVersion) -> Outlook:
    workers = site.workers
    versions = site.store.versions.of_bot(bot.id)
    if version != next((one for one in versions if is_playable(game, bot, one)), None):
        return Outlook("A newer version of it plays on the ladder; this one can be challenged.")
    if workers is None or game.name not in workers.settings.ladder:
        return Outlook(f"It waits for its first match. {NOT_PLAYED}")
    unfit = workers.ladder.unfit.get(version.id)
    if unfit is not None:
        return Outlook(f"It cannot play: {unfit.reason}.", whole=unfit.whole)
    builds = workers.bot_builds
    if obstacle := builds.obstacle() or builds.match_obstacle([version]):
        return Outlook(f"It cannot play: {obstacle}.")
    return _of_queue(workers, version)


def _of_queue(workers: Workers, version: BotVersion) -> Outlook:
    if version.id in workers.ladder.playing():
        return Outlook("It plays its first match now.")
    before = [one for one in workers.ladder.waiting() if one.id < version.id]
    return Outlook(f"It waits for its first match{_behind(len(before))}: that begins in a moment.")


def _behind(before: int) -> str:
    if not before:
        return ", and is the next"
    return f", after {before} other{'' if before == 1 else 's'}"
