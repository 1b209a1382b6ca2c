"""What docs/skyport.md shows: the session, the gamestate, the map and the errors are real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agon.arbiter.starter import starter_languages
from agon.errors import NotationError
from agon.games.dialogue import Briefing
from agon.games.skyport import wire
from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.mapfile import parse_map
from agon.games.skyport.protocol import JsonDialogue

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "skyport.md").read_text("utf-8")
_, SESSION, MAP = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
(STATE,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
NAMES = ("walker", "rusty")


class Reader:
    """The session of the page, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = SESSION.splitlines()

    def check(self, told: list[str]) -> None:
        """The page has just these lines now; a line that is cut short ends in `...}`."""
        for line in told:
            shown = self.lines.pop(0).removeprefix("> ")
            whole = line if not shown.endswith("...}") else line[: len(shown) - 4] + "...}"
            assert shown == whole

    def next(self, mark: str) -> str | None:
        if not self.lines or not self.lines[0].startswith(mark):
            return None
        return self.lines.pop(0).removeprefix(mark)


def test_the_session_of_the_page_is_a_real_one() -> None:
    position = GAME.start(SkyportOptions(map_text=MAP, turns=2))
    reader, dialogue = Reader(), JsonDialogue()
    reader.check(dialogue.open(position, 0, Briefing(names=NAMES)))

    def listen() -> str | None:
        """All that the bot says now, up to a turn."""
        text = None
        while text is None and (line := reader.next("< ")) is not None:
            text = dialogue.read(line)
            reader.check([*dialogue.replies()])
        return text

    assert listen() is None
    assert dialogue.is_ready()
    while position.to_act:
        turns = {}
        if 0 in position.to_act:
            reader.check(dialogue.ask(position))
            turns[0] = dialogue.parse(position, 0, listen() or "")
        else:
            reader.check(dialogue.watch(position))
        if 1 in position.to_act:
            turns[1] = position.parse_turn(1, reader.next("| ") or "")
        if position.turn == 3:
            assert json.loads(STATE) == wire.gamestate(position, NAMES)
        after = position.play(turns)
        reader.check(dialogue.tell(position, turns, after))
        position = after
        assert listen() is None
    reader.check(dialogue.close(position.outcome))
    assert reader.lines == []


def test_the_map_of_the_page_can_be_read() -> None:
    assert parse_map(MAP).rows == ("SRE", "GGG", "VRS")
    with pytest.raises(NotationError) as refused:
        parse_map(MAP.replace("/G \\__/R", "/X \\__/R"))
    assert str(refused.value) in PAGE


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "[1]",
        "{}",
        '{"message": "dance"}',
        '{"message": "action"}',
        '{"message": "connect", "revision": 2}',
        '{"message": "connect", "revision": 1, "name": "a b"}',
    ],
)
def test_the_errors_of_the_page_are_real_ones(line: str) -> None:
    dialogue = JsonDialogue()
    dialogue.open(GAME.start(), 0, Briefing())
    dialogue.read(line)
    (reply,) = dialogue.replies()
    assert f"`{json.loads(reply)['error']}`" in PAGE


def test_the_page_names_the_starters() -> None:
    assert all(f"`{language}`" in PAGE for language in starter_languages(GAME))
