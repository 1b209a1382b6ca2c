"""Takes bookings from their queue. On a cluster, those wait on that no machine can play now.

A bot may need what no machine has: a command, or a sandbox that holds. Its matches hold no others
up, and are played when such a machine joins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.arena.bot_builds import BotBuilds
    from agon.datastore.bookings import Booking
    from agon.datastore.enums import BookingKind
    from agon.datastore.store import Store


def take_booking(
    store: Store, bot_builds: BotBuilds, now_ns: int, kind: BookingKind, game: str | None = None
) -> Booking | None:
    """The oldest booking of this kind that can be played now; it runs, and is the caller's."""
    if not bot_builds.plays_elsewhere:
        return store.bookings.take(now_ns, (kind,), game)
    for one in store.bookings.waiting(kind, game):
        if not match_obstacle(store, bot_builds, one.versions):
            taken = store.bookings.take(now_ns, (kind,), game, only=one.id)
            if taken is not None:  # by nobody else meanwhile
                return taken
    return None


def match_obstacle(store: Store, bot_builds: BotBuilds, versions: tuple[int | None, ...]) -> str:
    """Why no machine can play a match of these now; empty if one can, or the bots play here."""
    if not bot_builds.plays_elsewhere:
        return ""
    found = [store.versions.get(one) for one in versions if one is not None]
    return bot_builds.match_obstacle(found)
