"""The conversation with a seat: a state machine without I/O."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agon.games.dialogue import Briefing
from agon.games.skyport import wire
from agon.games.skyport.game import GAME
from agon.games.skyport.move import DEFAULT_LOADOUT
from agon.games.skyport.notation import format_turn
from agon.games.skyport.protocol import JsonDialogue, wire_names
from tests.games.skyport.situation import begin, play

CONNECT = '{"message": "connect", "revision": 1, "name": "walker"}'
LOADOUT = '{"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "laser"}'


def act(**action: Any) -> str:
    return json.dumps({"message": "action", **action})


def connected(seat: int = 0) -> JsonDialogue:
    dialogue = JsonDialogue()
    start = GAME.start(seed=1)
    assert dialogue.open(start, seat, Briefing(names=("x", "Bot 7"))) == []
    assert not dialogue.is_ready()
    assert dialogue.read(CONNECT) is None
    assert dialogue.is_ready()
    return dialogue


def messages(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def errors(dialogue: JsonDialogue) -> list[str]:
    return [message["error"] for message in messages(dialogue.replies())]


def test_a_whole_conversation() -> None:
    position = GAME.start(seed=1)
    first = position.order[0]
    dialogue = connected(first)
    status, state = messages(dialogue.ask(position))
    assert status == {"message": "connect", "status": True}
    assert state["turn"] == 0
    assert {player["name"] for player in state["players"]} >= {"walker"}
    assert dialogue.read(LOADOUT) == "loadout droid laser"
    turns: dict[int, Any] = dict.fromkeys(position.to_act, DEFAULT_LOADOUT)
    turns[first] = dialogue.parse(position, first, "loadout droid laser")
    after = position.play(turns)
    assert dialogue.tell(position, turns, after) == []
    (state,) = messages(dialogue.ask(after))
    assert state["turn"] == 1
    assert state["players"][0]["name"] == "walker"
    assert dialogue.read(act(type="mine")) is None
    assert dialogue.read(act(type="move", direction="sideways")) is None
    text = dialogue.read(act(type="pass"))
    assert text is not None
    own = {first: dialogue.parse(after, first, text)}
    last = after.play(own)
    assert format_turn(own[first]) == text
    told = messages(dialogue.tell(after, own, last))
    assert [message.get("message") for message in told] == ["endturn", "action", None, None]
    assert "nothing to mine" in told[2]["error"]
    assert "sideways" in told[3]["error"]
    other: dict[int, Any] = {1 - first: ()}
    (state,) = messages(dialogue.watch(last))
    assert state["turn"] == 2
    assert state["players"][0]["name"] == "Bot-7"
    assert messages(dialogue.tell(last, other, last.play(other))) == [{"message": "endturn"}]
    (state,) = messages(dialogue.close(None))
    assert state["turn"] == 3
    assert dialogue.leave() == []


def test_nothing_that_a_bot_says_is_a_fault() -> None:
    dialogue = JsonDialogue()
    dialogue.open(GAME.start(), 0, Briefing(names=("a", "b")))
    assert dialogue.read(act(type="pass")) is None
    assert dialogue.read('{"message": "connect", "revision": 3, "name": "a"}') is None
    assert dialogue.read("rubbish") is None
    assert not dialogue.is_ready()
    assert errors(dialogue) == [
        'message "action": expected a handshake first',
        "revision 3: expected 1",
        '"rubbish": not JSON',
    ]
    dialogue = connected()
    dialogue.replies()
    for line in (CONNECT, '{"message": "dance"}', act(type="pass")):
        assert dialogue.read(line) is None
    assert errors(dialogue) == [
        "connect: you are connected already",
        'message "dance": expected connect, loadout, action',
        "pass: it is not your turn",
    ]


def test_replies_to_turn_zero_are_refused_but_for_loadouts() -> None:
    dialogue = connected()
    dialogue.ask(GAME.start(seed=1))
    assert dialogue.read(act(type="mine")) is None
    assert errors(dialogue) == ["mine: it is not your turn"]
    assert dialogue.given() is None
    assert dialogue.standing() == "loadout laser mortar"


def test_a_loadout_may_come_before_turn_zero() -> None:
    dialogue = connected()
    assert dialogue.read(LOADOUT.replace("droid", "mortar")) is None
    assert dialogue.read(LOADOUT) is None
    assert dialogue.given() is None
    dialogue.ask(GAME.start(seed=1))
    assert dialogue.given() == "loadout droid laser"
    dialogue.ask(begin())
    assert dialogue.given() is None


def test_what_came_in_time_is_a_turn() -> None:
    dialogue = connected()
    position = begin()
    dialogue.ask(position)
    assert dialogue.standing() == "nothing"
    assert dialogue.read(act(type="move", direction="down")) is None
    assert dialogue.standing() == "move down"
    assert dialogue.read(LOADOUT) is None
    assert "the match has begun" in errors(dialogue)[-1]


def test_the_turn_ends_with_a_valid_shot() -> None:
    dialogue = connected()
    position = begin()
    dialogue.ask(position)
    assert dialogue.read(act(type="laser", direction="up")) is None  # from the spawn: refused
    assert dialogue.read(act(type="move", direction="down")) is None
    text = dialogue.read(act(type="laser", direction="up"))
    assert text == "laser up; move down; laser up"
    dialogue.replies()
    assert dialogue.read(act(type="pass")) is None
    assert errors(dialogue) == ["pass: it is not your turn"]
    moved = play(position, "move down", "pass")
    dialogue.ask(moved)
    assert dialogue.read(act(type="laser", direction="up")) == "laser up"


def test_names_on_the_wire() -> None:
    assert wire_names(["a", "a", "a"], 1, None) == ("a", "a2", "a3")
    assert wire_names(["a", "b"], 1, "a") == ("a2", "a")
    assert wire_names(["x" * 20, "x" * 16], 0, None) == ("x" * 16, "x" * 15 + "2")
    assert wire_names(["", "\u00e9"], 0, None) == ("player", "player2")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("walker", "walker"),
        ("a-b_c+9", "a-b_c+9"),
        ("python3 bot.py {name} {port}", "python3-bot-py-n"),
        ("fifteen-letter.s", "fifteen-letter-s"),
        ("fifteen-letters.", "fifteen-letters"),
        ("fifteen-letters.x", "fifteen-letters"),
        ("\u00e9", "player"),
    ],
)
def test_a_program_is_told_a_name_that_it_can_connect_with(name: str, told: str) -> None:
    dialogue = JsonDialogue()
    assert dialogue.spell_name(name) == told
    assert wire.parse_handshake({"revision": 1, "name": told}) == told


def test_warnings_are_the_errors_of_a_turn() -> None:
    dialogue = connected()
    position = begin()
    dialogue.ask(position)
    dialogue.read("rubbish")
    dialogue.refuse("no text at all")
    for action in (act(type="mine"), act(type="move", direction="down")):
        assert dialogue.read(action) is None
    dialogue.parse(position, 0, dialogue.standing())
    rubbish, no_text, refused = dialogue.warnings
    assert (rubbish, no_text) == ('"rubbish": not JSON', "no text at all")
    assert refused == "mine: nothing to mine on an S tile"
    dialogue.parse(position, 0, "move down")
    assert dialogue.warnings == ()


def test_a_flood_of_errors_is_no_flood_of_warnings() -> None:
    dialogue = connected()
    for _ in range(1000):
        dialogue.read("rubbish")
    assert len(dialogue.replies()) == 1001
    dialogue.parse(begin(), 0, "pass")
    assert len(dialogue.warnings) == 20


def test_who_did_not_connect_is_told_no_gamestate() -> None:
    dialogue = JsonDialogue()
    dialogue.open(GAME.start(), 0, Briefing())
    assert dialogue.close(None) == []
