"""Crowder, a Hive bot: it crowds the other queen, keeps its own free, and its tiles mobile.

`Hive` is the board, with all legal moves of every variant; `Crowder` chooses. It looks at every
move once, the promising ones first, for as long as `turn_ms` allows.
"""

from __future__ import annotations

import random
import sys
import time

# A cell is (q, r): q counts to the right, r to the lower right. These are its six neighbours,
# clockwise, by the point of contact that names each: wG1/*bA1 puts wG1 at bA1's upper left.
Cell = tuple[int, int]
Move = tuple[str, Cell]  # a tile such as wG1, and the cell where it ends
CONTACTS = {
    "/*": (0, -1),
    "*\\": (1, -1),
    "*|": (1, 0),
    "*/": (0, 1),
    "\\*": (-1, 1),
    "|*": (-1, 0),
}
STEPS = list(CONTACTS.values())
BASE_SET = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3}


def add(cell: Cell, step: Cell) -> Cell:
    """The cell that far away."""
    return cell[0] + step[0], cell[1] + step[1]


def around(cell: Cell) -> list[Cell]:
    """The six neighbours, clockwise: the two that a cell shares with number i are i-1 and i+1."""
    return [add(cell, step) for step in STEPS]


class Hive:
    """The board, and what the rules say about it."""

    def __init__(self, options: dict[str, str]) -> None:
        """A new match with these options, such as variant=Base+MLP."""
        expansions = options.get("variant", "Base").partition("+")[2]
        self.tiles = BASE_SET | dict.fromkeys(expansions, 1)
        self.queen_first = options.get("queen_first") == "on"
        self.stacks: dict[Cell, list[str]] = {}  # the tiles on each occupied cell, bottom to top
        self.turn = 0
        self.moved = ""  # the tile that the last turn moved: no pillbug throws it now

    # --- The board ---

    def side(self) -> str:
        """Whose turn it is: w or b."""
        return "wb"[self.turn % 2]

    def height(self, cell: Cell) -> int:
        """How many tiles lie there."""
        return len(self.stacks.get(cell, ()))

    def top(self, cell: Cell) -> str:
        """The visible tile of an occupied cell."""
        return self.stacks[cell][-1]

    def find(self, tile: str) -> Cell | None:
        """Where a tile lies; None: in the hand."""
        return next((cell for cell, stack in self.stacks.items() if tile in stack), None)

    def put(self, tile: str, cell: Cell) -> None:
        """Lay a tile on a cell."""
        self.stacks.setdefault(cell, []).append(tile)

    def lift(self, cell: Cell) -> str:
        """Take the visible tile of a cell away."""
        tile = self.stacks[cell].pop()
        if not self.stacks[cell]:
            del self.stacks[cell]
        return tile

    def count(self, kind: str) -> int:
        """How many tiles, such as wG, are on the board."""
        return sum(tile[:2] == kind for stack in self.stacks.values() for tile in stack)

    def touching(self, cell: Cell) -> list[str]:
        """The visible tiles around a cell."""
        return [self.top(near) for near in around(cell) if near in self.stacks]

    def is_one_hive(self) -> bool:
        """Whether all tiles hang together."""
        seen = set(list(self.stacks)[:1])
        waiting = list(seen)
        while waiting:
            found = {near for near in around(waiting.pop()) if near in self.stacks} - seen
            seen |= found
            waiting += found
        return len(seen) == len(self.stacks)

    # --- Moves as text ---

    def read(self, text: str) -> Move | None:
        """The move that a text of the arena stands for; None: a pass."""
        if text == "pass":
            return None
        reference = self.find(text[5:])
        if reference is None:  # the first tile of the match stands alone
            return text[:3], (0, 0)
        return text[:3], add(reference, CONTACTS.get(text[3:5], (0, 0)))  # =* is on top

    def write(self, move: Move | None) -> str:
        """A move as text. Any tile beside the target will do, but not the one that moves."""
        if move is None:
            return "pass"
        tile, target = move
        if target in self.stacks:
            return f"{tile}=*{self.top(target)}"
        for contact, (q, r) in CONTACTS.items():
            beside = self.stacks.get((target[0] - q, target[1] - r), [])
            others = [other for other in beside if other != tile]
            if others:
                return f"{tile}{contact}{others[-1]}"
        return tile

    def play(self, move: Move | None) -> None:
        """Bring the board up to date after a turn of either side."""
        self.turn += 1
        self.moved = ""
        if move is not None:
            tile, target = move
            origin = self.find(tile)
            if origin is not None:
                self.moved = self.lift(origin)
            self.put(tile, target)

    # --- Which moves are legal ---

    def legal_moves(self) -> list[Move]:
        """All moves of the side whose turn it is; with none of them it has to pass."""
        moves = self.placements()
        if self.find(self.side() + "Q1") is not None:  # nothing moves before the own queen
            moves += self.tile_moves()
        return list(dict.fromkeys(moves))  # what can be done in two ways counts once

    def placements(self) -> list[Move]:
        """New tiles touch own tiles only; the queen comes second to fourth."""
        side, own_turn = self.side(), self.turn // 2 + 1
        left = [kind for kind, count in self.tiles.items() if self.count(side + kind) < count]
        if own_turn == 1 and not self.queen_first:
            left.remove("Q")
        if own_turn >= 4 and "Q" in left:
            left = ["Q"]
        cells = {near for cell in self.stacks for near in around(cell)} - set(self.stacks)
        if self.turn == 0:
            cells = {(0, 0)}
        elif self.turn > 1:
            cells = {c for c in cells if all(tile[0] == side for tile in self.touching(c))}
        new = [f"{side}{kind}{self.count(side + kind) + 1}" for kind in left]
        return [(tile, cell) for tile in new for cell in sorted(cells)]

    def tile_moves(self) -> list[Move]:
        """What tiles on the board do: walk by themselves, or be thrown by an own pillbug."""
        moves = []
        throwers = [cell for cell in self.stacks if self.can_throw(cell)]
        for cell in list(self.stacks):
            tile = self.lift(cell)  # all rules look at the hive without the tile that moves
            if tile != self.moved and self.is_one_hive():
                if tile[0] == self.side():
                    moves += [(tile, target) for target in self.walks(tile[1], cell)]
                if cell not in self.stacks:  # tiles in a stack are not thrown
                    moves += [(tile, target) for target in self.throws(cell, throwers)]
            self.put(tile, cell)
        return moves

    def walks(self, kind: str, start: Cell) -> set[Cell]:
        """Where a tile of that kind gets from its cell, from which it is lifted."""
        if kind == "M":  # the mosquito: a beetle on top, else whatever it touches
            kinds = {"B"} if start in self.stacks else {tile[1] for tile in self.touching(start)}
            return {cell for other in kinds - {"M"} for cell in self.walks(other, start)}
        if kind == "S":
            return self.crawls([start])
        if kind == "A":
            return self.marches(start)
        if kind == "G":
            return self.jumps(start)
        if kind == "L":  # up, along the top, down
            up = {cell for cell in self.climbs(start) if cell in self.stacks}
            along = {c for cell in up for c in self.climbs(cell) if c in self.stacks}
            down = {c for cell in along for c in self.climbs(cell) if c not in self.stacks}
            return down - {start}
        if kind == "B" and start in self.stacks:
            return self.climbs(start)
        if kind == "B":
            return self.slides(start) | (self.climbs(start) & set(self.stacks))
        return self.slides(start)  # the queen and the pillbug

    def slides(self, start: Cell) -> set[Cell]:
        """One step on the ground: of the two cells beside the way just one is occupied."""
        near = around(start)
        return {
            near[i]
            for i in range(6)
            if near[i] not in self.stacks
            and (near[i - 1] in self.stacks) != (near[(i + 1) % 6] in self.stacks)
        }

    def climbs(self, start: Cell) -> set[Cell]:
        """One step up, along or down: not between two stacks that are higher than both ends."""
        near = around(start)
        return {
            near[i]
            for i in range(6)
            if min(self.height(near[i - 1]), self.height(near[(i + 1) % 6]))
            <= max(self.height(start), self.height(near[i]))
        }

    def crawls(self, path: list[Cell]) -> set[Cell]:
        """The spider: three slides, and no cell twice."""
        if len(path) == 4:
            return {path[-1]}
        steps = self.slides(path[-1]) - set(path)
        return {end for step in steps for end in self.crawls([*path, step])}

    def marches(self, start: Cell) -> set[Cell]:
        """The ant: as many slides as it likes."""
        seen, waiting = {start}, [start]
        while waiting:
            found = self.slides(waiting.pop()) - seen
            seen |= found
            waiting += found
        return seen - {start}

    def jumps(self, start: Cell) -> set[Cell]:
        """The grasshopper: straight over one or more tiles to the first empty cell."""
        ends = set()
        for step in STEPS:
            cell = add(start, step)
            while cell in self.stacks:
                cell = add(cell, step)
            if cell != add(start, step):
                ends.add(cell)
        return ends

    def can_throw(self, cell: Cell) -> bool:
        """Whether an own pillbug lies there, or a mosquito on the ground that touches one."""
        tile = self.top(cell)
        if tile[0] != self.side() or tile == self.moved or self.height(cell) > 1:
            return False
        return "P" in tile or ("M" in tile and "P" in {near[1] for near in self.touching(cell)})

    def throws(self, start: Cell, throwers: list[Cell]) -> set[Cell]:
        """Where the tile lifted from `start` can be thrown: onto a pillbug, and down again."""
        return {
            cell
            for over in self.climbs(start).intersection(throwers)
            for cell in self.climbs(over)
            if cell not in self.stacks and cell != start
        }


class Crowder:
    """What it thinks of a position, and how long it may think."""

    def __init__(self, options: dict[str, str]) -> None:
        """Uses half of its time: the way to the arena and back takes some, too."""
        self.seconds = int(options.get("turn_ms", "1000")) / 2000

    def choose(self, hive: Hive, moves: list[Move]) -> Move:
        """The move after which it likes the position best."""
        deadline = time.monotonic() + self.seconds
        side = hive.side()
        random.shuffle(moves)  # among equals, chance decides
        moves.sort(key=lambda move: self.distance(hive, move))
        best, best_score = moves[0], float("-inf")
        for move in moves:
            score = self.like(after(hive, move), side)
            if score > best_score:
                best, best_score = move, score
            if time.monotonic() > deadline:
                break
        return best

    def distance(self, hive: Hive, move: Move) -> int:
        """How far from the other queen a move ends; those at her side are looked at first."""
        queen = hive.find(other(hive.side()) + "Q1")
        if queen is None:
            return 0
        q, r = move[1][0] - queen[0], move[1][1] - queen[1]
        return max(abs(q), abs(r), abs(q + r))

    def like(self, hive: Hive, side: str) -> float:
        """How good a position is for a side whose opponent is to move."""
        own, theirs = self.crowd(hive, side), self.crowd(hive, other(side))
        if theirs == 6 or own == 6:
            return 1000.0 * ((theirs == 6) - (own == 6))
        free = {side: 0, other(side): 0}
        for cell in list(hive.stacks):
            tile = hive.lift(cell)
            free[tile[0]] += hive.is_one_hive()
            hive.put(tile, cell)
        return theirs * theirs - 1.3 * own * own + 0.5 * (free[side] - free[other(side)])

    def crowd(self, hive: Hive, side: str) -> int:
        """How many tiles stand around a side's queen, and one more if a tile sits on her."""
        cell = hive.find(side + "Q1")
        if cell is None:
            return 0
        around_her = len(hive.touching(cell))
        return around_her if around_her == 6 else around_her + (hive.height(cell) > 1)


def other(side: str) -> str:
    """The other side."""
    return "b" if side == "w" else "w"


def after(hive: Hive, move: Move) -> Hive:
    """The position after a move; the one before stays as it is."""
    copy = Hive({})
    copy.tiles, copy.queen_first, copy.turn = hive.tiles, hive.queen_first, hive.turn
    copy.stacks = {cell: list(stack) for cell, stack in hive.stacks.items()}
    copy.play(move)
    return copy


def main() -> None:
    """Read a line, do what it says, answer if it is our turn; until there is no more input."""
    hive, crowder, colour = Hive({}), Crowder({}), "?"
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "options":  # a new match
            options = dict(pair.split("=") for pair in rest.split())
            hive, crowder = Hive(options), Crowder(options)
        elif word == "colour":
            colour = rest[0]
        elif word == "end":
            colour = "?"
        else:  # a move of the other side
            hive.play(hive.read(word))
        if hive.side() == colour:
            moves = hive.legal_moves()
            move = crowder.choose(hive, moves) if moves else None
            print(hive.write(move), flush=True)
            hive.play(move)


if __name__ == "__main__":
    main()
