r"""Cells and moves in the matrix of the published notation: inverse to what the rules use.

  / \ / \ / \
 |0,0|1,0|2,0|
  \ / \ / \ / \
   |0,1|1,1|2,1|
  / \ / \ / \ /
 |0,2|1,2|2,2|
  \ / \ / \ /
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agon.errors import IllegalMoveError, NotationError
from agon.games.dialogue import Briefing
from agon.games.hive.game import GAME, VARIANTS, HiveOptions
from agon.games.hive.matrix import (
    format_matrix_move,
    from_matrix,
    parse_matrix_move,
    to_matrix,
)
from agon.games.hive.tile import Direction, neighbour
from tests.games.hive.situation import play
from tests.games.hive.test_rules_ending import NO_MOVE

NUMBERS = st.integers(-99, 99)
# As the drawing has them: row 1 lies half a cell to the right of rows 0 and 2.
NEIGHBOURS = {
    (1, 1): {"NW": (1, 0), "NE": (2, 0), "E": (2, 1), "SE": (2, 2), "SW": (1, 2), "W": (0, 1)},
    (1, 2): {"NW": (0, 1), "NE": (1, 1), "E": (2, 2), "SE": (1, 3), "SW": (0, 3), "W": (0, 2)},
}


@given(NUMBERS, NUMBERS)
def test_cells_go_both_ways(one: int, other: int) -> None:
    assert from_matrix(*to_matrix((one, other))) == (one, other)
    assert to_matrix(from_matrix(one, other)) == (one, other)


@pytest.mark.parametrize("place", NEIGHBOURS)
def test_neighbours_lie_as_they_are_drawn(place: tuple[int, int]) -> None:
    cell = from_matrix(*place)
    found = {d.name: to_matrix(neighbour(cell, d)) for d in Direction}
    assert found == NEIGHBOURS[place]


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_go_both_ways(variant: str) -> None:
    rng, position = Random(8), GAME.start(HiveOptions(variant))  # noqa: S311
    while position.to_act and position.turn < 60:
        texts = [format_matrix_move(position, move) for move in position.moves]
        assert len(set(texts)) == len(texts)
        assert [parse_matrix_move(position, text) for text in texts] == [*position.moves]
        position = position.play_move(position.random_turn(position.side_to_move, rng))
    assert position.turn > 20


def test_a_position_can_be_laid_out_from_its_json() -> None:
    rng, position = Random(4), GAME.start(HiveOptions("Base+MLP"))  # noqa: S311
    while position.to_act and position.turn < 50:
        position = position.play_move(position.random_turn(position.side_to_move, rng))
    seen: Any = position.observe(None)
    stacks: dict[Any, list[str]] = {}
    for tile in sorted(seen["tiles"], key=lambda tile: tile["level"]):
        stacks.setdefault(from_matrix(*tile["xy"]), []).append(tile["tile"])
    assert stacks == {cell: [*map(str, tiles)] for cell, tiles in position.stacks.items()}
    moves = [parse_matrix_move(position, text) for text in seen["legal_moves_xy"]]
    assert moves == [position.parse_turn(seen["turn"] % 2, text) for text in seen["legal_moves"]]


@pytest.mark.parametrize(
    "text",
    [
        *("", "wS1", "wS1(0,0", "wS1 (0,0)", "wS1(0, 0)", "wS1(00,0)", "wS1(-0,0)", "wS1(+1,0)"),
        *("wS1(1)", "wS1(1,2,3)", "wX1(0,0)", "wS3(0,0)", "ws1(0,0)", "wS1(1000,0)", "wS1(0,0)\n"),
        "wS1(\N{ARABIC-INDIC DIGIT ONE},0)",
    ],
)
def test_what_is_no_move_is_not_guessed(text: str) -> None:
    with pytest.raises(NotationError):
        parse_matrix_move(GAME.start(), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("wS1(1,0)", "the first tile lies at 0,0"),
        ("wS2(0,0)", "the next such tile to be placed is wS1"),
        ("bS1(0,0)", "it is the other side's turn"),
        ("wQ1(0,0)", "cannot be placed on this turn"),
        ("wM1(0,0)", "there is no wM1 in Base"),
        ("pass", "only legal when there is no other move"),
    ],
)
def test_a_move_that_the_rules_forbid_is_another_error(text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        parse_matrix_move(GAME.start(), text)


def test_a_bot_may_play_by_cells() -> None:
    start, dialogue = GAME.start(), GAME.dialogue("lines-xy")
    dialogue.list_moves()
    assert dialogue.open(start, 0, Briefing(None))[0].startswith("options variant=Base")
    assert dialogue.ask(start) == ["colour white"]
    assert dialogue.legal_line(start, 0) == "legal wS1(0,0) wB1(0,0) wG1(0,0) wA1(0,0)"
    assert dialogue.read("wS1(0,0)") == "wS1(0,0)"
    move = dialogue.parse(start, 0, "wS1(0,0)")
    assert move == start.parse_turn(0, "wS1")
    after = start.play_move(move)
    reply = after.parse_turn(1, r"bG1\*wS1")
    assert dialogue.tell(after, {1: reply}, after.play_move(reply)) == []
    assert dialogue.ask(after.play_move(reply)) == ["bG1(-1,1)"]
    stuck = play(NO_MOVE)
    assert dialogue.legal_line(stuck, stuck.side_to_move) == "legal pass"
