"""Random play, compiled: what simulations and GPUs run.

By what chance orders are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.battlebots.board import is_in
from agon.games.battlebots.rules import play_turn, score, start
from agon.kernel import IntArray, Record, as_int, kernel, random_below


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """Whether the match has ended."""
    return as_int(state.over) == 1


@kernel
def order_by_chance(setup: Record, state: Record, work: Record) -> None:
    """Random orders of all seats that are still in."""
    for fort in range(as_int(setup.forts)):
        garrison = as_int(state.garrison[fort])
        first = as_int(setup.first_exit[fort])
        exits = as_int(setup.first_exit[fort + 1]) - first
        can_send = garrison > 0 and exits > 0 and is_in(state, as_int(state.owner[fort]))
        if can_send and random_below(state, as_int(2)) == 1:
            lane = as_int(setup.exits[first + random_below(state, exits)])
            work.orders[lane] = 1 + random_below(state, garrison)


@kernel
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play a random turn of every seat, by the state's own generator."""
    order_by_chance(setup, state, work)
    play_turn(setup, state, work)


@kernel
def play_games(
    setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
) -> None:
    """Play a match per seed, to its end or for `cap` turns; `plies` gets how many were played."""
    for i in range(seeds.shape[0]):
        state = states[i]
        start(setup, state, seeds[i])
        played = 0
        while played < cap and not is_over(setup, state):
            play_random_turn(setup, state, work)
            played += 1
        plies[i] = played


@kernel
def list_scores(setup: Record, states: IntArray, scores: IntArray) -> None:
    """R11: the score of each match and seat; -1 while the match goes on."""
    for i in range(states.shape[0]):
        for seat in range(as_int(setup.seats)):
            scores[i, seat] = score(setup, states[i], seat) if is_over(setup, states[i]) else -1
