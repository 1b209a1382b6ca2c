"""Coordinates and turns as text, and why a move is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import IllegalMoveError, NotationError
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.notation import (
    format_coordinate,
    join_turn,
    parse_coordinate,
    split_turn,
)

if TYPE_CHECKING:
    from agon.games.atlantis.position import AtlantisPosition

steady = settings(derandomize=True, deadline=None, max_examples=200)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("a1", (1, 1)),
        ("b2", (2, 2)),
        ("z9", (26, 9)),
        ("aa10", (27, 10)),
        ("az1", (52, 1)),
        ("ba1", (53, 1)),
        ("zz1", (702, 1)),
        ("aaa1", (703, 1)),
    ],
)
def test_letters_count_as_r1_says(text: str, field: tuple[int, int]) -> None:
    assert parse_coordinate(text) == field
    assert format_coordinate(field) == text


@steady
@given(st.integers(1, 26**12), st.integers(1, 10**12))
def test_any_field_has_a_text_of_its_own(x: int, y: int) -> None:
    assert parse_coordinate(format_coordinate((x, y))) == (x, y)


@steady
@given(st.from_regex("[a-z]{1,20}[1-9][0-9]{0,9}", fullmatch=True))
def test_any_number_of_letters_is_read(text: str) -> None:
    assert format_coordinate(parse_coordinate(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "a0", "a01", "A1", "aB1", "a-1", "a1 ", "a1b", "ä1", "a\uff11", "\0", "a1\n"],
)
def test_what_is_no_field_is_quoted(text: str) -> None:
    with pytest.raises(NotationError, match="expected small letters and a number") as caught:
        parse_coordinate(text)
    assert repr(text) in str(caught.value)


def test_a_turn_is_a_list_of_moves_or_a_pass() -> None:
    assert split_turn("a1-b2 aa3-aa1") == [("a1", "b2"), ("aa3", "aa1")]
    assert split_turn("pass") == []
    assert join_turn([("a1", "b2"), ("aa3", "aa1")]) == "a1-b2 aa3-aa1"
    assert join_turn([]) == "pass"


@pytest.mark.parametrize("text", ["", " ", "a1", "a1-", "-a1", "pass pass", "a1-b2 pass", "a1b2"])
def test_what_is_no_turn_is_quoted(text: str) -> None:
    with pytest.raises(NotationError, match="expected ") as caught:
        GAME.start().parse_turn(0, text)
    assert repr(text) in str(caught.value) or "field 'pass'" in str(caught.value)


# --- what is not allowed -------------------------------------------------------------------------

#   y = 1:  a1 four red ones, c1 growing (blue), e1 dead, g1 empty; y = 2: two red ones on b2
STRIP = {
    "segments": [["a1", "b2"], ["b1"], ["c1"], ["d1"], ["e1", "f1"], ["g1"], ["b3"], ["zzz999"]],
    "players": [
        {"stacks": {"a1": 4, "b2": 2, "d1": 9, "zzz999": 1}},
        {"stacks": {"b1": 3, "c1": -1, "e1": 0}},
    ],
}


def strip() -> AtlantisPosition:
    return GAME.start(AtlantisOptions(custom=json.dumps(STRIP)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("h1-a1", "turn 0, move h1-a1: there is no field h1"),
        ("a1-a2", "turn 0, move a1-a2: there is no field a2"),
        ("a1-a1", "turn 0, move a1-a1: it goes nowhere"),
        ("a1-b3", "turn 0, move a1-b3: it is not in one of the six directions"),
        ("a1-zzz999", "turn 0, move a1-zzz999: not all fields on the way exist"),
        ("c1-d1", "turn 0, move c1-d1: c1 is growing, and stones leave open fields only"),
        ("e1-f1", "turn 0, move e1-f1: e1 is dead, and stones leave open fields only"),
        ("g1-f1", "turn 0, move g1-f1: g1 is empty; expected stones of seat 0"),
        ("b1-a1", "turn 0, move b1-a1: b1 holds stones of seat 1; expected stones of seat 0"),
        ("a1-f1", "turn 0, move a1-f1: 5 steps take as many stones, and a1 holds 4"),
        ("a1-c1", "turn 0, move a1-c1: c1 on the way is growing"),
        ("a1-d1", "turn 0, move a1-d1: c1 on the way is growing"),
        ("d1-g1", "turn 0, move d1-g1: e1 on the way is dead"),
        ("a1-b1 b2-b3", "turn 0, move b2-b3: a1-b1 of this turn starts in the same segment"),
        ("a1-b1 a1-b1", "turn 0, move a1-b1: a1-b1 of this turn starts in the same segment"),
        ("a1-b1 c1-d1", "turn 0, move c1-d1: c1 is growing"),
    ],
)
def test_r5_r6_an_illegal_move_is_named_with_the_reason(text: str, reason: str) -> None:
    position = strip()
    before = position.observe(None)
    with pytest.raises(IllegalMoveError) as caught:
        position.parse_turn(0, text)
    assert reason in str(caught.value)
    assert position.observe(None) == before


def test_a_missing_field_on_the_way_is_named() -> None:
    gap = {
        "segments": [["a1"], ["a2"], ["c1"], ["d1"]],
        "players": [{"stacks": {"a1": 3, "d1": 1}}, {"stacks": {"a2": 2}}],
    }
    position = GAME.start(AtlantisOptions(custom=json.dumps(gap)))
    with pytest.raises(IllegalMoveError, match="a1-c1: there is no field b1 on the way"):
        position.parse_turn(0, "a1-c1")


def test_more_moves_than_segments_are_refused() -> None:
    text = " ".join(["a1-b1"] * 9)
    with pytest.raises(IllegalMoveError, match="turn 0 of 9 moves: expected at most one from each"):
        strip().parse_turn(0, text)


def test_legal_moves_are_read_and_written() -> None:
    position = strip()
    for text in ("a1-b1", "b2-b3", "pass"):
        assert position.format_turn(0, position.parse_turn(0, text)) == text
    assert {position.format_turn(0, (move,)) for move in position.moves} == {
        *("a1-b2", "a1-b1", "b2-b1", "b2-a1", "b2-b3"),
    }
