"""Programs at a table with people: they start, answer, are late, crash, and are killed."""

from __future__ import annotations

import time
from concurrent.futures import wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arena.people.programs import BotReports, ProgramPlayer, ProgramStart
from agon.errors import SettingError
from agon.games.hive.game import GAME
from agon.match.match import Match
from agon.match.transcript import Fault
from tests.arbiter.programs import MOVES, write_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agon.arbiter.bot_process import Process

FEW_S = 60
SECOND = 10**9
START = GAME.start()


class Rig:
    """One program, and what it reports."""

    def __init__(self, find_entrant: Callable[[], Entrant]) -> None:
        self.told: SimpleQueue[Any] = SimpleQueue()
        self.processes: list[Process] = []
        start = ProgramStart(
            GAME,
            0,
            ("bot", "ada"),
            1,
            find_entrant,
            self._launch,
            Limits(SECOND, start_ns=FEW_S * SECOND),
            time.monotonic_ns,
        )
        reports = BotReports(self._report, self._report, self._report)
        self.player = ProgramPlayer(start, reports)

    def _launch(self, program: Program) -> Process:
        self.processes.append(launch_on_host(program))
        return self.processes[-1]

    def _report(self, *given: Any) -> None:
        self.told.put(given)

    def next(self) -> Any:
        return self.told.get(timeout=FEW_S)

    def end(self) -> None:
        self.player.stop()
        assert self.player.ended is not None
        assert not wait([self.player.ended], FEW_S).not_done


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[str], Rig]]:
    made: list[Rig] = []

    def build(body: str) -> Rig:
        run = tuple(write_program(tmp_path / "bot.py", body))
        made.append(Rig(lambda: Entrant("bot", Program("bot", run, tmp_path))))
        return made[-1]

    yield build
    for rig in made:
        rig.end()


def test_a_program_answers_and_is_told_of_turns(make: Callable[[str], Rig]) -> None:
    rig = make("play()")
    rig.player.start(START)
    seat, failure, entry = rig.next()
    assert (seat, failure, entry["name"], entry["kind"]) == (0, None, "bot", "program")
    match = Match.start(GAME, ["bot", "ada"])
    for number in (0, 2):
        rig.player.ask(match.position, FEW_S * SECOND)
        seat, asked, answer, took = rig.next()
        assert (seat, asked, answer.failure) == (0, match.position, None)
        assert match.position.format_turn(0, answer.turn) == MOVES[number]
        assert took > 0
        match.submit(0, answer.turn, took)
        rig.player.tell(match.advance())
        match.submit(1, match.position.parse_turn(1, MOVES[number + 1]))
        rig.player.tell(match.advance())


def test_a_program_that_is_late_fails(make: Callable[[str], Rig]) -> None:
    rig = make("sleep()")
    rig.player.start(START)
    rig.next()
    rig.player.ask(START, 10**6)
    _, _, answer, took = rig.next()
    assert answer.failure.fault is Fault.TIMEOUT
    assert answer.failure.detail.startswith("no turn within 0.001 s")
    assert took > 10**6


def test_a_program_that_crashes_fails(make: Callable[[str], Rig]) -> None:
    rig = make("raise SystemExit('help')")
    rig.player.start(START)
    rig.next()
    rig.player.ask(START, FEW_S * SECOND)
    _, _, answer, _ = rig.next()
    assert answer.failure.fault is Fault.CRASH


def test_a_program_that_thinks_is_killed_at_the_end(make: Callable[[str], Rig]) -> None:
    rig = make("sleep()")
    rig.player.start(START)
    rig.next()
    rig.player.ask(START, None)
    rig.player.end(None)
    rig.end()
    assert rig.told.empty(), "a program that was killed has not failed"


def test_a_program_that_cannot_be_had_is_an_error() -> None:
    def refuse() -> Entrant:
        raise SettingError("no programs are run here")

    rig = Rig(refuse)
    rig.player.start(START)
    [error] = rig.next()
    assert isinstance(error, SettingError)
    rig.end()
    assert rig.processes == []
