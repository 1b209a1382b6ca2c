"""Random play in which no player passes while it has a tile: it fills the whole board.

Uniformly random games end early, by passes. What a move costs on a large board shows only when the
armies have grown as large as the board lets them.
"""

from __future__ import annotations

from agon.games.mebipenny.rules import list_moves, play
from agon.kernel import Record, as_int, kernel, random_below


@kernel
def play_random_tile(setup: Record, state: Record, work: Record) -> None:
    """Play one of the moves but the pass, which is the last of the list; pass if there is none."""
    tiles = list_moves(setup, state, work) - 1
    place = random_below(state, tiles) if tiles > 0 else 0
    play(setup, state, work, as_int(work.moves[place]))
