"""Starting boards: sizes, fairness, what is refused, and the records that hold them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.errors import SettingError
from agon.games.atlantis.board import SEA, TIERS, setup_dtype, state_dtype, work_dtype
from agon.games.atlantis.boards import SHAPES, standard_board, standard_segment
from agon.games.atlantis.game import AtlantisOptions
from agon.games.atlantis.geometry import Board, Coordinate
from agon.games.atlantis.setup import build_setup, records_for
from agon.games.atlantis.simulation import make_simulation
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.mark.parametrize(
    ("shape", "size", "fields"),
    [
        ("triangle", 6, 147),
        ("triangle", 7, 196),
        ("hexagon", 3, 133),
        ("hexagon", 4, 259),
        ("hexagon", 5, 427),
        ("rhombus", 5, 175),
    ],
)
def test_shapes_have_their_sizes(shape: str, size: int, fields: int) -> None:
    board = standard_board(shape, size, 2)
    numbers = board.field_numbers()
    assert len(numbers) == sum(map(len, board.segments)) == fields
    assert (min(x for x, _ in numbers), min(y for _, y in numbers)) == (1, 1)
    setup = build_setup(board)[0]
    assert setup.fields == fields
    assert 7 * setup.segments == fields


def test_the_standard_segment() -> None:
    assert standard_segment((2, 2)) == ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3))


MOST_PLAYERS = {"triangle": 3, "hexagon": 6, "rhombus": 4}


@pytest.mark.parametrize(
    ("shape", "players"),
    [(shape, players) for shape, most in MOST_PLAYERS.items() for players in range(2, most + 1)],
)
def test_seven_stones_on_a_corner_segment_each(shape: str, players: int) -> None:
    board = standard_board(shape, 3, players)
    assert len(board.stacks) == players
    for stacks in board.stacks:
        assert list(stacks.values()) == [1] * 7
        assert tuple(sorted(stacks)) in board.segments
    setup = build_setup(board)[0]
    assert (setup.over, setup.asked) == (0, 1)


def turned(board: Board, sixths: int, around: tuple[Coordinate, Coordinate]) -> Board:
    """The board turned anticlockwise, so that the first of two places comes to the second."""

    def turn(place: Coordinate) -> Coordinate:
        x, y = place[0] - around[0][0], place[1] - around[0][1]
        for _ in range(sixths):
            x, y = x - y, x
        return x + around[1][0], y + around[1][1]

    segments = tuple(sorted(tuple(sorted(map(turn, segment))) for segment in board.segments))
    return Board(segments, tuple({turn(p): n for p, n in s.items()} for s in board.stacks))


def centre(stacks: Mapping[Coordinate, int]) -> Coordinate:
    """The middle of a standard segment."""
    return sorted(stacks)[3]


@pytest.mark.parametrize(
    ("shape", "players", "sixths"),
    [
        ("triangle", 3, 2),
        ("hexagon", 2, 3),
        ("hexagon", 3, 2),
        ("hexagon", 6, 1),
        ("rhombus", 2, 3),
    ],
)
def test_turning_a_fair_board_changes_seats_only(shape: str, players: int, sixths: int) -> None:
    board = standard_board(shape, 4, players)
    # seats follow each other clockwise: an anticlockwise turn brings each to the one before
    around = centre(board.stacks[1]), centre(board.stacks[0])
    image = turned(board, sixths, around)
    assert image.segments == board.segments
    assert [image.stacks[(seat + 1) % players] for seat in range(players)] == list(board.stacks)


@pytest.mark.parametrize(
    ("shape", "size", "players", "told"),
    [
        ("square", 3, 2, "board 'square': expected one of triangle, hexagon, rhombus"),
        ("hexagon", 1, 2, "hexagon of size 1: expected 2 to 24"),
        ("triangle", 3, 4, "4 players on a triangle: expected 2 to 3"),
        ("rhombus", 3, 1, "1 players on a rhombus: expected 2 to 4"),
    ],
)
def test_boards_that_do_not_exist(shape: str, size: int, players: int, told: str) -> None:
    with pytest.raises(SettingError, match=re.escape(told)):
        standard_board(shape, size, players)


@pytest.mark.parametrize(
    ("segments", "stacks", "told"),
    [
        ((((1, 1), (1, 1)),), ({}, {}), "(1, 1) is in two places"),
        ((((1, 1),), ((1, 1),)), ({}, {}), "(1, 1) is in two places"),
        ((), ({}, {}), "without fields"),
        ((((1, 1),), ()), ({}, {}), "without fields"),
        ((((1, 1),),), ({},), "1 players"),
        ((((1, 1),),), ({},) * 7, "7 players"),
        ((((1, 1),),), ({(2, 1): 1}, {}), "stones on (2, 1)"),
        ((((1, 1),),), ({(1, 1): 1}, {(1, 1): 1}), "(1, 1) has stones of two players"),
        ((((1, 1),),), ({(1, 1): -100_001}, {}), "expected at most 100000"),
        (tuple(((x, 1),) for x in range(4104)), ({}, {}), "4104 fields: expected at most 4103"),
    ],
)
def test_boards_that_do_not_hold(
    segments: tuple[tuple[Coordinate, ...], ...], stacks: tuple[dict[Coordinate, int]], told: str
) -> None:
    with pytest.raises(SettingError, match=re.escape(told)):
        build_setup(Board(segments, stacks))


def test_neighbours_know_each_other() -> None:
    setup = build_setup(standard_board("hexagon", 3, 2))[0]
    for field in range(1, int(setup.fields) + 1):
        for direction in range(6):
            other = int(setup.neighbour[field, direction])
            assert other == SEA or setup.neighbour[other, (direction + 3) % 6] == field


@pytest.mark.parametrize("tier", TIERS)
def test_state_has_no_gaps_and_no_name_of_numpys(tier: int) -> None:
    state = state_dtype(tier)
    assert sum(state[name].itemsize for name in state.names or ()) == state.itemsize
    for dtype in (setup_dtype(tier), state, work_dtype(tier)):
        assert not {*dir(np.record), *dir(np.recarray)} & {*(dtype.names or ())}


def test_a_board_takes_the_smallest_records() -> None:
    assert records_for(standard_board("triangle", 6, 2)).state == state_dtype(TIERS[0])
    assert records_for(standard_board("hexagon", 5, 6)).state == state_dtype(TIERS[1])


def test_4096_fields_play() -> None:
    fields = [(x, y) for x in range(1, 65) for y in range(1, 65)]
    segments = tuple(tuple(fields[i : i + 8]) for i in range(0, 4096, 8))
    board = Board(segments, ({(1, 1): 2, (1, 2): 1}, {(64, 64): 2, (64, 63): 1}))
    simulation = make_simulation(AtlantisOptions(), board)
    states, plies = play_batch(simulation, game_seeds(1, 0, 2), 50)
    assert plies.tolist() == [50, 50]
    assert (states["turn"] == 50).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_random_games_end_and_have_a_winner(shape: str) -> None:
    simulation = make_simulation(AtlantisOptions(), standard_board(shape, 3, 3))
    states, plies = play_batch(simulation, game_seeds(1, 0, 100), 20_000)
    points = simulation.score_games(states)
    assert plies.max() < 20_000
    assert (np.sort(points, axis=1) == [0, 1, 2]).all()
    unfinished, _ = play_batch(simulation, game_seeds(1, 0, 1), 3)
    assert (simulation.score_games(unfinished) == -1).all()
