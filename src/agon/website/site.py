"""What the pages work with: the datastore, the matches under way, the time of day, the settings."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock
from typing import TYPE_CHECKING, TypeVar

from fastapi import Request  # noqa: TC002  FastAPI reads the annotation when it runs

from agon.arena.contests.scheduler import ContestScheduler
from agon.arena.live_matches import HiddenLiveMatches
from agon.arena.people.plays import Plays
from agon.arena.people.settings import PlaySettings
from agon.arena.rate_limit import RateLimit
from agon.datastore.retry import Retry
from agon.errors import NotReadyError
from agon.games.registry import find_game
from agon.website.accounts.policy import AccountPolicy
from agon.website.page_cache import PageCache
from agon.website.recent_warnings import RecentWarnings
from agon.website.stream_limit import StreamLimit
from agon.website.traffic import Traffic
from agon.website.upload_limits import UploadLimits
from agon.website.visibility import Visibility

if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Network, IPv6Network

    from agon.arena.live_matches import LiveMatch, LiveMatches
    from agon.arena.rules_loader import RulesLoader
    from agon.arena.workers import Workers
    from agon.datastore.enums import AuditAction
    from agon.datastore.store import Store
    from agon.datastore.users import User
    from agon.servers.practice_bots import Fill
    from agon.website.downloads import Downloads

T = TypeVar("T")
LOG = logging.getLogger("agon.website")


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What the operator of the site may choose."""

    title: str = "Agon"
    open_registration: bool = True
    """Whether visitors may make an account; else organisers make them."""
    secure_cookies: bool = False
    """Whether the site is reached over HTTPS alone."""
    largest_replay: int = 4 << 20
    """Maximum size of a transcript that is opened at /replay, in bytes."""
    streams_each: int = 150
    """Maximum number of live boards from one address: a class that shares one, four each."""
    streams_at_once: int = 4000
    """Maximum number of live boards in all."""
    downloads: Downloads | None = None
    """Agon's own wheel and source, for contestants; None: pages say how to install from source."""
    host_names: frozenset[str] | None = None
    """The names by which the site is reached, besides its machine's addresses; None: all names."""
    fill: Fill | None = None
    """What plays against a client of a game's own server that is alone; None: the client waits."""
    metrics_from: tuple[IPv4Network | IPv6Network, ...] = ()
    """Who may read /metrics besides this machine itself."""
    drain_ns: int = 0
    """How long matches under way may take to end when the site is asked to stop."""


@dataclass(frozen=True)
class Site:
    """One running website; `app.state.site`."""

    store: Store
    live_matches: LiveMatches
    now_ns: Callable[[], int]
    """The time of day, in nanoseconds since 1970."""
    settings: SiteSettings = field(default_factory=SiteSettings)
    guard: AccountPolicy = field(default_factory=AccountPolicy)
    """How passwords are kept, how long sessions last, how often something may be tried."""
    pages: PageCache = field(default_factory=PageCache)
    """Public pages that were made within the last two seconds."""
    openings: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """How often a visitor may open a file of their own at /replay."""
    challenges: RateLimit = field(default_factory=lambda: RateLimit(60, 3600))
    """How often a user may ask for a match."""
    workers: Workers | None = None
    """Checks bots and plays matches; None: checks and matches stay in the queue."""
    rules: RulesLoader | None = None
    """Makes the games ready while pages are answered; None: rules are compiled as they are used."""
    uploads: UploadLimits = field(default_factory=UploadLimits)
    """How much of what may be uploaded."""
    retry: Retry = field(default_factory=lambda: Retry(LOG.warning))
    """For work that would lose a match if the datastore does not answer."""
    warnings: RecentWarnings = field(default_factory=RecentWarnings)
    """What went wrong lately, for organisers."""
    traffic: Traffic = field(default_factory=Traffic)
    draining: Event = field(default_factory=Event)
    """Set: no match begins any more."""
    play: PlaySettings = field(default_factory=PlaySettings)
    """How long people and bots may think, and how many may play at once."""
    _parts: dict[type, object] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    @cached_property
    def places(self) -> StreamLimit:
        """Who watches how much at once."""
        return StreamLimit(self.settings.streams_each, self.settings.streams_at_once)

    @cached_property
    def plays(self) -> Plays:
        bot_builds = None if self.workers is None else self.workers.bot_builds
        return Plays(
            self.store,
            self.live_matches,
            self.now_ns,
            bot_builds,
            settings=self.play,
            retry=self.retry,
        )

    @cached_property
    def contests(self) -> ContestScheduler | None:
        """Plays the contests; None: no contest is played."""
        if self.workers is None:
            return None
        live_matches = HiddenLiveMatches(self.live_matches, self.visibility.hides)
        store = self.store.retrying(self.retry)
        return ContestScheduler(
            store, live_matches, self.workers.bot_builds, self.workers.fleet, self.now_ns
        )

    @cached_property
    def visibility(self) -> Visibility:
        """Which matches of contests are not public."""

        def live(contest_id: int) -> list[LiveMatch]:
            return [] if self.contests is None else self.contests.live(contest_id)

        return Visibility(self.store, self.now_ns, live)

    def note(
        self, user: User, action: AuditAction, target: str, target_id: int, detail: str = ""
    ) -> None:
        """Write into the audit log what an organiser has done."""
        self.store.audit_log.add(user.id, action, target, target_id, self.now_ns(), detail)

    def share_limits(self) -> None:
        """Count attempts for all servers together; requests to the API are too many for that."""
        guard = self.guard
        for name, limit in {
            "log in by address": guard.log_in_by_address,
            "log in by account": guard.log_in_by_account,
            "register": guard.register,
            "upload": guard.upload,
            "own data": guard.own_data,
            "open a file": self.openings,
            "challenge": self.challenges,
            "play": self.plays.throttle,
        }.items():
            limit.share(self.store.attempts, name)

    def take_over(self) -> None:
        """Take up what servers that are gone have left."""
        if self.workers is not None:
            self.workers.take_over()
        if self.contests is not None:
            self.contests.ring()
        self.plays.restore()

    def rejoin(self) -> None:
        """This server was taken for gone: let go of what another one has taken up."""
        self.plays.rejoin()
        if self.contests is not None:
            self.contests.ring()
        if self.live_matches.journal is not None:
            self.live_matches.journal.write_anew()

    @property
    def progress(self) -> str:
        """How far the games are made ready; empty: all can be played."""
        if self.rules is None or (self.rules.is_done and self.plays.is_restored):
            return ""
        return self.rules.progress

    async def until_ready(self, *games: str) -> None:
        """Wait until the rules of these games are ready, or of all that are to be loaded."""
        if self.rules is None:
            return
        for ready in [self.rules.want(find_game(name)) for name in games or self.rules.ready]:
            await asyncio.shield(asyncio.wrap_future(ready))

    def loads(self, game: str) -> bool:
        """Whether the rules of a game are loaded, or will be without being asked for."""
        return self.rules is None or game in self.rules.ready

    def part(self, kind: type[T], make: Callable[[], T]) -> T:
        """The only one of its kind on this site, made by the first who asks: a feature's own."""
        with self._lock:
            found = self._parts.get(kind)
            if not isinstance(found, kind):
                found = self._parts[kind] = make()
            return found


def require_rules(request: Request) -> None:
    """Raise NotReadyError unless all games are ready; a dependency of routes."""
    if progress := get_site(request).progress:
        raise NotReadyError(progress)


def get_site(request: Request) -> Site:
    """The site that a request is for; a dependency of routes."""
    site: Site = request.app.state.site
    return site
