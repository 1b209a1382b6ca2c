"""The standing of a contest: how much is played, the table or the bracket, the winners.

It follows from the stored matches of the contest alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arena.contests.lineup import load_lineup
from agon.arena.contests.terms import load_terms
from agon.arena.rate_match import result_name
from agon.arena.roster import load_roster
from agon.datastore.enums import ContestState
from agon.datastore.results import ResultFilter
from agon.ranker.formats import Format, new_schedule
from agon.ranker.knockout import Knockout
from agon.ranker.result import Result
from agon.ranker.table import make_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.arena.roster import Contender
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store
    from agon.ranker.knockout import Tie
    from agon.ranker.pairing import Schedule
    from agon.ranker.table import RankingRow

ROUND_NAMES = ("Final", "Semi-finals", "Quarter-finals")
"""From the last round back."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two in a tie of the bracket."""

    contender: Contender | None
    """None: not known yet, or a bye."""
    half_points: int
    is_winner: bool

    @property
    def points(self) -> str:
        """The points as people write them.

        >>> Side(None, 3, True).points, Side(None, 4, True).points, Side(None, 1, False).points
        ('1½', '2', '½')
        """
        whole, half = divmod(self.half_points, 2)
        return f"{whole or '' if half else whole}{'½' if half else ''}"


@dataclass(frozen=True, slots=True)
class BracketTie:
    """A tie of the bracket."""

    sides: tuple[Side, Side]
    is_bye: bool
    is_on: bool
    """Whether both are known, and neither has won yet."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the bracket."""

    name: str
    meetings: tuple[BracketTie, ...]


@dataclass(frozen=True, slots=True)
class ContestStanding:
    """The state of a contest, for its page."""

    played: int
    total: int | None
    """How many matches there are in all, without play-offs that may follow."""
    rows: tuple[tuple[RankingRow, Contender], ...] = ()
    """The table; empty for a knock-out."""
    rounds: tuple[Round, ...] = ()
    """The bracket; empty for everything else."""
    winners: tuple[Contender, ...] = ()
    """The winners, once it is over; several if they are equal."""


def load_standing(store: Store, contest: Contest) -> ContestStanding | None:
    """The standing; None if the contest has not begun."""
    if contest.tournament_id is None:
        return None
    terms, lineup = load_terms(contest.settings), load_lineup(store, contest)
    names = [result_name(place.version_id) for place in lineup]
    wanted = ResultFilter(contest.game, tournament_id=contest.tournament_id)
    results = [
        Result(tuple(map(result_name, row.versions)), row.scores, row.seed)
        for row in store.results.stream(wanted)
    ]
    schedule = new_schedule(Format(contest.format), names, terms.seed, terms.seats, terms.rounds)
    roster = load_roster(store, contest.game)
    if isinstance(schedule, Knockout):
        return _knockout(schedule, results, roster)
    return _table(contest, schedule, results, roster)


def _table(
    contest: Contest, schedule: Schedule, results: list[Result], roster: Mapping[int, Contender]
) -> ContestStanding:
    table = make_table(results, schedule.bots)
    rows = tuple((row, roster[int(row.bot)]) for row in table.rows)
    is_over = contest.state is ContestState.FINISHED and bool(results)
    winners = tuple(contender for row, contender in rows if row.rank == 1) if is_over else ()
    return ContestStanding(len(results), schedule.total, rows, (), winners)


def _knockout(
    schedule: Knockout, results: list[Result], roster: Mapping[int, Contender]
) -> ContestStanding:
    bracket = schedule.bracket(results)
    rounds = tuple(
        Round(
            round_name(number, len(bracket)),
            tuple(_meeting(tie, number == 0, roster) for tie in ties),
        )
        for number, ties in enumerate(bracket)
    )
    winner = bracket[-1][0].winner
    winners = () if winner is None else (roster[int(winner)],)
    to_come = sum(None in tie.bots for ties in bracket[1:] for tie in ties)
    left = len(schedule.next(results)) + to_come * schedule.pairs * 2
    return ContestStanding(len(results), len(results) + left, (), rounds, winners)


def _meeting(tie: Tie, is_first_round: bool, roster: Mapping[int, Contender]) -> BracketTie:
    sides = [
        Side(
            None if bot is None else roster[int(bot)],
            half_points,
            bot is not None and bot == tie.winner,
        )
        for bot, half_points in zip(tie.bots, tie.half_points, strict=True)
    ]
    is_bye = is_first_round and None in tie.bots
    is_on = None not in tie.bots and tie.winner is None
    return BracketTie((sides[0], sides[1]), is_bye, is_on)


def round_name(number: int, rounds: int) -> str:
    """The name of the round of that number, from 0.

    >>> [round_name(number, 4) for number in range(4)]
    ['Round 1', 'Quarter-finals', 'Semi-finals', 'Final']
    """
    from_last = rounds - 1 - number
    return ROUND_NAMES[from_last] if from_last < len(ROUND_NAMES) else f"Round {number + 1}"
