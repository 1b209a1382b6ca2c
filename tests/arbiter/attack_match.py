"""Attacks of tests/sandbox as bots: each plays Hive, and on its second turn shows its face."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.bot_process import Program
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.sandboxed import PLAY, SandboxedProcess, launch_in_sandbox
from agon.arbiter.seat import BotSeat
from agon.games.hive.game import GAME
from agon.match.transcript import Fault, FaultEvent, verify
from tests.sandbox.host import SECOND

if TYPE_CHECKING:
    from pathlib import Path

    from agon.match.result import MatchResult
    from agon.sandbox import ResourceLimits
    from tests.sandbox.attack import Attack
    from tests.sandbox.host import Host

TURNS = 8
STARTER = files("agon.games.hive") / "starters" / "python" / "hive_bot.py"

# A bot that plays well, but for one moment. It speaks to its author on its standard error.
BOT = """
OUT = 2
import hive_bot
SOURCE = {source!r}
turns, think = 0, hive_bot.choose
def choose(moves, enemy_queen):
    global turns
    turns += 1
    if turns == 2: exec(SOURCE, globals())
    return think(moves, enemy_queen)
hive_bot.choose = choose
hive_bot.main()
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an attack in a match; `said` is what it told its author."""

    fault: Fault | None
    detail: str
    said: str

    def __str__(self) -> str:
        """In words."""
        return "it plays on" if self.fault is None else f"{self.fault}: {self.detail}"


def play_attack(host: Host, attack: Attack) -> Verdict:
    """A match of an attack against a built-in bot."""
    (host.bot / "hive_bot.py").write_text(STARTER.read_text())
    command = tuple(host.command(BOT.format(source=attack.run.source)))
    seat = sandboxed_seat(Program("attacker", command, host.bot), attack.limits)
    match = play(seat, attack.turn_ns)
    details = [e.whole for e in match.transcript.events if isinstance(e, FaultEvent)]
    said = seat.stderr.decode("utf-8", "replace")
    return Verdict(match.faults[0], "".join(details), said)


def play_normally(folder: Path) -> MatchResult:
    """A match of a bot without bad intentions."""
    (folder / "hive_bot.py").write_text(STARTER.read_text())
    seat = sandboxed_seat(Program("novice", ("python3", "hive_bot.py"), folder))
    return play(seat, 30 * SECOND)


def sandboxed_seat(program: Program, amounts: ResourceLimits = PLAY) -> ProgramSeat:
    """A seat for a program in the sandbox."""

    def launch() -> SandboxedProcess:
        return launch_in_sandbox(program, amounts)

    return ProgramSeat(program.name, launch, lambda: GAME.dialogue(None))


def play(seat: ProgramSeat, turn_ns: int) -> MatchResult:
    """A match of some turns against the bot that plays at random."""
    clock = time.monotonic_ns
    other = BotSeat("random", GAME.bots()["random"], 1, clock)
    limits = Limits(turn_ns, turns=TURNS, start_ns=30 * SECOND)
    try:
        match = Arbiter(GAME, GAME.options(), [seat, other], limits, clock).play(0)
    finally:
        seat.close()
    assert verify(match.transcript) == match.transcript.outcome
    assert match.faults[1] is None
    return match
