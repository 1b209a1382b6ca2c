"""What holds on every board: Hypothesis draws positions, and searches for one where it does not.

Examples are the same in every run (`derandomize`), so that a build never fails by chance.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.games.atlantis import areas, explosion, movement
from agon.games.atlantis.board import GROWING, ONE_AREA, OPEN, is_in, take_out
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.game import AtlantisOptions
from agon.games.atlantis.geometry import Board, Coordinate
from agon.games.atlantis.simulation import make_simulation
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from tests.games.atlantis.naive import NaiveAtlantis
from tests.games.atlantis.situation import Situation
from tests.games.atlantis.test_naive_agrees import MAKERS, naive_sign, seeded

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from agon.kernel import IntArray

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=60)


def any_board(kind: int, players: int, seed: int) -> Board:
    return MAKERS[kind](seeded(seed), players)


boards = st.builds(any_board, st.integers(0, 2), st.integers(2, 6), st.integers(0, 10**6))
seeds = st.integers(0, 10**6)


# --- Explosions ---------------------------------------------------------------------------------


def explode_in_any_order(situation: Situation, rng: Random) -> int:
    """The explosion phase one field at a time, whichever comes; how many stones it cost."""
    setup, state, work = situation.setup, situation.state, situation.work
    waiting = work.volatile[: explosion.find_volatile(setup, state, work)].tolist()
    lost = 0
    while waiting:
        field = waiting.pop(rng.randrange(len(waiting)))
        take_out(work.waiting, field)
        lost += stones_lost(situation, field)
        count = explosion.explode(setup, state, work, field, 0)
        waiting += work.volatile[:count].tolist()
    return lost


def stones_lost(situation: Situation, field: int) -> int:
    """R10: what one explosion costs: the stones too many, and two for each one that is hit."""
    state = situation.state
    around = [n for n in situation.setup.neighbour[field] if state.kind[n] == 0]
    hit = [n for n in around if state.owner[n] not in (situation.seat, 6)]
    return int(state.stones[field]) - len(around) + 2 * len(hit)


@deterministic
@given(boards, seeds)
def test_r11_the_order_of_explosions_makes_no_difference(board: Board, seed: int) -> None:
    usual, other = Situation(board), Situation(board)
    explosions = explosion.explosion_phase(usual.setup, usual.state, usual.work)
    stones = other.total()
    lost = explode_in_any_order(other, seeded(seed))
    for situation in (usual, other):
        areas.settle_areas(situation.setup, situation.state, situation.work)
    assert other.state.tobytes() == usual.state.tobytes()
    assert other.total() + lost == stones
    naive = NaiveAtlantis(board.segments, [dict(stacks) for stacks in board.stacks])
    assert naive.explosion_phase(seeded(seed)) == explosions
    assert {place: naive_sign(naive, place) for place in naive.fields} == usual.signs()


@deterministic
@given(boards, seeds)
def test_the_numbers_of_fields_make_no_difference(board: Board, seed: int) -> None:
    rng = seeded(seed)
    segments = [rng.sample(fields, len(fields)) for fields in board.segments]
    rng.shuffle(segments)
    one, other = Situation(board), Situation(Board(tuple(map(tuple, segments)), board.stacks))
    for _ in range(6):
        assert one.signs() == other.signs()
        assert (one.over, one.asked, one.scores()) == (other.over, other.asked, other.scores())
        assert sorted(one.moves()) == sorted(other.moves())
        if one.over:
            break
        turn = random_turn(one)
        one.play(turn)
        other.play(turn)


def random_turn(situation: Situation) -> list[tuple[Coordinate, Coordinate]]:
    setup, state, work = situation.setup, situation.state, situation.work
    count = movement.choose_random_turn(setup, state, work)
    return [situation.move_of(int(code)) for code in work.moves[:count]]


@deterministic
@given(boards)
def test_stones_are_only_lost_in_fights_and_explosions(board: Board) -> None:
    """A move costs both sides the same; growth adds a stone for each growing field."""
    situation = Situation(board)
    seat = situation.seat
    for move in random_turn(situation):
        own, all_stones = situation.total(seat), situation.total()
        movement.carry_out(situation.setup, situation.state, situation.code(move))
        fallen = own - situation.total(seat)
        assert fallen >= 0
        assert all_stones - situation.total() == 2 * fallen
    explosion.explosion_phase(situation.setup, situation.state, situation.work)
    before = situation.total()
    assert situation.grow() == situation.total() - before


@deterministic
@given(boards)
def test_what_is_kept_up_to_date_is_right(board: Board) -> None:
    """Open neighbours, sets of fields and the number of areas, found again after some turns."""
    situation = Situation(board)
    naive = NaiveAtlantis(board.segments, [dict(stacks) for stacks in board.stacks])
    for _ in range(8):
        if not situation.over:
            turn = random_turn(situation)
            situation.play(turn)
            naive.play(turn)
    neighbour, state = situation.setup.neighbour, situation.state
    open_around = (state.kind == OPEN)[neighbour].sum(axis=1)
    assert (state.open_around == open_around).all()
    assert members(state.open) == numbers(state.kind == OPEN)
    for seat in range(len(board.stacks)):
        own = state.owner == seat
        assert members(state.stacks[seat]) == numbers(own & (state.kind == OPEN))
        assert members(state.growing[seat]) == numbers(own & (state.kind == GROWING))
    assert (state.areas == ONE_AREA) == (len(naive.areas()) <= 1)


def members(fields: IntArray) -> list[int]:
    """The fields of a set."""
    return [field for field in range(32 * len(fields)) if is_in(fields, field)]


def numbers(has: IntArray) -> list[int]:
    return [int(number) for number in np.flatnonzero(has)]


# --- Symmetry -----------------------------------------------------------------------------------


def symmetry(turns: int, mirror: bool) -> Callable[[Coordinate], Coordinate]:
    def transform(place: Coordinate) -> Coordinate:
        x, y = place[::-1] if mirror else place
        for _ in range(turns):
            x, y = x - y, x
        return x, y

    return transform


def test_there_are_twelve_symmetries() -> None:
    images = {symmetry(turns, mirror)((1, 3)) for turns in range(6) for mirror in (False, True)}
    assert len(images) == 12


@pytest.mark.long
@pytest.mark.parametrize("turns", range(6))
@pytest.mark.parametrize("mirror", [False, True], ids=["turned", "mirrored"])
@settings(deterministic, max_examples=8)
@given(board=boards)
def test_symmetry_of_a_game_is_a_game(board: Board, turns: int, mirror: bool) -> None:
    transform = symmetry(turns, mirror)
    one, image = Situation(board), Situation(image_of(board, transform))
    for _ in range(10):
        assert {transform(place): sign for place, sign in one.signs().items()} == image.signs()
        assert (one.over, one.asked, one.scores()) == (image.over, image.asked, image.scores())
        moves = {(transform(source), transform(target)) for source, target in one.moves()}
        assert moves == set(image.moves())
        if one.over:
            break
        turn = random_turn(one)
        one.play(turn)
        image.play([(transform(source), transform(target)) for source, target in turn])


def image_of(board: Board, transform: Callable[[Coordinate], Coordinate]) -> Board:
    return Board(
        tuple(tuple(map(transform, segment)) for segment in board.segments),
        tuple({transform(place): n for place, n in stacks.items()} for stacks in board.stacks),
    )


# --- Compiled and interpreted -------------------------------------------------------------------

BOARDS = [("triangle", 4, 2), ("hexagon", 3, 6), ("hexagon", 4, 3)]  # the last in larger records


def final_records(shape: str, size: int, players: int) -> bytes:
    """The final states of random games, byte for byte."""
    simulation = make_simulation(AtlantisOptions(), standard_board(shape, size, players))
    states, plies = play_batch(simulation, game_seeds(5, 0, 2), 40)
    return bytes(states.tobytes() + plies.tobytes())


@pytest.mark.system
def test_interpreted_games_are_the_compiled_ones() -> None:
    """The same functions, not compiled, in a process of their own."""
    program = (
        "import sys; from tests.games.atlantis.test_properties import BOARDS, final_records; "
        "sys.stdout.buffer.write(b''.join(final_records(*board) for board in BOARDS))"
    )
    interpreted = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"AGON_JIT": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=True,
    ).stdout
    assert interpreted == b"".join(final_records(*board) for board in BOARDS)
