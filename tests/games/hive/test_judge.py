"""What the search takes for won without searching on."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.hive.board import FACES, NOWHERE, START, STATE, WORK, put_tile, step
from agon.games.hive.judge import WIN, can_win
from agon.games.hive.network import load_network
from agon.games.hive.rules import (
    BLACK_WINS,
    DRAW,
    PASS,
    PLAYING,
    WHITE_WINS,
    list_moves,
    make,
    result,
    start,
    unmake,
)
from agon.games.hive.search import DONE, INFINITE, SEARCH, TABLE, advance, begin
from agon.kernel import new_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.kernel import Record

ALL_EXPANSIONS = 7
NORTH_WEST, NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST = range(6)
WHITE_QUEEN, WHITE_ANT, WHITE_PILLBUG, BLACK_QUEEN = 0, 8, 13, 16
WORK_SPACE = new_records(WORK)[0]


def moves_of(state: Record) -> list[int]:
    end = list_moves(state, WORK_SPACE, 0, 0)
    return [int(move) for move in WORK_SPACE.moves[:end]]


def endings(state: Record) -> set[int]:
    """How the match may stand after the next move."""
    found = set()
    for move in moves_of(state):
        undo = make(state, move)
        found.add(int(result(state)))
        unmake(state, move, undo)
    return found


def is_near_end(state: Record) -> bool:
    """Whether the other queen has one free neighbour."""
    queen = int(state.queen[1 - (state.turn & 1)])
    return queen != NOWHERE and int(state.cells[queen] & FACES).bit_count() == 5


def hive_of(tiles: Iterable[tuple[int, int]]) -> Record:
    """Slots on cells; white is to move."""
    state = new_records(STATE)[0]
    start(state, ALL_EXPANSIONS, 0, 0)
    for slot, cell in tiles:
        put_tile(state, slot, cell)
        state.placed[slot >> 4] |= 1 << (slot & 15)
    state.turn = 40
    return state


def ring(cell: int) -> list[int]:
    return [step(cell, direction) for direction in range(6)]


@pytest.mark.long
def test_can_win_finds_nearly_all_wins_and_no_other() -> None:
    wins = found = 0
    for seed in range(60):
        rng, state = Random(seed), new_records(STATE)[0]  # noqa: S311
        start(state, ALL_EXPANSIONS if seed & 1 else 0, 0, 0)
        while result(state) == PLAYING and state.turn < 300:
            is_won = can_win(state, WORK_SPACE, 0)
            wanted = BLACK_WINS if state.turn & 1 else WHITE_WINS
            if is_won or is_near_end(state):
                has_win = wanted in endings(state)
                assert has_win or not is_won
                wins += has_win
                found += is_won
            make(state, rng.choice(moves_of(state)))
    assert wins > 20
    assert found > 0.9 * wins


def test_a_queen_thrown_into_the_last_gap_draws() -> None:
    """The pillbug throws its own queen beside the other one, where both are surrounded."""
    gap = step(START, EAST)
    pillbug = step(gap, EAST)
    outside = step(pillbug, EAST)
    taken = {START: BLACK_QUEEN, pillbug: WHITE_PILLBUG, outside: WHITE_QUEEN}
    others = [cell for cell in (*ring(START), *ring(gap)) if cell not in taken and cell != gap]
    taken |= dict(zip(dict.fromkeys(others), (17, 18, 19, 20, 21, 22, 23, 24), strict=False))
    state = hive_of((slot, cell) for cell, slot in taken.items())
    beside = step(gap, NORTH_EAST), step(gap, SOUTH_EAST)
    put_tile(state, 25, beside[0])  # neither of them can be thrown: one lies in a stack
    state.last_moved = taken[beside[1]]
    assert DRAW in endings(state)
    assert WHITE_WINS not in endings(state)
    assert not can_win(state, WORK_SPACE, 0)


def test_the_other_queen_thrown_into_her_last_gap_is_free() -> None:
    """She leaves an empty cell behind."""
    gap, pillbug = step(START, EAST), step(START, NORTH_EAST)
    around = [cell for cell in ring(START) if cell not in (gap, pillbug)]
    tiles = [(BLACK_QUEEN, START), (WHITE_PILLBUG, pillbug)]
    tiles += [(17 + nth, cell) for nth, cell in enumerate(around)]
    state = hive_of([*tiles, (WHITE_QUEEN, step(step(START, WEST), WEST))])
    assert BLACK_QUEEN << 10 | gap in moves_of(state)
    assert endings(state) == {PLAYING}
    assert not can_win(state, WORK_SPACE, 0)


def test_the_own_queen_may_stand_beside_the_last_gap() -> None:
    """As long as that is not the last gap beside her, too."""
    gap = step(START, EAST)
    around = [cell for cell in ring(START) if cell != gap]
    queen = step(gap, NORTH_EAST)
    tiles = [(BLACK_QUEEN, START), (WHITE_QUEEN, queen), (WHITE_ANT, step(queen, EAST))]
    tiles += [(17 + nth, cell) for nth, cell in enumerate(around)]
    state = hive_of(tiles)
    assert WHITE_WINS in endings(state)
    assert can_win(state, WORK_SPACE, 0)


def searched(state: Record, depth: int) -> tuple[int, int]:
    """The value that a search of this depth finds, and at how many nodes it looks."""
    search, table = new_records(SEARCH)[0], new_records(TABLE, 1 << 10)
    search.net = load_network()[0]
    begin(search, depth, -INFINITE, INFINITE)
    assert advance(state, WORK_SPACE, search, table, 10**6) == DONE
    return int(search.best[0]), int(search.nodes)


def test_a_position_won_at_once_is_not_searched() -> None:
    """Black can only pass; then white's ant comes to the last gap."""
    around = [step(START, direction) for direction in range(6) if direction != EAST]
    tiles = [(BLACK_QUEEN, START), (WHITE_QUEEN, step(around[-1], WEST))]
    tiles += [(1 + nth, cell) for nth, cell in enumerate(around)]
    state = hive_of([*tiles, (WHITE_ANT, step(around[1], NORTH_EAST))])
    state.turn += 1
    assert moves_of(state) == [PASS]
    assert searched(state, 6) == (2 - WIN, 2)
