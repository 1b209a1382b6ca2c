"""What a match costs on a cluster beyond what it costs in a process here, and how rates grow.

The cluster is one of this machine alone: its processes are this one's, so that all their time is
counted. The matches are of random bots, and short: what counts is all around them.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from agon.arbiter.entrant import Entrant
from agon.arbiter.limits import Limits
from agon.arena.cluster_settings import LOCAL
from agon.arena.jobs import JobPlayer, PlayedMatch, PlayMatch
from agon.arena.local_fleet import LocalFleet
from agon.arena.ray_fleet import RayFleet
from agon.errors import AgonError
from agon.games.hive.game import GAME
from agon.simulate.threads import available_cores
from benchmarks.duel import Duel, Side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.arena.fleet import Fleet

BOTS = (Entrant("ann", built_in="random"), Entrant("bob", built_in="random"))
PLAYERS = (JobPlayer("ann"), JobPlayer("bob"))
JOB = PlayMatch("", "hive", GAME.rules_version, {}, 1, PLAYERS, Limits(10**9, turns=100))
PIECE = 20
_numbers = count(1)


def play(fleet: Fleet, matches: int = PIECE) -> int:
    """Play matches one after the other; how many."""
    for _ in range(matches):
        number = next(_numbers)
        result = fleet.carry_out(replace(JOB, key=f"match {number}", seed=number), BOTS)
        if not isinstance(result, PlayedMatch):
            raise AgonError(f"a match of the bench was not played: {result}")
    return matches


@contextmanager
def cluster_duel() -> Iterator[tuple[Duel, Callable[[int], list[tuple[int, int]]]]]:
    """The duel; and what gives for 1, 2, … cores the matches in a second of that many ns."""
    with RayFleet(LOCAL) as cluster, LocalFleet(1) as local:

        def rates(round_ns: int) -> list[tuple[int, int]]:
            powers = (1 << power for power in range(available_cores().bit_length()))
            return [(cores, rate(cluster, cores, round_ns)) for cores in powers]

        duel = Duel(
            "matches of random bots, each a job of a fleet",
            "match",
            "matches",
            Side("on a cluster", lambda: play(cluster)),
            Side("in a process here", lambda: play(local)),
        )
        yield duel, rates


def rate(fleet: Fleet, cores: int, round_ns: int) -> int:
    """How many matches a second are played on so many cores, for at least that time."""
    begin = time.perf_counter_ns()
    played = 0
    with ThreadPoolExecutor(cores) as threads:
        while True:
            played += sum(threads.map(lambda _: play(fleet), range(cores)))
            spent = time.perf_counter_ns() - begin
            if spent >= round_ns:
                return played * 10**9 // spent
