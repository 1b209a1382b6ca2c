"""How speed is measured: contestants take turns, and the median of each one's rates counts."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something whose speed is measured: `work` does a piece of it and says how much that was."""

    name: str
    work: Callable[[], int]
    counts: str = ""
    """What one unit of it is, where contestants of a contest differ in that."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Contestants who do the same work; the first is ours, the others are what it is held to."""

    title: str
    unit: str
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A contestant's rate, and how many times that is what ours is worth."""

    name: str
    per_second: int
    ratio: float | None


def measure(
    contest: Contest, clock: Callable[[], int], rounds: int, round_ns: int
) -> list[Standing]:
    """Let the contestants take turns, `round_ns` each, after one piece of work to warm up."""
    rates: list[list[int]] = [[] for _ in contest.contestants]
    for contestant in contest.contestants:
        contestant.work()
    for _ in range(rounds):
        for own_rates, contestant in zip(rates, contest.contestants, strict=True):
            own_rates.append(rate(contestant.work, clock, round_ns))
    return standings(contest, [int(statistics.median(own_rates)) for own_rates in rates])


def standings(contest: Contest, rates: Sequence[int]) -> list[Standing]:
    """Ours, then the others with how many times faster ours is."""
    names = [contestant.name for contestant in contest.contestants]
    ours = Standing(names[0], rates[0], None)
    others = zip(names[1:], rates[1:], strict=True)
    return [ours, *(Standing(name, r, rates[0] / max(1, r)) for name, r in others)]


def rate(work: Callable[[], int], clock: Callable[[], int], least_ns: int) -> int:
    """How much work is done in a second, over at least that time."""
    done = 0
    begin = clock()
    while True:
        done += work()
        elapsed = clock() - begin
        if elapsed >= least_ns:
            return done * 10**9 // max(1, elapsed)
