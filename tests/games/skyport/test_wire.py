"""The messages of the protocol: what clients say, and what they are told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import ProtocolError
from agon.games.skyport import wire
from agon.games.skyport.notation import format_action
from tests.games.skyport.situation import begin, change, play

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=150)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


# --- what clients say ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hello", '"hello": not JSON'),
        ("", '"": not JSON'),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 10_000, "not JSON"),
        ("[1]", r"\[1\]: expected a JSON object"),
        ("{}", "{}: expected a key message with a text"),
        ('{"message": 1}', "expected a key message with a text"),
    ],
)
def test_lines_that_are_no_messages(line: str, complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        wire.parse_message(line)


@pytest.mark.parametrize("revision", [1, "1"])
def test_the_revision_is_a_number_or_its_text(revision: object) -> None:
    assert wire.parse_handshake({"revision": revision, "name": "ann"}) == "ann"


@pytest.mark.parametrize("name", ["a", "A-b_c+9", "sixteen-letters-"])
def test_a_handshake_tells_a_name(name: str) -> None:
    assert wire.parse_handshake({"revision": 1, "name": name}) == name


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ({"name": "a"}, "revision null: expected 1"),
        ({"revision": 2, "name": "a"}, "revision 2: expected 1"),
        ({"revision": True, "name": "a"}, "revision true: expected 1"),
        ({"revision": "2", "name": "a"}, 'revision "2": expected 1'),
        ({"revision": ["1"], "name": "a"}, r'revision \["1"\]: expected 1'),
        ({"revision": 1}, "name null: expected 1 to 16 letters"),
        ({"revision": 1, "name": ""}, 'name "": '),
        ({"revision": 1, "name": "a b"}, 'name "a b": '),
        ({"revision": 1, "name": "seventeen-letters"}, 'name "seventeen-letters": '),
        ({"revision": 1, "name": "h\u00e9"}, "name "),
        ({"revision": 1, "name": ["a"]}, "name "),
        ({"revision": 1, "name": "bob"}, 'name "bob": it is taken'),
    ],
)
def test_handshakes_that_are_refused(message: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        wire.parse_handshake(message, taken={"bob"})


@pytest.mark.parametrize(
    ("primary", "secondary", "complaint"),
    [
        ("laser", "laser", '"laser": expected two different weapons'),
        ("bow", "laser", 'primary-weapon "bow": expected laser, mortar, droid'),
        ("laser", None, "secondary-weapon null: "),
        ("laser", ["droid"], "secondary-weapon "),
    ],
)
def test_r05_loadouts_that_are_refused(primary: Any, secondary: Any, complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        wire.parse_loadout({"primary-weapon": primary, "secondary-weapon": secondary})


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"type": "move", "direction": "up"}, "move up"),
        ({"type": "move", "direction": "leftDown"}, "move left-down"),
        ({"type": "mine"}, "mine"),
        ({"type": "pass"}, "pass"),
        ({"type": "upgrade", "weapon": "droid"}, "upgrade droid"),
        ({"type": "laser", "direction": "right-up"}, "laser right-up"),
        ({"type": "mortar", "coordinates": "3,-2"}, "mortar 3,-2"),
        ({"type": "mortar", "coordinates": " 3, -2 "}, "mortar 3,-2"),
        ({"type": "mortar", "coordinates": "-12345678901234567890,0"}, "mortar -99,0"),
        ({"type": "droid", "sequence": ["up", "rightDown"]}, "droid up,right-down"),
        ({"type": "droid", "sequence": []}, "droid"),
        ({"type": "droid", "sequence": ["up"] * 50}, "droid up,up,up,up,up,up"),
    ],
)
def test_actions_are_read(given: dict[str, Any], text: str) -> None:
    assert format_action(wire.parse_action(given)) == text


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "type null: expected move, mine, upgrade, pass, laser, mortar, droid"),
        ({"type": "dance"}, 'type "dance": expected move, '),
        ({"type": ["move"]}, 'type ["move"]: expected move, '),
        ({"type": "move"}, "move: direction null: expected up, down, right-up, "),
        ({"type": "laser", "direction": "Up"}, 'laser: direction "Up": expected up, '),
        ({"type": "laser", "direction": {}}, "laser: direction {}: expected up, "),
        ({"type": "upgrade", "weapon": "bow"}, 'upgrade: weapon "bow": expected laser, '),
        ({"type": "mortar", "coordinates": [1, 2]}, "mortar: coordinates [1, 2]: expected such as"),
        ({"type": "mortar", "coordinates": "1;2"}, 'mortar: coordinates "1;2": expected such as'),
        ({"type": "mortar", "coordinates": "1.5,2"}, 'mortar: coordinates "1.5,2": '),
        ({"type": "droid", "sequence": "up"}, 'droid: sequence "up": expected a list'),
        ({"type": "droid", "sequence": ["up", "x"]}, 'droid: direction "x": expected up, '),
        ({"type": "x" * 100}, 'type "xxx'),
    ],
)
def test_r07_actions_that_are_not_understood(given: dict[str, Any], complaint: str) -> None:
    action = wire.parse_action(given)
    assert action.complaint.startswith(complaint)
    position = change(begin(), places={0: (3, 3)})
    after = position.play({0: (action,)})
    assert after.deeds[0].refusal == action.complaint


@deterministic
@given(st.dictionaries(st.sampled_from(["type", "direction", "sequence", "weapon"]), json_values))
def test_any_action_is_read(given: dict[str, Any]) -> None:
    action = wire.parse_action(given)
    assert action.complaint or action.code


# --- what they are told -------------------------------------------------------------------------


def test_gamestates_have_both_wordings() -> None:
    position = change(begin("SRV/GOG/GES", "droid laser"), places={0: (1, 0)})
    told = wire.gamestate(position, ["ann", "bob"])
    assert told == {
        "message": "gamestate",
        "gamestate": 1,
        "turn": 1,
        "map": {
            "j-length": 3,
            "k-length": 3,
            "data": [["S", "R", "V"], ["G", "O", "G"], ["G", "E", "S"]],
        },
        "entities": [
            {"name": "ann", "position": "1, 0", "kind": "player"},
            {"name": "bob", "position": "2, 2", "kind": "player"},
        ],
        "players": [
            {
                "primary-weapon": {"level": 1, "name": "droid"},
                "position": "1, 0",
                "name": "ann",
                "score": 0,
                "alive": True,
                "health": 100,
                "secondary-weapon": {"level": 1, "name": "laser"},
            },
            {
                "primary-weapon": {"level": 1, "name": "laser"},
                "position": "2, 2",
                "name": "bob",
                "score": 0,
                "alive": True,
                "health": 100,
                "secondary-weapon": {"level": 1, "name": "mortar"},
            },
        ],
    }


def test_the_acting_player_is_the_first() -> None:
    position = play(begin(), "move down")
    told = json.loads(wire.format_message(wire.gamestate(position, ["ann", "bob"])))
    assert [player["name"] for player in told["players"]] == ["bob", "ann"]
    assert told["turn"] == 2


def echo(turn: str, loadout: str = "laser mortar") -> dict[str, Any]:
    position = change(begin("SGGG/GGGG/GGGR/GGGS", loadout), places={0: (2, 1)})
    position = change(position, units={(0, "laser"): 9})
    return dict(wire.deed_message(play(position, turn).deeds[0], "ann"))


def test_actions_are_told_with_who_did_them() -> None:
    done = {"message": "action", "from": "ann"}
    assert echo("move rightUp") == done | {"type": "move", "direction": "right-up"}
    assert echo("pass") == done | {"type": "pass"}
    assert echo("upgrade laser") == done | {"type": "upgrade", "weapon": "laser"}
    assert echo("laser up") == done | {
        "type": "laser",
        "direction": "up",
        "start": "2, 1",
        "stop": "1, 0",
    }
    assert echo("mortar 2,-0") == done | {"type": "mortar", "coordinates": "2,0"}
    walk = echo("droid left-up,left-up,up", "droid laser")
    assert walk == done | {"type": "droid", "sequence": ["left-up"]}


def test_errors_are_for_the_offender_alone() -> None:
    deeds = play(begin(), "mine; move down; pass").deeds
    told = wire.end_of_turn(deeds, "ann", own=False)
    assert [message.get("type") for message in told] == [None, "move", "pass"]
    assert wire.end_of_turn(deeds, "ann", own=True) == [
        *told,
        {"error": "mine: nothing to mine on an S tile"},
    ]
