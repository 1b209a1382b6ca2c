"""From a job to its result: no datastore, no page.

runner = JobRunner(series_runner, find_bot)
played = runner.play(job)        # or check, or simulate
result = runner.carry_out(job)   # any job; a failure is a result, too
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from agon.arbiter.build import build_in_sandbox, run_build
from agon.arbiter.check import Check
from agon.arbiter.findings import StepResult
from agon.arbiter.series import Series
from agon.arena.check_report import (
    check_command,
    format_begin,
    format_build,
    format_end,
    format_verdict,
    has_failed,
)
from agon.arena.jobs import (
    CheckBot,
    CheckedBot,
    FailedJob,
    PlayedMatch,
    PlayMatch,
    SimulateBlock,
    SimulatedBlock,
    job_options,
)
from agon.errors import AgonError, ArbiterError, SettingError
from agon.games.registry import find_game
from agon.simulate.tally import Tally, game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agon.arbiter.build import Build
    from agon.arbiter.entrant import Entrant, Program
    from agon.arbiter.findings import CheckStep
    from agon.arbiter.pool import SeatPool
    from agon.arbiter.series import SeriesRunner
    from agon.arena.jobs import Job, JobPlayer, JobResult
    from agon.games.game import Game

CHECKED = "bot"
"""How a check calls the bot that it examines."""


def _ignore(*_: object) -> None:
    """Nothing is to be told."""


class PlaysMatches(Protocol):
    """What a tournament needs: a way to have matches played, and a way to give them up."""

    @property
    def pool(self) -> SeatPool:
        """The seats: stopping the pool gives up all matches under way."""
        ...

    def play(self, job: PlayMatch) -> PlayedMatch:
        """Play a match."""
        ...


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

    @property
    def pool(self) -> SeatPool:
        """The seats: stopping the pool gives up all matches under way."""
        return self.runner.pool

    def carry_out(self, job: Job) -> JobResult:
        """Do a job of any kind; what goes wrong is a FailedJob, unless everything stops."""
        try:
            match job:
                case PlayMatch():
                    return self.play(job)
                case SimulateBlock():
                    return self.simulate(job)
                case CheckBot():
                    return self.check(job)
        except ArbiterError as error:
            self.pool.check()
            return FailedJob(job.key, str(error), is_host=True)
        except AgonError as error:
            return FailedJob(job.key, str(error), is_host=False)

    def play(self, job: PlayMatch) -> PlayedMatch:
        game = self._game(job.game, job.rules)
        entrants = tuple(replace(self.find_bot(player), name=player.name) for player in job.players)
        options = job_options(game, job.options)
        series = Series(game, options, entrants, job.limits, job.seed)
        runner = replace(self.runner, keeps_logs=job.keeps_logs)
        return PlayedMatch.of(runner.play(series, 0), job.key)

    def simulate(self, job: SimulateBlock) -> SimulatedBlock:
        """Play random games on one core."""
        from agon.simulate.cores import play_batch

        game = self._game(job.game, job.rules)
        simulation = game.simulation(job_options(game, job.options))
        tally = Tally.for_simulation(simulation, checksum=True)
        seeds = game_seeds(job.seed, job.first, job.games)
        tally.add(simulation, *play_batch(simulation, seeds, job.turn_limit))
        return SimulatedBlock(
            job.key,
            tally.games,
            tally.plies,
            tally.unfinished,
            tally.shared,
            tuple(tally.wins),
            tuple(tally.points),
            tally.checksum or "",
        )

    def check(
        self,
        job: CheckBot,
        on_report: Callable[[str], None] = _ignore,
        on_turn: Callable[[], None] = _ignore,
    ) -> CheckedBot:
        """Build and check a bot; `on_report` gets the report piece by piece as it is written."""
        from agon.arena.jobs import JobPlayer

        program = self.find_bot(JobPlayer(CHECKED, fingerprint=job.fingerprint)).program
        if program is None or program.folder is None:
            raise SettingError(f"bot {job.fingerprint[:12]}…: its files are not here")
        report: list[str] = []

        def tell(text: str) -> None:
            if text:
                report.append(text.replace(f"{program.folder}/", ""))
                on_report(report[-1])

        steps = self._examine(job, program, tell, on_turn)
        tell(format_verdict(steps, check_command(job.limits, job.game)))
        return CheckedBot(job.key, all(step.finding.is_well for step in steps), "".join(report))

    def _examine(
        self,
        job: CheckBot,
        program: Program,
        tell: Callable[[str], None],
        on_turn: Callable[[], None],
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
            self.runner.launch,
            self.runner.clock,
            self.runner.late_since,
            lambda turn: on_turn(),
            build=build,
        )
        steps: list[CheckStep] = []

        def on_step(number: str, title: str) -> None:
            if not has_failed(steps):
                tell(format_begin(number, title))

        for step in examined.run(on_step):
            on_turn()
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


def find_among(entrants: Iterable[Entrant]) -> Callable[[JobPlayer], Entrant]:
    """For a JobRunner whose bots are all here and ready: they are found by their names."""
    by_name = {entrant.name: entrant for entrant in entrants}
    return lambda player: by_name[player.name]
