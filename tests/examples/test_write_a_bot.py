"""What docs/write-a-bot.md shows: the session is a match by the rules, the settings are good."""

from __future__ import annotations

import re
from pathlib import Path

from agon.arbiter.entrant import load_program
from agon.games.hive.game import GAME

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-bot.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of that language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_session_is_a_match_by_the_rules() -> None:
    (session,) = [block for block in blocks("text") if block.startswith("> options ")]
    first, second, *moves, last = session.splitlines()
    given = dict(word.split("=") for word in first.split()[2:])
    assert given.pop("turn_ms") == "1000"
    assert second == "> colour white"
    position = GAME.start(GAME.parse_options(given))
    for line in moves:
        (seat,) = position.to_act
        assert line[0] == "<>"[seat]
        position = position.play({seat: position.parse_turn(seat, line[2:])})
    assert position.outcome is not None
    assert last == f"> end white {position.outcome.reason}"


def test_the_settings_can_be_read(tmp_path: Path) -> None:
    (settings,) = blocks("toml")
    (tmp_path / "bot.toml").write_text(settings)
    program = load_program(tmp_path)
    assert (program.name, program.games, program.protocol) == ("crawler", ("hive",), "lines")
    assert GAME.dialogue(program.protocol)


def test_the_position_of_the_failed_check_can_be_shown() -> None:
    (text,) = re.findall(r"agon show hive '(.*)'", PAGE)
    position = GAME.parse_position(text)
    placed = {position.format_turn(0, move)[:3] for move in position.legal_moves(0)}
    assert placed == {"wQ1"}  # the fourth turn: it must be the queen
