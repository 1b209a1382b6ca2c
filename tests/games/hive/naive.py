"""A slow and obvious Hive: the referee that the fast rules are checked against.

Written from the rulings alone (`games/hive.md`; "R4" is rule 4 there), with sets and dicts, and
sharing no code with the package. Every question is answered from scratch by the plainest method:
nothing of a position is cached, nothing is kept up to date. Cells are axial, as in
`agon.games.hive.tile`.

A move is always computed with the mover lifted off the board (R4). The walks below therefore see
only `Heights`: how many tiles stand on each occupied cell once the mover is in the player's hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
NaiveMove: TypeAlias = tuple[str, Cell] | None  # (tile, destination); None is the pass
Heights: TypeAlias = dict[Cell, int]  # a cell that is missing is empty
Walk: TypeAlias = Callable[[Heights, Cell], set[Cell]]
PositionKey: TypeAlias = tuple[str, frozenset[tuple[Cell, tuple[str, ...]]], Cell | None]

BASE_HAND = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3}
FULL_HAND = BASE_HAND | {"M": 1, "L": 1, "P": 1}
EXPANSIONS = ("", "M", "L", "P", "ML", "MP", "LP", "MLP")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


# --- Geometry ---------------------------------------------------------------------------------


@cache
def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The six cells around a cell."""
    return tuple((cell[0] + dq, cell[1] + dr) for dq, dr in STEPS)


@cache
def shared_neighbours(one: Cell, other: Cell) -> tuple[Cell, ...]:
    """The two cells that touch both of two adjacent cells."""
    return tuple(cell for cell in neighbours(one) if cell in neighbours(other))


def is_one_hive(occupied: set[Cell]) -> bool:
    """Whether the occupied cells hang together, by flood fill from any one of them."""
    if not occupied:
        return True
    start = next(iter(occupied))
    seen = {start}
    frontier = [start]
    while frontier:
        for cell in neighbours(frontier.pop()):
            if cell in occupied and cell not in seen:
                seen.add(cell)
                frontier.append(cell)
    return seen == occupied


# --- Single steps -----------------------------------------------------------------------------


def slides(heights: Heights, start: Cell) -> set[Cell]:
    """R4: the empty cells one ground slide away."""
    found = set()
    for target in neighbours(start):
        sides = [cell for cell in shared_neighbours(start, target) if cell in heights]
        if target not in heights and len(sides) == 1:  # none: contact lost; two: gate
            found.add(target)
    return found


def can_climb(heights: Heights, start: Cell, target: Cell) -> bool:
    """R5: whether a step that is not from ground to ground passes between the two side stacks."""
    level = max(heights.get(start, 0), heights.get(target, 0))
    left, right = shared_neighbours(start, target)
    return not (heights.get(left, 0) > level and heights.get(right, 0) > level)


def steps_up(heights: Heights, start: Cell) -> set[Cell]:
    """R5: the occupied cells one climbing step away, from the ground or from the top."""
    return {
        target
        for target in neighbours(start)
        if target in heights and can_climb(heights, start, target)
    }


def steps_down(heights: Heights, start: Cell) -> set[Cell]:
    """R5: the empty cells one climbing step away from the top of the stack at `start`."""
    assert start in heights
    return {
        target
        for target in neighbours(start)
        if target not in heights and can_climb(heights, start, target)
    }


# --- How each kind walks ----------------------------------------------------------------------


def walk_queen(heights: Heights, start: Cell) -> set[Cell]:
    """One slide. R10: the pillbug walks likewise."""
    return slides(heights, start)


def walk_spider(heights: Heights, start: Cell) -> set[Cell]:
    """R6: the ends of all paths of exactly three slides with no cell twice."""
    paths = [[start]]
    for _ in range(3):
        paths = [
            [*path, cell]
            for path in paths
            for cell in slides(heights, path[-1])
            if cell not in path
        ]
    return {path[-1] for path in paths}


def walk_beetle(heights: Heights, start: Cell) -> set[Cell]:
    """One step: a slide on the ground (R4), or a climb up, along the top or down (R5, R7)."""
    if start in heights:  # it stood on top of another tile
        return steps_up(heights, start) | steps_down(heights, start)
    return steps_up(heights, start) | slides(heights, start)


def walk_grasshopper(heights: Heights, start: Cell) -> set[Cell]:
    """R6: straight over one or more tiles to the first empty cell, whatever gates and heights."""
    found = set()
    for dq, dr in STEPS:
        jumped = 0
        cell = (start[0] + dq, start[1] + dr)
        while cell in heights:
            jumped += 1
            cell = (cell[0] + dq, cell[1] + dr)
        if jumped > 0:
            found.add(cell)
    return found


def walk_ant(heights: Heights, start: Cell) -> set[Cell]:
    """R6: everything that repeated slides reach, except the start."""
    seen = {start}
    frontier = [start]
    while frontier:
        for cell in slides(heights, frontier.pop()):
            if cell not in seen:
                seen.add(cell)
                frontier.append(cell)
    return seen - {start}


def walk_ladybug(heights: Heights, start: Cell) -> set[Cell]:
    """R9: one step up, one along the top, one down, and not back to the start."""
    found = set()
    for first in steps_up(heights, start):
        for second in steps_up(heights, first):
            for third in steps_down(heights, second):
                found.add(third)
    return found - {start}


WALKS: dict[str, Walk] = {
    "Q": walk_queen,
    "S": walk_spider,
    "B": walk_beetle,
    "G": walk_grasshopper,
    "A": walk_ant,
    "L": walk_ladybug,
    "P": walk_queen,
}


# --- The match --------------------------------------------------------------------------------


class NaiveHive:
    """One match of Hive. Tiles are named as in Agon's notation: "wG2", "bQ1"."""

    def __init__(self, expansions: str = "", queen_first: bool = False) -> None:
        """Start a match with some of the expansions "MLP", named in that order."""
        if expansions not in EXPANSIONS:
            raise ValueError(f"expansions {expansions!r}: expected one of {EXPANSIONS}")
        self.expansions = expansions
        self.queen_first = queen_first
        hand = BASE_HAND | dict.fromkeys(expansions, 1)
        self.hands: dict[str, dict[str, int]] = {"w": dict(hand), "b": dict(hand)}
        self.stacks: dict[Cell, list[str]] = {}  # bottom to top; no empty lists
        self.side = "w"
        self.plies = 0
        self.stunned: str | None = None  # R10: the tile walked or thrown on the previous turn

    def copy(self) -> NaiveHive:
        """An independent copy of the match."""
        twin = NaiveHive(self.expansions, self.queen_first)
        twin.hands = {side: dict(hand) for side, hand in self.hands.items()}
        twin.stacks = {cell: list(stack) for cell, stack in self.stacks.items()}
        twin.side, twin.plies, twin.stunned = self.side, self.plies, self.stunned
        return twin

    # --- Looking at the board ---

    def cell_of(self, tile: str) -> Cell | None:
        """Where a visible tile stands; None for a tile in hand."""
        return next((cell for cell, stack in self.stacks.items() if stack[-1] == tile), None)

    def heights_without(self, cell: Cell) -> Heights:
        """The heights of all stacks once the top tile of `cell` is lifted."""
        heights = {where: len(stack) for where, stack in self.stacks.items()}
        heights[cell] -= 1
        if heights[cell] == 0:
            del heights[cell]
        return heights

    def is_pinned(self, cell: Cell) -> bool:
        """R3: whether lifting the top tile of `cell` splits the hive."""
        return not is_one_hive(set(self.heights_without(cell)))

    def touching(self, cell: Cell) -> list[str]:
        """The visible tiles around a cell, of either colour."""
        return [self.stacks[near][-1] for near in neighbours(cell) if near in self.stacks]

    def is_surrounded(self, queen: str) -> bool:
        """R12: whether a queen is on the board with six occupied neighbours."""
        return any(
            queen in stack and all(near in self.stacks for near in neighbours(cell))
            for cell, stack in self.stacks.items()
        )

    def result(self) -> str | None:
        """R12: "white", "black" or "draw" when a queen is surrounded, None before."""
        white_lost, black_lost = self.is_surrounded("wQ1"), self.is_surrounded("bQ1")
        if white_lost and black_lost:
            return "draw"
        if white_lost:
            return "black"
        if black_lost:
            return "white"
        return None

    def position_key(self) -> PositionKey:
        """Side to move, what stands where by colour and kind, and the cell of the stunned tile.

        Tiles of one kind and side are interchangeable, so the stunned tile is named by its cell:
        it is the tile on top there. The hive is not shifted: cells count from the first tile.
        """
        board = frozenset(
            (cell, tuple(tile[:2] for tile in stack)) for cell, stack in self.stacks.items()
        )
        stunned_at = None if self.stunned is None else self.cell_of(self.stunned)
        return self.side, board, stunned_at

    # --- Legal moves ---

    def legal_moves(self) -> set[NaiveMove]:
        """Every legal move of the side to move; none when the match is over."""
        if self.result() is not None:  # R12
            return set()
        moves: set[NaiveMove] = set()
        moves |= self.placements()
        if self.hands[self.side]["Q"] == 0:  # R2: nothing moves before its queen is placed
            moves |= self.walks()
            moves |= self.throws()
        return moves or {None}  # R11

    def placements(self) -> set[tuple[str, Cell]]:
        """R1, R2: one placement per kind of tile in hand and cell."""
        found = set()
        for kind in self.placeable_kinds():
            tile = self.next_tile(kind)
            for cell in self.placeable_cells():
                found.add((tile, cell))
        return found

    def next_tile(self, kind: str) -> str:
        """The n-th tile of its kind that a side plays has number n."""
        played = FULL_HAND[kind] - self.hands[self.side][kind]
        return f"{self.side}{kind}{played + 1}"

    def placeable_kinds(self) -> set[str]:
        """R2: the kinds that may be placed on this turn."""
        kinds = {kind for kind, count in self.hands[self.side].items() if count > 0}
        turn = self.plies // 2 + 1  # of this side, counted from 1
        if turn == 1 and not self.queen_first:
            return kinds - {"Q"}
        if turn >= 4 and "Q" in kinds:
            return {"Q"}
        return kinds

    def placeable_cells(self) -> set[Cell]:
        """R1: the empty cells on which a new tile may be placed."""
        if self.plies == 0:
            return {(0, 0)}
        around = {near for cell in self.stacks for near in neighbours(cell)}
        empty = around - set(self.stacks)
        if self.plies == 1:
            return empty
        return {cell for cell in empty if all(t[0] == self.side for t in self.touching(cell))}

    def walks(self) -> set[tuple[str, Cell]]:
        """Every move that a visible tile of the side to move makes by itself."""
        found = set()
        for cell, stack in self.stacks.items():
            tile = stack[-1]  # R7: covered tiles cannot move
            if tile[0] != self.side or tile == self.stunned or self.is_pinned(cell):
                continue
            heights = self.heights_without(cell)
            for kind in self.walking_kinds(cell):
                for target in WALKS[kind](heights, cell):
                    found.add((tile, target))
        return found

    def walking_kinds(self, cell: Cell) -> set[str]:
        """The kinds as which the visible tile of `cell` may walk."""
        kind = self.stacks[cell][-1][1]
        if kind != "M":
            return {kind}
        if len(self.stacks[cell]) > 1:  # R8: on top of the hive a beetle only
            return {"B"}
        return {tile[1] for tile in self.touching(cell)} - {"M"}  # R8: mosquitoes only: no move

    def throws(self) -> set[tuple[str, Cell]]:
        """R10: every throw by a pillbug of the side to move, or by a mosquito that copies one."""
        found = set()
        for over in self.stacks:
            if not self.can_throw(over):
                continue
            for start in neighbours(over):
                if not self.can_be_thrown(start):
                    continue
                heights = self.heights_without(start)
                if over not in steps_up(heights, start):  # R5, first half
                    continue
                for target in steps_down(heights, over) - {start}:  # R5, second half
                    found.add((self.stacks[start][0], target))
        return found

    def can_throw(self, cell: Cell) -> bool:
        """R8, R10: whether the visible tile of `cell` may throw now. It may be pinned."""
        tile = self.stacks[cell][-1]
        if tile[0] != self.side or tile == self.stunned:
            return False
        if tile[1] == "M":  # R8: on top a beetle only; the copied pillbug may itself be stunned
            copied = {near[1] for near in self.touching(cell)}
            return len(self.stacks[cell]) == 1 and "P" in copied
        return tile[1] == "P"

    def can_be_thrown(self, cell: Cell) -> bool:
        """R10: whether on `cell` stands a single tile, of either colour, not pinned nor stunned.

        R2 binds the thrower only: the tile's own side may still have its queen in hand. Perft of
        Base+P decides that at depth 7: 532753872 so, 532706352 otherwise.
        """
        if cell not in self.stacks or len(self.stacks[cell]) != 1:
            return False
        return self.stacks[cell][0] != self.stunned and not self.is_pinned(cell)

    # --- Playing ---

    def play(self, move: NaiveMove) -> None:
        """Play a legal move; ValueError otherwise."""
        if move not in self.legal_moves():
            raise ValueError(f"{move!r} is not a legal move")
        self.play_unchecked(move)

    def play_unchecked(self, move: NaiveMove) -> None:
        """Play a move that is known to come from `legal_moves`."""
        self.stunned = None  # R11: after a pass nothing is stunned
        if move is not None:
            tile, target = move
            start = self.cell_of(tile)
            # R10: placing is not moving and stuns nothing. No legal move depends on that: by R1 a
            # new tile touches no enemy tile that could throw it on the next turn.
            if start is None:
                self.hands[tile[0]][tile[1]] -= 1
            else:
                self.stacks[start].pop()
                if not self.stacks[start]:
                    del self.stacks[start]
                if "P" in self.expansions:
                    self.stunned = tile
            self.stacks.setdefault(target, []).append(tile)
        self.side = "b" if self.side == "w" else "w"
        self.plies += 1
