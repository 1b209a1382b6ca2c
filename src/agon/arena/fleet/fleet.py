"""Where jobs are carried out: in processes of this machine, or on others.

    matches = FleetMatches(fleet, find_among(entrants))
    played = matches.play(job)    # waits for it; threads share it, one for each match under way

A fleet knows no datastore. Bots go with the job: a fleet of processes finds their files on this
machine's disk, another one takes them along.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Lock
from typing import TYPE_CHECKING, Protocol

from agon.arbiter.pool import StoppedError
from agon.arena.fleet.carry_out import JobRunner, find_among, raise_failure
from agon.arena.fleet.jobs import FailedJob, PlayedMatch, RecordPart, ReportPart
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from agon.arbiter.entrant import Entrant
    from agon.arbiter.series import SeriesRunner
    from agon.arena.fleet.jobs import Job, JobPart, JobPlayer, JobResult, PlayMatch
    from agon.games.game import Game
    from agon.match.match import Match

    OnRecord: TypeAlias = Callable[[RecordPart], None]
    OnPart: TypeAlias = Callable[[JobPart], None]


class Fleet(Protocol):
    """Carries jobs out, several at a time: each from a thread that waits for the result."""

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        """Have a job done with these bots; StoppedError if it was cancelled.

        `on_part` is told, by this thread, how a match or a check goes on.
        """
        ...

    def cancel(self, key: str) -> None:
        """Give up the job of that key, if it is under way. From any thread."""
        ...


class FleetMatches:
    """Matches of one caller on a fleet. Threads may share it."""

    def __init__(
        self, fleet: Fleet, find_bot: Callable[[JobPlayer], Entrant], *, tells_builds: bool = False
    ) -> None:
        """`find_bot`: the bot of a job, built and ready to be started.

        `tells_builds`: who asks may read what the failed build of any bot said.
        """
        self._fleet = fleet
        self._tells_builds = tells_builds
        self._find_bot = find_bot
        self._keys: set[str] = set()
        self._lock = Lock()
        self._stopped = Event()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Give up all matches under way: each soon raises StoppedError."""
        self._stopped.set()
        with self._lock:
            keys = list(self._keys)
        for key in keys:
            self._fleet.cancel(key)

    def give_up(self, key: str) -> None:
        """Give up the match of that key, if it is under way: it soon raises StoppedError."""
        self._fleet.cancel(key)

    def play(self, job: PlayMatch, on_record: OnRecord | None = None) -> PlayedMatch:
        """Play a match; what a machine or the job failed of is raised here."""
        bots = [self._find_bot(player) for player in job.players if not player.absence]
        with self._lock:
            self._check()
            self._keys.add(job.key)
        try:
            result = self._fleet.carry_out(job, bots, _of_match(on_record))
        finally:
            with self._lock:
                self._keys.discard(job.key)
        self._check()
        if isinstance(result, FailedJob):
            if self._tells_builds and result.is_unbuilt and result.log:
                result = replace(result, message="\n".join(result.log))
            raise_failure(result)
        assert isinstance(result, PlayedMatch)  # noqa: S101  a match was asked for
        return result

    def _check(self) -> None:
        if self.is_stopped:
            raise StoppedError("the match was given up")


class InProcessFleet:
    """Carries jobs out in the thread that asks, with this runner's clock and launch."""

    def __init__(self, runner: SeriesRunner, find_game: Callable[[str], Game] = find_game) -> None:
        self._runner = runner
        self._find_game = find_game

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        runner = JobRunner(self._runner, find_among(bots), self._find_game)
        if on_part is not None:
            runner = following(runner, on_part)
        return runner.carry_out(job)

    def cancel(self, key: str) -> None:
        """Give up all jobs: they share one pool of seats."""
        self._runner.pool.stop()


def _of_match(on_record: OnRecord | None) -> OnPart | None:
    """What is told the parts of a match's record."""
    if on_record is None:
        return None

    def on_part(part: JobPart) -> None:
        if isinstance(part, RecordPart):
            on_record(part)

    return on_part


def following(runner: JobRunner, tell: OnPart) -> JobRunner:
    """The same runner, which tells how its jobs go on."""
    return replace(
        runner,
        runner=replace(runner.runner, on_change=Follower(tell).follow),
        on_report=lambda text: tell(ReportPart(text)),
    )


class Follower:
    """Tells how a match goes on: what is new in its record after each change."""

    def __init__(self, tell: OnRecord) -> None:
        self._tell = tell
        self._match: Match | None = None
        self._told = 0

    def follow(self, match: Match) -> None:
        """It has begun, or something has happened in it."""
        is_new = match is not self._match
        first = 0 if is_new else self._told
        players = match.setup.players if is_new else ()
        self._match, self._told = match, len(match.events)
        self._tell(RecordPart(first, tuple(match.events[first:]), players))
