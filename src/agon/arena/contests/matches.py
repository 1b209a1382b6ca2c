"""Plays the matches of a contest: shown live, at a pace, without the bots that have left."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.pool import StoppedError
from agon.arena.fleet.jobs import job_setup
from agon.arena.pace import Pace, PacedMatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from agon.arena.fleet.fleet import FleetMatches
    from agon.arena.fleet.jobs import PlayedMatch, PlayMatch
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.games.game import Game
    from agon.ranker.result import Result

    Key: TypeAlias = tuple[int, tuple[str, ...]]

GONE = "it was withdrawn, and plays no more"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestMatches:
    """Plays jobs and shows every match. Threads may share it."""

    runner: FleetMatches
    game: Game
    live_matches: LiveMatches
    clock: Callable[[], int]
    now_ns: Callable[[], int]
    pace_ns: int
    hurrying: Event
    """Set: matches are shown as fast as they are played."""
    is_gone: Callable[[str], bool]
    """Whether the bot of that name has left since the contest began."""
    showings: dict[Key, PacedMatch] = field(default_factory=dict)
    """The matches that are shown live and not stored yet."""
    under_way: dict[str, PlayMatch] = field(default_factory=dict)
    """The jobs under way, by their keys."""

    @property
    def is_stopped(self) -> bool:
        return self.runner.is_stopped

    def stop(self) -> None:
        """Give up all matches under way."""
        self.runner.stop()

    def play(self, job: PlayMatch) -> PlayedMatch:
        """Play a match. It stays among the live ones until `end`."""
        names = tuple(player.name for player in job.players)
        pace = Pace(self.pace_ns, self.clock, self.hurrying)
        showing = PacedMatch(self.live_matches, job_setup(self.game, job), self.now_ns(), pace)
        self.showings[job.seed, names] = showing
        try:
            played = self._play_without_gone(job, showing)
            showing.wait()
            if self.is_stopped:
                raise StoppedError("the match was given up")
            return played
        except BaseException:
            self.showings.pop((job.seed, names)).end(None)
            raise

    def _play_without_gone(self, job: PlayMatch, showing: PacedMatch) -> PlayedMatch:
        """Play a match without the bots that have left, again if one of them leaves meanwhile."""
        while True:
            present = self._present(job)
            self.under_way[job.key] = present
            try:
                return self.runner.play(present, showing.on_record)
            except StoppedError:
                if self.is_stopped or present == self._present(job):
                    raise
            finally:
                del self.under_way[job.key]

    def give_up_gone(self) -> None:
        """Give up the matches in which a bot plays that has left: they are played without it."""
        for key, job in list(self.under_way.items()):
            if job != self._present(job):
                self.runner.give_up(key)

    def end(self, result: Result, match_id: int) -> None:
        """The match with that result is stored. Until that is told, it is one of the contest."""
        key = result.seed, result.bots
        if (showing := self.showings.get(key)) is not None:
            showing.end(match_id)
            self.showings.pop(key, None)

    def clear(self) -> None:
        """Take down the matches that were not stored."""
        while self.showings:
            self.showings.popitem()[1].end(None)

    def live(self) -> list[LiveMatch]:
        return [one.live for one in list(self.showings.values()) if one.live is not None]

    def _present(self, job: PlayMatch) -> PlayMatch:
        """The job as it is to be played now."""
        players = [
            replace(player, absence=GONE if self.is_gone(player.name) else "")
            for player in job.players
        ]
        return replace(job, players=tuple(players))
