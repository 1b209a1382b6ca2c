"""What is stored of a match that was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import PlayedMatch
from agon.datastore.bots import NewBot
from agon.datastore.columns import NAME_LENGTH
from agon.datastore.enums import MatchStatus
from agon.datastore.matches import NewMatch, NewSeat
from agon.datastore.versions import NewVersion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.store import Store
    from agon.match.result import MatchResult

CLIENT_SUFFIX = " (guest)"


def stored_form(
    match: PlayedMatch,
    versions: Sequence[int],
    begin_ns: int,
    end_ns: int,
    *,
    rated: bool = True,
    tournament_id: int | None = None,
    fixture: str | None = None,
    journal: str | None = None,
) -> NewMatch:
    """The match for the datastore; `versions` are the ids of the bots' versions by seat."""
    outcome = match.outcome
    seats = tuple(
        NewSeat(version, fault, score, rank, thought)
        for version, fault, score, rank, thought in zip(
            versions, match.faults, outcome.scores, outcome.ranks, match.thought_ns, strict=True
        )
    )
    return NewMatch(
        match.game,
        match.rules,
        match.options,
        match.seed,
        seats,
        match.transcript,
        begin_ns,
        max(begin_ns, end_ns),  # the machine's clock may be set back meanwhile
        match.turns,
        outcome.reason,
        MatchStatus.VOID if match.is_void else MatchStatus.FINISHED,
        rated=rated,
        lateness_ns=match.late_ns,
        tournament_id=tournament_id,
        fixture=fixture,
        journal=journal,
    )


def store_network_match(
    store: Store, match: MatchResult, begin_ns: int, end_ns: int, journal: str | None = None
) -> int:
    """Store a match of clients of a network server; its id.

    Names are not proved, so the match is not rated, and clients are bots of their own; practice
    bots are the arena's. `journal` is its key there, if it may have one.
    """
    game = match.transcript.game
    versions = []
    for seat, player in enumerate(match.transcript.players):
        if player.get("kind") == "program":
            versions.append(int(str(player["version"])))
            continue
        name = str(player.get("name") or f"seat {seat}")
        bot = NewBot(game.name, name[: NAME_LENGTH - len(CLIENT_SUFFIX)] + CLIENT_SUFFIX, begin_ns)
        version = NewVersion(begin_ns, protocol=game.network_protocol)
        if player.get("kind") == "built-in":
            bot = NewBot(game.name, str(player["bot"]), begin_ns, built_in=True)
            version = NewVersion(begin_ns)
        versions.append(store.versions.ensure(store.bots.ensure(bot).id, version).id)
    return store.record_match(
        stored_form(PlayedMatch.of(match), versions, begin_ns, end_ns, rated=False, journal=journal)
    )
