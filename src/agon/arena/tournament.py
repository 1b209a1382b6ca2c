"""Run a schedule: play its matches side by side, store each as it ends, resume from what is stored.

Everything that is needed to go on is in the datastore: the tournament's settings and its finished
matches. A process that is killed loses the matches under way and nothing else.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.arbiter.series import LateError
from agon.arena.bot_versions import enter_bot
from agon.arena.fleet.jobs import JobPlayer, PlayMatch
from agon.arena.match_record import stored_form
from agon.arena.match_threads import MatchThreads
from agon.arena.official_table import counted_results
from agon.arena.version_names import version_titles
from agon.datastore.enums import TournamentState
from agon.datastore.matches import MatchFilter, Rating
from agon.datastore.results import ResultFilter
from agon.datastore.tournaments import NewTournament
from agon.errors import NoMachineError, SettingError
from agon.match.transcript import Fault
from agon.ranker.live_ratings import LiveRater, LiveRating
from agon.ranker.pairing import Fixture
from agon.ranker.result import Result, count_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arbiter.limits import Limits
    from agon.arena.fleet.carry_out import PlaysMatches
    from agon.arena.fleet.jobs import PlayedMatch
    from agon.datastore.record import RatingChange
    from agon.datastore.store import Store
    from agon.games.game import Game, Options
    from agon.ranker.pairing import Schedule
    from agon.ranker.result import Counted

LOG = logging.getLogger("agon.arena")
Unplayed: TypeAlias = LateError | NoMachineError
"""Why a match has to be played again."""
MOST_LATE = 20
"""The tournament gives up if this machine is too late for this many matches in a row."""


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
    seats: int = 2

    def settings(self) -> dict[str, Any]:
        """What is stored of it, to be compared when it is resumed."""
        return {
            "options": asdict(self.options),
            "bots": [entrant.name for entrant in self.entrants],
            "limits": asdict(self.limits),
            "rounds": self.rounds,
            "seed": self.seed,
            "seats": self.seats,
        }


@dataclass(frozen=True, slots=True)
class PlayedFixture:
    """A match of a tournament, and when it was."""

    match: PlayedMatch
    begin_ns: int
    end_ns: int


class TournamentRun:
    """A plan, its place in the store, and the results so far."""

    def __init__(
        self,
        store: Store,
        plan: Plan,
        now_ns: Callable[[], int],
        versions: Mapping[str, int] | None = None,
    ) -> None:
        """Begin a new tournament, or take up the one of that name; `now_ns` is the time of day.

        `versions` is what `enter_bots` gave; without it, the entrants enter under their names.
        Raises SettingError if the stored one has other settings.
        """
        self.store = store
        self.plan = plan
        self._now_ns = now_ns
        self._version = (
            {one.name: enter_bot(store, plan.game, one, now_ns()) for one in plan.entrants}
            if versions is None
            else {entrant.name: versions[entrant.name] for entrant in plan.entrants}
        )
        self._player = {
            one.name: JobPlayer(
                one.name, one.built_in, store.versions.get(self._version[one.name]).fingerprint
            )
            for one in plan.entrants
        }
        self.id = self._find_or_add(tuple(self._version.values()))
        self.results = self._load_results()
        self._rater = LiveRater()
        self._late = 0
        self.waits_for = ""
        """Why no match is played now; empty if some are."""

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
        stored = {"game": known.game, "format": known.format, "seats": 2, **known.settings}
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
        runner: PlaysMatches,
        room: Callable[[], int],
        on_result: Callable[[Result, PlayedMatch], None] = lambda result, match: None,
        goes_on: Callable[[], bool] = lambda: True,
        begins: Callable[[], bool] = lambda: True,
    ) -> None:
        """Play what the schedule has left until `goes_on` says no; `room` matches at a time.

        Then matches under way are given up; those that have ended are stored. When `begins` says
        no, matches under way are played to their end, and no others.
        """
        self._set_state(TournamentState.RUNNING)
        queue: deque[Fixture] = deque()
        with MatchThreads[Fixture, PlayedFixture | Unplayed](room, runner) as workers:
            while goes_on() and not workers.is_stopped:
                if begins():
                    self._fill(schedule, runner, workers, queue)
                if not workers.playing:
                    break
                for fixture, played in workers.finished():
                    self._take(fixture, played, on_result)
            for fixture, played in workers.give_up():
                self._take(fixture, played, on_result)
        is_over = not schedule.next(self.results)
        self._set_state(TournamentState.FINISHED if is_over else TournamentState.PAUSED)

    def faults(self, most: int) -> list[tuple[int, str, str]]:
        """The latest matches in which a bot failed: the match's id, the bot, and how it failed."""
        names = {version: name for name, version in self._version.items()}
        found = []
        for fault in Fault:
            wanted = MatchFilter(tournament_id=self.id, fault=fault)
            for match in self.store.matches.find(wanted, limit=most):
                found += [
                    (match.id, names[seat.version_id], fault.value)
                    for seat in match.seats
                    if seat.fault is fault
                ]
        return sorted(found, reverse=True)[:most]

    def _set_state(self, state: TournamentState) -> None:
        self.store.tournaments.set_state(self.id, state)

    def _fill(
        self,
        schedule: Schedule,
        runner: PlaysMatches,
        workers: MatchThreads[Fixture, PlayedFixture | Unplayed],
        queue: deque[Fixture],
    ) -> None:
        """Give work to all workers; the schedule is asked again when the queue is empty."""
        while workers.free:
            if not queue:
                under_way = set(workers.playing)
                queue += (f for f in schedule.next(self.results) if f not in under_way)
            if not queue:
                return
            fixture = queue.popleft()
            workers.start(fixture, partial(self._play, fixture, runner))

    def _take(
        self,
        fixture: Fixture,
        played: PlayedFixture | Unplayed,
        on_result: Callable[[Result, PlayedMatch], None],
    ) -> None:
        """Store a match, or have it played again.

        That is tried a few times if this machine was too late for it, and on and on if no machine
        can play it: the cluster has waited for one then.
        """
        if isinstance(played, NoMachineError):
            if not self.waits_for:
                LOG.warning("%s waits: %s", self.plan.name, played)
            self.waits_for = str(played)
            return
        if isinstance(played, LateError):
            self._late += 1
            if self._late >= MOST_LATE:
                raise played
            return
        self._late, self.waits_for = 0, ""
        on_result(self._store(fixture, played), played.match)

    def _job(self, fixture: Fixture) -> PlayMatch:
        plan = self.plan
        return PlayMatch(
            f"{plan.name} {fixture.round}.{fixture.number}",
            plan.game.name,
            plan.game.rules_version,
            asdict(plan.options),
            fixture.seed,
            tuple(self._player[name] for name in fixture.seats),
            plan.limits,
        )

    def _play(self, fixture: Fixture, runner: PlaysMatches) -> PlayedFixture | Unplayed:
        begin = self._now_ns()
        try:
            return PlayedFixture(runner.play(self._job(fixture)), begin, self._now_ns())
        except (LateError, NoMachineError) as error:
            return error

    def _store(self, fixture: Fixture, played: PlayedFixture) -> Result:
        """Store a match together with the ratings that follow from it, all or nothing."""
        match = played.match
        result = Result(fixture.seats, match.scores, fixture.seed)
        new = stored_form(
            match,
            [self._version[name] for name in fixture.seats],
            played.begin_ns,
            played.end_ns,
            tournament_id=self.id,
            fixture=f"{fixture.round}.{fixture.number}",
        )
        self.store.record_rated_match(new, partial(self._rate, result))
        self.results.append(result)
        return result

    def _rate(self, result: Result, last: Sequence[Rating | None]) -> list[RatingChange]:
        """What a match does to the ratings of its seats; a new bot has none yet."""
        before = [LiveRating() if one is None else LiveRating(one.mu, one.sigma) for one in last]
        after = self._rater.update(result, before)
        return [
            (Rating(one.mu, one.sigma), Rating(two.mu, two.sigma))
            for one, two in zip(before, after, strict=True)
        ]


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
    """All results of a game that count, by the titles of the bots' versions."""
    rows = list(store.results.stream(ResultFilter(game.name, game.rules_version, options)))
    names = version_titles(store, game.name)  # after them: it has all who played
    return [
        Result(tuple(names[version] for version in row.versions), row.scores, row.seed)
        for row in rows
    ]


def stored_counts(store: Store, game: Game, options: Mapping[str, Any] | None = None) -> Counted:
    """What a game's official table is made of, by titles; with these options alone, if given."""
    if options is not None:
        return count_results(stored_results(store, game, options))
    counts = store.result_counts.find(game.name)
    names = version_titles(store, game.name)  # after them: it has all who played
    return counted_results(counts, game.rules_version, names.__getitem__)
