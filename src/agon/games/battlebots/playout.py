"""Random play, compiled: what simulations and GPUs run.

By what chance orders are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.battlebots.board import is_in
from agon.games.battlebots.rules import finish_turn, leave_fort
from agon.kernel import Record, as_int, inlined, random_below


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return as_int(state.over) == 1


@inlined
def leave_by_chance(setup: Record, state: Record) -> None:
    """R5: by random orders of all seats that are still in."""
    garrisons, owner, first_exit = state.garrison, state.owner, setup.first_exit
    for fort in range(as_int(setup.forts)):
        garrison = as_int(garrisons[fort])
        first = as_int(first_exit[fort])
        exits = as_int(first_exit[fort + 1]) - first
        can_send = garrison > 0 and exits > 0 and is_in(state, as_int(owner[fort]))
        if can_send and random_below(state, as_int(2)) == 1:
            lane = as_int(setup.exits[first + random_below(state, exits)])
            leave_fort(setup, state, lane, 1 + random_below(state, garrison))


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play a random turn of every seat, by the state's own generator."""
    leave_by_chance(setup, state)
    finish_turn(setup, state, work)
