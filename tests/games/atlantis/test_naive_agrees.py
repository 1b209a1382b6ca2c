"""The compiled rules and the naive ones, side by side, through random games.

Boards of all kinds: standard shapes, with segments missing, with odd segments, scattered fields;
2 to 6 players; from the usual start or from the middle of nowhere. After every turn both must agree
on each field, the legal moves, who is asked, the end, the scores and the ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.atlantis import movement
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.geometry import Board, Coordinate
from tests.games.atlantis.naive import NaiveAtlantis, NaiveMove
from tests.games.atlantis.situation import SEATS, Situation

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = [("triangle", 2), ("triangle", 3), ("hexagon", 2), ("rhombus", 2), ("rhombus", 3)]
TURNS = 60


def seeded(seed: object) -> Random:
    return Random(repr(seed))  # noqa: S311 - chance, not secrets


# --- boards of all kinds ------------------------------------------------------------------------


def shaped_board(rng: Random, players: int) -> Board:
    """A usual board, with the stacks of a few turns more."""
    shape, size = rng.choice(SHAPES) if players < 4 else ("hexagon", 2)
    usual = standard_board(shape, size, min(players, 3 if shape == "triangle" else 6))
    stacks = [{f: rng.randint(1, 3) for f in stacks} for stacks in usual.stacks]
    return Board(usual.segments, tuple(stacks))


def broken_board(rng: Random, players: int) -> Board:
    """A usual shape with segments missing and stones anywhere."""
    shape, size = rng.choice(SHAPES)
    segments = [s for s in standard_board(shape, size, 2).segments if rng.random() < 0.8]
    return with_random_stacks(segments or [((1, 1),)], rng, players)


def odd_board(rng: Random, players: int) -> Board:
    """Scattered fields in segments of any size and form, connected or not."""
    across, density = rng.randint(2, 7), rng.choice([0.4, 0.7, 1.0])
    fields = [(x, y) for x in range(1, across + 1) for y in range(1, across + 1)]
    fields = [field for field in fields if rng.random() < density] or [(1, 1)]
    rng.shuffle(fields)
    count = rng.randint(1, len(fields))
    segments = [tuple(fields[i::count]) for i in range(count)]
    return with_random_stacks(segments, rng, players)


def with_random_stacks(segments: list[tuple[Coordinate, ...]], rng: Random, players: int) -> Board:
    stacks: list[dict[Coordinate, int]] = [{} for _ in range(players)]
    share, tallest = rng.choice([0.2, 0.5, 0.9]), rng.choice([2, 4, 9])
    for field in (field for segment in segments for field in segment):
        if rng.random() < share:
            kind = rng.choices([1, -1, 0], [8, 1, 1])[0]
            rng.choice(stacks)[field] = kind * rng.randint(1, tallest)
    return Board(tuple(segments), tuple(stacks))


MAKERS: list[Callable[[Random, int], Board]] = [shaped_board, broken_board, odd_board]


# --- side by side -------------------------------------------------------------------------------


@dataclass
class Pair:
    """One match in both implementations."""

    kernel: Situation
    naive: NaiveAtlantis

    @classmethod
    def start(cls, board: Board) -> Pair:
        naive = NaiveAtlantis(board.segments, [dict(stacks) for stacks in board.stacks])
        return cls(Situation(board), naive)

    def compare(self) -> None:
        kernel, naive = self.kernel, self.naive
        assert kernel.signs() == {place: naive_sign(naive, place) for place in naive.fields}
        assert (kernel.over, kernel.asked) == (naive.is_over(), naive.is_asked())
        assert kernel.scores() == naive.scores()
        if kernel.over:
            assert kernel.state.score[: naive.seats].tolist() == naive.scores()
            assert kernel.ranking() == naive.ranking()
        else:
            assert kernel.seat == naive.seat
            assert sorted(kernel.moves()) == sorted(naive.legal_moves())

    def choose(self, rng: Random) -> list[NaiveMove]:
        """A turn: the kernel's own choice, or the naive one's."""
        if not self.kernel.asked:
            return []
        if rng.random() < 0.5:
            return self.naive.random_turn(rng)
        kernel = self.kernel
        count = movement.choose_random_turn(kernel.setup, kernel.state, kernel.work)
        return [kernel.move_of(int(code)) for code in kernel.work.moves[:count]]

    def check_bad_turn(self, moves: list[NaiveMove], rng: Random) -> None:
        """A turn with a bent move in it is judged alike."""
        place = rng.choice(list(self.naive.fields))
        dx, dy = rng.choice([(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)])
        steps = rng.randint(1, 3)
        bent = place, (place[0] + steps * dx, place[1] + steps * dy)
        turn = [*moves[:3], bent]
        assert (self.kernel.check(turn) == movement.LEGAL) == self.naive.is_legal_turn(turn)

    def play(self, moves: list[NaiveMove]) -> None:
        assert self.naive.is_legal_turn(moves)
        self.kernel.play(moves)
        self.naive.play(moves)

    def drop(self, seat: int) -> None:
        self.kernel.drop(seat)
        self.naive.out.add(seat)


def naive_sign(naive: NaiveAtlantis, place: Coordinate) -> str:
    field = naive.fields[place]
    if field.kind == "dead":
        return "#"
    if field.owner is None:
        return "."
    letter = SEATS[field.owner]
    return f"{letter if field.kind == 'open' else letter.upper()}{field.stones}"


def play_side_by_side(board: Board, rng: Random, turns: int) -> int:
    """A random game, in one of four with faults; how many turns it took."""
    pair = Pair.start(board)
    fault = rng.choice([0, 0, 0, 0.1])
    pair.compare()
    for turn in range(turns):
        if pair.kernel.over:
            return turn
        if pair.kernel.asked and rng.random() < fault:
            pair.drop(pair.kernel.seat)
            pair.compare()
        else:
            moves = pair.choose(rng)
            pair.check_bad_turn(moves, rng)
            pair.play(moves)
            pair.compare()
    return turns


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_random_games_agree(make: Callable[[Random, int], Board], players: int) -> None:
    turns = 0
    for number in range(20):
        rng = seeded((MAKERS.index(make), players, number))
        turns += play_side_by_side(make(rng, players), rng, TURNS)
    assert turns > 60


@pytest.mark.slow
@pytest.mark.parametrize("shape", [("triangle", 6, 2), ("hexagon", 3, 3), ("hexagon", 4, 6)])
def test_games_on_large_boards_agree(shape: tuple[str, int, int]) -> None:
    turns = 0
    for number in range(3):
        turns += play_side_by_side(standard_board(*shape), seeded((shape, number)), 400)
    assert turns > 60
