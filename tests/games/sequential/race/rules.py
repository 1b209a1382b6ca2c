"""A race for two to four: a turn is 1 or 2 steps; who first stands on the last cell wins.

`at[seat]` is where a seat stands, on a row of its own.
"""

from __future__ import annotations

import numpy as np

from agon.kernel import IntArray, Record, as_int, kernel, mix64

LAST = 5
MOST_SEATS = 4
MOST_MOVES = 2
STATE = np.dtype([("random", np.uint64), ("played", np.int64), ("at", np.int64, (MOST_SEATS,))])


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    state.random = mix64(seed)
    state.played = 0
    for seat in range(MOST_SEATS):
        state.at[seat] = 0


@kernel
def seat_to_act(setup: Record, state: Record) -> int:
    return as_int(state.played) % as_int(setup.seats)


@kernel
def is_over(setup: Record, state: Record) -> bool:
    over = False
    for seat in range(as_int(setup.seats)):
        over = over or as_int(state.at[seat]) == LAST
    return over


@kernel
def score(setup: Record, state: Record, seat: int) -> int:
    return as_int(state.at[seat])


@kernel
def list_moves(setup: Record, state: Record, moves: IntArray) -> int:
    moves[0] = 1
    moves[1] = 2
    return 2 if as_int(state.at[seat_to_act(setup, state)]) + 2 <= LAST else 1


@kernel
def play(setup: Record, state: Record, move: int) -> None:
    state.at[seat_to_act(setup, state)] += move
    state.played += 1
