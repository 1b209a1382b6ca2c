"""Random play, compiled: what simulations and GPUs run.

By what chance orders are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.battlebots.board import is_in
from agon.games.battlebots.rules import play_turn
from agon.kernel import Record, as_int, inlined, random_below


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return as_int(state.over) == 1


@inlined
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


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play a random turn of every seat, by the state's own generator."""
    order_by_chance(setup, state, work)
    play_turn(setup, state, work)
