"""The starter bots play whole matches, as real processes, without a fault or a bad order."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.build import run_build
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.battlebots.check_opponents import EXILE, LONELY, ODD
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.protocol import SectionsDialogue
from agon.games.dialogue import Briefing
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.battlebots.orders import Turn
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.game import Position

TOOLS = {
    "c": "cc",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "python": "python3",
    "python-short": "python3",
    "rust": "rustc",
    "shell": "sh",
}
MATCHES = [
    (BattlebotsOptions(), 2),
    (BattlebotsOptions(map="random"), 4),
    (BattlebotsOptions(sight="own-roads"), 8),
    (BattlebotsOptions(field=EXILE), 2),
    (BattlebotsOptions(field=LONELY), 2),
    (BattlebotsOptions(field=ODD), 2),
]
TURNS = 40


class Player:
    """A starter at work: a process, and a dialogue for each match."""

    def __init__(self, command: tuple[str, ...], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.dialogue = SectionsDialogue()
        self.warnings = 0

    def begin(self, position: BattlebotsPosition, seat: int) -> None:
        self.dialogue = SectionsDialogue()
        names = tuple(f"bot_{number}" for number in range(position.seats))
        self.dialogue.open(position, seat, Briefing(names=names))

    def turn(self, position: Position[Turn], seat: int) -> Turn:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(f"{line}\n" for line in self.dialogue.ask(position)))
        self.process.stdin.flush()
        text = None
        while text is None:
            line = self.process.stdout.readline()
            assert line, "it has ended"
            text = self.dialogue.read(line)
        turn = self.dialogue.parse(position, seat, text)
        self.warnings += len(self.dialogue.warnings)
        return turn

    def end(self) -> int:
        self.process.communicate()
        return self.process.returncode


def play(players: list[Player], position: BattlebotsPosition, turns: int = TURNS) -> int:
    """A match; one player may have several seats only where it needs no memory. The orders."""
    for seat, player in enumerate(players):
        player.begin(position, seat)
    orders = 0
    while position.to_act and position.turn < turns:
        chosen = {seat: players[seat].turn(position, seat) for seat in position.to_act}
        orders += sum(map(len, chosen.values()))
        position = position.play(chosen)
    return orders


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == tuple(TOOLS)


@pytest.mark.parametrize("language", present(TOOLS))
def test_it_plays_many_matches(tmp_path: Path, language: str) -> None:
    starter = write_starter(GAME, language, "novice", tmp_path / "novice")
    build = run_build(starter.program)
    assert build.failure is None, build.output
    assert build.output == ""  # not even a warning
    program = build.program or starter.program
    assert program.folder is not None
    players = [Player(program.run, program.folder) for _ in range(8)]
    orders = [play(players[:seats], GAME.start(options, 3, seats)) for options, seats in MATCHES]
    orders.append(play(players[1::-1], GAME.start(BattlebotsOptions(), 3)))  # seats exchanged
    assert [player.end() for player in players] == [0] * 8
    if language == "shell":
        assert orders == [0] * len(orders)
        return
    assert all(orders)
    if language != "python-short":  # which does not know its name once its home is lost
        assert sum(player.warnings for player in players) == 0


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_whole_match_to_its_end(tmp_path: Path, language: str) -> None:
    starter = write_starter(GAME, language, "novice", tmp_path / "novice")
    program = starter.program
    assert program.folder is not None
    players = [Player(program.run, program.folder) for _ in range(2)]
    assert play(players, GAME.start(BattlebotsOptions(turn_limit=300), 1), 300) > 300
    assert [player.end() for player in players] == [0, 0]


def test_ten_lines_are_ten_lines(tmp_path: Path) -> None:
    starter = write_starter(GAME, "python-short", "novice", tmp_path / "novice")
    assert starter.program.folder is not None
    text = (starter.program.folder / "short_bot.py").read_text("utf-8")
    code = [line for line in text.splitlines() if line and not line.startswith('"""')]
    assert len(code) == 10
    write_starter(GAME, "shell", "novice", tmp_path / "passes")
    assert (tmp_path / "passes" / "battlebots_bot.sh").read_text("utf-8").count("\n") == 1
