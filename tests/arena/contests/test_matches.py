"""The matches of a contest that are shown."""

from __future__ import annotations

import time
from threading import Event
from types import SimpleNamespace
from typing import Any

from agon.arena.contests.matches import ContestMatches
from agon.arena.live_matches import LiveMatches
from agon.games.registry import find_game


def test_a_match_is_one_of_the_contest_until_its_end_is_told() -> None:
    """Who asks for it meanwhile must not be told that it is hidden: see `visibility.py`."""
    runner: Any = None
    matches = ContestMatches(
        runner=runner,
        game=find_game("mebipenny"),
        live_matches=LiveMatches(),
        clock=time.monotonic_ns,
        now_ns=time.time_ns,
        pace_ns=0,
        hurrying=Event(),
        is_gone=lambda name: False,
    )
    told: list[Any] = []
    live: Any = "mebipenny-1"
    showing: Any = SimpleNamespace(live=live, end=lambda number: told.append(matches.live()))
    matches.showings[7, ("ann", "bob")] = showing
    result: Any = SimpleNamespace(seed=7, bots=("ann", "bob"))
    matches.end(result, 3)
    assert told == [[live]]
    assert matches.live() == []
