"""What a bot has done: its record, its opponents, how it failed; of one version or of all.

Only rated matches count here. Lists have all matches; what they call the players is here, too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.match_record import CLIENT_SUFFIX
from agon.arena.people.store import PERSON_SUFFIX
from agon.arena.roster import Contender
from agon.match.transcript import Fault
from agon.ranker.table import HeadToHead

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agon.datastore.matches import StoredMatch
    from agon.datastore.store import Store
    from agon.website.ranking.standings import GameStanding


@dataclass(frozen=True, slots=True)
class BotRecord:
    """Matches that count, and how they ended."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def score(self) -> float | None:
        """Points per match; None if there was none."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class MetOpponent:
    """Another bot, and how it went against it."""

    contender: Contender
    meeting: HeadToHead

    @property
    def games(self) -> int:
        return sum(self.meeting)

    @property
    def score(self) -> float:
        """Points per meeting."""
        return (self.meeting.wins + self.meeting.draws / 2) / self.games


def sum_records(standing: GameStanding | None, versions: Iterable[int]) -> BotRecord:
    if standing is None:
        return BotRecord()
    rows = [row for row in map(standing.row, versions) if row is not None]
    return BotRecord(
        sum(row.games for row in rows),
        sum(row.wins for row in rows),
        sum(row.draws for row in rows),
        sum(row.losses for row in rows),
        sum(row.points for row in rows),
    )


def find_opponents(
    standing: GameStanding | None, roster: Mapping[int, Contender], versions: Sequence[int]
) -> list[MetOpponent]:
    """Whom these versions met, those with whom they met most often first."""
    if standing is None:
        return []
    sums: dict[int, Counter[str]] = {}
    for version in versions:
        for other, meeting in standing.meetings(version).items():
            sums.setdefault(other, Counter()).update(meeting._asdict())
    found = [
        MetOpponent(roster[other], HeadToHead(sum_["wins"], sum_["draws"], sum_["losses"]))
        for other, sum_ in sums.items()
        if other in roster
    ]
    return sorted(found, key=lambda one: (-one.games, one.contender.title, one.contender.bot_id))


def count_faults(standing: GameStanding | None, versions: Iterable[int]) -> dict[str, int]:
    """How often these versions failed in which way; kinds that did not happen are left out."""
    if standing is None:
        return {}
    counts: Counter[Fault] = Counter()
    for version in versions:
        counts.update(standing.faults.get(version, {}))
    return {fault.value: counts[fault] for fault in Fault if counts[fault]}


def name_players(store: Store, matches: Iterable[StoredMatch]) -> dict[int, str]:
    """What a list of matches calls the versions in it; network clients and people have none."""
    ids = {seat.version_id for match in matches for seat in match.seats}
    known = [Contender(*one) for one in store.versions.named_by_id(ids)] if ids else []
    return {
        one.id: one.bot if one.bot.endswith((CLIENT_SUFFIX, PERSON_SUFFIX)) else one.title
        for one in known
    }
