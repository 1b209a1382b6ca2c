"""Fields and turns as text: `b2` is a field, `a1-c3 b5-b4` a turn of two moves, `pass` one of none.

The letters of a coordinate are x, the number is y (R1). A move is its source and its destination;
how many stones it takes is the distance between them (R5).
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import IllegalMoveError, NotationError
from agon.games.atlantis import movement
from agon.games.atlantis.board import (
    DEAD,
    GROWING,
    NO_OWNER,
    OPEN,
    SEA,
    direction_of,
    encode_move,
    source_of,
    stones_of,
)
from agon.games.atlantis.geometry import STEPS, Coordinate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.atlantis.position import AtlantisPosition, Turn

MoveEnds: TypeAlias = tuple[Coordinate, Coordinate]

PASS = "pass"  # noqa: S105  a word, not a secret
COORDINATE = re.compile(r"([a-z]{1,100})([1-9][0-9]{0,99})", re.ASCII)
LONGEST_QUOTE = 60
KIND_NAMES = ("open", "growing", "dead")


def parse_coordinate(text: str) -> Coordinate:
    """Read a coordinate.

    >>> parse_coordinate("b2"), parse_coordinate("aa10")
    ((2, 2), (27, 10))
    """
    found = COORDINATE.fullmatch(text)
    if found is None:
        raise NotationError(
            f"field {text[:LONGEST_QUOTE]!r}: expected small letters and a number, such as b2"
        )
    return parse_letters(found[1]), int(found[2])


def parse_letters(letters: str) -> int:
    """R1: a is 1, z is 26, aa is 27."""
    x = 0
    for letter in letters:
        x = 26 * x + ord(letter) - ord("a") + 1
    return x


@functools.lru_cache(1 << 14)
def format_coordinate(field: Coordinate) -> str:
    """The coordinate's text.

    >>> format_coordinate((703, 1))
    'aaa1'
    """
    x, y = field
    letters = ""
    while x > 0:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{y}"


def split_turn(text: str) -> list[tuple[str, str]]:
    """The two coordinates of each move of a turn, as texts that are not read yet."""
    words = text.split()
    if words == [PASS]:
        return []
    pairs = []
    for word in words:
        source, dash, target = word.partition("-")
        if not (dash and source and target):
            words = []
            break
        pairs.append((source, target))
    if not words:
        quoted = repr(text[:LONGEST_QUOTE])
        raise NotationError(f"turn {quoted}: expected moves such as a1-b2 c3-c5, or {PASS}")
    return pairs


def join_turn(pairs: Sequence[tuple[str, str]]) -> str:
    """The text of a turn, given the two coordinates of each move."""
    return " ".join(f"{source}-{target}" for source, target in pairs) or PASS


def parse_turn(position: AtlantisPosition, text: str) -> Turn:
    """Read a turn that is legal in this position."""
    pairs = split_turn(text)
    ends = [(parse_coordinate(source), parse_coordinate(target)) for source, target in pairs]
    position.check_length(len(ends))
    turn = tuple(encode_ends(position, move) for move in ends)
    position.check_legal(turn)
    return turn


def format_turn(position: AtlantisPosition, turn: Turn) -> str:
    return join_turn([format_ends(position, move) for move in turn])


def move_ends(position: AtlantisPosition, move: int) -> MoveEnds:
    """The source and the destination of a move, which may be off the board."""
    source, steps = source_of(move), stones_of(move)
    if source > len(position.numbers) or direction_of(move) >= len(STEPS):
        raise IllegalMoveError(f"move {move}: there is no such field or direction")
    x, y = position.coordinates[source]
    dx, dy = STEPS[direction_of(move)]
    return (x, y), (x + steps * dx, y + steps * dy)


def format_ends(position: AtlantisPosition, move: int) -> tuple[str, str]:
    """The source and the destination of a move as texts."""
    source, target = move_ends(position, move)
    return format_coordinate(source), format_coordinate(target)


def format_move(position: AtlantisPosition, move: int) -> str:
    """A move alone.

    Off the grid there are no letters, so no legal move is written like one that is not.
    """
    return "-".join(format_ends(position, move))


def encode_ends(position: AtlantisPosition, ends: MoveEnds) -> int:
    """The number of a move, which need not be legal.

    Raises IllegalMoveError for what has none: no straight line, or fields that do not exist.
    """
    (x, y), (to_x, to_y) = ends
    steps = max(abs(to_x - x), abs(to_y - y))
    numbers = position.numbers
    for place in ends:
        if place not in numbers:
            raise refused(position, ends, f"there is no field {format_coordinate(place)}")
    if steps == 0:
        raise refused(position, ends, "it goes nowhere; expected at least one step")
    if steps >= len(numbers):
        raise refused(position, ends, "not all fields on the way exist")
    for direction, (dx, dy) in enumerate(STEPS):
        if (x + steps * dx, y + steps * dy) == (to_x, to_y):
            return encode_move(numbers[x, y], direction, steps)
    raise refused(position, ends, "it is not in one of the six directions")


def refused(position: AtlantisPosition, ends: MoveEnds, reason: str) -> IllegalMoveError:
    """The error about a move of the turn that is due."""
    text = "-".join(map(format_coordinate, ends))
    return IllegalMoveError(f"turn {position.turn}, move {text[:LONGEST_QUOTE]}: {reason}")


def explain(position: AtlantisPosition, turn: Turn, verdict: int) -> IllegalMoveError:
    """The error for what `movement.check_turn` found."""
    index, reason = divmod(verdict, 8)
    move = turn[index]
    ends = move_ends(position, move)
    if reason == movement.NOT_A_MOVE:
        return refused(position, ends, "it has no source or no stones")
    return refused(position, ends, _reason(position, turn[:index], move, reason))


def _reason(position: AtlantisPosition, earlier: Turn, move: int, reason: int) -> str:
    """Why a move is illegal, in words (R5, R6)."""
    source = source_of(move)
    name, stones = position.names[source], int(position.state["stones"][source])
    kind, owner = int(position.state["kind"][source]), int(position.state["owner"][source])
    if reason == movement.SOURCE_NOT_OPEN:
        return f"{name} is {KIND_NAMES[kind]}, and stones leave open fields only"
    if reason == movement.NOT_OWN_STONES:
        whose = "is empty" if owner == NO_OWNER else f"holds stones of seat {owner}"
        return f"{name} {whose}; expected stones of seat {position.seat}"
    if reason == movement.TOO_FEW_STONES:
        return f"{stones_of(move)} steps take as many stones, and {name} holds {stones}"
    if reason == movement.WAY_NOT_OPEN:
        return _obstacle(position, move)
    used = (m for m in earlier if position.segments[source_of(m)] == position.segments[source])
    return f"{format_move(position, next(used))} of this turn starts in the same segment"


def _obstacle(position: AtlantisPosition, move: int) -> str:
    """The first field on the way of a move that is not open."""
    (x, y), _ = move_ends(position, move)
    dx, dy = STEPS[direction_of(move)]
    for step in range(1, stones_of(move) + 1):
        place = (x + step * dx, y + step * dy)
        number = position.numbers.get(place, SEA)
        kind = int(position.state["kind"][number])
        if number == SEA:
            return f"there is no field {format_coordinate(place)} on the way"
        if kind in (GROWING, DEAD):
            return f"{format_coordinate(place)} on the way is {KIND_NAMES[kind]}"
    return f"the way is not {KIND_NAMES[OPEN]}"
