"""Map files (R4), the maps of ours, and the generator."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import NotationError, SettingError
from agon.games.skyport.mapfile import LETTERS, Map, diagonal, format_map, parse_map
from agon.games.skyport.maps import NAMES, generate, load_map, name_for
from agon.games.skyport.maps.generator import distance, island, symmetries

FAIR = (2, 3, 4, 6)
"""Seats whose maps are the same from every spawn."""
deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=60)

SMALL = r"""players 2
size 3
description "A duel in a cupboard."
         __
      __/S \__
   __/G \__/R \__
  /V \__/O \__/E \
  \__/C \__/G \__/
     \__/S \__/
        \__/
"""


def test_r04_a_file_is_a_drawing() -> None:
    board = parse_map(SMALL)
    assert board.rows == ("SRE", "GOG", "VCS")
    assert board.description == "A duel in a cupboard."
    assert board.spawns == ((0, 0), (2, 2))
    assert format_map(board) == SMALL


@st.composite
def maps(draw: st.DrawFn) -> Map:
    side = draw(st.integers(3, 12))
    letters = draw(st.lists(st.sampled_from("GRECVO"), min_size=side**2, max_size=side**2))
    for place in draw(st.sets(st.integers(0, side**2 - 1), min_size=2, max_size=8)):
        letters[place] = "S"
    text = draw(st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=20))
    rows = ["".join(letters[side * j : side * (j + 1)]) for j in range(side)]
    return Map(tuple(rows), text.replace('"', "'"))


@deterministic
@given(maps())
def test_r04_reading_and_drawing_invert_each_other(board: Map) -> None:
    text = format_map(board)
    assert parse_map(text) == board
    assert format_map(parse_map(text)) == text
    assert parse_map(text.replace("\n", "\r\n\r\n")) == board


@deterministic
@given(st.integers(2, 64))
def test_r04_rows_hold_every_hex_once(side: int) -> None:
    hexes = [place for number in range(2 * side - 1) for place in diagonal(side, number)]
    assert sorted(hexes) == [(j, k) for j in range(side) for k in range(side)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("players 2", "player 2", "map, line 1: 'player 2': expected players and a number"),
        ("players 2", "players 1", "map, line 1: players 1: expected 2 to 8"),
        ("players 2", "players 3", "map, line 1: players 3: there are 2 spawn tiles"),
        ("size 3", "size 65", "map, line 2: size 65: expected 2 to 64"),
        ("size 3", "size -3", "map, line 2: 'size -3': expected size and a number"),
        ("size 3", "size 4", r"map, line 8: 2 tiles in row 4: expected 4"),
        ("size 3", "size 2", r"map, line 7: 3 tiles in row 3: expected 1"),
        ('cupboard."', "cupboard.", "map, line 3: 'description .*: expected description"),
        ("/G \\__/R", "/G \\__/X", "map, line 6: tile 'X': expected one of GRECVSO"),
        ("/G \\__/R", "/G \\__/r", "map, line 6: tile 'r'"),
        ("/G \\__/R", "/G \\__/RR", "map, line 6: 3 tiles in row 2: expected 2"),
        ("/C \\__/G", "/C \\__/ ", "map, line 8: 1 tiles in row 4: expected 2"),
        ("     \\__/S \\__/\n        \\__/\n", "", "map, line 9: 4 rows: expected 5"),
        ("        \\__/\n", "   G\n", "map, line 10: row 6: expected 5 rows"),
    ],
)
def test_r04_a_bad_file_is_refused_with_its_line(old: str, new: str, complaint: str) -> None:
    assert old in SMALL
    with pytest.raises(NotationError, match=complaint):
        parse_map(SMALL.replace(old, new, 1))


@pytest.mark.parametrize("upto", range(3))
def test_r04_a_file_that_ends_early_is_refused(upto: int) -> None:
    lines = SMALL.splitlines()[:upto]
    with pytest.raises(NotationError, match=f"map, line {upto + 1}: "):
        parse_map("\n".join(lines))


@deterministic
@given(st.text())
def test_r04_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(NotationError, match="map"):
        parse_map(text)


def test_ours_are_for_two_to_eight_and_as_the_generator_makes_them() -> None:
    for seats in range(2, 9):
        board = load_map(name_for(seats))
        assert board.seats == seats
        assert {*"".join(board.rows)} == {*LETTERS}
        players, size, seed = (int(w) for w in board.description.rstrip(".").split() if w.isdigit())
        assert (players, size) == (seats, board.side)
        if seats in FAIR:  # the others take longer
            assert generate(players, size, seed) == board
    with pytest.raises(SettingError, match="map 'nine': expected one of two"):
        load_map("nine")
    assert len(NAMES) == 7


@pytest.mark.parametrize("seats", range(2, 9))
def test_maps_of_ours_are_symmetric(seats: int) -> None:
    board = load_map(name_for(seats))
    check_symmetry(board)


@pytest.mark.parametrize(("seats", "side"), [(2, 5), (3, 7), (3, 8), (4, 12), (6, 11), (6, 14)])
def test_what_is_generated_is_the_same_for_every_spawn(seats: int, side: int) -> None:
    for seed in range(3):
        check_symmetry(generate(seats, side, seed))


def check_symmetry(board: Map) -> None:
    """What the symmetries of the generator take to each other is alike, and keeps its distance."""
    seats, side = board.seats, board.side
    land = island(seats, side)
    group = symmetries(seats, side)
    for symmetry in group:
        for j, k in land:
            to_j, to_k = symmetry((j, k))
            assert board.rows[to_j][to_k] == board.rows[j][k]
            assert distance(symmetry((j, k)), symmetry(board.spawns[0])) == distance(
                (j, k), board.spawns[0]
            )
    outside = {(j, k) for j in range(side) for k in range(side)} - land
    assert all(board.rows[j][k] == "V" for j, k in outside)
    if seats in FAIR:
        assert {symmetry(board.spawns[0]) for symmetry in group} == {*board.spawns}


def test_an_island_for_three_or_six_is_a_hexagon() -> None:
    assert len(island(4, 9)) == 81
    assert len(island(3, 9)) == len(island(6, 10)) == 61  # 1 + 6 + 12 + 18 + 24


def test_generated_maps_follow_the_seed() -> None:
    assert generate(2, 9, 1) == generate(2, 9, 1)
    assert generate(2, 9, 1) != generate(2, 9, 2)
    assert generate(2, 64, 1).side == 64
    board = generate(3, 7, 5)
    assert (board.seats, board.side) == (3, 7)


def test_maps_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingError, match="players 9: expected 2 to 8"):
        generate(9, 20, 1)
    with pytest.raises(SettingError, match="size 4: expected 5 to 64 for 2 players"):
        generate(2, 4, 1)
    with pytest.raises(SettingError, match="size 65: "):
        generate(2, 65, 1)
