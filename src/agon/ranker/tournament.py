"""Run a schedule: play its matches side by side, store each as it ends, resume from what is stored.

Everything that is needed to go on is in the datastore: the tournament's settings and its finished
matches. A process that is killed loses the matches under way and nothing else.
"""

from __future__ import annotations

import json
import shlex
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.series import Series
from agon.datastore.bots import NewBot
from agon.datastore.choices import TournamentState, Verdict
from agon.datastore.matches import NewMatch, NewSeat, Rating
from agon.datastore.results import ResultFilter
from agon.datastore.tournaments import NewTournament
from agon.datastore.versions import NewVersion
from agon.errors import SettingError
from agon.ranker.live import LiveRater, LiveRating
from agon.ranker.result import Result
from agon.transcript import Fault, format_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arbiter.limits import Limits
    from agon.arbiter.match import Match
    from agon.arbiter.series import Arena
    from agon.datastore.store import Store
    from agon.games.game import Game, Options
    from agon.ranker.pairing import Fixture, Schedule

VERDICTS = {
    None: Verdict.RULES,
    Fault.TIMEOUT: Verdict.TIMEOUT,
    Fault.CRASH: Verdict.CRASH,
    Fault.ILLEGAL: Verdict.ILLEGAL,
    Fault.PROTOCOL: Verdict.PROTOCOL,
    Fault.RESOURCE: Verdict.RESOURCE,
    Fault.NO_START: Verdict.NO_START,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tournament is: its game, bots and format. Two runs with the same plan are one."""

    name: str
    game: Game
    options: Options
    entrants: tuple[Entrant, ...]
    limits: Limits
    format: str
    rounds: int | None
    seed: int

    def settings(self) -> dict[str, Any]:
        """What is stored of it, to be compared when it is resumed."""
        return {
            "options": asdict(self.options),
            "bots": [entrant.name for entrant in self.entrants],
            "limits": asdict(self.limits),
            "rounds": self.rounds,
            "seed": self.seed,
        }


def enter_bot(store: Store, game: Game, entrant: Entrant, now_ns: int) -> int:
    """The id of the bot's version in the store, which is made if it is new."""
    program = entrant.program
    bot = store.bots.ensure(NewBot(game.name, entrant.name, now_ns, built_in=program is None))
    version = NewVersion(now_ns)
    if program is not None:
        version = NewVersion(
            now_ns,
            language=program.language,
            build=shlex.join(program.build),
            run=shlex.join(program.run),
            protocol=program.protocol or "",
        )
    return store.versions.ensure(bot.id, version).id


class Tournament:
    """A plan, its place in the store, and the results so far."""

    def __init__(self, store: Store, plan: Plan, now_ns: Callable[[], int]) -> None:
        """Begin a new tournament, or take up the one of that name; `now_ns` is the time of day.

        Raises SettingError if the stored one has other settings.
        """
        self.store = store
        self.plan = plan
        self._now_ns = now_ns
        ids = [enter_bot(store, plan.game, entrant, now_ns()) for entrant in plan.entrants]
        self._version = {
            entrant.name: version for entrant, version in zip(plan.entrants, ids, strict=True)
        }
        self._entrant = {entrant.name: entrant for entrant in plan.entrants}
        self.id = self._find_or_add(tuple(ids))
        self.results = self._load_results()
        self._rater = LiveRater()
        self._ratings = {
            version: LiveRating(rating.mu, rating.sigma)
            for version, rating in store.ratings.current(plan.game.name).items()
        }

    def _find_or_add(self, versions: tuple[int, ...]) -> int:
        plan, settings = self.plan, json.loads(json.dumps(self.plan.settings()))
        known = self.store.tournaments.find(plan.name)
        if known is None:
            new = NewTournament(
                plan.name,
                plan.game.name,
                plan.format,
                self._now_ns(),
                settings,
                versions,
                TournamentState.RUNNING,
            )
            return self.store.tournaments.add(new).id
        stored = {"game": known.game, "format": known.format, **known.settings}
        wanted = {"game": plan.game.name, "format": plan.format, **settings}
        for name, value in wanted.items():
            if stored.get(name) != value:
                raise SettingError(
                    f"tournament {plan.name!r} was begun with {name} {stored.get(name)},"
                    f" not {value}: expected the same, or another name"
                )
        return known.id

    def _load_results(self) -> list[Result]:
        names = {version: name for name, version in self._version.items()}
        wanted = ResultFilter(self.plan.game.name, tournament_id=self.id)
        return [
            Result(tuple(names[version] for version in row.versions), row.scores, row.seed)
            for row in self.store.results.stream(wanted)
        ]

    def run(
        self,
        schedule: Schedule,
        arena: Arena,
        jobs: int,
        on_result: Callable[[Result, Match], None] = lambda result, match: None,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """Play what the schedule has left, `jobs` matches at a time, until `goes_on` says no."""
        pool = ThreadPoolExecutor(jobs, thread_name_prefix="match")
        playing: dict[Future[tuple[Match, int, int]], Fixture] = {}
        try:
            while True:
                if goes_on():
                    self._fill(schedule, arena, jobs, pool, playing)
                if not playing:
                    break
                done, _ = wait(playing, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in done:
                    fixture = playing.pop(future)
                    on_result(*self._store(fixture, *future.result()))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        if not schedule.next(self.results):
            self.store.tournaments.set_state(self.id, TournamentState.FINISHED)

    def _fill(
        self,
        schedule: Schedule,
        arena: Arena,
        jobs: int,
        pool: ThreadPoolExecutor,
        playing: dict[Future[tuple[Match, int, int]], Fixture],
    ) -> None:
        if len(playing) >= jobs:
            return
        under_way = {(fixture.seed, fixture.seats) for fixture in playing.values()}
        for fixture in schedule.next(self.results):
            if len(playing) >= jobs:
                return
            if (fixture.seed, fixture.seats) not in under_way:
                playing[pool.submit(self._play, fixture, arena)] = fixture

    def _play(self, fixture: Fixture, arena: Arena) -> tuple[Match, int, int]:
        plan = self.plan
        entrants = tuple(self._entrant[name] for name in fixture.seats)
        series = Series(plan.game, plan.options, entrants, plan.limits, fixture.seed)
        begin = self._now_ns()
        return arena.play(series, 0), begin, self._now_ns()

    def _store(self, fixture: Fixture, match: Match, begin: int, end: int) -> tuple[Result, Match]:
        result = Result(fixture.seats, match.outcome.scores, fixture.seed)
        versions = [self._version[name] for name in fixture.seats]
        before = [self._ratings.get(version, LiveRating()) for version in versions]
        after = self._rater.update(result, before)
        seats = tuple(
            NewSeat(
                version,
                VERDICTS[match.faults[seat]],
                match.outcome.scores[seat],
                match.outcome.ranks[seat],
                match.thought_ns[seat],
                Rating(before[seat].mu, before[seat].sigma),
                Rating(after[seat].mu, after[seat].sigma),
            )
            for seat, version in enumerate(versions)
        )
        self.store.record_match(
            NewMatch(
                self.plan.game.name,
                self.plan.game.rules_version,
                asdict(self.plan.options),
                fixture.seed,
                seats,
                format_transcript(match.transcript).encode(),
                begin,
                end,
                match.turns,
                match.outcome.reason,
                lateness_ns=match.late_ns,
                tournament_id=self.id,
                fixture=f"{fixture.round}.{fixture.number}",
            )
        )
        self._ratings.update(zip(versions, after, strict=True))
        self.results.append(result)
        return result, match


def distinct_names(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants, of which no two have the same name: the second `bot` becomes `bot 2`."""
    seen: dict[str, int] = {}
    named = []
    for entrant in entrants:
        seen[entrant.name] = times = seen.get(entrant.name, 0) + 1
        named.append(entrant if times == 1 else replace(entrant, name=f"{entrant.name} {times}"))
    return tuple(named)


def stored_results(
    store: Store, game: Game, options: Mapping[str, Any] | None = None
) -> list[Result]:
    """All results of a game that count, by the names of the bots."""
    names = {
        version.id: f"{bot.name}@{version.number}" if version.number > 1 else bot.name
        for bot in store.bots.all(game.name)
        for version in store.versions.of_bot(bot.id)
    }
    wanted = ResultFilter(game.name, game.rules_version, options)
    return [
        Result(tuple(names[version] for version in row.versions), row.scores, row.seed)
        for row in store.results.stream(wanted)
    ]
