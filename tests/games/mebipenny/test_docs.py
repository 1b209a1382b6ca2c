"""What docs/mebipenny.md shows: the session is a match by the rules, the settings are good."""

from __future__ import annotations

import json
import re
from pathlib import Path

from agon.arbiter.entrant import find_entrant
from agon.games.dialogue import Briefing
from agon.games.mebipenny.game import GAME, MebiPennyOptions

PAGE = (Path(__file__).parents[3] / "docs" / "mebipenny.md").read_text("utf-8")
SESSION = (MebiPennyOptions(2, 3), 3)
SERVED = (MebiPennyOptions(3, 4, 2, "0.1"), 7)


def blocks(language: str) -> list[str]:
    """The fenced blocks of that language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_session_over_pipes_is_a_match_by_the_rules() -> None:
    (session,) = [block for block in blocks("text") if block.startswith("> ")]
    dialogue, position = GAME.dialogue("json"), GAME.start(*SESSION)
    told = dialogue.open(position, 0, Briefing(names=("digger", "random")))
    for line in session.splitlines():
        way, text = line[0], line[2:]
        if way == ">":
            is_over = position.outcome is not None
            told = dialogue.close(position.outcome) if is_over else dialogue.ask(position)
            assert [text] == told
            continue
        seat = "<|".index(way)
        if way == "<":
            move = dialogue.parse(position, seat, text)
        else:
            move = position.parse_turn(seat, text)
        after = position.play({seat: move})
        dialogue.tell(position, {seat: move}, after)
        position = after
    assert position.outcome is not None
    assert json.loads(told[0])["state"] == "completed"


def test_the_objects_of_the_public_server_are_those_of_such_a_game() -> None:
    documents = [json.loads(line) for line in PAGE.splitlines() if line.startswith('{"')]
    game, delta = (d for d in documents if d.get("state") == "in play")
    start = GAME.start(*SERVED)
    walls = [{"tile": tile._asdict(), "owner": None} for tile, _ in start.claims()]
    assert game["claims"] == walls
    assert game["players"][0]["hand"] == [tile._asdict() for tile in start.hands[0]]
    after = start.play({0: start.parse_turn(0, "0,0")})
    assert delta["players"][0]["hand"] == [tile._asdict() for tile in after.hands[0]]
    assert delta["claims"][0]["owner"] == game["player_id"]


def test_the_settings_can_be_read(tmp_path: Path) -> None:
    (settings,) = blocks("toml")
    (tmp_path / "bot.toml").write_text(settings)
    entrant = find_entrant(GAME, str(tmp_path))
    assert entrant.program is not None
    assert (entrant.name, entrant.program.protocol) == ("digger", "http")
