"""Contests on a site of the tests: quick ones of small matches, and what it takes to enter them."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.arena.contests.standing import load_standing
from agon.arena.contests.terms import Seeding, Terms
from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import (
    ContestState,
    MatchFilter,
    NewBot,
    NewFile,
    NewVersion,
    VersionStatus,
)
from agon.ranker.formats import Format
from agon.website.contests.contest_actions import add_contest, change_state, publish
from agon.website.contests.entering import enter
from agon.website.contests.proposal import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.contests.scheduler import ContestScheduler
    from agon.arena.contests.standing import ContestStanding
    from agon.arena.live_matches import LiveMatch, Signal
    from agon.datastore import Contest, Store, StoredMatch, User
    from agon.website.site import Site
    from tests.website.people import World

GAME = "mebipenny"
SECOND = 10**9
LONG_S = 120
QUICK = Terms(turn_ns=60 * SECOND, turns=8, pace_ns=0, seeding=Seeding.ENTRY)
"""No bot is late however busy this machine is, and no match takes long."""
SMALL = {"rows": "5", "cols": "5"}


def make_proposal(name: str = "Cup", **changes: Any) -> Proposal:
    """A contest of a few small matches; terms by their names, all else as in a proposal."""
    terms = {key: changes.pop(key) for key in list(changes) if hasattr(QUICK, key)}
    return replace(Proposal(name, GAME, terms=replace(QUICK, **terms), options=SMALL), **changes)


class PacedLiveMatches(LiveMatches):
    """Matches here do not go on beyond their first position until they may."""

    def __init__(self) -> None:
        """It is up: all matches go on."""
        super().__init__()
        self._is_up = True
        self._allowed = 0
        self._change = threading.Condition()

    def drop(self) -> None:
        """From now on no match goes on."""
        self._is_up = False

    def allow(self, matches: int) -> None:
        """So many more may go on."""
        with self._change:
            self._allowed += matches
            self._change.notify_all()

    def lift(self) -> None:
        """From now on all matches go on."""
        with self._change:
            self._is_up = True
            self._change.notify_all()

    def begin(self, *args: Any, **settings: Any) -> LiveMatch:
        match = super().begin(*args, **settings)
        with self._change:
            self._change.wait_for(lambda: self._is_up or self._allowed > 0, LONG_S)
            self._allowed -= 1
        return match


@dataclass
class Hosting:
    """A site, and what users and organisers of contests do on it."""

    world: World

    @property
    def site(self) -> Site:
        return self.world.site

    @property
    def store(self) -> Store:
        return self.world.store

    @property
    def paced_matches(self) -> PacedLiveMatches:
        assert isinstance(self.site.live_matches, PacedLiveMatches)
        return self.site.live_matches

    @property
    def scheduler(self) -> ContestScheduler:
        assert self.site.contests
        return self.site.contests

    def staff(self) -> None:
        """The site gets a contest scheduler that is not started."""
        world, live_matches = self.world, PacedLiveMatches()
        settings = WorkerSettings(ladder=(), examples=())
        workers = Workers(world.store, live_matches, world.clock, settings)
        world.site = replace(world.site, live_matches=live_matches, workers=workers)
        world.app.state.site = world.site

    def restart(self) -> None:
        """The site starts, or starts anew."""
        self.staff()
        self.scheduler.start()

    def stop(self) -> None:
        """The site ends in order."""
        self.scheduler.stop()
        assert self.site.workers
        self.site.workers.processes.close()
        self.site.workers.bot_builds.close()

    @property
    def olga(self) -> User:
        """The organiser."""
        return self.user("olga")

    def user(self, name: str) -> User:
        user = self.store.users.find(name)
        assert user
        return user

    def built_in(self, name: str, game: str = GAME) -> int:
        """The version of a built-in bot."""
        bot = self.store.bots.find(game, name, built_in=True)
        assert bot
        return self.store.versions.of_bot(bot.id)[0].id

    def add_bot(
        self,
        owner: str,
        name: str = "crawler",
        status: VersionStatus = VersionStatus.ACTIVE,
        game: str = GAME,
        run: str = "false",
        build: str = "",
    ) -> int:
        """A new version of a user's bot, which is a program; its id."""
        new = NewBot(game, name, self.world.clock(), owner_id=self.user(owner).id)
        bot = self.store.bots.ensure(new)
        toml = f'name = "{name}"\nrun = "{run}"\nbuild = "{build}"\n'
        files = {"bot.toml": NewFile(toml.encode())}
        version = NewVersion(self.world.clock(), run=run, build=build, files=files, status=status)
        return self.store.versions.add(bot.id, version).id

    def contest(
        self, state: ContestState = ContestState.DRAFT, name: str = "Cup", **changes: Any
    ) -> Contest:
        """A published contest of olga's: a draft, open or closed."""
        contest = add_contest(self.site, self.olga, make_proposal(name, **changes))
        publish(self.site, self.olga, contest, True)
        for following in (ContestState.OPEN, ContestState.CLOSED):
            if self.state(contest) is not state:
                change_state(self.site, self.olga, self.now(contest), following)
        return self.now(contest)

    def begin(
        self, versions: Sequence[int], kind: Format = Format.ROUND_ROBIN, **changes: Any
    ) -> Contest:
        """A contest of these versions, entered by their owners, that is to be played now."""
        contest = self.contest(ContestState.OPEN, format=kind, **changes)
        for version_id in versions:
            bot = self.store.bots.get(self.store.versions.get(version_id).bot_id)
            owner = self.olga if bot.owner_id is None else self.store.users.get(bot.owner_id)
            self.world.clock.pass_s(1)
            enter(self.site, contest, owner, version_id)
        change_state(self.site, self.olga, contest, ContestState.CLOSED)
        return change_state(self.site, self.olga, self.now(contest), ContestState.RUNNING)

    def played(self, contest: Contest) -> list[StoredMatch]:
        """The contest's stored matches, in their order."""
        tournament_id = self.now(contest).tournament_id
        if tournament_id is None:
            return []
        return self.store.matches.in_order(MatchFilter(tournament_id=tournament_id))

    def standing(self, contest: Contest) -> ContestStanding:
        """How the contest stands."""
        standing = load_standing(self.store, self.now(contest))
        assert standing
        return standing

    def hold_after(self, contest: Contest, matches: int) -> None:
        """Let so many matches be played; the next one begins and does not go on."""
        self.paced_matches.allow(matches)
        self.wait_until(
            self.paced_matches.signal,
            lambda: len(self.played(contest)) == matches and bool(self.paced_matches.running()),
        )

    def wait_for_live(self, matches: int) -> None:
        """Wait until so many matches are under way."""
        self.wait_until(
            self.paced_matches.signal, lambda: len(self.paced_matches.running()) == matches
        )

    def wait_for_shown(self, contest: Contest) -> None:
        """Wait until the contest scheduler knows of a live match."""
        self.wait_until(
            self.paced_matches.running()[0].signal, lambda: bool(self.scheduler.live(contest.id))
        )

    def stop_there(self, contest: Contest, state: ContestState) -> Contest:
        """Bring a contest that is held to that state, and wait until nothing is played."""
        change_state(self.site, self.olga, self.now(contest), state)
        self.scheduler.look()  # what the bell would have it do in a moment
        self.paced_matches.lift()
        self.wait_until(self.scheduler.signal, lambda: not self.scheduler.is_playing(contest.id))
        return self.now(contest)

    def now(self, contest: Contest) -> Contest:
        """The contest as it is stored."""
        return self.store.contests.get(contest.id)

    def state(self, contest: Contest) -> ContestState:
        return self.now(contest).state

    def wait_for(self, contest: Contest, state: ContestState = ContestState.FINISHED) -> Contest:
        """The contest when the contest scheduler has brought it there."""
        self.wait_until(self.scheduler.signal, lambda: self.state(contest) is state)
        return self.now(contest)

    def wait_until(self, signal: Signal, is_there: Callable[[], bool]) -> None:
        """Wait until something is so; the signal is raised after each change."""

        async def wait() -> None:
            async with asyncio.timeout(LONG_S):
                while True:
                    seen = signal.value
                    if is_there():
                        return
                    await signal.beyond(seen)

        self.world.portal.call(wait)
