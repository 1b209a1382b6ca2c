"""How matches are played on a site, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from agon.arbiter.limits import Limits
from agon.games.registry import game_names
from agon.simulate.threads import available_cores

MILLISECOND = 10**6
SECOND = 1000 * MILLISECOND


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What the site's operator may choose; all times are whole nanoseconds."""

    turn_ns: int = 200 * MILLISECOND
    """Time per turn. It is short: many matches share the machine with the pages."""
    bank_ns: int = 2 * SECOND
    """Time beyond that, once for a whole match."""
    turns: int = 400
    """Turns after which a match ends without a winner."""
    pace_ns: int = 500 * MILLISECOND
    """From one position to the next on the ladder, so that people can follow; 0: at once."""
    challenge_pace_ns: int = 200 * MILLISECOND
    """The same for challenges, whose authors wait for them."""
    ladder: tuple[str, ...] = game_names()
    """The games that are played on and on."""
    examples: tuple[str, ...] = ("python", "javascript", "c")
    """The languages whose starter bots play on the ladder as examples."""
    match_jobs: int = field(default_factory=available_cores)
    """How many matches are played at a time; more are shown, as people watch more slowly."""
    check_jobs: int = 1
    challenge_jobs: int = 1
    """How many bots are checked, and challenges played, at a time."""
    unsafe_host: bool = False
    """Whether programs are run without a sandbox: only for trusted ones."""

    cluster: str = ""
    """The address of the cluster that plays the matches; without one, this machine does."""

    @property
    def limits(self) -> Limits:
        return Limits(self.turn_ns, self.bank_ns, turns=self.turns)
