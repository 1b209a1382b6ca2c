"""Work for the arena as plain data: what to play, check or compute, and what came of it.

A job holds numbers and texts: no path, no position, no open file. It can travel to another process
or machine, and so can its result. Bots are named by the fingerprint of their files. The function
that carries a job out knows no datastore: the caller stores the result, once, under the job's key.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import SettingError
from agon.games.game import Outcome
from agon.match.result import MatchResult
from agon.match.transcript import Transcript, format_transcript, parse_transcript

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.arbiter.limits import Limits
    from agon.arbiter.series import Series
    from agon.games.game import Game, JsonObject, Options
    from agon.match.transcript import Event, Fault
    from agon.ranker.result import Counted, FloatArray
    from agon.simulate.tally import Tally


@dataclass(frozen=True, slots=True)
class JobPlayer:
    """A bot of a job: a built-in one, or the program with this fingerprint."""

    name: str
    """How the match calls it."""
    built_in: str = ""
    fingerprint: str = ""
    absence: str = ""
    """Why it plays no more: it is not started, and fails for this reason."""


@dataclass(frozen=True, slots=True)
class PlayMatch:
    """Play one match. If the machine is too late for it, it is played again with the same seed."""

    key: str
    game: str
    rules: int
    """The version of the game's rules; a worker with another one refuses the job."""
    options: JsonObject
    seed: int
    players: tuple[JobPlayer, ...]
    limits: Limits
    keeps_logs: bool = True
    """Whether the lines of programs and their standard error go into the transcript."""
    rotation: int = 0
    """By how many seats the players of a series have moved on: each keeps its own chance."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, as it is stored."""

    game: str
    rules: int
    options: JsonObject
    seed: int
    transcript: bytes
    scores: tuple[int, ...]
    reason: str
    faults: tuple[Fault | None, ...]
    thought_ns: tuple[int, ...]
    slowest_ns: tuple[int, ...]
    turns: int
    late_ns: int = 0
    is_void: bool = False
    key: str = ""

    @classmethod
    def of(cls, result: MatchResult, key: str = "") -> PlayedMatch:
        """The plain form of a result."""
        transcript = result.transcript
        return cls(
            transcript.game.name,
            transcript.game.rules_version,
            asdict(transcript.options),
            transcript.seed,
            format_transcript(transcript).encode(),
            result.outcome.scores,
            result.outcome.reason,
            result.faults,
            result.thought_ns,
            result.slowest_ns,
            result.turns,
            result.late_ns,
            result.is_void,
            key,
        )

    @property
    def outcome(self) -> Outcome:
        """Scores and reason, with the ranks that follow from them."""
        return Outcome(self.scores, self.reason)

    def result(self) -> MatchResult:
        """The result of which this is the plain form."""
        return MatchResult(
            parse_transcript(self.transcript.decode()),
            self.outcome,
            self.faults,
            self.thought_ns,
            self.slowest_ns,
            self.late_ns,
            self.is_void,
        )


@dataclass(frozen=True, slots=True)
class CheckBot:
    """Build and check the program with this fingerprint."""

    key: str
    game: str
    fingerprint: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class CheckedBot:
    """Whether a bot passed, and the report for its author."""

    key: str
    passed: bool
    report: str


@dataclass(frozen=True, slots=True)
class SimulateBlock:
    """Play random games: those with the numbers `first` to `first + games - 1` of a seed."""

    key: str
    game: str
    rules: int
    options: JsonObject
    seed: int
    first: int
    """For a tally that is joined with others: a multiple of the games in a checksum's block."""
    games: int
    turn_limit: int
    checksum: bool = True
    device: str = "cpu"
    """On one core (cpu), or on one GPU (cuda)."""


@dataclass(frozen=True, slots=True)
class SimulatedBlock:
    """What came out of a block of random games."""

    key: str
    tally: Tally
    took_ns: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ResampleRatings:
    """Rate matches that are drawn anew: the samples `first` to `first + samples - 1` of a seed."""

    key: str
    counted: Counted
    seed: int
    first: int
    samples: int


@dataclass(frozen=True, slots=True, eq=False)
class ResampledRatings:
    """The ratings by sample and bot."""

    key: str
    ratings: FloatArray
    took_ns: int = 0


class JobFailure(StrEnum):
    """What a job failed of."""

    JOB = "the job itself"
    HOST = "this machine"
    LATE = "this machine was late"
    EXHAUSTED = "this machine has no memory, descriptors or space left"
    NO_MACHINE = "no machine of the cluster can do it"


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job without a result. It never counts as a loss for a bot."""

    key: str
    message: str
    kind: JobFailure
    log: tuple[str, ...] = ()
    """The last lines that its process logged: for organisers, not for players."""
    is_unbuilt: bool = False
    """Whether a bot was not built, or a program is missing: another machine may have it."""

    @property
    def is_host(self) -> bool:
        """Whether a machine failed: another one may try. Otherwise the job itself is wrong."""
        return self.kind is not JobFailure.JOB


@dataclass(frozen=True, slots=True)
class RecordPart:
    """Events of a match under way, from that number on."""

    first: int
    events: tuple[Event, ...]
    players: tuple[JsonObject, ...] = ()
    """If the match begins, or begins anew."""

    @property
    def begins(self) -> bool:
        return bool(self.players)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A piece of the report on a bot that is being checked."""

    text: str


JobPart: TypeAlias = RecordPart | ReportPart
"""What is told of a job while it is done."""
Job: TypeAlias = PlayMatch | CheckBot | SimulateBlock | ResampleRatings
JobResult: TypeAlias = PlayedMatch | CheckedBot | SimulatedBlock | ResampledRatings | FailedJob


def series_job(series: Series, number: int, *, keeps_logs: bool = False) -> PlayMatch:
    """The match of that number in a series."""
    return PlayMatch(
        f"{series.game.name} match {number}: {' - '.join(series.names(number))}",
        series.game.name,
        series.game.rules_version,
        asdict(series.options),
        series.seed_of(number),
        tuple(JobPlayer(name) for name in series.names(number)),
        series.limits,
        keeps_logs,
        number % len(series.entrants),
    )


def job_setup(game: Game, job: PlayMatch) -> Transcript:
    """The match of a job before its first turn, with the players' names."""
    players: tuple[JsonObject, ...] = tuple({"name": player.name} for player in job.players)
    return Transcript(game, job_options(game, job.options), job.seed, players)


def job_options(game: Game, values: Mapping[str, Any]) -> Options:
    """A game's options from plain values; SettingError if the game has other ones by now."""
    known = {one.name for one in fields(game.options)}
    for name in values:
        if name not in known:
            raise SettingError(f"option {name!r}: {game.name} has {', '.join(sorted(known))}")
    return game.options(**values)
