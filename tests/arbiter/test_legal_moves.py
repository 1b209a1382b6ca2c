"""A program that asks for the legal moves is sent them with every question, and others are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.games.hive.game import GAME
from agon.match.transcript import Fault, TurnEvent
from tests.arbiter.programs import TURNS, UHP, Launcher, play, told, write_program

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.dialogue import Dialogue

CHOOSE = """
for line in sys.stdin:
    word, *moves = line.split()
    if word == "legal":
        known = [move for move in MOVES if move in moves]
        say(known[0] + "\\n")
"""
EARLY = "say('legal\\n')\n" + CHOOSE
LATE = (
    """
for line in sys.stdin:
    if line.startswith("colour"):
        break
say('legal\\n')
"""
    + CHOOSE
)


def listing() -> Dialogue:
    dialogue = GAME.dialogue(None)
    dialogue.list_moves()
    return dialogue


def assert_listed(launcher: Launcher, own: int, matches: int) -> None:
    """Every question of these matches has its list behind it, and nothing else has one."""
    match = play(launcher, own=own, matches=matches)
    assert (match.faults, match.turns) == ((None, None), TURNS)
    sent = launcher.lines(">")
    lists = [number for number, line in enumerate(sent) if line.startswith("legal ")]
    assert len(lists) == matches * TURNS // 2
    questions = [sent[number - 1] for number in lists]
    assert not any(line.startswith(("options", "end", "legal")) for line in questions)
    position = GAME.start()
    events = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    for number, event in enumerate(events):
        ((seat, move),) = event.turns.items()
        if seat == own:
            line = sent[lists[(matches - 1) * TURNS // 2 + number // 2]]
            legal = [position.format_turn(seat, m) for m in position.legal_moves(seat)]
            assert line == " ".join(["legal", *legal])
        position = position.play({seat: position.parse_turn(seat, move)})


@pytest.mark.parametrize("own", [0, 1])
def test_the_first_line_may_ask(tmp_path: Path, own: int) -> None:
    command = write_program(tmp_path / "bot.py", EARLY)
    assert_listed(Launcher(command), own, matches=2)


@pytest.mark.parametrize("own", [0, 1])
def test_it_may_ask_after_the_first_question(tmp_path: Path, own: int) -> None:
    command = write_program(tmp_path / "bot.py", LATE)
    assert_listed(Launcher(command), own, matches=2)


@pytest.mark.parametrize("body", [CHOOSE, EARLY, LATE])
def test_its_settings_may_ask(tmp_path: Path, body: str) -> None:
    """Also if its first line says it again."""
    command = write_program(tmp_path / "bot.py", body)
    assert_listed(Launcher(command, make_dialogue=listing), 0, matches=1)


def test_later_it_is_no_move(tmp_path: Path) -> None:
    body = (
        "for number, move in enumerate(asked()):\n    say('legal\\n' if number else move + '\\n')"
    )
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    match = play(launcher)
    assert match.faults[0] is Fault.PROTOCOL
    assert "'legal'" in told(match)
    assert not any(line.startswith("legal") for line in launcher.lines(">"))


def test_no_other_bot_is_sent_a_list(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", "play()"))
    play(launcher)
    assert len(launcher.lines(">")) == TURNS // 2 + 2
    assert not any(line.startswith("legal") for line in launcher.lines(">"))


def test_a_protocol_without_lists_refuses(tmp_path: Path) -> None:
    body = "say('legal')\ngreet()\nfor _ in commands():\n    pass"
    launcher = Launcher(write_program(tmp_path / "bot.py", body, UHP), "uhp")
    match = play(launcher)
    assert match.faults[0] is Fault.NO_START
    assert "'legal': this protocol has no list of legal moves" in told(match)
