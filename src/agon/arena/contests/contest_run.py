"""One contest under way: a thread that plays its tournament until the end, or until it is stopped.

Stored matches count. A match that was abandoned is played again by the next run, after a pause or a
crash.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from agon.arbiter.entrant import Entrant
from agon.arbiter.pool import StoppedError
from agon.arena.bot_builds import UnbuiltError
from agon.arena.contests.lineup import is_gone, load_lineup, tournament_name
from agon.arena.contests.matches import ContestMatches
from agon.arena.contests.terms import load_terms
from agon.arena.fleet.carry_out import find_among
from agon.arena.fleet.fleet import FleetMatches
from agon.arena.fleet.jobs import job_options
from agon.arena.rules_loader import await_rules
from agon.arena.tournament import Plan, TournamentRun
from agon.datastore.enums import ContestState, TournamentState
from agon.datastore.matches import MatchFilter
from agon.errors import AgonError, DatabaseError, DatastoreError, SettingError
from agon.games.bot import Budget
from agon.games.registry import find_game
from agon.ranker.formats import Format, new_schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.bot_builds import BotBuilds
    from agon.arena.contests.lineup import LineupPlace
    from agon.arena.fleet.fleet import Fleet
    from agon.arena.fleet.jobs import PlayedMatch
    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store
    from agon.ranker.result import Result

LOG = logging.getLogger("agon.arena")
OUR_FAULT = "Something went wrong on our side. It has been noted."


@dataclass(frozen=True, slots=True)
class ContestContext:
    """What contests are played with."""

    store: Store
    live_matches: LiveMatches
    bot_builds: BotBuilds
    fleet: Fleet
    clock: Callable[[], int]
    now_ns: Callable[[], int]


class ContestRun:
    """Start it once; it ends by itself, or soon after `stop`."""

    def __init__(
        self, contest: Contest, context: ContestContext, on_end: Callable[[ContestRun], None]
    ) -> None:
        """`on_end` is told from the run's own thread."""
        self.contest = contest
        self.trouble = ""
        """Why the contest had to be paused, for its organiser."""
        self._context = context
        self._on_end = on_end
        self._stopping = threading.Event()
        self._draining = threading.Event()
        self._matches: ContestMatches | None = None
        self._tournament: TournamentRun | None = None
        self._thread = threading.Thread(target=self._run, name=f"contest {contest.id}", daemon=True)

    def start(self) -> None:
        """Begin, or go on."""
        self._thread.start()

    def drain(self) -> None:
        """Begin no more matches: it ends with those under way."""
        self._draining.set()

    def stop(self) -> None:
        """Give up the matches under way."""
        self._stopping.set()
        self._draining.set()
        if self._matches is not None:
            self._matches.stop()

    def give_up_gone(self) -> None:
        """Have the matches under way of bots that have left played again without them."""
        if self._matches is not None:
            self._matches.give_up_gone()

    def join(self, seconds: float) -> bool:
        """Wait for its end, but not longer than that; whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def waits_for(self) -> str:
        """Why no match is played now, for its organiser; empty if some are."""
        return "" if self._tournament is None else self._tournament.waits_for

    def live(self) -> list[LiveMatch]:
        return [] if self._matches is None else self._matches.live()

    def _run(self) -> None:
        try:
            self._play()
        except StoppedError:
            pass
        except DatabaseError as error:  # the scheduler begins it again
            LOG.warning("contest %s waits: %s", self.contest.id, error)
        except AgonError as error:
            if not self._stopping.is_set():
                self._pause(error.whole if isinstance(error, UnbuiltError) else str(error))
        except Exception:  # whatever it is, the organiser must see that nothing is played
            LOG.exception("contest %s failed", self.contest.id)
            self._pause(OUR_FAULT)
        finally:
            if self._matches is not None:
                self._matches.clear()
            self._on_end(self)

    def _pause(self, reason: str) -> None:
        LOG.warning("contest %s is paused: %s", self.contest.id, reason)
        self.trouble = reason
        with suppress(DatabaseError, DatastoreError):  # its organiser was quicker, or it goes on
            self._context.store.contests.set_state(self.contest.id, ContestState.PAUSED)

    def _play(self) -> None:
        contest, store = self.contest, self._context.store
        await_rules(find_game(contest.game))
        terms, lineup = load_terms(contest.settings), load_lineup(store, contest)
        plan = self._plan(lineup)
        names = [place.name for place in lineup]
        kind = Format(contest.format)
        schedule = new_schedule(kind, names, terms.seed, terms.seats, terms.rounds)
        versions = {place.name: place.version_id for place in lineup}
        self._tournament = tournament = TournamentRun(store, plan, self._context.now_ns, versions)
        store.contests.set_tournament(contest.id, tournament.id)
        self._matches = matches = self._open_matches(plan, versions)
        on_result = partial(self._show_end, matches, tournament.id)
        tournament.run(
            schedule,
            matches,
            lambda: terms.jobs,
            on_result,
            goes_on=lambda: not self._stopping.is_set(),
            begins=lambda: not self._draining.is_set(),
        )
        if store.tournaments.get(tournament.id).state is TournamentState.FINISHED:
            with suppress(DatastoreError):  # its organiser was quicker
                store.contests.set_state(contest.id, ContestState.FINISHED)

    def _plan(self, lineup: tuple[LineupPlace, ...]) -> Plan:
        contest, terms = self.contest, load_terms(self.contest.settings)
        game = find_game(contest.game)
        options = job_options(game, contest.options)
        entrants = tuple(self._make_ready(place) for place in lineup)
        position = game.start(options, terms.seed, terms.seats)
        for name in {entrant.built_in for entrant in entrants} - {""}:  # compiled before clocks run
            game.bot(name, 0).choose(position, position.to_act[0], Budget(depth=1))
        return Plan(
            tournament_name(contest),
            game,
            options,
            entrants,
            terms.limits,
            contest.format,
            terms.rounds,
            terms.seed,
            terms.seats,
        )

    def _make_ready(self, place: LineupPlace) -> Entrant:
        """The bot, built. If it cannot be built, the contest pauses and the organiser decides."""
        if self._draining.is_set():
            raise StoppedError("the contest was stopped")
        if is_gone(self._context.store, place.version_id):
            return Entrant(place.name)
        builds = self._context.bot_builds
        entrant = builds.entrant(place.version_id)
        if entrant.program is None or builds.plays_elsewhere:  # there its matches wait for machines
            return replace(entrant, name=place.name)
        if obstacle := builds.obstacle():
            raise SettingError(f"{place.name} cannot play: {obstacle}")
        return replace(entrant, name=place.name)

    def _open_matches(self, plan: Plan, versions: dict[str, int]) -> ContestMatches:
        context = self._context
        return ContestMatches(
            runner=FleetMatches(context.fleet, find_among(plan.entrants)),
            game=plan.game,
            live_matches=context.live_matches,
            clock=context.clock,
            now_ns=context.now_ns,
            pace_ns=load_terms(self.contest.settings).pace_ns,
            hurrying=self._draining,
            is_gone=lambda name: is_gone(context.store, versions[name]),
        )

    def _show_end(
        self, matches: ContestMatches, tournament_id: int, result: Result, match: PlayedMatch
    ) -> None:
        """The match has just been stored, by this thread: it is the tournament's latest."""
        wanted = MatchFilter(tournament_id=tournament_id)
        matches.end(result, self._context.store.matches.find(wanted, 1)[0].id)
