"""Matches under way: what is listed, and who is woken."""

from __future__ import annotations

import asyncio
import threading

from agon.arena.live_matches import MOST_ENDED, LiveMatch, LiveMatches, Signal
from agon.games.hive.game import GAME


def begin(live_matches: LiveMatches, *, private: bool = False) -> LiveMatch:
    return live_matches.begin(GAME, ["ada", "bob"], GAME.start(), 5, private=private)


def test_a_match_is_on_the_stage_until_it_is_over() -> None:
    live_matches = LiveMatches()
    first, second = begin(live_matches), begin(live_matches)
    assert live_matches.running() == [first, second]
    assert first.key != second.key
    first.end(12)
    assert live_matches.running() == [second]
    assert live_matches.find(first.key) is first
    assert (first.is_over, first.match_id) == (True, 12)


def test_matches_are_found_by_game() -> None:
    live_matches = LiveMatches()
    match = begin(live_matches)
    assert live_matches.running("hive") == [match]
    assert live_matches.running("atlantis") == []
    assert live_matches.find("hive-99") is None


def test_the_stage_tells_of_beginnings_and_ends_and_a_match_of_its_turns() -> None:
    live_matches = LiveMatches()
    match = begin(live_matches)
    assert live_matches.signal.value == 1
    position = match.position
    turn = {seat: position.legal_moves(seat)[0] for seat in position.to_act}
    match.show(position.play(turn))
    assert (match.turns, match.signal.value, live_matches.signal.value) == (1, 1, 1)
    match.end(None)
    assert (match.signal.value, live_matches.signal.value) == (2, 2)


def test_only_the_last_matches_that_are_over_are_remembered() -> None:
    live_matches = LiveMatches()
    matches = [begin(live_matches) for _ in range(MOST_ENDED + 5)]
    for match in matches:
        match.end(1)
    last = begin(live_matches)
    assert live_matches.find(matches[4].key) is None
    assert live_matches.find(matches[5].key) is matches[5]
    assert live_matches.running() == [last]


def test_a_signal_wakes_all_who_wait_from_another_thread() -> None:
    signal = Signal()

    async def wait() -> list[int]:
        waiting = [asyncio.create_task(signal.beyond(0)) for _ in range(3)]
        await asyncio.sleep(0)  # they wait now
        thread = threading.Thread(target=signal.rise)
        thread.start()
        found = await asyncio.gather(*waiting)
        thread.join()
        return found

    assert asyncio.run(wait()) == [1, 1, 1]


def test_who_is_late_does_not_wait() -> None:
    signal = Signal()
    signal.rise()
    signal.rise()
    assert asyncio.run(signal.beyond(0)) == 2


def test_who_gives_up_waiting_is_forgotten() -> None:
    signal = Signal()

    async def give_up() -> None:
        task = asyncio.create_task(signal.beyond(0))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        signal.rise()

    asyncio.run(give_up())
    assert signal.value == 1


def test_a_loop_that_has_ended_is_not_woken() -> None:
    signal = Signal()
    loop = asyncio.new_event_loop()
    task = loop.create_task(signal.beyond(0))
    loop.call_soon(loop.stop)
    loop.run_forever()
    assert not task.done()
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()
    signal.rise()
    assert signal.value == 1
