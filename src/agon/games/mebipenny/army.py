"""Which armies a tile joins, who takes the army that it makes, and how armies become one."""

from __future__ import annotations

from agon.games.mebipenny.board import (
    LEADER,
    MEMBER,
    SEATS,
    SIDES,
    find_leader,
    leader_word,
    owner_in,
    size_in,
)
from agon.kernel import Record, as_int, inlined, kernel


@kernel
def muster(setup: Record, state: Record, work: Record, seat: int, tile: int) -> int:
    """R6, R7: the leading seats, as a mask, if the seat plays this tile: several are a tie.

    Leaves the armies around the tile, the counts and their sum in `work`.
    """
    for other in range(SEATS):
        work.counts[other] = 0
    work.counts[seat] = 1  # R7: the new tile counts for the seat that plays it
    work.armies = 0
    work.total = 1
    for side in range(SIDES):
        beside = as_int(setup.beside[tile, side])
        if as_int(state.cells[beside]) >= LEADER:
            add_army(state, work, find_leader(state, beside))
    return leading_seats(work)


@inlined
def add_army(state: Record, work: Record, leader: int) -> None:
    """Count an army, unless it touches the tile at another side too and is counted already."""
    armies = as_int(work.armies)
    for known in range(armies):
        if as_int(work.leaders[known]) == leader:
            return
    work.leaders[armies] = leader
    work.armies = armies + 1
    word = as_int(state.cells[leader])
    work.counts[owner_in(word)] += size_in(word)
    work.total += size_in(word)


@inlined
def leading_seats(work: Record) -> int:
    """The seats that have the largest count, as a mask."""
    most = 1  # which the seat that plays has at least
    leading = 0
    for seat in range(SEATS):
        count = as_int(work.counts[seat])
        if count > most:
            most = count
            leading = 0
        if count == most:
            leading |= 1 << seat
    return leading


@inlined
def join_armies(state: Record, work: Record, tile: int, owner: int) -> None:
    """Make the tile and the armies that were mustered one army of this owner.

    The leader of the largest of them leads it: so the ways to leaders stay short.
    """
    first = tile
    most = 0
    for number in range(as_int(work.armies)):
        leader = as_int(work.leaders[number])
        word = as_int(state.cells[leader])
        state.score[owner_in(word)] -= size_in(word)
        if size_in(word) > most:
            most = size_in(word)
            first = leader
    state.cells[tile] = MEMBER | first
    for number in range(as_int(work.armies)):
        state.cells[as_int(work.leaders[number])] = MEMBER | first
    state.cells[first] = leader_word(owner, as_int(work.total))
    state.score[owner] += as_int(work.total)
