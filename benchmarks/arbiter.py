"""The arbiter's contests: programs on pipes, matches that are stored, the table of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.duel import one_core
from benchmarks.pipes import pipes_duel
from benchmarks.ranking import ranking_duels
from benchmarks.storing import storing_duel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.duel import Duel


def arbiter_duels() -> Iterator[Duel]:
    """All duels, each set up when it is its turn and cleared away before the next one.

    On all cores the system decides who is woken where, and that alone can be most of the cost of
    the bare side: the duel on one core is the one that counts.
    """
    with one_core(), pipes_duel("on one core") as duel:
        yield duel
    with one_core(), pipes_duel("lines kept", at_most=None, keeps_logs=True) as duel:
        yield duel
    with pipes_duel("on all cores", at_most=None) as duel:
        yield duel
    with storing_duel() as duel:
        yield duel
    with ranking_duels() as duels:
        yield from duels
