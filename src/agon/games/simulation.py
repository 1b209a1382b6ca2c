"""What `simulate` needs of a game: its records and its compiled random play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from agon.games.game import Options
    from agon.kernel import IntArray


@dataclass(frozen=True, slots=True)
class Simulation:
    """The kernels of one game with its options; all of them run on the CPU and inside CUDA.

    One match is `start(setup, state, seed)`, then `play_random_turn(setup, state, work)` until
    `is_over(setup, state)`. `play_games(setup, states, work, seeds, cap, plies)` is that loop over
    many. `setup` is an array of one read-only record: the options and the board's geometry.
    """

    options: Options
    """What is really played: options that only matches have are off."""
    seats: int
    setup: Any
    state: np.dtype[Any]
    work: np.dtype[Any]
    start: Callable[..., None]
    is_over: Callable[..., bool]
    play_random_turn: Callable[..., None]
    play_games: Callable[..., None]
    score_games: Callable[[Any], IntArray]
    """From final states, points as an array of matches by seats; -1 for a match not over."""
