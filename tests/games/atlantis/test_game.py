"""The game object: options, seats, and the text that players exchange."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.match_text import parse_match

if TYPE_CHECKING:
    from agon.games.atlantis.position import AtlantisPosition

ISLET = {
    "segments": [["a1", "b1", "c1"]],
    "players": [{"stacks": {"a1": 1}}, {"stacks": {"c1": 1}}],
}


def play_on(position: AtlantisPosition, turns: int) -> list[AtlantisPosition]:
    chance = Random(turns)  # noqa: S311
    positions = [position]
    while positions[-1].to_act and len(positions) <= turns:
        last = positions[-1]
        positions.append(last.play_turn(last.random_turn(last.seat, chance)))
    return positions


def seen(positions: list[AtlantisPosition]) -> list[Any]:
    return [position.observe(None) for position in positions]


@pytest.mark.parametrize(
    ("shape", "seats", "fields"),
    [("triangle", 2, 147), ("triangle", 3, 147), ("hexagon", 6, 133), ("rhombus", 4, 175)],
)
def test_usual_boards(shape: str, seats: int, fields: int) -> None:
    position = GAME.start(AtlantisOptions(shape), seats=seats)
    assert (position.seats, len(position.fields)) == (seats, fields)


def test_the_usual_size_is_always_written_as_0() -> None:
    assert AtlantisOptions("hexagon", 3) == AtlantisOptions("hexagon")
    assert AtlantisOptions("hexagon", 3).size == 0
    assert AtlantisOptions("hexagon", 4).find_board(2) == standard_board("hexagon", 4, 2)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"board": "circle"}, "board='circle': expected triangle, hexagon, rhombus"),
        ({"size": "1"}, "size 1: expected 2 to 24, or 0"),
        ({"size": "-3"}, "size -3: expected 2 to 24, or 0"),
        ({"custom": "rubbish"}, "custom: line 1, column 1: "),
        ({"custom": "[]"}, "custom: the document []: expected an object"),
        ({"custom": json.dumps(ISLET), "size": "4"}, "custom: expected neither board nor size"),
        ({"custom": json.dumps(ISLET), "board": "hexagon"}, "custom: expected neither board"),
    ],
)
def test_options_that_make_no_sense(given: dict[str, str], told: str) -> None:
    with pytest.raises(SettingError) as caught:
        GAME.parse_options(given)
    assert told in str(caught.value)


def test_a_board_of_ones_own() -> None:
    told = {"format": "whatever", **ISLET, "user": "ada"}
    options = AtlantisOptions(custom=json.dumps(told))
    assert json.loads(options.custom) == ISLET
    assert AtlantisOptions(custom=options.custom) == options
    position = GAME.start(options)
    assert (position.seats, len(position.fields)) == (2, 3)
    assert GAME.start(options, seats=2).observe(None) == position.observe(None)
    with pytest.raises(SettingError, match="3 seats: the board is for 2"):
        GAME.start(options, seats=3)
    assert GAME.simulation(options).seats == 2


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_seats_that_there_are_not(seats: int) -> None:
    with pytest.raises(SettingError, match="seats: Atlantis is for 2 to 6"):
        GAME.start(None, 0, seats)


def test_a_triangle_has_three_corners() -> None:
    with pytest.raises(SettingError, match="4 players on a triangle: expected 2 to 3"):
        GAME.start(AtlantisOptions("triangle"), 0, 4)


# --- the text that players exchange --------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (AtlantisOptions(), 3),
        (AtlantisOptions("hexagon", 2), 6),
        (AtlantisOptions(custom=json.dumps(ISLET)), None),
    ],
)
def test_a_match_is_its_transcript(options: AtlantisOptions, seats: int | None) -> None:
    positions = play_on(GAME.start(options, 0, seats), 60)
    text = GAME.format_match(positions)
    assert "\n" not in text
    document = json.loads(text)
    assert document["format"] == "Atlantis transcript"
    assert document["version"] == "1.0"
    assert {event["type"] for event in document["events"]} <= {"turn"}
    read = list(parse_match(text))
    assert seen(read) == seen(positions)
    assert read[0].options == options
    assert GAME.format_match(read) == text


def test_a_match_in_which_seats_fail() -> None:
    positions = play_on(GAME.start(AtlantisOptions("hexagon"), 0, 4), 3)
    positions[-1] = positions[-1].drop({1: "crash"})
    positions.append(positions[-1].play_turn(()))
    failed = positions[-1].drop({0: "timeout"})
    positions.append(failed.play_turn(()))
    positions[-1] = positions[-1].drop({2: "crash"})
    text = GAME.format_match(positions)
    kinds = [event["type"] for event in json.loads(text)["events"]]
    assert kinds == ["turn", "turn", "turn", "fault", "turn", "fault", "turn", "fault"]
    read = list(parse_match(text))
    assert read[-1].outcome == positions[-1].outcome
    assert len(read) == len(positions)
    assert GAME.format_match(read) == text


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        ({"format": "Hive transcript"}, NotationError, 'expected "Atlantis transcript"'),
        ({"version": "2.0"}, NotationError, 'version "2.0": expected "1.0"'),
        ({"events": [3]}, NotationError, "events[0] 3: expected an object"),
        ({"events": [{"type": "turn"}]}, NotationError, "events[0].moves null: expected a list"),
        (
            {"events": [{"type": "turn", "moves": [["a1", "c1"]]}]},
            IllegalMoveError,
            "events[0]: turn 0, move a1-c1: 2 steps take as many stones, and a1 holds 1",
        ),
        (
            {"events": [{"type": "fault", "player": 2, "fault": "crash"}]},
            NotationError,
            "events[0].player 2: expected a seat that is not out yet",
        ),
        (
            {
                "events": [
                    {"type": "fault", "player": 1, "fault": "crash"},
                    {"type": "turn", "moves": []},
                ]
            },
            IllegalMoveError,
            "events[1]: the match is over: seat 1: crash",
        ),
    ],
)
def test_bad_matches(change: dict[str, Any], kind: type[Exception], told: str) -> None:
    document = {"format": "Atlantis transcript", "version": "1.0", **ISLET, **change}
    with pytest.raises(kind) as caught:
        parse_match(json.dumps(document))
    assert told in str(caught.value)
