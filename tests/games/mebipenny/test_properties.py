"""What holds in every game of MebiPenny: Hypothesis searches for a game where it does not.

Examples are the same in every run (`derandomize`), so that a build never fails by chance.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.errors import IllegalMoveError, NotationError
from agon.games.mebipenny import playout, rules
from agon.games.mebipenny.board import LEADER, MEMBER, NATURE, NO_OWNER, WORK, find_leader, size_in
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS
from agon.games.mebipenny.protocol import seat_players
from agon.games.mebipenny.wire import format_delta, format_game
from agon.kernel import new_records
from agon.simulate.cores import play_batch
from tests.games.mebipenny.situation import flood

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=60)

options = st.builds(
    MebiPennyOptions,
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(2, 4),
    st.sampled_from(["0", "0.1", "0.25", "0.6"]),
)
seeds = st.integers(0, 2**64 - 1)
choices = st.lists(st.integers(0, 999), max_size=90)


def play_on(chosen: MebiPennyOptions, seed: int, numbers: list[int]) -> list[MebiPennyPosition]:
    """A match as a list of positions: a move for each number, while it lasts; 0 is the pass."""
    positions = [GAME.start(chosen, seed)]
    for number in numbers:
        last = positions[-1]
        if last.outcome:
            break
        move = last.moves[number % len(last.moves)] if number else PASS
        positions.append(last.play_move(move))
    return positions


games = st.builds(play_on, options, seeds, choices)


# --- Armies --------------------------------------------------------------------------------------


@deterministic
@given(games)
def test_every_army_has_one_owner(game: list[MebiPennyPosition]) -> None:
    for position in game[-3:]:
        for army in armies_of(position):
            assert len({int(position.owners[cell]) for cell in army}) == 1


@deterministic
@given(games)
def test_leaders_know_their_armies(game: list[MebiPennyPosition]) -> None:
    position = game[-1]
    state = position.copy_state()
    cols = position.options.cols
    for army in armies_of(position):
        numbers = [row * cols + col for row, col in army]
        (leader,) = {int(find_leader(state, number)) for number in numbers}
        assert leader in numbers
        assert size_in(int(state["cells"][leader])) == len(army)
        assert (
            max(steps_to_leader(state["cells"], number) for number in numbers)
            <= len(army).bit_length()
        )


def armies_of(position: MebiPennyPosition) -> list[set[tuple[int, int]]]:
    cells = {
        (row, col): str(owner) if owner >= 0 else "."
        for row, line in enumerate(position.owners.tolist())
        for col, owner in enumerate(line)
    }
    armies: list[set[tuple[int, int]]] = []
    for cell, owner in cells.items():
        if owner != "." and not any(cell in army for army in armies):
            armies.append(flood(cells, cell))
    return armies


def steps_to_leader(words: list[int], cell: int) -> int:
    steps = 0
    while int(words[cell]) & MEMBER:
        cell = int(words[cell]) & 0xFFFF
        steps += 1
    assert int(words[cell]) & LEADER
    return steps


@deterministic
@given(games)
def test_claims_and_tiles_are_conserved(game: list[MebiPennyPosition]) -> None:
    for before, after in pairwise(game):
        assert sum(after.scores) - sum(before.scores) == (after.move != PASS)
        for seat, score in enumerate(after.scores):
            assert score == int((after.owners == seat).sum())
        free = {(row, col) for row, col in np.argwhere(after.owners == NO_OWNER).tolist()}
        held = [tile for hand in after.hands for tile in hand]
        assert set(held) <= free
        assert len(set(held)) == len(held)
        assert len(held) + after.draw_size == len(free)
        assert (after.owners == NATURE).sum() == after.options.walls


@deterministic
@given(games)
def test_play_leaves_the_old_position_as_it_is(game: list[MebiPennyPosition]) -> None:
    replayed = play_on(game[0].options, game[0].seed, [])
    for before, after in pairwise(game):
        assert after.move is not None
        replayed.append(replayed[-1].play_move(after.move))
        assert before.copy_state().tobytes() == replayed[-2].copy_state().tobytes()


# --- Hidden information --------------------------------------------------------------------------


def told(game: list[MebiPennyPosition], last: MebiPennyPosition, viewer: int | None) -> bytes:
    """All that a seat is told, in every form: what it observes, its moves, Game and Delta."""
    players = seat_players(last.seats)
    parts = [
        last.observe(viewer) if viewer is not None else None,
        list(last.legal_moves(viewer)) if viewer is not None else None,
        format_game(last, players, viewer),
        format_delta(game[-1], last, players, viewer),
        format_delta(game[0], last, players, viewer),
        format_game(last.drop({0: "timeout"}), players, viewer),
    ]
    return json.dumps(parts).encode()


@deterministic
@given(games, seeds)
def test_what_is_hidden_from_a_seat_changes_nothing_for_it(
    game: list[MebiPennyPosition], seed: int
) -> None:
    last = game[-1]
    for viewer in range(last.seats):
        other = last.redeal(viewer, seed)
        assert told(game, other, viewer) == told(game, last, viewer)
        assert told(game, other, None) == told(game, last, None)
        assert other.hands[viewer] == last.hands[viewer]
        assert tiles_of(other) == tiles_of(last)


def tiles_of(position: MebiPennyPosition) -> list[tuple[int, int]]:
    """All tiles in hands and pile, in order."""
    pile = position.copy_state()["pile"][: position.draw_size].tolist()
    return sorted([*map(position.tile, pile), *(t for hand in position.hands for t in hand)])


def test_what_is_hidden_is_really_dealt_anew() -> None:
    position = GAME.start(MebiPennyOptions(seats=3), seed=1)
    others = [position.redeal(0, seed) for seed in range(50)]
    assert len({other.hands for other in others}) == 50
    assert len({other.hands[0] for other in others}) == 1
    after = [other.play_move(other.moves[0]).hands[0][-1] for other in others]
    assert len(set(after)) > 30  # the tile drawn next


# --- Text ----------------------------------------------------------------------------------------


@deterministic
@given(games)
def test_notation_inverts(game: list[MebiPennyPosition]) -> None:
    for position in game[:-1]:
        seat = position.next_seat
        texts = [position.format_turn(seat, move) for move in position.moves]
        assert [position.parse_turn(seat, text) for text in texts] == list(position.moves)
        assert len(set(texts)) == len(texts)
    assert GAME.format_match(GAME.parse_match(GAME.format_match(game))) == GAME.format_match(game)


turn_texts = st.one_of(
    st.text(max_size=12),
    st.builds("{},{}".format, st.integers(-1, 9), st.integers(0, 9)),
    st.builds("{},{} favor {}".format, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)),
)


@deterministic
@given(games, st.lists(turn_texts, min_size=10, max_size=40))
def test_any_text_is_read_or_refused(game: list[MebiPennyPosition], texts: list[str]) -> None:
    position = game[-1]
    for text in texts if position.to_act else ():
        try:
            move = position.parse_turn(position.next_seat, text)
        except (NotationError, IllegalMoveError) as error:
            check_line(error)
        else:
            assert move in position.moves


def check_line(error: Exception) -> None:
    assert str(error)
    assert str(error).isprintable(), "rubbish is quoted"


# --- Compiled and interpreted --------------------------------------------------------------------

SHAPES = [(20, 20, 4, "0.1"), (3, 7, 2, "0"), (1, 1, 3, "0"), (24, 24, 3, "1"), (30, 26, 2, "0.2")]


def final_records() -> bytes:
    """The final states of random games, and of one whose hidden part was dealt anew."""
    found = b""
    for shape in SHAPES:
        simulation = GAME.simulation(MebiPennyOptions(*shape))
        word = np.array([1, 2**63 + 5], np.uint64)
        states, plies = play_batch(simulation, word, 120)
        setup, work = simulation.setup[0], new_records(WORK)[0]
        rules.redeal(setup, states[0], 1, word[1])
        for _ in range(0 if playout.is_over(setup, states[0]) else 20):
            rules.play(setup, states[0], work, PASS)
        found += states.tobytes() + plies.tobytes()
    return found


@pytest.mark.system
def test_interpreted_games_are_the_compiled_ones() -> None:
    """The same functions, not compiled, in a process of their own."""
    program = (
        "import sys; from tests.games.mebipenny.test_properties import final_records; "
        "sys.stdout.buffer.write(final_records())"
    )
    interpreted = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=os.environ | {"AGON_JIT": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=True,
    ).stdout
    assert interpreted == final_records()


def test_random_games_use_every_legal_move_equally() -> None:
    """The first move of many matches: six tiles and the pass, each about as often."""
    simulation = GAME.simulation(MebiPennyOptions(5, 5, 2))
    states, _ = play_batch(simulation, np.arange(7000, dtype=np.uint64), 1)
    passed = int((states["passes"] == 1).sum())
    assert 850 < passed < 1150
