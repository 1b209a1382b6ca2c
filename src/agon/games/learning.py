"""What `learn` needs of a game: decisions as numbers, and what a seat knows as a row of integers.

A decision is one action of a fixed space, `0 … actions - 1`. Where a turn is made of several moves,
each is a decision of its own, and one action ends the turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import SettingError
from agon.kernel import Record, inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.game import Options


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation, or of the space of actions."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 0
    """The least and the greatest value in an observation."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Learning:
    """The kernels of one game with its options; all of them run on the CPU and inside CUDA.

    A match is `start(setup, state, seed)`; then, until `is_over(setup, state)`, each seat that is
    to decide takes `play_action(setup, state, work, seat, action)`, where `list_actions(setup,
    state, work, seat, actions)` writes all that it may do into a row and returns how many those
    are. With `at_once` 1 the one seat is `seat_to_act(setup, state)`; else all seats may decide at
    the same time, those with no action wait, and `settle(setup, state, work)` comes after them.
    `encode(setup, state, work, seat, row)` writes what the seat knows. `score(setup, state, seat)`
    is what it has in the end.
    """

    options: Options
    """What is really played: options that only matches have are off."""
    seats: int
    setup: Any
    state: np.dtype[Any]
    work: np.dtype[Any]
    at_once: int
    """How many seats decide at a time: 1, or all."""
    most_actions: int
    """That a seat can have to choose from."""
    actions: tuple[Part, ...]
    """The space of actions, part after part."""
    observation: tuple[Part, ...]
    """The row of an observation, part after part."""
    observed: np.dtype[Any]
    """The type of its numbers."""
    start: Callable[..., None]
    is_over: Callable[..., bool]
    seat_to_act: Callable[..., int]
    list_actions: Callable[..., int]
    play_action: Callable[..., None]
    encode: Callable[..., None]
    score: Callable[..., int]
    redeal: Callable[..., None]
    """`redeal(setup, state, work, seat, seed)`: another match that is the same to this seat."""
    settle: Callable[..., None]
    load: Callable[[Any, int, Any], None]
    """`load(position, seat, states)`: a position as the one record, before a turn of this seat."""
    turn_of: Callable[[Any, int, Sequence[int]], Any]
    """`turn_of(position, seat, actions)`: the whole turn; None: more has to be decided."""
    actions_of: Callable[[Any, int, Any], Sequence[int] | None]
    """`actions_of(position, seat, turn)`: the actions that make this turn; None: none may.

    Its answer is a proposal: what is not legal there cannot be decided.
    """
    has_chance: bool = False
    """Whether matches of different seeds differ."""
    has_secrets: bool = False
    """Whether a seat may not know all that there is to know."""

    @property
    def action_count(self) -> int:
        return sum(part.size for part in self.actions)

    @property
    def observation_size(self) -> int:
        return sum(part.size for part in self.observation)

    def format_action(self, action: int) -> str:
        """An action in words: its part, and where in that: `move(3,0,2)`."""
        left = action
        for part in self.actions:
            if 0 <= left < part.size:
                places = np.unravel_index(left, part.shape)
                inner = ",".join(str(int(place)) for place in places)
                return part.name if part.size == 1 else f"{part.name}({inner})"
            left -= part.size
        raise SettingError(f"action {action}: expected 0 to {self.action_count - 1}")


@kernel
def seen_as(seat: int, viewer: int, seats: int) -> int:
    """The seat as another one counts it: itself is 0, the seat after it 1, and so on."""
    other = seat - viewer
    return other if other >= 0 else other + seats


@inlined
def nothing_to_settle(setup: Record, state: Record, work: Record) -> None:
    """Of a game in which one seat decides at a time: its action has done all."""
