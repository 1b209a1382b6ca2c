"""A described bot becomes a version in the store, and waits for its check."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.datastore.bots import NewBot
from agon.datastore.enums import CheckState, VersionStatus
from agon.datastore.versions import NewVersion
from agon.errors import UploadError
from agon.website.accounts.lookalikes import find_alike

if TYPE_CHECKING:
    from agon.datastore.bots import StoredBot
    from agon.datastore.checks import StoredCheck
    from agon.datastore.users import User
    from agon.datastore.versions import BotVersion
    from agon.website.bots.manifest import DescribedBot
    from agon.website.site import Site


@dataclass(frozen=True, slots=True)
class Submitted:
    """What has become of an upload."""

    bot: StoredBot
    version: BotVersion
    check: StoredCheck


def submit(
    site: Site, user: User, described: DescribedBot, bot: StoredBot | None = None
) -> Submitted:
    """Store the user's next version of that bot, or of the one of that name; it may be new."""
    refuse_programs(site)
    if not site.store.users.get(user.id).is_present:  # an upload takes a while
        raise UploadError("Ask an organiser: your account is suspended or removed.")
    game, name = described.game, described.name
    if bot is not None and (bot.game, bot.name) != (game.name, name):
        raise UploadError(
            f"Choose the next version of {bot.name!r} for {bot.game}:"
            f" the files are of {name!r} for {game.name}."
        )
    version = _new_version(described, site.now_ns())
    _check_room(site, user, described, version)
    new = NewBot(game.name, name, site.now_ns(), owner_id=user.id)
    submitted = Submitted(*site.store.submit_version(new, version, site.now_ns()))
    if site.workers is not None:
        site.workers.ring_checkers()
    return submitted


def check_again(site: Site, version: BotVersion) -> StoredCheck:
    """Let a version that has failed wait for another check."""
    refuse_programs(site)
    site.store.versions.set_status(version.id, VersionStatus.PENDING)
    check = site.store.checks.add(version.id, site.now_ns())
    if site.workers is not None:
        site.workers.ring_checkers()
    return check


def reactivate(site: Site, version: BotVersion) -> StoredCheck | None:
    """Let a withdrawn version play again; it is checked first, unless it has passed once."""
    checks = site.store.checks.of_version(version.id)
    if any(check.state is CheckState.PASSED for check in checks):
        site.store.versions.set_status(version.id, VersionStatus.ACTIVE)
        if site.workers is not None:
            site.workers.ring_ladder(site.store.bots.get(version.bot_id).game)
        return None
    return check_again(site, version)


def refuse_programs(site: Site) -> None:
    """UploadError if no program can be run on this machine."""
    obstacle = "" if site.workers is None else site.workers.bot_builds.obstacle()
    if obstacle:
        raise UploadError(f"No bots are taken: {obstacle}")


def _new_version(described: DescribedBot, now_ns: int) -> NewVersion:
    program = described.program
    return NewVersion(
        now_ns,
        language=program.language,
        build=shlex.join(program.build),
        run=shlex.join(program.run),
        protocol=program.protocol or "",
        files=described.upload.files,
        status=VersionStatus.PENDING,
    )


def _check_room(site: Site, user: User, described: DescribedBot, version: NewVersion) -> None:
    """Refuse what is too much of one user, or what is there already."""
    mine = [bot for bot in site.store.bots.all(owner_id=user.id) if bot.removed_ns is None]
    versions = {bot.id: site.store.versions.of_bot(bot.id) for bot in mine}
    waiting = sum(
        one.status is VersionStatus.PENDING for several in versions.values() for one in several
    )
    if waiting >= site.uploads.waiting:
        raise UploadError(
            f"{waiting} of your bots wait for their checks. Wait until one of them is done."
        )
    same = [bot for bot in mine if (bot.game, bot.name) == (described.game.name, described.name)]
    others = [bot.name for bot in mine if bot.game == described.game.name and bot not in same]
    if not same and (alike := find_alike(described.name, others)):
        raise UploadError(
            f"Choose another name than {described.name!r}: it looks like {alike!r}, which you"
            " have already."
        )
    if not same and len(mine) >= site.uploads.bots:
        raise UploadError(
            f"You have {len(mine)} bots, which is the most. Delete one before the next."
        )
    newest = versions[same[0].id][:1] if same else []
    if newest and newest[0].fingerprint == version.fingerprint:
        raise UploadError(
            f"These are the files of version {newest[0].number}. Change something in them first."
        )
