"""A whole Atlantis bot: it reads what the arena says, keeps the board, and answers with moves.

Make it yours in `choose`, near the end: for now it moves at random. `agon bot check .` tries the
bot out, `agon match atlantis . greedy --watch` lets it play.
"""

from __future__ import annotations

import json
import random
import re
import sys
from typing import Any

Place = tuple[int, int]  # b3 is (2, 3): letters count x, numbers y
Move = tuple[Place, Place]  # from where to where: a move of n steps takes n stones
STEPS = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)]  # clockwise from the one above
OPEN, GROWING, DEAD = 0, 1, 2


def parse_place(name: str) -> Place:
    """From b3 to (2, 3)."""
    letters, number = re.fullmatch("([a-z]+)([0-9]+)", name).groups()  # type: ignore[union-attr]
    x = 0
    for letter in letters:
        x = 26 * x + ord(letter) - ord("a") + 1
    return x, int(number)


def format_place(place: Place) -> str:
    """From (2, 3) to b3."""
    x, letters = place[0], ""
    while x:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{place[1]}"


class Field:
    """A field: its segment, its kind, and how many stones of whom lie there."""

    def __init__(self, segment: int) -> None:
        """Open and empty."""
        self.segment = segment
        self.kind = OPEN
        self.owner: int | None = None
        self.stones = 0


class Island:
    """The board, and what the rules say about it."""

    def __init__(self, transcript: dict[str, Any]) -> None:
        """A new match, from the first line of the arena."""
        self.players = len(transcript["players"])
        self.turn = 0
        self.fields = {
            parse_place(name): Field(number)
            for number, names in enumerate(transcript["segments"])
            for name in names
        }
        for seat, player in enumerate(transcript["players"]):
            for name, stones in player["stacks"].items():
                field = self.fields[parse_place(name)]
                field.owner, field.stones = seat, abs(stones)
                field.kind = OPEN if stones > 0 else GROWING if stones < 0 else DEAD

    def seat(self) -> int:
        """Whose turn it is."""
        return self.turn % self.players

    def line(self, start: Place, step: Place) -> list[Place]:
        """The open fields that lie ahead, up to the first that is none."""
        found = []
        place = start[0] + step[0], start[1] + step[1]
        while place in self.fields and self.fields[place].kind == OPEN:
            found.append(place)
            place = place[0] + step[0], place[1] + step[1]
        return found

    def around(self, place: Place) -> list[Place]:
        """The neighbours of a field that are open."""
        near = [(place[0] + dx, place[1] + dy) for dx, dy in STEPS]
        return [p for p in near if p in self.fields and self.fields[p].kind == OPEN]

    def legal_moves(self) -> dict[int, list[Move]]:
        """All moves of the seat whose turn it is, by segment: a turn has at most one of each."""
        moves: dict[int, list[Move]] = {}
        for place, field in self.fields.items():
            if field.kind == OPEN and field.owner == self.seat():
                for step in STEPS:
                    for target in self.line(place, step)[: field.stones]:
                        moves.setdefault(field.segment, []).append((place, target))
        return moves

    # --- What a turn does ---

    def play(self, moves: list[Move]) -> None:
        """Bring the board up to date after a turn: moves, explosions, growth."""
        for move in moves:
            self.carry_out(*move)
        exploding = [p for p in self.fields if self.is_volatile(p)]
        while exploding:
            place = exploding.pop()
            if self.is_volatile(place):
                exploding += self.explode(place)
        for field in self.fields.values():
            if field.kind == GROWING and field.owner == self.seat():
                field.stones += 1
        self.turn += 1

    def carry_out(self, source: Place, target: Place) -> None:
        """Stones go field by field, and fall with the stones of others that they meet."""
        moving = max(abs(target[0] - source[0]), abs(target[1] - source[1]))
        step = (target[0] - source[0]) // moving, (target[1] - source[1]) // moving
        way = self.line(source, step)[:moving]
        self.take(source, moving)
        for place in way:
            if self.fields[place].owner not in (None, self.seat()):
                fallen = min(moving, self.fields[place].stones)
                self.take(place, fallen)
                moving -= fallen
                if moving == 0:
                    return
        self.add(target, moving)

    def is_volatile(self, place: Place) -> bool:
        """Whether a field of the seat holds at least as many stones as it has open neighbours."""
        field = self.fields[place]
        if field.kind == DEAD or field.owner != self.seat():
            return False
        return field.stones >= len(self.around(place))

    def explode(self, place: Place) -> list[Place]:
        """A stone for each open neighbour; returns the fields that may be volatile now."""
        field = self.fields[place]
        field.kind, field.stones = field.kind + 1, 0  # open, growing, dead
        for near in self.around(place):
            if self.fields[near].owner in (None, self.seat()):
                self.add(near, 1)
            else:
                self.take(near, 1)
        beside = [(place[0] + dx, place[1] + dy) for dx, dy in STEPS]
        return [place, *(p for p in beside if p in self.fields)]

    def add(self, place: Place, stones: int) -> None:
        """Put stones of the seat on a field."""
        self.fields[place].owner = self.seat()
        self.fields[place].stones += stones

    def take(self, place: Place, stones: int) -> None:
        """Take stones off a field, which has no owner when none is left."""
        self.fields[place].stones -= stones
        if self.fields[place].stones == 0:
            self.fields[place].owner = None


def choose(island: Island, moves: dict[int, list[Move]]) -> list[Move]:
    """Pick a move from some of the segments, or none at all. This is where your bot begins."""
    return [random.choice(some) for some in moves.values() if random.random() < 0.5]


def main() -> None:
    """Read a line, do what it says; until there is no more input."""
    island = None
    for line in sys.stdin:
        message = json.loads(line)
        if "format" in message:  # a new match; message["you"] is our seat
            island = Island(message)
        elif message["type"] == "turn" and island:  # of any player, our own among them
            moves = [(parse_place(a), parse_place(b)) for a, b in message["moves"]]
            island.play(moves)
        elif message["type"] == "your-turn" and island:
            chosen = choose(island, island.legal_moves())
            named = [[format_place(place) for place in move] for move in chosen]
            print(json.dumps({"moves": named}), flush=True)


if __name__ == "__main__":
    main()
