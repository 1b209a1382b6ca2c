"""Random play in which nobody passes who has a tile: it fills the whole board.

Uniformly random games end early, by passes. What a move costs on a large board shows only when the
armies have grown as large as the board lets them.
"""

from __future__ import annotations

from agon.games.mebipenny.rules import list_moves, play, start
from agon.kernel import IntArray, Record, as_int, kernel, random_below


@kernel
def play_random_tile(setup: Record, state: Record, work: Record) -> None:
    """Play one of the moves but the pass, which is the last of the list; pass if there is none."""
    tiles = list_moves(setup, state, work) - 1
    place = random_below(state, tiles) if tiles > 0 else 0
    play(setup, state, work, as_int(work.moves[place]))


@kernel
def fill_boards(
    setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
) -> None:
    """A match per seed, as `playout.play_games` plays them."""
    for i in range(seeds.shape[0]):
        state = states[i]
        start(setup, state, seeds[i])
        played = 0
        while played < cap and as_int(state.over) == 0:
            play_random_tile(setup, state, work)
            played += 1
        plies[i] = played
