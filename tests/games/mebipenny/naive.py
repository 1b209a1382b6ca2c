"""A slow and obvious MebiPenny: the referee that the fast rules are checked against.

Written from the rules text alone ("R7" is rule 7 of the game's README), with dicts and lists, and
sharing no code with the package. An army is found by flood fill each time that it is asked for, and
every single claim in it is counted. Even the generator of chance is its own (R3).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]  # row, column
NaiveMove: TypeAlias = tuple[Cell, int] | None  # tile, favoured seat; None is the pass

WRAP = 2**64
HAND = 6


class SplitMix:
    """R3: the generator whose state is the seed at first."""

    def __init__(self, seed: int) -> None:
        self.state = seed % WRAP

    def below(self, bound: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % WRAP
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) % WRAP
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) % WRAP
        x ^= x >> 31
        return x // 2**33 * bound // 2**31


class NaiveMebiPenny:
    """One match. `owners` has an entry for each claim, `walls` are the cells of walls."""

    def __init__(self, rows: int, cols: int, seats: int, coverage: str, seed: int) -> None:
        self.rows, self.cols, self.seats = rows, cols, seats
        self.chance = SplitMix(seed)
        self.pile = [(row, col) for row in range(rows) for col in range(cols)]
        self.owners: dict[Cell, int] = {}
        self.walls: set[Cell] = set()
        for _ in range(int(Fraction(coverage) * rows * cols)):  # R2
            self.walls.add(self.draw())
        self.hands: list[list[Cell]] = [[] for _ in range(seats)]
        for _ in range(HAND):  # R4
            for hand in self.hands:
                if self.pile:
                    hand.append(self.draw())
        self.mover = 0
        self.passes = 0  # in succession, up to now

    def draw(self) -> Cell:
        """R3: any tile of the pile."""
        place = self.chance.below(len(self.pile))
        tile = self.pile[place]
        self.pile[place] = self.pile[-1]
        self.pile.pop()
        return tile

    def touching(self, cell: Cell) -> list[Cell]:
        """R1: the cells beside a cell."""
        row, col = cell
        around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return [(r, c) for r, c in around if 0 <= r < self.rows and 0 <= c < self.cols]

    def army(self, tile: Cell) -> set[Cell]:
        """R6: the tile, and all claims that are connected with it once it is played."""
        found = {tile}
        frontier = [tile]
        while frontier:
            for cell in self.touching(frontier.pop()):
                if cell in self.owners and cell not in found:
                    found.add(cell)
                    frontier.append(cell)
        return found

    def largest(self, tile: Cell) -> list[int]:
        """R7: the seats with the largest count in the army that the mover's tile would have."""
        counts = dict.fromkeys(range(self.seats), 0)
        for cell in self.army(tile):
            counts[self.owners.get(cell, self.mover)] += 1
        return [seat for seat in counts if counts[seat] == max(counts.values())]

    def is_legal(self, move: NaiveMove) -> bool:
        """R5, R8, R10, for any favoured seat, even one that does not exist."""
        if self.is_over():
            return False
        if move is None:
            return True
        tile, favoured = move
        if tile not in self.hands[self.mover]:
            return False
        tied = self.largest(tile)
        return len(tied) == 1 or favoured in tied

    def legal_moves(self) -> set[NaiveMove]:
        """All moves that differ in what they do: without a tie the mover is the one to favour."""
        if self.is_over():
            return set()
        moves: set[NaiveMove] = {None}
        for tile in self.hands[self.mover]:
            tied = self.largest(tile)
            moves |= {(tile, seat) for seat in (tied if len(tied) > 1 else [self.mover])}
        return moves

    def play(self, move: NaiveMove) -> None:
        """Play a move; ValueError if it is not legal."""
        if not self.is_legal(move):
            raise ValueError(f"{move} is not a legal move")
        if move is None:
            self.passes += 1
        else:
            self.passes = 0
            tile, favoured = move
            tied = self.largest(tile)
            winner = tied[0] if len(tied) == 1 else favoured
            for cell in self.army(tile):  # R7
                self.owners[cell] = winner
            hand = self.hands[self.mover]
            hand.remove(tile)
            if self.pile:  # R9
                hand.append(self.draw())
        self.mover = (self.mover + 1) % self.seats

    def is_over(self) -> bool:
        """R11."""
        return self.passes >= self.seats or not any(self.hands)

    def scores(self) -> list[int]:
        """R12."""
        return [list(self.owners.values()).count(seat) for seat in range(self.seats)]
