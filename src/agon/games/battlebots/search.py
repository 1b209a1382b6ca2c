"""Search: turns are tried by playing on from them, and the best one is improved fort by fort.

The first turn is that of the play-outs. Then, for one fort after the other, a few turns are tried
that differ there:

- a foreign fort: all own neighbours attack it, with all that they have, or with most of it;
- an own fort: no soldiers leave it; or all leave by one of its roads, or half of them, or just
  enough to take the fort there.

What looks better is kept. After the last fort it begins again, until nothing gets better or time is
over.

`Search.think` yields after each slice of work; `Search.orders` is the turn to play at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.battlebots.board import target_of
from agon.games.battlebots.evaluate import (
    GREEDY,
    MARCHING,
    copy_state,
    evaluate,
    look_around,
    march_on,
    plan_dtype,
    play_on,
    play_turn_of_others,
    wanted_by,
)
from agon.kernel import JIT, IntArray, Record, as_int, inlined, kernel, new_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.battlebots.belief import Belief

LOOKS = 4  # at a play-out: a look alone sees an army just before it arrives, or after
FIRST_LOOK = 10  # turns from now
PAUSE = 4  # turns between two looks
HORIZON = FIRST_LOOK + PAUSE * (LOOKS - 1)
MOST_OPTIONS = 64  # of one fort
WORSE_THAN_ALL = -(1 << 62)
SLICE = 120_000 if JIT else 600  # places to look at between two looks at the clock: about 2 ms


# --- turns to try ---------------------------------------------------------------------------------


@kernel
def first_turn(
    setups: IntArray, states: IntArray, plans: IntArray, orders: IntArray, seat: int
) -> None:
    """The turn of the play-outs, and the plan of the moment."""
    setup, state, plan = setups[0], states[0], plans[0]
    look_around(setup, state, plan)
    for fort in range(as_int(setup.forts)):
        if as_int(state.owner[fort]) == seat and as_int(state.garrison[fort]) > 0:
            march_on(setup, state, plan, orders, fort)
    look_around(setup, state, plan)


@kernel
def list_options(
    setups: IntArray,
    states: IntArray,
    plans: IntArray,
    orders: IntArray,
    options: IntArray,
    fort: int,
    seat: int,
) -> int:
    """Put turns that differ at a fort from these orders into `options`; returns how many."""
    setup, state = setups[0], states[0]
    if as_int(state.owner[fort]) == seat:
        return list_departures(setup, state, plans[0], orders, options, fort)
    return list_attacks(setup, state, orders, options, fort, seat)


@inlined
def list_departures(
    setup: Record, state: Record, plan: Record, orders: IntArray, options: IntArray, fort: int
) -> int:
    """No soldiers leave the fort; or all, half or just enough of its soldiers leave by a road."""
    garrison = as_int(state.garrison[fort])
    copy_orders(setup, orders, options[0])
    recall(setup, options[0], fort)
    count = 1
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i])
        enough = as_int(0)
        if as_int(state.owner[target_of(setup, lane)]) != as_int(state.owner[fort]):
            enough = wanted_by(setup, state, plan, lane)
        for soldiers in (garrison, garrison // 2, enough):
            if 0 < soldiers <= garrison and count < options.shape[0]:
                copy_orders(setup, options[0], options[count])
                options[count, lane] = soldiers
                count += 1
    return count


@inlined
def list_attacks(
    setup: Record, state: Record, orders: IntArray, options: IntArray, fort: int, seat: int
) -> int:
    """All own neighbours attack the fort with all soldiers, or with two thirds of them."""
    for option in range(2):
        copy_orders(setup, orders, options[option])
    count = as_int(0)
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        lane = as_int(setup.exits[i]) ^ 1
        origin = as_int(setup.origin[lane])
        soldiers = as_int(state.garrison[origin])
        if as_int(state.owner[origin]) == seat and soldiers > 0:
            count = as_int(2)
            for option in range(2):
                recall(setup, options[option], origin)
            options[0, lane] = soldiers
            options[1, lane] = soldiers - soldiers // 3
    return count


@kernel
def copy_orders(setup: Record, orders: IntArray, copy: IntArray) -> None:
    """Copy orders lane by lane."""
    for lane in range(2 * as_int(setup.roads)):
        copy[lane] = orders[lane]


@kernel
def recall(setup: Record, orders: IntArray, fort: int) -> None:
    """No soldiers leave the fort."""
    for i in range(as_int(setup.first_exit[fort]), as_int(setup.first_exit[fort + 1])):
        orders[as_int(setup.exits[i])] = 0


# --- what they are worth --------------------------------------------------------------------------


@kernel
def rate_options(
    setups: IntArray,
    states: IntArray,
    trials: IntArray,
    works: IntArray,
    plans: IntArray,
    options: IntArray,
    values: IntArray,
    seat: int,
    first: int,
    last: int,
) -> None:
    """What each of these turns is worth, against others of either kind."""
    setup, trial, work, plan = setups[0], trials[0], works[0], plans[0]
    for i in range(first, last):
        values[i] = 0
        for others in (GREEDY, MARCHING):
            copy_state(setup, states[0], trial)
            copy_orders(setup, options[i], work.orders)
            play_turn_of_others(setup, trial, work, plan, seat, others)
            play_on(setup, trial, work, plan, seat, others, as_int(FIRST_LOOK - 1))
            values[i] += evaluate(setup, trial, plan, seat)
            for _ in range(1, LOOKS):
                play_on(setup, trial, work, plan, seat, others, as_int(PAUSE))
                values[i] += evaluate(setup, trial, plan, seat)


@kernel
def play_believed(
    setups: IntArray,
    states: IntArray,
    works: IntArray,
    plans: IntArray,
    orders: IntArray,
    seat: int,
) -> None:
    """Play the seat's orders, and what the others may have ordered."""
    copy_orders(setups[0], orders, works[0].orders)
    play_turn_of_others(setups[0], states[0], works[0], plans[0], seat, as_int(MARCHING))


class Search:
    """The search for one turn."""

    def __init__(self, belief: Belief) -> None:
        """Nothing is searched yet: the best turn is the pass."""
        lanes = 2 * belief.tier.roads
        self.orders = np.zeros(lanes, np.int32)
        self._value = WORSE_THAN_ALL
        self._seat = belief.seat
        self._setup, self._state = belief.setup, belief.state
        self._trial = new_array(belief.state.dtype)
        self._work = new_array(belief.work_dtype)
        self._now = new_array(plan_dtype(belief.tier))
        self._later = new_array(plan_dtype(belief.tier))
        self._options = np.zeros((MOST_OPTIONS, lanes), np.int32)
        self._values = np.zeros(MOST_OPTIONS, np.int64)
        self._slice = 1 + SLICE // (2 * HORIZON * (1 + int(belief.setup[0]["places"])))

    def think(self, depth: int) -> Iterator[None]:
        """Search: so many times round all forts."""
        first_turn(self._setup, self._state, self._now, self.orders, self._seat)
        self._rate(0, 0)  # on the first turn all is compiled, however little time is left
        self._list_options(0)
        yield
        self._options[0] = self.orders
        yield from self._choose_of(1)
        forts = self._order_of_forts()
        for _ in range(depth):
            before = self._value
            for fort in forts:
                yield from self._choose_of(self._list_options(fort))
            if self._value == before:
                break

    def play(self) -> None:
        """Play the turn on the field of the belief."""
        play_believed(self._setup, self._state, self._work, self._later, self.orders, self._seat)

    def _order_of_forts(self) -> list[int]:
        """Foreign forts, then the own ones; those with the most soldiers first."""
        state, forts = self._state[0], range(int(self._setup[0]["forts"]))
        own = (state["owner"][: len(forts)] == self._seat).tolist()
        soldiers = state["garrison"][: len(forts)].tolist()
        return sorted(
            (fort for fort in forts if soldiers[fort] or not own[fort]),
            key=lambda fort: (own[fort], -soldiers[fort]),
        )

    def _list_options(self, fort: int) -> int:
        """Put turns that differ at a fort where they are rated; returns how many."""
        return int(
            list_options(
                self._setup,
                self._state,
                self._now,
                self.orders,
                self._options,
                fort,
                self._seat,
            )
        )

    def _choose_of(self, count: int) -> Iterator[None]:
        """Rate the options, and take the best if it is better than what there is."""
        for first in range(0, count, self._slice):
            last = min(first + self._slice, count)
            self._rate(first, last)
            best = first + int(self._values[first:last].argmax())
            if self._values[best] > self._value:
                self._value = int(self._values[best])
                self.orders[:] = self._options[best]
            yield

    def _rate(self, first: int, last: int) -> None:
        """Rate these of the options."""
        rate_options(
            *(self._setup, self._state, self._trial, self._work, self._later),
            *(self._options, self._values, self._seat, first, last),
        )
