"""What the pages work with: the datastore, the matches under way, the time of day, the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002  FastAPI reads the annotation when it runs

from agon.website.accounts.guard import Guard
from agon.website.accounts.throttle import Throttle
from agon.website.contests.steward import Steward
from agon.website.curtain import Curtain
from agon.website.live import HiddenStage
from agon.website.places import Places
from agon.website.play.plays import Plays
from agon.website.play.settings import PlaySettings
from agon.website.shelf import Shelf
from agon.website.standings import Standings
from agon.website.streams import Broadcasts
from agon.website.workshop.limits import UploadLimits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agon.datastore.store import Store
    from agon.website.backstage.backstage import Backstage
    from agon.website.live import LiveMatch, Stage


@dataclass(frozen=True, slots=True)
class Settings:
    """What whoever runs the site may choose."""

    title: str = "Agon"
    data: Path | None = None
    """The folder for files that are no part of the datastore."""
    open_registration: bool = True
    """Whether anybody may make an account; else organisers make them."""
    secure_cookies: bool = False
    """Whether the site is reached over HTTPS alone."""
    largest_replay: int = 4 << 20
    """So many bytes of a transcript may be opened at /replay."""
    streams_each: int = 150
    """So many live boards may be open from one address: a class that shares one, four each."""
    streams_at_once: int = 4000
    """So many may be open altogether."""


@dataclass(frozen=True)
class Site:
    """One running website; `app.state.site`."""

    store: Store
    stage: Stage
    now_ns: Callable[[], int]
    """The time of day, in nanoseconds since 1970."""
    settings: Settings = field(default_factory=Settings)
    guard: Guard = field(default_factory=Guard)
    """How passwords are kept, how long sessions last, how often something may be tried."""
    shelf: Shelf = field(default_factory=Shelf)
    """Stored matches that were looked at last."""
    openings: Throttle = field(default_factory=lambda: Throttle(60, 60))
    """How often somebody may open a file of their own at /replay."""
    challenges: Throttle = field(default_factory=lambda: Throttle(60, 3600))
    """How often somebody may ask for a match."""
    backstage: Backstage | None = None
    """Who checks bots and plays matches; None: nobody does, what is asked for waits."""
    uploads: UploadLimits = field(default_factory=UploadLimits)
    """How much of what may be uploaded."""
    play: PlaySettings = field(default_factory=PlaySettings)
    """How long people and bots may think, and how many may play at once."""

    @cached_property
    def places(self) -> Places:
        """Who watches how much at once."""
        return Places(self.settings.streams_each, self.settings.streams_at_once)

    @cached_property
    def broadcasts(self) -> Broadcasts:
        """The matches under way, for spectators."""
        return Broadcasts(self.stage)

    @cached_property
    def plays(self) -> Plays:
        """The matches with people in them."""
        garage = None if self.backstage is None else self.backstage.garage
        return Plays(self.store, self.stage, self.now_ns, garage, settings=self.play)

    @cached_property
    def contests(self) -> Steward | None:
        """Who has the contests played; None: nobody does."""
        if self.backstage is None:
            return None
        stage = HiddenStage(self.stage, self.curtain.hides)
        return Steward(self.store, stage, self.backstage.garage, self.now_ns)

    @cached_property
    def curtain(self) -> Curtain:
        """Which matches of contests are not for everybody."""

        def live(contest_id: int) -> list[LiveMatch]:
            return [] if self.contests is None else self.contests.live(contest_id)

        return Curtain(self.store, self.now_ns, live)

    @cached_property
    def standings(self) -> Standings:
        """The official tables."""
        return Standings(self.store, self.now_ns)


def get_site(request: Request) -> Site:
    """The site that a request is for; a dependency of routes."""
    site: Site = request.app.state.site
    return site
