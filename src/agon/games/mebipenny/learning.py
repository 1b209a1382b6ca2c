"""MebiPenny for `learn`: a move is a place in the hand and whom it favours; cells by their army.

Seats are told as the one who looks counts them: itself is 0, the seat after it 1, and so on. A move
is place * 4 + favoured seat, or the pass. Where there is no tie (R8) it favours the own seat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from agon.games.learning import Learning, Part, nothing_to_settle, seen_as
from agon.games.mebipenny import playout
from agon.games.mebipenny.army import muster
from agon.games.mebipenny.board import (
    FREE,
    HAND,
    MOST_MOVES,
    NATURE,
    NO_OWNER,
    SEATS,
    WALL,
    WORK,
    find_leader,
    owner_in,
    size_in,
)
from agon.games.mebipenny.rules import PASS, encode_move, play, seat_to_move
from agon.games.mebipenny.rules import redeal as deal_anew
from agon.kernel import IntArray, Record, as_int, bit_count, inlined, kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.games.mebipenny.move import Move
    from agon.games.mebipenny.position import MebiPennyPosition

PASS_ACTION = HAND * SEATS
NO_TILE = -1
LONGEST = 2**15 - 1

ACTIONS = (
    Part("tile", (HAND, SEATS), "which tile of the hand, and which seat it favours: 0 the own"),
    Part("pass", (1,), "always legal"),
)


@lru_cache(16)
def make_learning(options: MebiPennyOptions) -> Learning:
    """Decisions with these options."""
    setup = options.setup()
    rows, cols = int(setup.record["rows"]), int(setup.record["cols"])
    cells = rows * cols
    return Learning(
        options=options,
        seats=int(setup.record["seats"]),
        setup=setup.records,
        state=setup.state,
        work=WORK,
        at_once=1,
        most_actions=MOST_MOVES,
        actions=ACTIONS,
        observation=(
            Part("owners", (rows, cols), "of each cell: its seat, -1 free, -2 wall", -2, SEATS - 1),
            Part("armies", (rows, cols), "claims in the army of each cell", 0, cells),
            Part("hand", (HAND,), "cells of the own tiles; -1 none", NO_TILE, cells),
            Part("hand_sizes", (SEATS,), "tiles in each hand", 0, HAND),
            Part("scores", (SEATS,), "claims of each seat", 0, cells),
            Part("pile", (1,), "tiles left in it", 0, cells),
            Part("passes", (1,), "in a row, up to now", 0, SEATS),
            Part("seat", (1,), "of the one who looks", 0, SEATS - 1),
            Part("to_move", (1,), "1 if it is that seat's turn", 0, 1),
        ),
        observed=np.dtype(np.int16 if cells <= LONGEST else np.int32),
        start=playout.start,
        is_over=playout.is_over,
        seat_to_act=seat_to_move,
        list_actions=list_actions,
        play_action=play_action,
        encode=encode,
        score=playout.score,
        redeal=redeal,
        settle=nothing_to_settle,
        load=load,
        turn_of=turn_of,
        actions_of=actions_of,
        has_secrets=True,
        has_chance=True,
    )


def load(position: MebiPennyPosition, seat: int, states: IntArray) -> None:
    states[0] = position.copy_state()


def turn_of(position: MebiPennyPosition, seat: int, actions: Sequence[int]) -> Move | None:
    if not actions:
        return None
    if actions[0] == PASS_ACTION:
        return PASS
    place, favoured = divmod(actions[0], SEATS)
    tile = int(position.copy_state()["hands"][seat, place])
    return int(encode_move(tile, (seat + favoured) % position.seats))


def actions_of(position: MebiPennyPosition, seat: int, turn: Move) -> list[int] | None:
    if turn == PASS:
        return [PASS_ACTION]
    tile, favoured = position.tile_of(turn), position.favoured_by(turn)
    hand = position.copy_state()["hands"][seat].tolist()
    if position.number_of(tile) not in hand:
        return None
    place = hand.index(position.number_of(tile))
    if not position.tied_seats(tile):
        favoured = seat  # R8: it does not matter whom it favours
    return [place * SEATS + (favoured - seat) % position.seats]


@inlined
def list_actions(setup: Record, state: Record, work: Record, seat: int, actions: IntArray) -> int:
    count = as_int(0)
    seats = as_int(setup.seats)
    for place in range(as_int(state.hand_size[seat])):
        leading = muster(setup, state, work, seat, as_int(state.hands[seat, place]))
        if bit_count(leading) == 1:
            leading = 1 << seat  # R8: it does not matter whom it favours
        for other in range(SEATS):
            if leading >> other & 1:
                actions[count] = place * SEATS + seen_as(other, seat, seats)
                count += 1
    actions[count] = PASS_ACTION
    return count + 1


@inlined
def play_action(setup: Record, state: Record, work: Record, seat: int, action: int) -> None:
    move = as_int(PASS)
    if action != PASS_ACTION:
        favoured = seat + action % SEATS
        if favoured >= as_int(setup.seats):
            favoured -= as_int(setup.seats)
        move = encode_move(as_int(state.hands[seat, action // SEATS]), favoured)
    play(setup, state, work, move)


@kernel
def encode(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    seats = as_int(setup.seats)
    cells = as_int(setup.rows) * as_int(setup.cols)
    for cell in range(cells):
        word = as_int(state.cells[cell])
        owner = as_int(NO_OWNER)
        size = as_int(0)
        if word == WALL:
            owner = as_int(NATURE)
        elif word != FREE:
            leader = as_int(state.cells[find_leader(state, cell)])
            owner = seen_as(owner_in(leader), seat, seats)
            size = size_in(leader)
        row[cell] = owner
        row[cells + cell] = size
    at = 2 * cells
    for place in range(HAND):
        held = place < as_int(state.hand_size[seat])
        row[at + place] = as_int(state.hands[seat, place]) if held else as_int(NO_TILE)
    at += HAND
    for other in range(SEATS):
        row[at + other] = 0
        row[at + SEATS + other] = 0
    for other in range(seats):
        seen = seen_as(other, seat, seats)
        row[at + seen] = as_int(state.hand_size[other])
        row[at + SEATS + seen] = as_int(state.score[other])
    at += 2 * SEATS
    row[at] = as_int(state.draw_size)
    row[at + 1] = as_int(state.passes)
    row[at + 2] = seat
    row[at + 3] = 1 if seat_to_move(setup, state) == seat else 0


@inlined
def redeal(setup: Record, state: Record, work: Record, seat: int, seed: int) -> None:
    """R4: the others' hands and the order of the pile."""
    deal_anew(setup, state, seat, seed)
