"""Seats: new ones for each match, or programs that stay; logs; and how everything is stopped."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, find_entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.log import SeatLog
from agon.arbiter.pool import MOST_IDLE, SeatPool, StoppedError
from agon.arbiter.series import Series, SeriesRunner
from agon.arena.match_threads import MatchThreads, play_all
from agon.games.bot import no_time
from agon.match.transcript import Fault
from tests.arbiter.programs import children, write_program
from tests.toy_game import GAME, ToyOptions

if TYPE_CHECKING:
    from pathlib import Path

    from agon.arbiter.bot_process import Process
    from agon.match.result import MatchResult

CARDS = """
import os, sys
for line in sys.stdin:
    word, *cards = line.split()
    if word == "seat":
        print("I am", os.getpid(), file=sys.stderr, flush=True)
    if word == "hand":
        hand = cards
    elif word == "play":
        print(hand.pop(), flush=True)
"""
LEAVES = (
    CARDS
    + """
    elif word == "end":
        sys.exit()
"""
)
FAILS = CARDS.replace("hand.pop()", "'13c'")
WAITS = """
import sys, time
print("here", file=sys.stderr, flush=True)
time.sleep(600)
"""


class Starter:
    """Starts programs, and counts them."""

    def __init__(self) -> None:
        self.started = 0
        self.has_started = threading.Event()

    def __call__(self, program: Program) -> Process:
        self.started += 1
        process = launch_on_host(program)
        self.has_started.set()
        return process


def entrant(path: Path, body: str, name: str = "cards") -> Entrant:
    command = write_program(path / f"{name}.py", body, "")
    return Entrant(name, Program(name, tuple(command)))


def pair(one: Entrant, two: Entrant | None = None) -> Series:
    entrants = (one, two or find_entrant(GAME, "random"))
    return Series(GAME, ToyOptions(seats=2), entrants, Limits(), 0)


def play(series: Series, pool: SeatPool, starter: Starter, matches: int = 3) -> list[MatchResult]:
    arena = SeriesRunner(no_time, starter, keeps_logs=True, pool=pool)
    return [arena.play(series, number) for number in range(matches)]


def stderr_lines(match: MatchResult) -> list[str]:
    texts: Any = match.transcript.extra["stderr"]
    return [line for text in texts for line in text.splitlines()]


def test_programs_are_new_for_each_match_by_default(tmp_path: Path) -> None:
    starter = Starter()
    with SeatPool() as pool:
        matches = play(pair(entrant(tmp_path, CARDS)), pool, starter)
    assert starter.started == 3
    assert len({line for match in matches for line in stderr_lines(match)}) == 3


def test_programs_that_stay_play_all_matches(tmp_path: Path) -> None:
    before, starter = children(), Starter()
    with SeatPool(reuse=True) as pool:
        matches = play(pair(entrant(tmp_path, CARDS)), pool, starter)
        assert len(children() - before) == 1
    assert children() <= before
    assert starter.started == 1
    assert [match.faults for match in matches] == [(None, None)] * 3
    assert [stderr_lines(match) for match in matches] == [stderr_lines(matches[0])] * 3
    for number, match in enumerate(matches):
        wire: Any = match.transcript.extra["wire"]
        assert wire[number % 2][0] == f"> seat {number % 2} of 2"
        assert wire[number % 2][-1] == "> end all cards played"
        assert wire[1 - number % 2] == []


def test_a_bot_against_itself_is_two_processes(tmp_path: Path) -> None:
    starter, bot = Starter(), entrant(tmp_path, CARDS)
    with SeatPool(reuse=True) as pool:
        matches = play(pair(bot, bot), pool, starter)
    assert starter.started == 2
    assert all(len(set(stderr_lines(match))) == 2 for match in matches)


def test_who_failed_is_started_anew_and_the_other_stays(tmp_path: Path) -> None:
    starter = Starter()
    good, bad = entrant(tmp_path, CARDS), entrant(tmp_path, FAILS, "bad")
    with SeatPool(reuse=True) as pool:
        matches = play(pair(good, bad), pool, starter)
    assert starter.started == 1 + 3
    assert {match.faults[1 - number % 2] for number, match in enumerate(matches)} == {
        Fault.PROTOCOL
    }


def test_who_ends_after_a_match_is_started_anew(tmp_path: Path) -> None:
    starter = Starter()
    series = pair(entrant(tmp_path, LEAVES))
    before = children()
    with SeatPool(reuse=True) as pool:
        arena = SeriesRunner(no_time, starter, pool=pool)
        for number in range(3):
            assert arena.play(series, number).faults == (None, None)
            for pid in children() - before:
                wait_for_end(pid)
    assert starter.started == 3


def wait_for_end(pid: int) -> None:
    """Until a child has ended; it is still there, for its parent has not asked."""
    import os

    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def test_everything_can_be_stopped_while_a_program_thinks(tmp_path: Path) -> None:
    before, starter = children(), Starter()
    pool = SeatPool(reuse=True)
    arena = SeriesRunner(no_time, starter, pool=pool)
    series = pair(entrant(tmp_path, WAITS))
    with MatchThreads[int, Any](lambda: 2, pool) as workers:
        for number in range(2):
            workers.start(number, lambda: arena.play(series, 0))
        assert starter.has_started.wait(60)
        assert list(workers.give_up()) == []
        assert workers.playing == []
    assert children() <= before
    with pytest.raises(StoppedError):
        arena.play(series, 0)


def test_workers_give_each_match_as_it_ends() -> None:
    with MatchThreads[int, int](lambda: 3, SeatPool()) as workers:
        assert sorted(play_all(workers, range(20), lambda key: key * key)) == [
            (key, key * key) for key in range(20)
        ]


def test_more_matches_begin_when_there_is_more_room() -> None:
    room, all_play = [1], threading.Barrier(4)
    with MatchThreads[int, int](lambda: room[0], SeatPool()) as workers:
        workers.start(0, lambda: all_play.wait(60))
        assert workers.free == 0
        room[0] = 3
        assert workers.free == 2
        for number in (1, 2):
            workers.start(number, lambda: all_play.wait(60))
        room[0] = 1
        assert workers.free == 0, "what has begun is played to its end"
        all_play.wait(60)


def test_an_error_of_a_match_is_told() -> None:
    with (
        MatchThreads[int, float](lambda: 2, SeatPool()) as workers,
        pytest.raises(ZeroDivisionError),
    ):
        list(play_all(workers, range(4), lambda key: 1 / key))


def test_long_logs_keep_their_beginning_and_their_end() -> None:
    log = SeatLog(first=30, last=30)
    for number in range(100):
        log.on_line(">", f"line {number:03}")
    lines = log.lines()
    assert lines[:3] == ["> line 000", "> line 001", "> line 002"]
    assert lines[3] == "… 94 lines are left out here …"
    assert lines[4:] == ["> line 097", "> line 098", "> line 099"]
    log.clear()
    assert log.lines() == []


def test_one_line_beyond_all_measure_is_kept() -> None:
    log = SeatLog(first=10, last=10)
    for line in ("a" * 50, "b" * 50, "c" * 50):
        log.on_line("<", line)
    assert log.lines() == ["< " + "a" * 50, "… 1 lines are left out here …", "< " + "c" * 50]


def test_of_the_programs_that_wait_the_last_ones_stay() -> None:
    """They are not started here: that is done by a match."""
    entrants = [Entrant(f"{n}", Program(f"{n}", ("x",))) for n in range(MOST_IDLE + 2)]

    def use(pool: SeatPool) -> list[Any]:
        with pool.seats(GAME, entrants, [0] * len(entrants), no_time, Starter()) as pooled_seats:
            for pooled in pooled_seats:
                pooled.is_well = True
        return [pooled.seat for pooled in pooled_seats]

    with SeatPool(reuse=True) as pool:
        first, again = use(pool), use(pool)
        kept = [one is other for one, other in zip(first, again, strict=True)]
        assert kept == [False] * 2 + [True] * MOST_IDLE
