"""Search: the turns that are worth a try are tried by playing on from them.

First all turns are rated: the match is played on from each of them, all seats greedily, and what
the position is worth is looked at a few times on the way. The better half goes into a heat. There
the robots that are near go on with the best turn that they find by the same rating, for a round or
a few; then greed goes on as before. Of these turns the better half goes into another heat with
other chances, and so on down to a few, which run heats as long as there is time. The turn with the
most points has won.

Greed always comes nearer, so to wait for it looks good. Two robots that think so would wait for
ever: one that is bored leaves out the turns that do nothing.

`Search.think` yields after each slice of work; `Search.best` is the turn to play at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.skyport.board import is_over, seat_to_act
from agon.games.skyport.candidates import (
    MOST_TURNS,
    TURNS,
    drop_idle_turns,
    list_turns,
    play_listed,
)
from agon.games.skyport.evaluate import copy_state, evaluate, play_on
from agon.games.skyport.walk import apart
from agon.kernel import JIT, IntArray, Record, as_int, inlined, kernel, mix64, new_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.skyport.belief import Belief

LOOKS = 4  # at what becomes of a turn
LOOKS_OF_OTHERS = 2
PAUSE = 2  # rounds between two looks
FINALISTS = 6
ROUNDS = 3  # at most, of a heat: they are 1, 2, 3, 1 ...
NEAR = 10  # steps: a robot farther away replies greedily
SLICE = 15_000 if JIT else 1  # hexes times seats times turns tried: about a millisecond


@inlined
def look_ahead(
    setup: Record, state: Record, work: Record, scratch: Record, seat: int, looks: int
) -> int:
    """What a position is worth to a seat, now and after some rounds, so many looks together."""
    value = evaluate(setup, state, seat)
    for _ in range(1, looks):
        play_on(setup, state, work, scratch, PAUSE * as_int(setup.seats))
        value += evaluate(setup, state, seat)
    return value


@kernel
def rate_turns(
    setups: IntArray,
    roots: IntArray,
    trials: IntArray,
    works: IntArray,
    scratches: IntArray,
    lists: IntArray,
    values: IntArray,
    looks: int,
    first: int,
    last: int,
) -> None:
    """What some of the listed turns are worth to the seat that is due, if all go on greedily."""
    setup, root, trial, work, scratch = setups[0], roots[0], trials[0], works[0], scratches[0]
    seat = seat_to_act(root)
    for turn in range(first, last):
        copy_state(setup, root, trial)
        play_listed(setup, trial, work, lists[0], turn)
        play_on(setup, trial, work, scratch, as_int(setup.seats) - 1)
        values[turn] = look_ahead(setup, trial, work, scratch, seat, looks)


@kernel
def begin_run(
    setups: IntArray,
    roots: IntArray,
    runs: IntArray,
    works: IntArray,
    lists: IntArray,
    turn: int,
    chance: int,
) -> None:
    """Play a turn, for a heat with these chances."""
    copy_state(setups[0], roots[0], runs[0])
    runs[0].random = mix64(chance)
    play_listed(setups[0], runs[0], works[0], lists[0], turn)


@kernel
def go_on(
    setups: IntArray,
    runs: IntArray,
    works: IntArray,
    scratches: IntArray,
    seat: int,
    last: int,
    totals: IntArray,
    turn: int,
) -> bool:
    """Go on to the next robot that is due, the seat's or one near it, if there is one until a turn.

    If none is, the heat ends: what it is worth to the seat is added to a total.
    """
    setup, run = setups[0], runs[0]
    while as_int(run.turn) < last and not is_over(setup, run):
        due = seat_to_act(run)
        if apart(setup, as_int(run.cell[due]), as_int(run.cell[seat])) <= NEAR:
            return True
        play_on(setup, run, works[0], scratches[0], as_int(1))
    totals[turn] += look_ahead(setup, run, works[0], scratches[0], seat, as_int(LOOKS))
    return False


@kernel
def play_reply(
    setups: IntArray, runs: IntArray, works: IntArray, lists: IntArray, turn: int
) -> None:
    """Play one of the listed turns."""
    play_listed(setups[0], runs[0], works[0], lists[0], turn)


class Search:
    """The search for one turn of the seat that is due."""

    def __init__(self, belief: Belief, seed: int, is_bored: bool) -> None:
        """Nothing is searched yet. The seed is that of all chances."""
        self._seed = seed
        self._is_bored = is_bored
        self._seat = belief.seat
        self._setup, self._root = belief.setup, belief.state
        self._run, self._trial = new_array(belief.state.dtype), new_array(belief.state.dtype)
        self._buffers = belief.work, belief.scratch
        self._turns, self._replies = new_array(TURNS), new_array(TURNS)
        self._totals = np.zeros(MOST_TURNS, np.int64)
        self._values = np.zeros(MOST_TURNS, np.int64)
        self._slice = 1 + SLICE // belief.size
        self._best = 0

    @property
    def best(self) -> IntArray:
        turns = self._turns[0]
        actions: IntArray = turns["actions"][self._best][: turns["length"][self._best]]
        return actions

    def think(self, depth: int) -> Iterator[None]:
        """Search: rate all turns, then run one heat less than the depth."""
        count = self._list(self._root, self._turns)
        if self._is_bored:
            count = int(drop_idle_turns(*self._records(self._root, self._turns)))
        self._compile()
        for done in self._rate(self._root, self._turns, self._totals, LOOKS, count):
            self._best = int(self._totals[:done].argmax())
            yield
        runners = np.arange(count)
        for heat in range(1, depth):
            runners = self._better_half(runners)
            if len(runners) == 1:
                break
            for runner in runners.tolist():
                yield from self._run_heat(runner, heat)
            self._best = int(runners[self._totals[runners].argmax()])

    def _better_half(self, runners: IntArray) -> IntArray:
        order = np.argsort(-self._totals[runners], kind="stable")
        return runners[order][: max(FINALISTS, (len(runners) + 1) // 2)]

    def _records(self, state: Any, turns: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
        """All records that kernels ask for, with this position and list."""
        return (self._setup, state, self._trial, *self._buffers, turns)

    def _list(self, state: Any, turns: Any) -> int:
        """List the turns of the seat that is due in this position."""
        return int(list_turns(*self._records(state, turns)))

    def _rate(
        self, state: Any, turns: Any, values: IntArray, looks: int, count: int
    ) -> Iterator[int]:
        """Rate these turns slice by slice; yields how many are done."""
        for first in range(0, count, self._slice):
            last = min(first + self._slice, count)
            rate_turns(*self._records(state, turns), values, looks, first, last)
            yield last

    def _begin_run(self, turn: int, heat: int) -> None:
        """Play a turn, with the chances of this heat."""
        chance: Any = np.uint64((self._seed + heat) % 2**64)
        begin_run(self._setup, self._root, self._run, self._buffers[0], self._turns, turn, chance)

    def _run_heat(self, turn: int, heat: int) -> Iterator[None]:
        """Add to a turn's total what it is worth if the robots near here go on thoughtfully."""
        self._begin_run(turn, heat)
        rounds = 1 + (heat - 1) % ROUNDS
        last = int(self._root[0]["turn"]) + rounds * int(self._setup[0]["seats"])
        here = (self._setup, self._run, *self._buffers, self._seat)
        while go_on(*here, last, self._totals, turn):
            count = self._list(self._run, self._replies)
            for _ in self._rate(self._run, self._replies, self._values, LOOKS_OF_OTHERS, count):
                yield
            best = int(self._values[:count].argmax())
            play_reply(self._setup, self._run, self._buffers[0], self._replies, best)
        yield

    def _compile(self) -> None:
        """Call all kernels with next to nothing to do, so that none is compiled in mid-match."""
        here = (self._setup, self._run, *self._buffers)
        self._begin_run(0, 0)
        go_on(*here, self._seat, 0, self._values, 0)
        rate_turns(*self._records(self._run, self._replies), self._values, 1, 0, 0)
        drop_idle_turns(*self._records(self._run, self._replies))
        play_reply(self._setup, self._run, self._buffers[0], self._replies, 0)
