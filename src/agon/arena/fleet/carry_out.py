"""From a job to its result: no datastore, no page.

runner = JobRunner(series_runner, find_bot)
played = runner.play(job)        # or check, simulate, resample
result = runner.carry_out(job)   # any job; a failure is a result, too
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, Protocol

from agon.arbiter.bot_process import Program
from agon.arbiter.build import build_in_sandbox, run_build
from agon.arbiter.check import Check
from agon.arbiter.entrant import Entrant
from agon.arbiter.findings import StepResult
from agon.arbiter.series import LateError, Series
from agon.arena.check_report import (
    check_command,
    format_begin,
    format_build,
    format_end,
    format_verdict,
    has_failed,
)
from agon.arena.fleet.jobs import (
    CheckBot,
    CheckedBot,
    FailedJob,
    JobFailure,
    PlayedMatch,
    PlayMatch,
    ResampledRatings,
    ResampleRatings,
    SimulateBlock,
    SimulatedBlock,
    job_options,
)
from agon.errors import (
    AgonError,
    ArbiterError,
    ExhaustedError,
    NoMachineError,
    SettingError,
    UnfitBotError,
)
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agon.arbiter.bot_process import Launch, Process
    from agon.arbiter.build import Build
    from agon.arbiter.findings import CheckStep
    from agon.arbiter.series import SeriesRunner
    from agon.arena.fleet.jobs import Job, JobPlayer, JobResult
    from agon.games.game import Game, Options
    from agon.simulate.cuda import GpuSimulation

CHECKED = "bot"
"""How a check calls the bot that it examines."""
ABSENT = ("(plays no more)",)
"""The run command of a bot that is not there."""


def _ignore(*_: object) -> None:
    """Nothing is to be told."""


class Stoppable(Protocol):
    """What can give up all matches under way. Threads may share it."""

    @property
    def is_stopped(self) -> bool:
        """Whether matches under way are given up."""
        ...

    def stop(self) -> None:
        """Give them up: each soon raises StoppedError."""
        ...


class PlaysMatches(Stoppable, Protocol):
    """What a tournament needs: a way to have matches played, and a way to give them up."""

    def play(self, job: PlayMatch) -> PlayedMatch: ...


@dataclass(frozen=True, slots=True)
class JobRunner:
    """What a process carries jobs out with. Threads may share it."""

    runner: SeriesRunner
    """Its clock, its way to start programs, and its pool of seats."""
    find_bot: Callable[[JobPlayer], Entrant]
    """The bot of a job, built and ready to be started."""
    find_game: Callable[[str], Game] = find_game
    unsafe_host: bool = False
    """Whether programs are built without a sandbox, too."""
    on_report: Callable[[str], None] = _ignore
    """Is told the report of a check, piece by piece as it is written."""

    def carry_out(self, job: Job) -> JobResult:
        """Do a job of any kind; what goes wrong is a FailedJob, unless everything stops."""
        try:
            match job:
                case PlayMatch():
                    return self.play(job)
                case SimulateBlock():
                    return self.simulate(job)
                case ResampleRatings():
                    return self.resample(job)
                case CheckBot():
                    return self.check(job)
        except ArbiterError as error:
            self.runner.pool.check()
            return FailedJob(job.key, str(error), _failure_kind(error))
        except AgonError as error:
            return FailedJob(job.key, str(error), JobFailure.JOB)

    def play(self, job: PlayMatch) -> PlayedMatch:
        game = self._game(job.game, job.rules)
        options = job_options(game, job.options)
        entrants = tuple(self._entrant(player) for player in job.players)
        first = -job.rotation
        series = Series(game, options, (*entrants[first:], *entrants[:first]), job.limits, job.seed)
        absent = {player.name: player.absence for player in job.players if player.absence}
        launch = _refusing(absent, self.runner.launch)
        runner = replace(self.runner, launch=launch, keeps_logs=job.keeps_logs)
        return PlayedMatch.of(runner.play(series, job.rotation), job.key)

    def _entrant(self, player: JobPlayer) -> Entrant:
        if player.absence:
            return Entrant(player.name, Program(player.name, ABSENT))
        return replace(self.find_bot(player), name=player.name)

    def simulate(self, job: SimulateBlock) -> SimulatedBlock:
        """Play random games on one core or GPU."""
        from agon.simulate.cores import simulate_on_cores

        game = self._game(job.game, job.rules)
        options = job_options(game, job.options)
        clock = self.runner.clock
        if job.device == "cuda":
            on_gpu = _compiled_for_gpu(game, options)
            begin = clock()
            tally, _ = on_gpu.play(
                job.games, job.seed, job.turn_limit, job.checksum, clock, first=job.first
            )
        else:
            simulation = game.simulation(options)
            begin = clock()
            tally = simulate_on_cores(
                simulation, job.games, job.seed, job.turn_limit, 1, job.checksum, first=job.first
            )
        return SimulatedBlock(job.key, tally, clock() - begin)

    def resample(self, job: ResampleRatings) -> ResampledRatings:
        """Rate samples of the matches, one after the other."""
        import numpy as np

        from agon.ranker.bootstrap import resampled_ratings

        begin = self.runner.clock()
        found = []
        for number in range(job.first, job.first + job.samples):
            self.runner.pool.check()
            found.append(resampled_ratings(job.counted, job.seed, number))
        return ResampledRatings(job.key, np.stack(found), self.runner.clock() - begin)

    def check(self, job: CheckBot) -> CheckedBot:
        """Build and check a bot."""
        from agon.arena.fleet.jobs import JobPlayer

        program = self.find_bot(JobPlayer(CHECKED, fingerprint=job.fingerprint)).program
        if program is None or program.folder is None:
            raise SettingError(f"bot {job.fingerprint[:12]}…: its files are not here")
        report: list[str] = []

        def tell(text: str) -> None:
            if text:
                report.append(text.replace(f"{program.folder}/", ""))
                self.on_report(report[-1])

        steps = self._examine(job, program, tell)
        tell(format_verdict(steps, check_command(job.limits, job.game)))
        return CheckedBot(job.key, all(step.finding.is_well for step in steps), "".join(report))

    def _examine(
        self,
        job: CheckBot,
        program: Program,
        tell: Callable[[str], None],
    ) -> Sequence[CheckStep]:
        game = self.find_game(job.game)

        def build(found: Program) -> Build:
            how = run_build if self.unsafe_host else build_in_sandbox
            built = how(found)
            tell(format_build(built))
            return built

        examined = Check(
            game,
            game.options(),
            str(program.folder),
            job.limits,
            self.runner.pool.tracked(self.runner.launch),
            self.runner.clock,
            self.runner.late_since,
            lambda turn: self.runner.pool.check(),
            build=build,
        )
        steps: list[CheckStep] = []

        def on_step(number: str, title: str) -> None:
            if not has_failed(steps):
                tell(format_begin(number, title))

        for step in examined.run(on_step):
            self.runner.pool.check()
            if not has_failed(steps):
                tell(format_end(step))
            elif step.finding.verdict is not StepResult.NOT_TRIED:
                tell(format_begin(step.number, step.title) + format_end(step))
            steps.append(step)
        return steps

    def _game(self, name: str, rules: int) -> Game:
        game = self.find_game(name)
        if game.rules_version != rules:
            raise SettingError(
                f"{name} by rules {rules}: this machine plays by {game.rules_version}"
            )
        return game


@lru_cache(maxsize=1)
def _compiled_for_gpu(game: Game, options: Options) -> GpuSimulation:
    from agon.simulate.cuda import GpuSimulation

    return GpuSimulation(game.simulation(options))


def _failure_kind(error: ArbiterError) -> JobFailure:
    if isinstance(error, LateError):
        return JobFailure.LATE
    return JobFailure.EXHAUSTED if isinstance(error, ExhaustedError) else JobFailure.HOST


def raise_failure(failed: FailedJob) -> NoReturn:
    """Raise what the job's own process raised, or its like."""
    match failed.kind:
        case JobFailure.LATE:
            raise LateError(failed.message)
        case JobFailure.EXHAUSTED:
            raise ExhaustedError(failed.message)
        case JobFailure.NO_MACHINE:
            raise NoMachineError(failed.message)
        case JobFailure.HOST:
            raise ArbiterError(failed.message)
        case JobFailure.JOB:
            raise SettingError(failed.message)


def _refusing(absent: Mapping[str, str], launch: Launch) -> Launch:
    """The same launch, but for players that are absent: they fail to start."""

    def launch_present(program: Program) -> Process:
        if program.run == ABSENT:
            raise UnfitBotError(absent[program.name])
        return launch(program)

    return launch_present if absent else launch


def find_among(entrants: Iterable[Entrant]) -> Callable[[JobPlayer], Entrant]:
    """For a JobRunner whose bots are all here and ready: they are found by their names."""
    by_name = {entrant.name: entrant for entrant in entrants}
    return lambda player: by_name[player.name]
