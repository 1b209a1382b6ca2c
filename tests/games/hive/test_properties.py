"""What holds in every game of Hive: Hypothesis plays, and searches for a game where it does not.

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

from agon.errors import AgonError, NotationError
from agon.games.hive import rules
from agon.games.hive.board import STATE, WORK
from agon.games.hive.game import GAME, VARIANTS, HiveOptions
from agon.games.hive.match_text import format_match, parse_match
from agon.games.hive.move import PASS
from agon.games.hive.notation import CONTACTS, format_move, parse_move
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import KIND_LETTERS, SIDE_LETTERS, Cell, Direction, Tile, neighbour
from agon.games.hive.uhp_notation import format_uhp_move, parse_uhp_move, to_uhp
from agon.kernel import new_records
from tests.games.hive.test_perft import MID_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.hive.move import Move
    from agon.kernel import Record

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=60)

STARTS = [*VARIANTS, *(middle.game for middle in MID_GAMES)]
choices = st.lists(st.integers(0, 999), min_size=15, max_size=50)

CONTACT_TEXTS = {direction: text for text, direction in CONTACTS.items()}


def play_on(start: str, chosen: list[int]) -> list[HivePosition]:
    """A game as a list of positions: a GameString, then a move for each number, while it lasts.

    An odd number prefers walks and throws to placements.
    """
    positions = parse_match(start)
    for number in chosen:
        moves = positions[-1].moves
        if not moves:
            break
        walks = [move for move in moves if not move >> 15]
        pool = walks if walks and number % 2 else moves
        positions.append(positions[-1].play_move(pool[number // 2 % len(pool)]))
    return positions


games = st.builds(play_on, st.sampled_from(STARTS), choices)


# --- Notations ----------------------------------------------------------------------------------


@deterministic
@given(games)
def test_notations_invert(game: list[HivePosition]) -> None:
    for position in game[-20:]:
        seed_texts = [format_move(position, move) for move in position.moves]
        assert [parse_move(position, text) for text in seed_texts] == list(position.moves)
        uhp_texts = [format_uhp_move(position, move) for move in position.moves]
        assert [parse_uhp_move(position, text) for text in uhp_texts] == list(position.moves)
        assert [to_uhp(text) for text in seed_texts] == uhp_texts
        assert len(set(seed_texts)) == len(set(uhp_texts)) == len(position.moves)
        assert all(len(text) in (3, 8) or text == "pass" for text in seed_texts)


@deterministic
@given(games)
def test_every_spelling_is_read(game: list[HivePosition]) -> None:
    """Any tile that touches the place where the mover ends will do, covered or not."""
    position = game[-1]
    for move in position.moves:
        if move != PASS:
            for text in spellings(position, move):
                assert parse_move(position, text) == move


def spellings(position: HivePosition, move: Move) -> list[str]:
    tile, target = position.tile_of(move), position.target_of(move)
    return [
        f"{tile}{CONTACT_TEXTS[Direction((direction + 3) % 6)]}{other}"
        for direction in Direction
        for other in position.stacks.get(neighbour(target, direction), ())
        if other != tile
    ]


SPELLED = [
    (r"bA1/*wS1", r"bA1 \wS1"),
    (r"bA1|*wS1", r"bA1 -wS1"),
    (r"bA1\*wS1", r"bA1 /wS1"),
    (r"bA1*\wS1", r"bA1 wS1/"),
    (r"bA1*|wS1", r"bA1 wS1-"),
    (r"bA1*/wS1", r"bA1 wS1" + "\\"),
]


@pytest.mark.parametrize(("seed_text", "uhp_text"), SPELLED)
def test_slashes_lean_the_other_way(seed_text: str, uhp_text: str) -> None:
    position = parse_match("Base;InProgress;Black[1];wS1")[-1]
    move = parse_move(position, seed_text)
    assert parse_uhp_move(position, uhp_text) == move
    assert (format_move(position, move), format_uhp_move(position, move)) == (seed_text, uhp_text)


tiles = st.builds(
    "{}{}{}".format,
    st.sampled_from(SIDE_LETTERS),
    st.sampled_from(KIND_LETTERS),
    st.integers(0, 4),
)
move_texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["pass", ""]),
    tiles,
    st.builds("{}{}{}".format, tiles, st.sampled_from([*CONTACTS, "**"]), tiles),
    st.builds("{} {}".format, tiles, tiles),
)


@deterministic
@given(games, st.lists(move_texts, min_size=10, max_size=40))
def test_any_text_is_read_or_refused(game: list[HivePosition], texts: list[str]) -> None:
    for parse in (parse_move, parse_uhp_move):
        for text in texts:
            try:
                move = parse(game[-1], text)
            except AgonError:
                continue
            assert move in game[-1].moves


# --- GameStrings --------------------------------------------------------------------------------


@deterministic
@given(games)
def test_game_strings_invert(game: list[HivePosition]) -> None:
    text = format_match(game)
    again = parse_match(text)
    assert format_match(again) == text
    assert [position.move for position in again] == [position.move for position in game]
    assert fields_of(again[-1].copy_state()) == fields_of(game[-1].copy_state())


@deterministic
@given(games, st.data())
def test_game_string_names_the_first_bad_move(
    game: list[HivePosition], data: st.DataObject
) -> None:
    head, state, turn, *moves = format_match(game).split(";")
    number = data.draw(st.integers(0, len(moves) - 1))
    moves[number] = "wQ wQ"
    with pytest.raises(AgonError, match=f"move {number + 1} of the game: "):
        parse_match(";".join([head, state, turn, *moves]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Base+LM",
        "Base;InProgress",
        "Base;Running;White[1]",
        "Base;NotStarted;White[0]",
        "Base;NotStarted;Black[1]",
        "Base;InProgress;White[1]",
        "Base;NotStarted;White[1];wS1",
        "Base;InProgress;White[2];wS1",
    ],
)
def test_game_string_that_does_not_hold_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_match(text)


# --- Make and unmake ----------------------------------------------------------------------------


@deterministic
@given(games)
def test_unmake_restores_every_byte(game: list[HivePosition]) -> None:
    """From each position of the game, for each legal move."""
    for position in game[-20:]:
        state = position.copy_state()
        before = state.tobytes()
        for move in position.moves:
            rules.unmake(state, move, rules.make(state, move))
            assert state.tobytes() == before


@deterministic
@given(games)
def test_unmake_walks_a_whole_game_back(game: list[HivePosition]) -> None:
    state = game[0].copy_state()
    undo = []
    for move in [position.move for position in game[1:] if position.move is not None]:
        bytes_before = state.tobytes()
        undo.append((move, bytes_before, rules.make(state, move)))
    assert fields_of(state) == fields_of(game[-1].copy_state())
    for move, bytes_before, before in reversed(undo):
        rules.unmake(state, move, before)
        assert state.tobytes() == bytes_before


@deterministic
@given(games)
def test_listing_moves_leaves_no_trace(game: list[HivePosition]) -> None:
    """The marks on the board and the numbers in the work space are gone afterwards."""
    for position in game[-20:]:
        state, work = position.copy_state(), new_records(WORK)[0]
        before = state.tobytes()
        count = rules.list_moves(state, work, 0, 0)
        assert position.outcome or work.moves[:count].tolist() == list(position.moves)
        assert state.tobytes() == before
        assert not work.number.any()


def fields_of(state: Record) -> list[bytes]:
    """The record without the unused bytes between its fields."""
    return [state[name].tobytes() for name in STATE.names or ()]


# --- Symmetry -----------------------------------------------------------------------------------


def turned(cell: Cell) -> Cell:
    """A sixth of a turn, clockwise, around the origin."""
    q, r = cell
    return -r, q + r


def mirrored(cell: Cell) -> Cell:
    """Left and right changed."""
    q, r = cell
    return -q - r, r


def symmetry(turns: int, mirror: bool) -> Callable[[Cell], Cell]:
    def transform(cell: Cell) -> Cell:
        if mirror:
            cell = mirrored(cell)
        for _ in range(turns):
            cell = turned(cell)
        return cell

    return transform


def test_there_are_twelve_symmetries() -> None:
    images = {symmetry(turns, mirror)((1, 2)) for turns in range(6) for mirror in (False, True)}
    assert len(images) == 12
    for direction in Direction:
        assert turned(neighbour((0, 0), direction)) == neighbour(
            (0, 0), Direction((direction + 1) % 6)
        )


def reached(position: HivePosition, transform: Callable[[Cell], Cell]) -> set[tuple[Tile, Cell]]:
    """All moves but the pass, as tiles and the images of their targets."""
    moves = (move for move in position.moves if move != PASS)
    return {(position.tile_of(move), transform(position.target_of(move))) for move in moves}


@pytest.mark.long
@pytest.mark.parametrize("turns", range(6))
@pytest.mark.parametrize("mirror", [False, True], ids=["turned", "mirrored"])
@settings(deterministic, max_examples=8)
@given(game=games)
def test_symmetry_of_a_game_is_a_game(game: list[HivePosition], turns: int, mirror: bool) -> None:
    """The same game, turned or mirrored: at each ply the same moves, turned or mirrored."""
    transform = symmetry(turns, mirror)
    image = HivePosition.start(game[0].options)
    for position, after in zip(game, [*game[1:], None], strict=True):
        assert reached(position, transform) == reached(image, lambda cell: cell)
        assert len(position.moves) == len(image.moves)
        assert position.outcome == image.outcome
        assert {transform(cell): s for cell, s in position.stacks.items()} == dict(image.stacks)
        if after is not None:
            image = image.play_move(move_of_image(position, after, image, transform))


def move_of_image(
    position: HivePosition,
    after: HivePosition,
    image: HivePosition,
    transform: Callable[[Cell], Cell],
) -> Move:
    assert after.move is not None
    if after.move == PASS:
        return PASS
    move = image.find_move(position.tile_of(after.move), transform(position.target_of(after.move)))
    assert move is not None
    return move


# --- Compiled and interpreted -------------------------------------------------------------------

CAP = 80


def final_records(variant: str, seeds: list[int]) -> bytes:
    """The final states of random games, byte for byte."""
    options = HiveOptions(variant)
    states = new_records(STATE, len(seeds))
    plies = np.zeros(len(seeds), np.int64)
    work = new_records(WORK)[0]
    GAME.simulation(options).play_games(states, work, np.array(seeds, np.uint64), CAP, plies)
    return bytes(states.tobytes() + plies.tobytes())


@pytest.mark.system
@pytest.mark.parametrize("variant", VARIANTS)
def test_interpreted_games_are_the_compiled_ones(variant: str) -> None:
    """The same functions, not compiled, in a process of their own."""
    seeds = [1, 2, 2**63 + 5]
    program = (
        "import sys; from tests.games.hive.test_properties import final_records; "
        f"sys.stdout.buffer.write(final_records({variant!r}, {seeds}))"
    )
    interpreted = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"AGON_JIT": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=True,
    ).stdout
    assert interpreted == final_records(variant, seeds)
