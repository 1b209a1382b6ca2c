"""A match from its start to its end: draws, legal moves, playing a move.

A move is one number, tile << 2 | favoured seat, or PASS. Without a tie (R8) the seat that moves is
the one to be favoured, so that moves are equal if and only if they do the same.
"""

from __future__ import annotations

from agon.games.mebipenny.army import join_armies, muster
from agon.games.mebipenny.board import FREE, HAND, SEATS, WALL, owner_at
from agon.kernel import (
    IntArray,
    Record,
    as_int,
    bit_count,
    inlined,
    kernel,
    lowest_bit,
    random_below,
    u64,
)

PASS = -1


@kernel
def seat_to_move(setup: Record, state: Record) -> int:
    """R5: the seats take turns in order."""
    return as_int(state.turn) % as_int(setup.seats)


@kernel
def encode_move(tile: int, favoured: int) -> int:
    """The move that plays this tile."""
    return tile << 2 | favoured


@inlined
def tile_of(move: int) -> int:
    """The tile that a move plays."""
    return move >> 2


@inlined
def favoured_by(move: int) -> int:
    """The seat that gets the army if there is a tie."""
    return move & 3


# --- Start and draws ----------------------------------------------------------------------------


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """Begin a match: R2, R4."""
    clear(setup, state)
    state.random = u64(seed)
    if as_int(setup.dealt) == 1:
        deal_as_given(setup, state)
    else:
        deal_by_chance(setup, state)
    state.over = are_hands_empty(state)


@inlined
def deal_by_chance(setup: Record, state: Record) -> None:
    """R2, R4: draw the walls, then the hands round by round."""
    for _ in range(as_int(setup.walls)):
        state.cells[draw(state)] = WALL
    for _ in range(HAND):
        for seat in range(as_int(setup.seats)):
            draw_into_hand(state, seat)


@inlined
def deal_as_given(setup: Record, state: Record) -> None:
    """R14: what is in no hand and not in the pile is a wall."""
    for cell in range(as_int(setup.rows) * as_int(setup.cols)):
        state.cells[cell] = WALL
        state.pile[cell] = setup.pile[cell]
    state.draw_size = setup.draw_size
    state.stacked = setup.stacked
    for place in range(as_int(setup.draw_size)):
        state.cells[as_int(setup.pile[place])] = FREE
    for seat in range(as_int(setup.seats)):
        state.hand_size[seat] = setup.hand_size[seat]
        for place in range(as_int(setup.hand_size[seat])):
            state.hands[seat, place] = setup.hands[seat, place]
            state.cells[as_int(setup.hands[seat, place])] = FREE


@inlined
def clear(setup: Record, state: Record) -> None:
    """An empty board, no hands, all tiles in the pile."""
    cells = as_int(setup.rows) * as_int(setup.cols)
    for cell in range(state.pile.shape[0]):
        on_board = cell < cells
        state.pile[cell] = cell if on_board else 0
        state.cells[cell] = FREE if on_board else WALL
    for cell in range(state.pile.shape[0], state.cells.shape[0]):
        state.cells[cell] = WALL
    for seat in range(SEATS):
        state.score[seat] = 0
        state.hand_size[seat] = 0
        for place in range(HAND):
            state.hands[seat, place] = 0
    state.draw_size = cells
    state.turn = 0
    state.passes = 0
    state.stacked = 0


@kernel
def draw(state: Record) -> int:
    """R3: take any tile out of the pile, which is not empty; R14: or the next in order."""
    last = as_int(state.draw_size) - 1
    if as_int(state.stacked) > 0:
        state.stacked -= 1
        place = last
    else:
        place = random_below(state, last + 1)
    tile = as_int(state.pile[place])
    state.pile[place] = state.pile[last]
    state.pile[last] = 0
    state.draw_size = last
    return tile


@kernel
def draw_into_hand(state: Record, seat: int) -> None:
    """R4, R9: add a tile to the seat's hand, if there is one left."""
    if as_int(state.draw_size) > 0:
        place = as_int(state.hand_size[seat])
        state.hands[seat, place] = draw(state)
        state.hand_size[seat] = place + 1


@inlined
def take_from_hand(state: Record, seat: int, tile: int) -> None:
    """Remove a tile from the seat's hand; the later ones move up."""
    last = as_int(state.hand_size[seat]) - 1
    place = 0
    while as_int(state.hands[seat, place]) != tile:
        place += 1
    for later in range(place, last):
        state.hands[seat, later] = state.hands[seat, later + 1]
    state.hands[seat, last] = 0
    state.hand_size[seat] = last


@kernel
def are_hands_empty(state: Record) -> int:
    for seat in range(SEATS):
        if as_int(state.hand_size[seat]) > 0:
            return 0
    return 1


@inlined
def redeal(setup: Record, state: Record, seat: int, seed: int) -> None:
    """Deal anew what the seat does not know: the others' hands and all chance to come."""
    state.random = u64(seed)
    state.stacked = 0
    for other in range(as_int(setup.seats)):
        if other != seat:
            for place in range(as_int(state.hand_size[other])):
                state.pile[as_int(state.draw_size)] = state.hands[other, place]
                state.draw_size += 1
    for other in range(as_int(setup.seats)):
        if other != seat:
            for place in range(as_int(state.hand_size[other])):
                state.hands[other, place] = draw(state)


# --- Moves --------------------------------------------------------------------------------------


@kernel
def list_moves(setup: Record, state: Record, work: Record) -> int:
    """Put all legal moves of a match that goes on into `work.moves`; returns how many."""
    seat = seat_to_move(setup, state)
    count = 0
    for place in range(as_int(state.hand_size[seat])):
        tile = as_int(state.hands[seat, place])
        leading = muster(setup, state, work, seat, tile)
        if bit_count(leading) == 1:
            leading = 1 << seat  # R8: it does not matter whom it favours
        while leading:
            work.moves[count] = encode_move(tile, lowest_bit(leading))
            count += 1
            leading &= leading - 1
    work.moves[count] = PASS  # R10
    return count + 1


@kernel
def play(setup: Record, state: Record, work: Record, move: int) -> None:
    """Play a legal move of the seat whose turn it is."""
    seat = seat_to_move(setup, state)
    if move == PASS:
        state.passes += 1
    else:
        state.passes = 0
        play_tile(setup, state, work, seat, tile_of(move), favoured_by(move))
    state.turn += 1
    all_passed = as_int(state.passes) == as_int(setup.seats)
    state.over = 1 if all_passed else are_hands_empty(state)  # R11


@inlined
def play_tile(
    setup: Record, state: Record, work: Record, seat: int, tile: int, favoured: int
) -> None:
    """Claim the tile's cell for its army, and draw."""
    leading = muster(setup, state, work, seat, tile)
    owner = lowest_bit(leading) if bit_count(leading) == 1 else favoured  # R7, R8
    join_armies(state, work, tile, owner)
    take_from_hand(state, seat, tile)
    draw_into_hand(state, seat)  # R9


@kernel
def tied_seats(setup: Record, state: Record, work: Record, tile: int) -> int:
    """R8: the seats, as a mask, between which the seat to move decides; 0 if there is no tie."""
    leading = muster(setup, state, work, seat_to_move(setup, state), tile)
    return 0 if bit_count(leading) == 1 else leading


@kernel
def list_owners(setup: Record, state: Record, owners: IntArray) -> None:
    """The owner of every cell, as `board.owner_at` says."""
    for cell in range(as_int(setup.rows) * as_int(setup.cols)):
        owners[cell] = owner_at(state, cell)
