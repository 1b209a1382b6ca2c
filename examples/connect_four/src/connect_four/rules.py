"""The rules of Connect Four: `cells[row, col]`, row 0 at the bottom, holds 0 or 1 + the seat.

row 1   . . . . . . .
row 0   . . . 1 2 . .      red has played d, blue e
        a b c d e f g
"""

from __future__ import annotations

import numpy as np

from agon.kernel import IntArray, Record, as_int, kernel, mix64

MOST_SIDE = 8
MOST_MOVES = MOST_SIDE
FREE = 0
STATE = np.dtype(
    [
        ("random", np.uint64),
        ("played", np.int64),
        ("winner", np.int64),  # 1 + the seat, 0 while there is none
        ("cells", np.int64, (MOST_SIDE, MOST_SIDE)),
    ]
)


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """R1: an empty board."""
    state.random = mix64(seed)
    state.played = 0
    state.winner = 0
    for row in range(MOST_SIDE):
        for col in range(MOST_SIDE):
            state.cells[row, col] = FREE


@kernel
def seat_to_act(setup: Record, state: Record) -> int:
    """R2: turns alternate."""
    return as_int(state.played) % 2


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """R3, R4."""
    full = as_int(setup.rows) * as_int(setup.cols)
    return as_int(state.winner) > 0 or as_int(state.played) == full


@kernel
def score(setup: Record, state: Record, seat: int) -> int:
    """2 for a win, 1 for a draw."""
    if as_int(state.winner) == 0:
        return 1
    return 2 if as_int(state.winner) == seat + 1 else 0


@kernel
def list_moves(setup: Record, state: Record, moves: IntArray) -> int:
    """R2: the columns that are not full."""
    count = 0
    for col in range(as_int(setup.cols)):
        if as_int(state.cells[as_int(setup.rows) - 1, col]) == FREE:
            moves[count] = col
            count += 1
    return count


@kernel
def run_length(setup: Record, state: Record, row: int, col: int, up: int, right: int) -> int:
    """How many pieces like the one at a cell follow it in a direction."""
    piece = as_int(state.cells[row, col])
    length = 0
    row += up
    col += right
    while 0 <= row < as_int(setup.rows) and 0 <= col < as_int(setup.cols):
        if as_int(state.cells[row, col]) != piece:
            break
        length += 1
        row += up
        col += right
    return length


@kernel
def play(setup: Record, state: Record, move: int) -> None:
    """R2: drop a piece; R3: look along the four lines through it."""
    row = 0
    while as_int(state.cells[row, move]) != FREE:
        row += 1
    piece = seat_to_act(setup, state) + 1
    state.cells[row, move] = piece
    state.played += 1
    for line in range(4):
        up = min(line, 1)  # across, and up to the left, straight up, up to the right
        right = 1 if line == 0 else line - 2
        before = run_length(setup, state, row, move, -up, -right)
        if before + 1 + run_length(setup, state, row, move, up, right) >= 4:
            state.winner = piece
