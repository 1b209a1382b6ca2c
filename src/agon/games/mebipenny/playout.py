"""Uniformly random play, compiled: what simulations and GPUs run."""

from __future__ import annotations

from agon.games.mebipenny.rules import list_moves, play
from agon.games.mebipenny.rules import start as start_match
from agon.kernel import Record, as_int, inlined, random_below


@inlined
def start(setup: Record, state: Record, seed: int) -> None:
    start_match(setup, state, seed)


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return as_int(state.over) == 1


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """Play one of the legal moves, each with the same chance, by the state's own generator."""
    count = list_moves(setup, state, work)
    play(setup, state, work, as_int(work.moves[random_below(state, count)]))


@inlined
def score(setup: Record, state: Record, seat: int) -> int:
    """R12: the claims of a seat."""
    return as_int(state.score[seat])
