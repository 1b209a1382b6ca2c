"""A glance at the legal moves: which win at once, and which let the next seat win at once."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from agon.games.sequential.kernels import LOST, SHARED, WON, standing_by
from agon.kernel import IntArray, Record, as_int, kernel, random_below

if TYPE_CHECKING:
    from collections.abc import Callable


@functools.cache
def glance_at(rules: Any) -> Callable[..., int]:
    """The kernel that finds the best move by a glance.

    `glance(setup, states, works, seat)` is its place in `works[0].moves`. `states[0]` is the
    position, whose generator decides between equals; the other two are for trying moves.
    """
    list_moves, play, is_over = rules.list_moves, rules.play, rules.is_over
    seat_to_act, standing = rules.seat_to_act, standing_by(rules)

    @kernel
    def worth(setup: Record, states: IntArray, work: Record, seat: int) -> int:
        """What the position `states[1]` is to the seat that has moved there."""
        if is_over(setup, states[1]):
            return standing(setup, states[1], seat)
        answering = seat_to_act(setup, states[1])
        for place in range(list_moves(setup, states[1], work.moves)):
            states[2] = states[1]
            play(setup, states[2], as_int(work.moves[place]))
            over = is_over(setup, states[2])
            if over and answering != seat and standing(setup, states[2], answering) == WON:
                return as_int(LOST)
        return as_int(SHARED)

    @kernel
    def glance(setup: Record, states: IntArray, works: IntArray, seat: int) -> int:
        best, chosen, equals = as_int(-1), as_int(0), as_int(0)
        for place in range(list_moves(setup, states[0], works[0].moves)):
            states[1] = states[0]
            play(setup, states[1], as_int(works[0].moves[place]))
            value = worth(setup, states, works[1], seat)
            if value > best:
                best, chosen, equals = value, as_int(place), as_int(1)
            elif value == best:
                equals += 1
                if random_below(states[0], equals) == 0:
                    chosen = as_int(place)
        return chosen

    return glance
