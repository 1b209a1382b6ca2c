r"""Map files: `parse_map` reads one and says what is wrong with it, `format_map` draws it (R4).

    players 2
    size 2
    description "Very small."
          __
       __/S \__
      /G \__/G \
      \__/S \__/
         \__/
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

Place: TypeAlias = tuple[int, int]  # (j, k)

LETTERS = "GRECVSO"
SEATS = range(2, 9)
SIDES = range(2, 65)
DECORATION = re.compile(r"[/\\_\s]")
LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Map:
    """A map: `rows[j][k]` is the letter of a hex."""

    rows: tuple[str, ...]
    description: str = ""

    @property
    def side(self) -> int:
        """R1: the map has as many hexes along each side."""
        return len(self.rows)

    @property
    def spawns(self) -> tuple[Place, ...]:
        """R3: the spawn tiles by seat, which is the order in which a file shows them."""
        found = [(j, k) for j, row in enumerate(self.rows) for k, tile in enumerate(row)]
        found = [(j, k) for j, k in found if self.rows[j][k] == "S"]
        return tuple(sorted(found, key=lambda place: (place[0] + place[1], -place[0])))

    @property
    def seats(self) -> int:
        """How many play on it."""
        return len(self.spawns)


def diagonal(side: int, number: int) -> list[Place]:
    """The hexes of one row of a file, from the left.

    >>> diagonal(3, 1), diagonal(3, 4)
    ([(1, 0), (0, 1)], [(2, 2)])
    """
    most = min(number, side - 1)
    return [(j, number - j) for j in range(most, number - most - 1, -1)]


def draw_hexes(side: int, label: Callable[[Place], str]) -> list[str]:
    """The lines of a drawing, in which each hex has its label of two characters."""
    rows = [[label(place) for place in diagonal(side, n)] for n in range(2 * side - 1)]
    lines = [" " * 3 * side + "__"]
    for number, row in enumerate(rows[: side - 1]):
        indent = " " * 3 * (side - 1 - number)
        lines.append(f"{indent}__/" + r"\__/".join(row) + r"\__")
    lines.append("  /" + r"\__/".join(rows[side - 1]) + "\\")
    for number, row in enumerate([*rows[side:], []]):
        indent = " " * (2 + 3 * number)
        lines.append(indent + r"\__/" + "".join(rf"{text}\__/" for text in row))
    return lines


def format_map(board: Map) -> str:
    """The file of a map; `parse_map` gives it back."""
    lines = [f"players {board.seats}", f"size {board.side}"]
    if board.description:
        lines.append(f'description "{board.description}"')
    lines += draw_hexes(board.side, lambda place: f"{board.rows[place[0]][place[1]]} ")
    return "\n".join(lines) + "\n"


class _Lines:
    """The lines of a file that are not blank, with their numbers."""

    def __init__(self, text: str) -> None:
        lines = enumerate(text.splitlines(), 1)
        self.rest = [(number, line) for number, line in lines if line.strip()]
        self.last = len(text.splitlines())

    @property
    def next_number(self) -> int:
        """The number of the next line; of the last one, if there are no more."""
        return self.rest[0][0] if self.rest else self.last

    def take(self, pattern: str, expected: str) -> str:
        """The group of the pattern in the next line."""
        if not self.rest:
            raise NotationError(f"map, line {self.last + 1}: expected {expected}, but it ends here")
        number, line = self.rest[0]
        found = re.fullmatch(pattern, line.strip(), re.ASCII)
        if found is None:
            raise NotationError(
                f"map, line {number}: {line.strip()[:LONGEST_QUOTE]!r}: expected {expected}"
            )
        del self.rest[0]
        return found[1]


def parse_map(text: str) -> Map:
    """Read a map file. NotationError: with the line that is wrong."""
    lines = _Lines(text)
    first = lines.next_number
    seats = _number(lines, "players", SEATS)
    side = _number(lines, "size", SIDES)
    description = ""
    if lines.rest and lines.rest[0][1].strip().startswith("description"):
        description = lines.take(r'description\s+"([ !#-~]*)"', 'description "..."')
    board = Map(_parse_rows(lines, side), description)
    if board.seats != seats:
        found = f"players {seats}: there are {board.seats} spawn tiles"
        raise NotationError(f"map, line {first}: {found}")
    return board


def _number(lines: _Lines, name: str, allowed: range) -> int:
    place = lines.next_number
    found = int(lines.take(rf"{name}\s+([0-9]{{1,9}})", f"{name} and a number"))
    if found not in allowed:
        expected = f"{allowed[0]} to {allowed[-1]}"
        raise NotationError(f"map, line {place}: {name} {found}: expected {expected}")
    return found


def _parse_rows(lines: _Lines, side: int) -> tuple[str, ...]:
    """R4: the letters of each line, row by row."""
    rows = [[""] * side for _ in range(side)]
    drawn = [(number, DECORATION.sub("", line)) for number, line in lines.rest]
    drawn = [(number, letters) for number, letters in drawn if letters]
    for row, (number, letters) in enumerate(drawn):
        if wrong := re.search(f"[^{LETTERS}]", letters):
            raise NotationError(f"map, line {number}: tile {wrong[0]!r}: expected one of {LETTERS}")
        if row > 2 * side - 2:
            raise NotationError(f"map, line {number}: row {row + 1}: expected {2 * side - 1} rows")
        places = diagonal(side, row)
        if len(letters) != len(places):
            raise NotationError(
                f"map, line {number}: {len(letters)} tiles in row {row + 1}: expected {len(places)}"
            )
        for (j, k), letter in zip(places, letters, strict=True):
            rows[j][k] = letter
    if len(drawn) < 2 * side - 1:
        found = f"{len(drawn)} rows: expected {2 * side - 1}"
        raise NotationError(f"map, line {lines.last + 1}: {found}")
    return tuple("".join(row) for row in rows)
