"""Matches of people in the datastore: they are not rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import PlayedMatch
from agon.arena.match_record import stored_form
from agon.arena.people.party import BotPlayer
from agon.datastore.bots import NewBot
from agon.datastore.enums import VersionStatus
from agon.datastore.versions import NewVersion

if TYPE_CHECKING:
    from agon.arena.people.party import Party
    from agon.datastore.store import Store
    from agon.match.result import MatchResult

PERSON_SUFFIX = " (person)"
"""Added to the name of a person, so that it differs from the name of a bot."""


def keep_match(
    store: Store, party: Party, match: MatchResult, begin_ns: int, end_ns: int, journal: str
) -> int:
    """Store a match in which people played, and take it out of the journal; its number."""
    versions = [_version_of(store, party, seat, begin_ns) for seat in range(len(party.players))]
    return store.record_match(
        stored_form(PlayedMatch.of(match), versions, begin_ns, end_ns, rated=False, journal=journal)
    )


def _version_of(store: Store, party: Party, seat: int, now_ns: int) -> int:
    """What stands for a player in the datastore, where all players are versions of bots."""
    player, game = party.players[seat], party.game.name
    if isinstance(player, BotPlayer):
        if player.version_id is not None:
            return player.version_id
        bot = store.bots.ensure(NewBot(game, player.built_in, now_ns, built_in=True))
        return store.versions.ensure(bot.id, NewVersion(now_ns)).id
    bot = store.bots.ensure(NewBot(game, party.names[seat] + PERSON_SUFFIX, now_ns))
    return store.versions.ensure(bot.id, NewVersion(now_ns, status=VersionStatus.WITHDRAWN)).id
