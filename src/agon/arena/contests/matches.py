"""The matches of a contest as they are played: on the stage, at a pace, with those who are left."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.entrant import Entrant, Program
from agon.arbiter.series import SeriesRunner
from agon.arena.pace import Pace, PacedMatch
from agon.errors import UnfitBotError

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from agon.arbiter.process import Process
    from agon.arbiter.series import Series
    from agon.arena.live_matches import LiveMatch, Stage
    from agon.match.result import MatchResult
    from agon.ranker.result import Result

    Key: TypeAlias = tuple[int, tuple[str, ...]]

NO_SHOW = ("(plays no more)",)
"""The run command of a bot that is not there: it is not started, and so it fails to start."""


def no_show(name: str) -> Entrant:
    """Who stands in for a bot that plays no more."""
    return Entrant(name, Program(name, NO_SHOW))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestMatches(SeriesRunner):
    """Shows every match; several threads play in it."""

    stage: Stage
    now_ns: Callable[[], int]
    pace_ns: int
    stopping: Event
    is_gone: Callable[[str], bool]
    """Whether the bot of that name has left since the contest began."""
    showings: dict[Key, PacedMatch] = field(default_factory=dict)
    """What is on the stage, and has not been stored yet."""

    def play(self, series: Series, number: int) -> MatchResult:
        """Play it before everybody's eyes. It stays on the stage until `end`."""
        key = (series.seed_of(number), series.names(number))
        entrants = [series.entrants[bot] for bot in series.seating(number)]
        pace = Pace(self.pace_ns, self.clock, self.stopping)
        showing = PacedMatch(self.stage, series.game, entrants, self.now_ns(), pace)
        self.showings[key] = showing
        arena = SeriesRunner(
            self.clock,
            self._launch,
            self.late_since,
            showing.on_position,
            keeps_logs=True,
            pool=self.pool,
        )
        try:
            return arena.play(self._those_left(series), number)
        except BaseException:
            self.showings.pop(key).end(None)
            raise

    def end(self, result: Result, match_id: int) -> None:
        """The match with that result is stored."""
        showing = self.showings.pop((result.seed, result.bots), None)
        if showing is not None:
            showing.end(match_id)

    def clear(self) -> None:
        """What was not stored by now never will be."""
        while self.showings:
            self.showings.popitem()[1].end(None)

    def live(self) -> list[LiveMatch]:
        """The matches on the stage."""
        return [one.live for one in list(self.showings.values()) if one.live is not None]

    def _those_left(self, series: Series) -> Series:
        there = (no_show(one.name) if self.is_gone(one.name) else one for one in series.entrants)
        return replace(series, entrants=tuple(there))

    def _launch(self, program: Program) -> Process:
        if program.run == NO_SHOW:
            raise UnfitBotError("it was withdrawn, and plays no more")
        return self.launch(program)
