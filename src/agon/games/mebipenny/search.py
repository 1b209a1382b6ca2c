"""Monte Carlo: the match is played on from each move, in worlds that the seat cannot tell apart.

A world is the position with everything dealt anew that the seat does not know (R4): the others'
hands and the order of the pile. In each world each move is played, and then a few turns more, all
seats by greed; how far the seat is ahead then is the move's points. Moves are compared in the same
worlds, so that they differ by what they do and not by luck. The others are taken to be bold: they
pass even if that lets the match end against them. The seat itself does not.

Few turns are better than many: what is drawn later says nothing about the move, but would drown it.
"""

from __future__ import annotations

import numpy as np

from agon.games.mebipenny.board import FREE, HAND, MOST_MOVES, SEATS
from agon.games.mebipenny.greedy import CERTAIN, find_lead, greedy_move, steady_move
from agon.games.mebipenny.rules import list_moves, play, redeal, seat_to_move
from agon.kernel import Record, as_int, inlined, kernel, mix64, u64

SEARCH = np.dtype(
    [
        ("seed", np.uint64),  # of all worlds
        ("points", np.int64, (MOST_MOVES,)),  # of each move, in all worlds together
        ("moves", np.int32, (MOST_MOVES,)),
        ("count", np.int32),  # of moves
        ("next", np.int32),  # the move to be tried next
        ("worlds", np.int32),  # in which all moves have been tried
    ],
    align=True,
)


@kernel
def begin(setup: Record, root: Record, work: Record, search: Record, seed: int) -> None:
    """Start the search for a move in this position, of which the hidden part is forgotten."""
    forget(setup, root, seat_to_move(setup, root))
    count = list_moves(setup, root, work)
    for i in range(count):
        search.moves[i] = work.moves[i]
        search.points[i] = 0
    search.seed = u64(seed)
    search.count = count
    search.next = 0
    search.worlds = 0


@inlined
def forget(setup: Record, state: Record, seat: int) -> None:
    """Put all tiles that the seat does not know in the order of the board.

    So nothing that is done with the state can depend on what is hidden, not even by chance.
    """
    state.stacked = 0
    hidden = 0
    for cell in range(as_int(setup.rows) * as_int(setup.cols)):
        if as_int(state.cells[cell]) == FREE and not is_held(state, seat, cell):
            state.pile[hidden] = cell
            hidden += 1
    for other in range(as_int(setup.seats)):
        if other != seat:
            for place in range(as_int(state.hand_size[other])):
                hidden -= 1
                state.hands[other, place] = state.pile[hidden]
                state.pile[hidden] = 0


@inlined
def is_held(state: Record, seat: int, tile: int) -> bool:
    """Whether the tile is in the seat's hand."""
    for place in range(as_int(state.hand_size[seat])):
        if as_int(state.hands[seat, place]) == tile:
            return True
    return False


@kernel
def advance(
    setup: Record, root: Record, trial: Record, work: Record, search: Record, trials: int
) -> None:
    """Try so many moves, each in the next world that it has not been tried in."""
    seat = seat_to_move(setup, root)
    for _ in range(trials):
        move = as_int(search.next)
        copy_state(root, trial)
        redeal(setup, trial, seat, mix64(u64(search.seed) + u64(search.worlds)))
        play(setup, trial, work, as_int(search.moves[move]))
        play_on(setup, trial, work, seat)
        search.points[move] += points_of(setup, trial, seat)
        search.next = move + 1
        if as_int(search.next) == as_int(search.count):
            search.next = 0
            search.worlds += 1


@inlined
def copy_state(source: Record, target: Record) -> None:
    """All of a state, field by field."""
    target.random = source.random
    target.turn = source.turn
    target.draw_size = source.draw_size
    for i in range(len(source.score)):
        target.score[i] = source.score[i]
    for i in range(len(source.cells)):
        target.cells[i] = source.cells[i]
    for i in range(len(source.pile)):
        target.pile[i] = source.pile[i]
    for seat in range(SEATS):
        for i in range(HAND):
            target.hands[seat, i] = source.hands[seat, i]
    for i in range(len(source.hand_size)):
        target.hand_size[i] = source.hand_size[i]
    target.passes = source.passes
    target.over = source.over
    target.stacked = source.stacked


@inlined
def play_on(setup: Record, state: Record, work: Record, seat: int) -> None:
    """Play until this seat, which has just moved, has had another turn, and the others two."""
    for _ in range(2 * as_int(setup.seats) - 1):
        if as_int(state.over) == 0:
            own = seat_to_move(setup, state) == seat
            move = steady_move(setup, state, work) if own else greedy_move(setup, state, work)
            play(setup, state, work, move)


@inlined
def points_of(setup: Record, state: Record, seat: int) -> int:
    """What the position is worth for the seat: its lead; above all, the match if it is over.

    If a lost match were only so many points, a player far behind would pass and lose at once.
    """
    lead = find_lead(setup, state, seat)
    if as_int(state.over):
        return lead + CERTAIN if lead > 0 else lead - CERTAIN
    return lead


@kernel
def best_move(search: Record) -> int:
    """The move with the most points; the first of them if no world is finished."""
    best = 0
    if as_int(search.worlds) > 0:
        done = as_int(search.next)  # these have been tried in one world more
        worlds = as_int(search.worlds)
        for i in range(1, as_int(search.count)):
            own = as_int(search.points[i]) * (worlds + (best < done))
            if own > as_int(search.points[best]) * (worlds + (i < done)):
                best = i
    return as_int(search.moves[best])
