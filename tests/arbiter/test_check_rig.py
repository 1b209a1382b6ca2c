"""The stopwatch of a check: a turn that is too slow once is no fault if a match would bear it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.arbiter import play_match
from agon.arbiter.check_rig import Stopwatch
from agon.arbiter.limits import Limits
from agon.games.registry import find_game
from agon.match.transcript import TurnEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.match.result import MatchResult

MS = 10**6


def match_of(took_ms: Sequence[int]) -> MatchResult:
    """A match in which seat 0 took so long for its turns, one after the other."""
    game = find_game("hive")
    players = [game.bot("random", seed) for seed in (1, 2)]
    match = play_match(game, players, Limits(turns=2 * len(took_ms)), seed=1, clock=lambda: 0)
    times = iter(took_ms)
    events = [
        replace(event, ns={0: next(times) * MS})
        if isinstance(event, TurnEvent) and 0 in event.ns
        else event
        for event in match.transcript.events
    ]
    return replace(match, transcript=replace(match.transcript, events=tuple(events)))


@pytest.mark.parametrize(
    ("took", "bank", "late", "excess"),
    [
        ((900, 150, 200), 0, 0, 0),  # the first turn does not count
        ((0, 150, 270), 0, 0, 70),
        ((0, 150, 270), 0, 70, 0),
        ((0, 150, 270), 100, 0, 0),
        ((0, 270, 270), 100, 0, 40),  # a bank is for a whole match
        ((0, 2000, 1), 100, 0, 1700),
    ],
)
def test_what_a_match_would_not_bear(
    took: tuple[int, ...], bank: int, late: int, excess: int
) -> None:
    watch = Stopwatch(200 * MS, bank * MS)
    watch.note(match_of(took), 0, late * MS)
    assert watch.excess_ns == excess * MS
    assert watch.slowest_ns == max(took[1:]) * MS


def test_without_a_limit_nothing_is_too_slow() -> None:
    watch = Stopwatch(None)
    watch.note(match_of((0, 5000)), 0, 0)
    assert (watch.excess_ns, watch.slowest_ns) == (0, 5000 * MS)
