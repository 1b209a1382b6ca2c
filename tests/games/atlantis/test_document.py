"""Boards in documents: every way of writing them, and every way in which they are bad."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from agon.errors import TranscriptError
from agon.games.atlantis.boards import standard_board, standard_segment
from agon.games.atlantis.document import (
    check_date,
    format_custom,
    format_segments,
    format_stacks,
    parse_board,
    parse_custom,
)
from agon.games.atlantis.notation import parse_coordinate
from agon.games.atlantis.setup import build_setup
from tests.games.atlantis.documents import documents

steady = settings(derandomize=True, deadline=None, max_examples=80)


def document(segments: Any, *stacks: Any) -> str:
    return json.dumps({"segments": segments, "players": [{"stacks": own} for own in stacks]})


# --- what is read --------------------------------------------------------------------------------


def test_the_drawing_of_the_rules_in_two_ways() -> None:
    short = parse_board(json.dumps({"segments": ["B2", "C5", "E4"]}))
    long = [list(standard_segment(centre)) for centre in ((2, 2), (3, 5), (5, 4))]
    assert [list(segment) for segment in short.segments] == long
    assert short.stacks == ()
    names = {name for segment in format_segments(short) for name in segment}
    assert names == {
        *("a1", "a2", "b1", "b2", "b3", "c2", "c3"),
        *("b4", "b5", "c4", "c5", "c6", "d5", "d6"),
        *("d3", "d4", "e3", "e4", "e5", "f4", "f5"),
    }


def test_capitals_are_overridden_by_the_same_player() -> None:
    text = document(["B2", ["d4"]], {"b2": 5, "B2": 1, "c3": -2, "a1": 0}, {"d4": 3})
    red, blue = parse_board(text).stacks
    ones = dict.fromkeys(("a2", "b1", "b3", "c2"), 1)
    assert format_stacks(red) == {**ones, "a1": 0, "b2": 5, "c3": -2}
    assert format_stacks(blue) == {"d4": 3}


def test_capitals_reach_over_segments() -> None:
    fields = [["a1", "a2", "b1"], ["b2", "b3"], ["c2"], ["c3", "d3"]]
    red, blue = parse_board(document(fields, {"B2": 2}, {"d3": 1})).stacks
    assert set(red) == set(standard_segment((2, 2)))
    assert set(red.values()) == {2}
    assert blue == {(4, 3): 1}


def test_letters_without_end() -> None:
    board = parse_board(document([["z1", "aa1"], ["zzzzz7"]], {"aa1": 1}, {"zzzzz7": -4}))
    assert board.segments == (((26, 1), (27, 1)), (parse_coordinate("zzzzz7"),))
    assert parse_board(document(["AAA9"], {}, {})).segments == (standard_segment((703, 9)),)


@pytest.mark.parametrize(
    ("shape", "size", "seats"), [("triangle", 6, 3), ("hexagon", 3, 6), ("rhombus", 5, 4)]
)
def test_usual_boards_are_written_and_read(shape: str, size: int, seats: int) -> None:
    board = standard_board(shape, size, seats)
    text = document(format_segments(board), *map(format_stacks, board.stacks))
    assert parse_board(text) == board


@pytest.mark.long
@steady
@given(documents())
def test_any_board_is_read_and_written(data: dict[str, Any]) -> None:
    found = parse_custom(json.dumps(data))
    assert found.segments == data["segments"]
    assert found.stacks == [player["stacks"] for player in data["players"]]
    again = parse_custom(format_custom(found))
    assert again == found
    long = document(format_segments(found.board), *map(format_stacks, found.board.stacks))
    assert parse_board(long) == found.board
    build_setup(found.board)


# --- what is refused -----------------------------------------------------------------------------

GOOD = [["a1", "b1", "c1"], ["d1"]]
DEFECTS: dict[str, tuple[Any, tuple[Any, ...], str]] = {
    "no segments": (None, (), "segments null: expected a list of segments"),
    "segments that are none": ({"B2": 1}, (), 'segments {"B2": 1}: expected a list of segments'),
    "no fields": ([], (), "segments: 0 fields, expected 1 to 4103"),
    "too many fields": (
        [[f"a{y}" for y in range(1, 4105)]],
        (),
        "segments: 4104 fields, expected 1 to 4103",
    ),
    "an empty segment": ([["a1"], []], (), "segments[1]: expected at least one field"),
    "a segment that is none": ([["a1"], 7], (), "segments[1] 7: expected a list of fields"),
    "a field that is none": ([["a1", 7]], (), "segments[0][1] 7: expected a field"),
    "a field without a number": ([["a1", "b"]], (), "segments[0][1]: field 'b': expected small"),
    "a field in two segments": ([["a1"], ["b1", "a1"]], (), "segments[1]: a1 is in segments[0]"),
    "a field twice in a segment": ([["a1", "a1"]], (), "segments[0]: a1 is in segments[0] already"),
    "a field in capitals and in small letters": (
        ["B2", ["c3"]],
        (),
        "segments[1]: c3 is in segments[0] already",
    ),
    "capitals that overlap": (["B2", "C3"], (), "segments[1]: b2 is in segments[0] already"),
    "small letters without a list": (["b2"], (), 'segments[0] "b2": expected a list, or capitals'),
    "capitals in a list": ([["B2"]], (), 'segments[0][0] "B2": expected a field, in small letters'),
    "mixed case in a segment": (
        ["Ab2"],
        (),
        'segments[0] "Ab2": expected small letters or capitals, not both',
    ),
    "mixed case in a list": ([["aB2"]], (), 'segments[0][0] "aB2": expected small letters or cap'),
    "a segment over the edge": (["A5"], (), 'segments[0] "A5": it reaches beyond the letter a'),
    "one player": (GOOD, ({},), "players: 1, expected 2 to 6"),
    "seven players": (GOOD, ({},) * 7, "players: 7, expected 2 to 6"),
    "stacks that are none": (GOOD, ({}, [1]), "players[1].stacks [1]: expected an object"),
    "stones that are no number": (
        GOOD,
        ({"a1": "2"}, {}),
        'players[0].stacks.a1 "2": expected a whole number of stones',
    ),
    "half a stone": (GOOD, ({"a1": 1.5}, {}), "players[0].stacks.a1 1.5: expected a whole number"),
    "a yes for stones": (GOOD, ({"a1": True}, {}), "players[0].stacks.a1 true: expected a whole"),
    "too many stones": (GOOD, ({"a1": -100001}, {}), "stacks.a1 -100001: expected at most 100000"),
    "a stack off the board": (
        GOOD,
        ({}, {"e1": 1}),
        "players[1].stacks.e1: there is no such field on the board",
    ),
    "a stack on nothing": (GOOD, ({}, {"!": 1}), "players[1].stacks: field '!': expected small"),
    "two players on a field": (
        GOOD,
        ({"a1": 1}, {"b1": 1, "a1": 1}),
        "players[1].stacks.a1: players[0] holds a1 already",
    ),
    "two players on a field in capitals": (
        ["B2", ["d4"]],
        ({"c3": 1}, {"B2": 1}),
        "players[1].stacks.B2: players[0] holds c3 already",
    ),
    "capitals that overlap in stacks": (
        ["B2", ["d3", "d4", "c4"]],
        ({"B2": 1, "C3": 1, "c3": 4}, {}),
        "players[0].stacks.C3: B2 reaches b2 as well",
    ),
    "capitals off the board": (
        GOOD,
        ({"B2": 1}, {}),
        "players[0].stacks.B2: it reaches a2, which is not on the board",
    ),
    "capitals over the edge": (GOOD, ({"A1": 1}, {}), "players[0].stacks.A1: it reaches beyond"),
    "mixed case in stacks": (
        GOOD,
        ({"Aa1": 1}, {}),
        'players[0].stacks "Aa1": expected small letters or capitals, not both',
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_every_defect_is_told_with_its_place(defect: str) -> None:
    segments, stacks, told = DEFECTS[defect]
    with pytest.raises(TranscriptError) as caught:
        parse_board(document(segments, *stacks))
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: Expecting value"),
        ('{"segments": [}', "line 1, column 15: Expecting value"),
        ("[]", "the document []: expected an object"),
        ('{"segments": ["B2"], "players": 3}', "players 3: expected a list"),
        ('{"segments": ["B2"], "players": [3, 4]}', "players[0] 3: expected an object"),
        ('{"segments": ["B2"], "players": [{}]}', "players[0] {}: expected a key stacks"),
        ('{"segments": [], "segments": []}', 'the key "segments" stands twice'),
        (
            '{"segments": ["B2"], "players": [{"stacks": {"b2": 1, "b2": 2}}]}',
            'players[0].stacks: the key "b2" stands twice',
        ),
    ],
)
def test_what_is_no_document(text: str, told: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_board(text)
    assert told in str(caught.value)


@pytest.mark.parametrize("date", ["2025-11-02T20:15:00+01:00", "2025-11-02T20:15Z"])
def test_dates_with_a_zone_are_not_refused(date: str) -> None:
    check_date(date, "begin")


@pytest.mark.parametrize("date", ["yesterday", "2025-11-02T20:15:00", "2025-11-02", "", 5, None])
def test_dates_that_are_none(date: Any) -> None:
    with pytest.raises(TranscriptError, match=r"begin .*: expected a date and time with a zone"):
        check_date(date, "begin")
