"""Random play, compiled: what simulations and GPUs run.

By what chance turns are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.atlantis.movement import choose_random_turn
from agon.games.atlantis.rules import play_turn, rank, start
from agon.kernel import IntArray, Record, as_int, kernel


@kernel
def is_over(setup: Record, state: Record) -> bool:
    """Whether the match has ended."""
    return as_int(state.over) == 1


@kernel
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play a random turn, or, R16, the empty turn for a seat that is not asked."""
    count = as_int(0)
    if as_int(state.asked) == 1:
        count = choose_random_turn(setup, state, work)
    play_turn(setup, state, work, count)


@kernel
def play_games(
    setup: Record, states: IntArray, work: Record, seeds: IntArray, cap: int, plies: IntArray
) -> None:
    """Play a match per seed, to its end or for `cap` turns; `plies` gets how many were played."""
    for i in range(seeds.shape[0]):
        state = states[i]
        start(setup, state, seeds[i])
        played = 0
        while played < cap and not is_over(setup, state):
            play_random_turn(setup, state, work)
            played += 1
        plies[i] = played


@kernel
def list_beaten(setup: Record, states: IntArray, beaten: IntArray) -> None:
    """For each match and seat, how many seats it has left behind; -1 while the match goes on."""
    players = as_int(setup.players)
    for i in range(states.shape[0]):
        for seat in range(players):
            beaten[i, seat] = -1
            if is_over(setup, states[i]):
                beaten[i, seat] = players - 1 - rank(setup, states[i], seat)
