"""Plays the matches of a contest: shown live, at a pace, without the bots that have left."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.entrant import Entrant, Program
from agon.arena.pace import Pace, PacedMatch
from agon.errors import UnfitBotError

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from agon.arbiter.pool import SeatPool
    from agon.arbiter.process import Process
    from agon.arena.carry_out import JobRunner
    from agon.arena.jobs import JobPlayer, PlayedMatch, PlayMatch
    from agon.arena.live_matches import LiveMatch, Stage
    from agon.ranker.result import Result

    Key: TypeAlias = tuple[int, tuple[str, ...]]

NO_SHOW = ("(plays no more)",)
"""The run command of a bot that is not there: it is not started, and so it fails to start."""


def no_show(name: str) -> Entrant:
    """The substitute for a bot that plays no more: it fails to start."""
    return Entrant(name, Program(name, NO_SHOW))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestMatches:
    """Plays jobs and shows every match. Threads may share it."""

    runner: JobRunner
    stage: Stage
    clock: Callable[[], int]
    now_ns: Callable[[], int]
    pace_ns: int
    stopping: Event
    is_gone: Callable[[str], bool]
    """Whether the bot of that name has left since the contest began."""
    showings: dict[Key, PacedMatch] = field(default_factory=dict)
    """The matches that are shown live and not stored yet."""

    @property
    def pool(self) -> SeatPool:
        """The seats of all matches."""
        return self.runner.pool

    def play(self, job: PlayMatch) -> PlayedMatch:
        """Play a match. It stays among the live ones until `end`."""
        names = tuple(player.name for player in job.players)
        pace = Pace(self.pace_ns, self.clock, self.stopping)
        game = self.runner.find_game(job.game)
        showing = PacedMatch(self.stage, game, names, self.now_ns(), pace)
        self.showings[job.seed, names] = showing
        series = replace(self.runner.runner, launch=self._launch, on_position=showing.on_position)
        try:
            return replace(self.runner, runner=series, find_bot=self._find_bot).play(job)
        except BaseException:
            self.showings.pop((job.seed, names)).end(None)
            raise

    def end(self, result: Result, match_id: int) -> None:
        """The match with that result is stored."""
        showing = self.showings.pop((result.seed, result.bots), None)
        if showing is not None:
            showing.end(match_id)

    def clear(self) -> None:
        """Take down the matches that were not stored."""
        while self.showings:
            self.showings.popitem()[1].end(None)

    def live(self) -> list[LiveMatch]:
        return [one.live for one in list(self.showings.values()) if one.live is not None]

    def _find_bot(self, player: JobPlayer) -> Entrant:
        return no_show(player.name) if self.is_gone(player.name) else self.runner.find_bot(player)

    def _launch(self, program: Program) -> Process:
        if program.run == NO_SHOW:
            raise UnfitBotError("it was withdrawn, and plays no more")
        return self.runner.runner.launch(program)
