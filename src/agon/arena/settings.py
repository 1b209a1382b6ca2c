"""How matches are played on a site, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from agon.arbiter.limits import Limits
from agon.games.registry import game_names
from agon.simulate.threads import available_cores

MILLISECOND = 10**6
SECOND = 1000 * MILLISECOND
MOST_THREADS = 1000
"""How many matches of a kind a server waits for, each in a thread. It stores and plans fewer: about
90 a second, which is 900 at a time if each takes 10 s."""


def spare_cores() -> int:
    """The cores of this machine without one for pages, checks and requested matches."""
    return max(1, available_cores() - 1)


def ladder_share(cores: int, servers: int) -> int:
    """How many matches of the ladder each of these servers plays on a cluster: all but one core.

    >>> ladder_share(16, 1), ladder_share(16, 2), ladder_share(1, 2), ladder_share(4000, 1)
    (15, 7, 1, 1000)
    """
    return min(MOST_THREADS, max(1, (cores - 1) // max(1, servers)))


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
    """How many of them may be of the ladder; 0, on a cluster: this server's share of its cores."""
    check_jobs: int = 1
    challenge_jobs: int = 1
    """How many bots are checked, and challenges played, at a time; 0, on a cluster: its cores."""
    unsafe_host: bool = False
    """Whether programs are run without a sandbox: only for trusted ones."""
    cluster: str = ""
    """The address of the cluster that plays the matches; without one, this machine does."""

    @property
    def fleet_size(self) -> int:
        """Processes for matches and checks: the ladder leaves one to challenges and contests."""
        matches = max(self.match_jobs, self.ladder_jobs + 1) if self.ladder else self.match_jobs
        return matches + self.check_jobs

    @property
    def limits(self) -> Limits:
        return Limits(self.turn_ns, self.bank_ns, turns=self.turns)
