"""How matches are played on a site, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from agon.arbiter.limits import Limits
from agon.games.registry import game_names
from agon.simulate.threads import available_cores

MILLISECOND = 10**6
SECOND = 1000 * MILLISECOND
MOST_LADDER_THREADS = 64


def spare_cores() -> int:
    """The cores of this machine without one for pages, checks and requested matches."""
    return max(1, available_cores() - 1)


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
    """From one position to the next of the ladder's matches that are shown; 0: at once."""
    challenge_pace_ns: int = 200 * MILLISECOND
    """The same for challenges, whose authors wait for them."""
    ladder: tuple[str, ...] = game_names()
    """The games that are played on and on."""
    examples: tuple[str, ...] = ("python", "javascript", "c")
    """The languages whose starter bots play on the ladder as examples."""
    match_jobs: int = field(default_factory=available_cores)
    """How many matches are played at a time."""
    ladder_jobs: int = field(default_factory=spare_cores)
    """How many of them may be of the ladder; 0, on a cluster: one for each core but one."""
    check_jobs: int = 1
    challenge_jobs: int = 1
    """How many bots are checked, and challenges played, at a time."""
    unsafe_host: bool = False
    """Whether programs are run without a sandbox: only for trusted ones."""
    cluster: str = ""
    """The address of the cluster that plays the matches; without one, this machine does."""

    @property
    def ladder_threads(self) -> int:
        """How many matches of the ladder this process can wait for at a time."""
        return self.ladder_jobs or MOST_LADDER_THREADS

    @property
    def fleet_size(self) -> int:
        """Processes for matches and checks: the ladder leaves one to challenges and contests."""
        matches = max(self.match_jobs, self.ladder_jobs + 1) if self.ladder else self.match_jobs
        return matches + self.check_jobs

    @property
    def limits(self) -> Limits:
        return Limits(self.turn_ns, self.bank_ns, turns=self.turns)
