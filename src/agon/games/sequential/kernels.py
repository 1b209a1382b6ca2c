"""What the kernels of every small game share: the records, random play, and how a match ended.

They are closures over the kernels of a game's module `rules`, made once for each module.
"""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.simulation import Simulation
from agon.kernel import Record, as_int, kernel, new_records, random_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Options

WON, SHARED, LOST = 2, 1, 0


@functools.cache
def setup_dtype(names: tuple[str, ...]) -> np.dtype[Any]:
    """A record with a number for each option."""
    return np.dtype([(name, np.int64) for name in names])


def option_values(options: Options) -> dict[str, int]:
    """The options as whole numbers: of a switch 0 or 1, of a choice its place."""
    values = {}
    for field in fields(options):
        value = getattr(options, field.name)
        choices = field.metadata["choices"]
        values[field.name] = choices.index(value) if choices else int(value)
    return values


def build_setup(options: Options, seats: int) -> Any:
    """An array of one record: the options, and how many play."""
    values = option_values(options) | {"seats": seats}
    setup = new_records(setup_dtype(tuple(sorted(values))))
    for name, value in values.items():
        setup[0][name] = value
    return setup


@functools.cache
def work_dtype(most_moves: int) -> np.dtype[Any]:
    """Room for the legal moves."""
    return np.dtype([("moves", np.int64, (most_moves,))])


def make_simulation(rules: Any, options: Options, seats: int) -> Simulation:
    """Random play with these options."""
    return Simulation(
        options=options,
        seats=seats,
        setup=build_setup(options, seats),
        state=rules.STATE,
        work=work_dtype(rules.MOST_MOVES),
        start=rules.start,
        is_over=rules.is_over,
        play_random_turn=random_play(rules),
        score=rules.score,
    )


@functools.cache
def random_play(rules: Any) -> Callable[..., None]:
    """The kernel that plays a move by chance, each with the same, by the state's own generator."""
    list_moves, play = rules.list_moves, rules.play

    @kernel
    def play_random_turn(setup: Record, state: Record, work: Record) -> None:
        count = list_moves(setup, state, work.moves)
        play(setup, state, as_int(work.moves[random_below(state, count)]))

    return play_random_turn


@functools.cache
def standing_by(rules: Any) -> Callable[..., int]:
    """The kernel that says what the end of a match is to a seat: WON, SHARED or LOST."""
    score = rules.score

    @kernel
    def standing(setup: Record, state: Record, seat: int) -> int:
        own = score(setup, state, seat)
        found = as_int(WON)
        for other in range(as_int(setup.seats)):
            if other != seat and score(setup, state, other) > own:
                return as_int(LOST)
            if other != seat and score(setup, state, other) == own:
                found = as_int(SHARED)
        return found

    return standing
