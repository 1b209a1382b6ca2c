"""Situations for tests: a drawn board, moves as texts, and the kernels behind them.

A drawing has a line for each y, the highest on top, and a sign for each field: one step to the
right is x + 1, and a field touches the two above it that are half a step to its left and right.

    .   r2  R1        .   open and empty
      b1  #   b10     r2  open, two stones of red; seats are r, b, g, y, o, p
                      R1  growing, one stone of red
                      #   dead; a gap is sea
"""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.atlantis import areas, board, explosion, geometry, movement, rules
from agon.games.atlantis.geometry import Board, Coordinate
from agon.games.atlantis.setup import build_setup, records_for
from agon.kernel import new_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SEATS = "rbgyop"
Move = tuple[Coordinate, Coordinate]


def read_drawing(drawing: str) -> dict[Coordinate, str]:
    """The sign of each field; the lowest line has y = 1, and the smallest x is 1."""
    lines = [line for line in dedent(drawing).splitlines() if line.strip()]
    signs: dict[Coordinate, str] = {}
    for y, line in enumerate(reversed(lines), 1):
        column = 0
        for word in line.split(" "):
            if word:
                signs[column + 2 * y, y] = word
            column += len(word) + 1
    left = min(x for x, _ in signs)
    assert all((x - left) % 4 == 0 for x, _ in signs), "a sign stands between two places"
    return {((x - left) // 4 + 1, y): sign for (x, y), sign in signs.items()}


def drawn_board(drawing: str, players: int, segments: str | None) -> Board:
    """A board from a drawing; from another one its segments, else each field is one."""
    signs = read_drawing(drawing)
    stacks: list[dict[Coordinate, int]] = [{} for _ in range(players)]
    for place, sign in signs.items():
        if sign == "#":
            stacks[0][place] = 0
        elif sign != ".":
            stones = int(sign[1:])
            stacks[SEATS.index(sign[0].lower())][place] = stones if sign[0].islower() else -stones
    groups: dict[object, list[Coordinate]] = {}
    names = read_drawing(segments) if segments else {}
    for place in signs:
        groups.setdefault(names.get(place, place), []).append(place)
    return Board(tuple(map(tuple, groups.values())), tuple(stacks))


class Situation:
    """A board with its records."""

    def __init__(self, start: Board) -> None:
        self.board = start
        self.numbers = start.field_numbers()
        self.places = {number: place for place, number in self.numbers.items()}
        self.setup = build_setup(start)[0]
        records = records_for(start)
        self.states = new_records(records.state)
        self.state = self.states[0]
        self.work = new_records(records.work)[0]
        rules.start(self.setup, self.state, 1)

    # --- what there is ---

    def sign(self, place: Coordinate) -> str:
        """The sign of a field in a drawing."""
        number = self.numbers[place]
        kind, stones = int(self.state.kind[number]), int(self.state.stones[number])
        if kind == board.DEAD:
            assert stones == 0
            return "#"
        owner = int(self.state.owner[number])
        if owner == board.NO_OWNER:
            assert (kind, stones) == (board.OPEN, 0)
            return "."
        letter = SEATS[owner] if kind == board.OPEN else SEATS[owner].upper()
        return f"{letter}{stones}"

    def signs(self) -> dict[Coordinate, str]:
        return {place: self.sign(place) for place in self.numbers}

    def shows(self, drawing: str) -> bool:
        expected = read_drawing(drawing)
        assert self.signs() == expected
        return True

    @property
    def seat(self) -> int:
        return int(self.state.seat)

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    @property
    def asked(self) -> bool:
        return bool(self.state.asked)

    def scores(self) -> list[int]:
        """R15: what would be counted now."""
        state = self.states.copy()[0]
        areas.count_scores(self.setup, state, self.work)
        return [int(score) for score in state.score[: len(self.board.stacks)]]

    def ranking(self) -> list[int]:
        """The seats, best first, once the match is over."""
        seats = range(len(self.board.stacks))
        return sorted(seats, key=lambda seat: rules.rank(self.setup, self.state, seat))

    def total(self, seat: int | None = None) -> int:
        """All stones, or those of a seat."""
        stones = self.state.stones
        return int(stones.sum() if seat is None else stones[self.state.owner == seat].sum())

    # --- moves ---

    def code(self, move: Move) -> int:
        (x, y), (to_x, to_y) = move
        steps = max(abs(to_x - x), abs(to_y - y))
        for direction, (dx, dy) in enumerate(geometry.STEPS):
            if (x + steps * dx, y + steps * dy) == (to_x, to_y):
                return board.encode_move(self.numbers.get((x, y), board.SEA), direction, steps)
        raise AssertionError(f"{move} is not straight")

    def move_of(self, code: int) -> Move:
        source = x, y = self.places[board.source_of(code)]
        dx, dy = geometry.STEPS[board.direction_of(code)]
        steps = board.stones_of(code)
        return source, (x + steps * dx, y + steps * dy)

    def moves(self) -> list[Move]:
        """All single moves."""
        codes = new_codes(movement.count_moves(self.setup, self.state))
        movement.list_moves(self.setup, self.state, codes)
        return [self.move_of(int(code)) for code in codes]

    def enter(self, moves: Iterable[Move]) -> int:
        """Write a turn into the work record; its length."""
        count = 0
        for count, move in enumerate(moves, 1):
            self.work.moves[count - 1] = self.code(move)
        return count

    def check(self, moves: Sequence[Move]) -> int:
        """Of a turn: 0 or index * 8 + reason."""
        verdict = movement.check_turn(self.setup, self.state, self.work, self.enter(moves))
        assert not self.work.used.any()
        return verdict

    def carry_out(self, text: str) -> None:
        """Legal moves, and nothing that follows from them."""
        moves = parse_moves(text)
        assert self.check(moves) == movement.LEGAL
        for move in moves:
            movement.carry_out(self.setup, self.state, self.code(move))

    def play(self, moves: Sequence[Move] = ()) -> None:
        """A whole legal turn."""
        assert self.check(moves) == movement.LEGAL
        rules.play_turn(self.setup, self.state, self.work, self.enter(moves))
        assert not self.work.waiting.any()

    def waves(self) -> list[set[Coordinate]]:
        """Run the explosion phase; which fields exploded in which wave."""
        found: list[set[Coordinate]] = []
        first, last = 0, explosion.find_volatile(self.setup, self.state, self.work)
        while first < last:
            wave = self.work.volatile[first:last]
            found.append({self.places[int(number)] for number in wave})
            end = explosion.explode_wave(self.setup, self.state, self.work, first, last)
            first, last = last, end
        return found

    def grow(self) -> int:
        return explosion.growth_phase(self.setup, self.state)

    def drop(self, seat: int) -> None:
        rules.drop_seat(self.setup, self.state, self.work, seat)


def draw(drawing: str, players: int = 2, segments: str | None = None) -> Situation:
    return Situation(drawn_board(drawing, players, segments))


def from_stacks(
    segments: Sequence[Sequence[Coordinate]], stacks: Sequence[Mapping[Coordinate, int]]
) -> Situation:
    return Situation(Board(tuple(map(tuple, segments)), tuple(stacks)))


def new_codes(count: int) -> Any:
    return np.zeros(count, np.int32)


def parse_place(text: str) -> Coordinate:
    return ord(text[0]) - ord("a") + 1, int(text[1:])


def parse_moves(text: str) -> list[Move]:
    """Moves such as `a1-c1 b2-b3`."""
    pairs = (word.split("-") for word in text.split())
    return [(parse_place(source), parse_place(target)) for source, target in pairs]


def places(text: str) -> set[Coordinate]:
    return {parse_place(word) for word in text.split()}
