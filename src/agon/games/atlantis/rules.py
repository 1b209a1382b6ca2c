"""The rules of Atlantis, once, for all callers. R1 to R18 are the rules of this game's README.

A turn is `work.moves[:count]`, each move one number as `board.py` says. For a seat that is out or
not asked (R16, R17) the caller plays the turn with no moves. A caller that shows a turn step by
step calls the parts of `play_turn` one by one. R3 and R8 need no code of their own: segments are a
table of the setup, and a pass is a turn with no moves.
"""

from __future__ import annotations

from agon.games.atlantis.areas import (
    all_stable,
    count_scores,
    has_unstable_area,
    settle_areas,
)
from agon.games.atlantis.board import MAX_PLAYERS, pass_to_next
from agon.games.atlantis.explosion import explosion_phase, growth_phase
from agon.games.atlantis.movement import carry_out
from agon.kernel import Record, as_int, bit_count, inlined, kernel


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """Put the position of the setup on the board, before the first turn.

    `areas`, `over`, `asked` and `score` were found by `setup.build_setup`.
    """
    for field in range(state.kind.shape[0]):
        state.stones[field] = setup.stones[field]
        state.kind[field] = setup.kind[field]
        state.owner[field] = setup.owner[field]
        state.open_around[field] = setup.open_around[field]
    for word in range(state.open.shape[0]):
        state.open[word] = setup.open[word]
    for seat in range(MAX_PLAYERS):
        state.score[seat] = setup.score[seat]
        for word in range(state.open.shape[0]):
            state.stacks[seat, word] = setup.stacks[seat, word]
            state.growing[seat, word] = setup.growing[seat, word]
    for i in range(state.spare.shape[0]):
        state.spare[i] = 0
    state.areas = setup.areas
    state.over = setup.over
    state.asked = setup.asked
    state.turn = 0
    state.seat = 0
    state.out = 0
    state.idle_turns = 0
    state.random = seed


@kernel
def play_turn(setup: Record, state: Record, work: Record, count: int) -> None:
    """R4: a turn of legal moves, which stand in `work.moves`, with all that follows from it."""
    for i in range(count):
        carry_out(setup, state, as_int(work.moves[i]))
    changes = explosion_phase(setup, state, work)
    changes += growth_phase(setup, state)
    end_turn(setup, state, work, changes)


@kernel
def end_turn(setup: Record, state: Record, work: Record, changes: int) -> None:
    """R4: the next seat's turn; `changes` is how many fields exploded or grew in this one."""
    if as_int(state.asked) == 1 or changes > 0:  # asked: still that of the turn just played
        state.idle_turns = 0
    else:
        state.idle_turns += 1
    pass_to_next(setup, state)
    appraise(setup, state, work)


@kernel
def appraise(setup: Record, state: Record, work: Record) -> None:
    """Find out whether the match is over, and the scores; if not, whether the seat is asked.

    A seat that is asked has an unstable area: the match goes on, and the other areas need no look.
    """
    settle_areas(setup, state, work)
    seat = as_int(state.seat)
    state.over = 0
    state.asked = 0
    if is_decided(setup, state):
        state.over = 1
    elif not is_out(state, seat) and has_unstable_area(setup, state, work, seat):
        state.asked = 1
    elif all_stable(setup, state, work):
        state.over = 1
    if as_int(state.over) == 1:
        count_scores(setup, state, work)


@inlined
def is_decided(setup: Record, state: Record) -> bool:
    """R17, R18: whether at most one seat is not out, or no seat is left that could change anything.

    R18, for example: two of four seats are out, and the one unstable area has only their stones.
    """
    players = as_int(setup.players)
    return bit_count(as_int(state.out)) >= players - 1 or as_int(state.idle_turns) >= players


@kernel
def is_out(state: Record, seat: int) -> bool:
    """R17: whether the seat has failed."""
    return (as_int(state.out) >> seat) & 1 == 1


@kernel
def drop_seat(setup: Record, state: Record, work: Record, seat: int) -> None:
    """R17: the seat has failed, in its own turn or another's; from now on it is not asked.

    If the turn is its own it remains so, and is played with no moves.
    """
    state.out |= 1 << seat
    appraise(setup, state, work)


@kernel
def rank(setup: Record, state: Record, seat: int) -> int:
    """R15, R17: how many seats did better, once the match is over: 0 for the winner."""
    better = 0
    for other in range(as_int(setup.players)):
        if standing(state, other) > standing(state, seat):
            better += 1
    return better


@kernel
def standing(state: Record, seat: int) -> int:
    """R15, R17: what seats are compared by: (not out, score, seat) as one number.

    Of equal scores the higher seat is better, which moves later in the round: there are no ties.
    """
    not_out = 0 if is_out(state, seat) else 1
    return (not_out << 32) + as_int(state.score[seat]) * MAX_PLAYERS + seat
