"""Games that are over are stored in another thread, and whatever happens there is told."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.arena.live_matches import LiveMatches
from agon.errors import DatastoreError
from agon.servers import match_store as keeping
from agon.servers.match_store import FinishedMatch, KeptMatch, MatchStore
from tests.servers.mebipenny.quiet_lobby import QuietLobby

if TYPE_CHECKING:
    import pytest


def played() -> tuple[FinishedMatch, LiveMatches]:
    """A game that is over, and still a live match."""
    live_matches = LiveMatches()
    quiet = QuietLobby(live_matches)
    for visitor in quiet.full_table("ann", "bob"):
        visitor.send("PASS")
    (live,) = live_matches.running()
    assert quiet.finished[0].live is live
    return quiet.finished[0], live_matches


def test_a_game_is_stored_by_another_thread_and_is_no_live_match_then() -> None:
    finished, live_matches = played()
    threads = []
    kept: list[KeptMatch] = []

    def keep(match: Any, begin_ns: int, end_ns: int) -> int:
        threads.append(threading.current_thread())
        assert (begin_ns, end_ns) == (finished.begin_ns, finished.end_ns)
        return 41

    keeper = MatchStore(keep, kept.append)
    keeper.take(finished)
    keeper.close()
    assert [one.match_id for one in kept] == [41]
    assert finished.live is not None
    assert (finished.live.match_id, finished.live.is_over, live_matches.running()) == (41, True, [])
    assert threads != [threading.current_thread()]


def test_a_store_that_refuses_is_told_and_the_next_game_is_stored() -> None:
    finished, _ = played()
    kept: list[KeptMatch] = []

    def keep(match: Any, begin_ns: int, end_ns: int) -> int:
        if not kept:
            raise DatastoreError("the disk is full")
        return 2

    keeper = MatchStore(keep, kept.append)
    keeper.take(finished)
    keeper.take(replace(finished, live=None))
    keeper.close()
    assert [str(one.trouble) for one in kept] == ["the disk is full", "None"]
    assert finished.live is not None
    assert (finished.live.match_id, finished.live.is_over) == (None, True)
    assert kept[1].match_id == 2


def test_a_defect_is_not_lost(caplog: pytest.LogCaptureFixture) -> None:
    finished, _ = played()

    def keep(match: Any, begin_ns: int, end_ns: int) -> int:
        raise ZeroDivisionError

    keeper = MatchStore(keep)
    keeper.take(finished)
    keeper.close()
    assert "a match could not be stored" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert finished.live is not None
    assert finished.live.is_over


def test_it_says_when_too_many_wait() -> None:
    finished, _ = played()
    go_on = threading.Event()

    def keep(match: Any, begin_ns: int, end_ns: int) -> None:
        go_on.wait()

    keeper = MatchStore(keep)
    for _ in range(keeping.MOST_WAITING):
        assert not keeper.is_behind
        keeper.take(replace(finished, live=None))
    assert keeper.is_behind
    go_on.set()
    keeper.close()
    assert not keeper.is_behind
