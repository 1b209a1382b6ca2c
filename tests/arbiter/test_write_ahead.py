"""Programs that write before they are asked, as the first arbiter of Battlebots let them."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.check import Check
from agon.arbiter.entrant import launch_on_host
from agon.arbiter.host import HostProcess
from agon.arbiter.limits import Limits
from agon.arbiter.program import CHUNK, ProgramSeat
from agon.arbiter.seat import BotSeat
from agon.games.battlebots.game import GAME
from agon.games.bot import no_time
from agon.games.registry import all_games
from agon.match.transcript import Fault, FaultEvent, TurnEvent

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.game import Game
    from agon.match.result import MatchResult

FIELD = """4 forts:
a 0 0 ahead 10
b 4 0 rival 10
c 0 2 neutral 5
d 4 2 neutral 5
4 roads:
a b
a c
b d
c d
"""
TURNS = 40
TURN_BYTES = 1 << 18
LIMITS = Limits(turn_ns=120 * 10**9, turns=TURNS, turn_bytes=TURN_BYTES)


def seat_of(script: str, game: Game = GAME, protocol: str | None = None) -> ProgramSeat:
    def launch(*words: str) -> HostProcess:
        return HostProcess(["/bin/sh", "-c", script, *words])

    return ProgramSeat("ahead", launch, lambda: game.dialogue(protocol))


def play(script: str) -> MatchResult:
    """A match of this shell program against one that passes."""
    passing = "while read -r _ word; do case $word in marches:) echo 0 marches: ;; esac; done"
    options = GAME.options(field=FIELD)
    with closing(seat_of(script)) as ahead, closing(seat_of(passing)) as rival:
        return Arbiter(GAME, options, [ahead, rival], LIMITS, time.monotonic_ns).play(0)


def turns_of(match: MatchResult) -> list[str]:
    return [event.turns[0] for event in match.transcript.events if isinstance(event, TurnEvent)]


def told(match: MatchResult) -> str:
    (event,) = (e for e in match.transcript.events if isinstance(e, FaultEvent))
    return event.whole


def test_a_program_that_never_waits_plays_a_whole_match() -> None:
    match = play("yes '1 marches:\na c 1'")
    assert match.faults == (None, None)
    assert turns_of(match) == ["a c 1"] * TURNS


def test_what_a_program_wrote_before_it_ended_counts() -> None:
    match = play("printf '1 marches:\na c 3\n0 marches:\n? marches:\na b 2\nend\n'")
    assert turns_of(match) == ["a c 3", "pass", "a b 2"]
    assert (match.faults, told(match)) == ((Fault.CRASH, None), "exit status 0")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("yes | tr -d '\n'", "a line of more than 65536 bytes"),
        ("echo '? marches:'; yes 'a c 1'", f"more than {TURN_BYTES} bytes for one turn"),
        ("echo hello; yes '0 marches:'", "'hello': expected a header such as 2 marches:"),
    ],
)
def test_the_bound_of_a_turn_holds(script: str, complaint: str) -> None:
    match = play(script)
    assert match.faults == (Fault.PROTOCOL, None)
    assert complaint in told(match)


def test_what_waits_in_the_arena_is_bounded() -> None:
    """It is read when an answer is missing, never to make room for more."""
    with closing(seat_of("yes '0 marches:'")) as seat:
        start = GAME.start(GAME.options(field=FIELD))
        seat.begin(start, 0, LIMITS, ("ahead", "rival"))
        for _ in range(100):
            seat.ask(start, None)
            while seat.answer is None:
                seat.on_event(seat.waits_on()[0][0])
            assert len(seat._inbox) <= CHUNK


def test_a_check_says_that_it_writes_ahead(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text("yes '0 marches:'")
    (tmp_path / "bot.toml").write_text('name = "bot"\nrun = "sh bot.sh"\n')
    options, clock = GAME.options(), time.monotonic_ns
    check = Check(GAME, options, str(tmp_path), LIMITS, launch_on_host, clock)
    third = next(step for step in check.run() if step.number == "3")
    assert "writes before it is asked" in third.finding.saw
    assert third.finding.is_well


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_no_error_quotes_an_empty_text(game: Game) -> None:
    for protocol in game.dialogues():
        others = [
            BotSeat("random", game.bots()["random"], 1, no_time)
            for _ in range(game.start().seats - 1)
        ]
        for script in ("echo; cat >/dev/null", "read x; echo; cat >/dev/null"):
            with closing(seat_of(script, game, protocol)) as seat:
                limits = Limits(turn_ns=10**8, start_ns=10**8, turns=2)
                seats = [seat, *others]
                match = Arbiter(game, game.options(), seats, limits, time.monotonic_ns).play(0)
            assert match.faults[0] is not None
            assert "''" not in told(match)
