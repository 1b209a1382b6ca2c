"""Positions as the network sees them, found by playing matches again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agon.games.hive.board import NOWHERE, STATE, WORK, find_pins, forget_pins
from agon.games.hive.network import (
    NETWORK,
    danger_of,
    is_held_down,
    list_freedom,
    list_rows,
    place_table,
)
from agon.games.hive.rules import make, start
from agon.kernel import IntArray, Record, as_int, kernel, new_records
from training.hive.selfplay import NO_VALUE

TILES = 28
FREEDOMS = 14


class Samples(NamedTuple):
    """By position; sides are the one to move, and the other."""

    rows: Any
    """(n, 2, 28): rows of weights, -1 for none."""
    freedom: Any
    """(n, 2, 14): kinds, + 8 if free, -1 for none."""
    danger: Any
    """(n, 2): neighbours of each side's queen."""
    held: Any
    """(n, 2): whether a tile of the other side lies on her."""
    value: Any
    """(n,): points that the search saw."""
    result: Any
    """(n,): 0, 1/2 or 1 for the side to move."""


def find_samples(games: dict[str, Any]) -> Samples:
    """All positions with both queens on the board in which the search has chosen a move."""
    total = len(games["moves"])
    found = Samples(
        rows=np.full((total, 2, TILES), -1, np.int16),
        freedom=np.full((total, 2, FREEDOMS), -1, np.int8),
        danger=np.zeros((total, 2), np.int8),
        held=np.zeros((total, 2), np.int8),
        value=np.zeros(total, np.int16),
        result=np.zeros(total, np.float32),
    )
    net, state, work = new_records(NETWORK), new_records(STATE), new_records(WORK)
    net[0].places = place_table()
    count = end = 0
    for game, turns in enumerate(games["turns"].tolist()):
        begin, end = end, end + turns
        count = add_samples(
            state[0],
            work[0],
            net[0],
            int(games["expansions"][game]),
            games["moves"][begin:end],
            games["values"][begin:end],
            int(games["result"][game]),
            *found,
            count,
        )
    return Samples(*(one[:count] for one in found))


@kernel
def add_samples(
    state: Record,
    work: Record,
    net: Record,
    expansions: int,
    moves: IntArray,
    values: IntArray,
    ending: int,
    rows: IntArray,
    freedom: IntArray,
    danger: IntArray,
    held: IntArray,
    value: IntArray,
    result: IntArray,
    count: int,
) -> int:
    """Those of one match, from place `count` on; returns the new count."""
    start(state, expansions, as_int(0), as_int(0))
    for turn in range(moves.shape[0]):
        placed = as_int(state.queen[0]) != NOWHERE and as_int(state.queen[1]) != NOWHERE
        if as_int(values[turn]) != NO_VALUE and placed:
            side = as_int(state.turn) & 1
            pins = find_pins(state, work) if as_int(state.holes) != 0 else as_int(0)
            for nth in range(2):
                own = side ^ nth
                list_rows(state, net, own, rows[count, nth])
                list_freedom(state, work, own, pins, freedom[count, nth])
                danger[count, nth] = danger_of(state, own)
                held[count, nth] = 1 if is_held_down(state, own) else 0
            forget_pins(work)
            value[count] = values[turn]
            result[count] = (ending if side == 0 else 2 - ending) / 2
            count += 1
        make(state, as_int(moves[turn]))
    return count
