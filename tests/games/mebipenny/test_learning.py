"""What learners see of a match is what its position says, from the seat's own side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import agon
from agon.games.mebipenny.learning import NO_TILE
from agon.learn.policy import TurnByDecisions
from agon.match.transcript import replay

if TYPE_CHECKING:
    from agon.kernel import IntArray

GAME = agon.game("mebipenny")


def claims_connected_with(owners: IntArray, cell: tuple[int, ...]) -> int:
    """R6: by looking around, step by step."""
    claims = {at for at, owner in np.ndenumerate(owners) if owner >= 0}
    army, todo = {cell}, [cell]
    while todo:
        row, col = todo.pop()
        beside = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
        new = beside & claims - army
        army |= new
        todo += new
    return len(army)


def passes_before(positions: list[Any]) -> list[int]:
    """R10: before each position, how many turns in a row were a pass."""
    found = [0]
    for position in positions[1:]:
        found.append(found[-1] + 1 if position.last_tile is None else 0)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_seat_sees(seats: int) -> None:
    options = GAME.options(rows=5, cols=7, seats=seats, seed_coverage="0.1")
    match = agon.play(GAME, ["random"] * seats, options=options, seed=seats)
    learning = GAME.learning(options)
    positions: list[Any] = [position for _, position in replay(match.transcript)]
    passes = passes_before(positions)
    assert max(passes) > 0
    for position, passed in zip(positions, passes, strict=True):
        for seat in range(seats):
            row = TurnByDecisions(learning, position, seat).observe()
            parts = np.split(row, np.cumsum([part.size for part in learning.observation])[:-1])
            told = dict(zip((part.name for part in learning.observation), parts, strict=True))
            owners = told["owners"].reshape(5, 7)
            for cell, owner in np.ndenumerate(position.owners):
                assert owners[cell] == ((owner - seat) % seats if owner >= 0 else owner)
                size = claims_connected_with(owners, cell) if owner >= 0 else 0
                assert told["armies"].reshape(5, 7)[cell] == size
            hand = [position.number_of(tile) for tile in position.hands[seat]]
            assert told["hand"].tolist() == hand + [NO_TILE] * (6 - len(hand))
            around = [(seat + other) % seats for other in range(seats)]
            nobody = [0] * (4 - seats)
            assert told["scores"].tolist() == [position.scores[one] for one in around] + nobody
            sizes = [len(position.hands[one]) for one in around]
            assert told["hand_sizes"].tolist() == sizes + nobody
            assert told["pile"].tolist() == [position.draw_size]
            assert told["passes"].tolist() == [passed]
            assert told["seat"].tolist() == [seat]
            assert told["to_move"].tolist() == [int(seat == position.turn % seats)]
            assert len(told) == 9
