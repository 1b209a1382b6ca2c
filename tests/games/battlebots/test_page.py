"""What docs/battlebots.md shows: the session is a real one, and the map and the bot are good."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.mapfile import parse_map
from agon.games.battlebots.protocol import SectionsDialogue
from agon.games.dialogue import Briefing

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "battlebots.md").read_text("utf-8")
SESSION, MAP = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


def test_the_session_of_the_page_is_a_real_one() -> None:
    position = GAME.start(BattlebotsOptions(field=MAP))
    assert position.players == ("mine", "rival")
    dialogue = SectionsDialogue()
    assert dialogue.open(position, 0, Briefing()) == []
    lines = SESSION.splitlines()
    warnings: list[str] = []
    while position.to_act:
        told = [f"> {line}" for line in dialogue.ask(position)]
        assert lines[: len(told)] == told
        del lines[: len(told)]
        text = None
        while text is None:
            text = dialogue.read(lines.pop(0).removeprefix("< "))
        turn = dialogue.parse(position, 0, text)
        warnings += dialogue.warnings
        rival = position.parse_turn(1, lines.pop(0).removeprefix("| "))
        position = position.play({0: turn, 1: rival})
    assert lines == []
    assert position.outcome is not None
    assert position.outcome.winner == 0
    assert warnings == ["'nox helsingor 20': all 9 that are left are sent"]


def test_the_map_of_the_page_can_be_read() -> None:
    assert [fort.name for fort in parse_map(MAP).forts] == ["boyard", "helsingor", "nox"]


@pytest.mark.system
def test_the_bot_of_the_page_passes() -> None:
    (line,) = re.findall(r"```sh\n(.*)\n```", PAGE)
    asked = "1 forts:\nboyard 0 0 mine 12\n0 roads:\n0 marches:\n"
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        input=asked * 2,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "0 marches:\n" * 2
