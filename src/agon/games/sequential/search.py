"""Monte Carlo tree search over any small game: descend, play by chance to the end, count."""

from __future__ import annotations

import functools
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.sequential.kernels import SHARED, random_play, standing_by
from agon.kernel import IntArray, Record, as_int, kernel

if TYPE_CHECKING:
    from collections.abc import Callable

CURIOSITY = 2.0
"""How much a search prefers moves that it has tried less often."""
LONGEST_PLAYOUT = 2000
"""Turns by chance after which a playout counts as shared."""
NODE = np.dtype(
    [
        ("move", np.int64),  # of node 0, the root: how many nodes there are
        ("child", np.int64),  # the first one; the others come right after it
        ("children", np.int64),
        ("visits", np.int64),
        ("points", np.int64),  # of the seat that moved here
    ]
)


@kernel
def best_child(nodes: IntArray, node: int) -> int:
    """Where a search goes on: what did well, and what it has seldom tried."""
    first = as_int(nodes[node].child)
    best, chosen = -1.0, first
    spread = CURIOSITY * sqrt(1.0 * as_int(nodes[node].visits))
    for child in range(first, first + as_int(nodes[node].children)):
        tried = as_int(nodes[child].visits)
        value = spread / (1 + tried)
        if tried > 0:
            value += as_int(nodes[child].points) / tried
        if value > best:
            best, chosen = value, child
    return chosen


@kernel
def add_children(nodes: IntArray, node: int, moves: IntArray, count: int) -> None:
    """Give a node a child for each move, if there is room for them."""
    used = as_int(nodes[0].move)
    if used + count > nodes.shape[0]:
        return
    for place in range(count):
        child = used + place
        nodes[child].move = moves[place]
        nodes[child].child = 0
        nodes[child].children = 0
        nodes[child].visits = 0
        nodes[child].points = 0
    nodes[node].child = used
    nodes[node].children = count
    nodes[0].move = used + count


@functools.cache
def tree_search(rules: Any) -> Callable[..., None]:
    """The kernel that goes on with a search.

    `search(setup, states, works, nodes, path, rounds)`: `states[0]` is the position, `states[1]`
    has the generator for the playouts; `path` has a row for each step, the node and the seat that
    moved there.
    """
    list_moves, play, is_over = rules.list_moves, rules.play, rules.is_over
    seat_to_act, standing = rules.seat_to_act, standing_by(rules)
    play_random_turn = random_play(rules)

    @kernel
    def playout(setup: Record, state: Record, work: Record) -> None:
        played = 0
        while played < LONGEST_PLAYOUT and not is_over(setup, state):
            play_random_turn(setup, state, work)
            played += 1

    @kernel
    def points(setup: Record, state: Record, seat: int) -> int:
        return standing(setup, state, seat) if is_over(setup, state) else as_int(SHARED)

    @kernel
    def search(
        setup: Record,
        states: IntArray,
        works: IntArray,
        nodes: IntArray,
        path: IntArray,
        rounds: int,
    ) -> None:
        """Go on with the search of `states[0]` for some rounds: descend, play to the end, count.

        `path` has a row for every step: the node, and the seat that moved there.
        """
        for _ in range(rounds):
            random = states[1].random
            states[1] = states[0]
            states[1].random = random
            node, steps = as_int(0), as_int(0)
            while as_int(nodes[node].children) > 0 and steps < path.shape[0]:
                path[steps, 1] = seat_to_act(setup, states[1])
                node = best_child(nodes, node)
                path[steps, 0] = node
                steps += 1
                play(setup, states[1], as_int(nodes[node].move))
            if not is_over(setup, states[1]) and (node == 0 or as_int(nodes[node].visits) > 0):
                count = list_moves(setup, states[1], works[0].moves)
                add_children(nodes, node, works[0].moves, count)
            playout(setup, states[1], works[0])
            nodes[0].visits += 1
            for step in range(steps):
                nodes[path[step, 0]].visits += 1
                nodes[path[step, 0]].points += points(setup, states[1], as_int(path[step, 1]))

    return search
