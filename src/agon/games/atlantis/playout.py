"""Random play, compiled: what simulations and GPUs run.

By what chance turns are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.atlantis.movement import choose_random_turn
from agon.games.atlantis.rules import play_turn, rank
from agon.kernel import Record, as_int, inlined


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return as_int(state.over) == 1


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play a random turn, or, R16, the empty turn for a seat that is not asked."""
    count = as_int(0)
    if as_int(state.asked) == 1:
        count = choose_random_turn(setup, state, work)
    play_turn(setup, state, work, count)


@inlined
def score(setup: Record, state: Record, seat: int) -> int:
    """R15: how many seats this one has left behind."""
    return as_int(setup.players) - 1 - rank(setup, state, seat)
