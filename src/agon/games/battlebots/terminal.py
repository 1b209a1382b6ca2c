r"""A position of Battlebots as text: the map in characters, and tables of forts and marches.

    r1 . . R>. . .4         r1  the first fort of the table, red's; each player has a letter
       .        .           .4  a neutral fort
         .b2 . .            R>  an army of red that marches to the right; ^ up, v down

The map fills the width of the terminal and has the picture's directions, y upwards. Signs that
would overlap stand as near to their places as there is room. The same drawing comes plain
(`format_board`) or coloured (`board_text`); games print nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from agon.games.battlebots.look import PLAYER_THEMES, format_count
from agon.games.battlebots.panel import (
    call_players,
    describe_strength,
    headline,
    measure_strength,
    verdict,
)
from agon.games.text_fit import cell_width, fit_cells, fit_column, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from agon.games.battlebots.armies import Army
    from agon.games.battlebots.field import Fort, Place
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.players import Players

Run: TypeAlias = tuple[str, str]
"""A piece of text, and a Rich style."""

ROAD = "dim"
MARK = "bold #e87a00"
WIDEST, HIGHEST = 100, 32  # the map; it is higher only where signs need the room
SPARSE = 4  # places for each character of a sign
NAME_LENGTH = 12
TOLD = 40  # marches that are listed
GAP = 3  # between columns of a table
NEUTRAL_SIGN = "."


def format_board(position: BattlebotsPosition, width: int = 80, names: Sequence[str] = ()) -> str:
    """The map, the tables and the headline as plain text."""
    return "".join(text for text, _ in _runs(position, width, names))


def board_text(position: BattlebotsPosition, width: int = 80, names: Sequence[str] = ()) -> Text:
    """The same as a Rich text: signs in the players' colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, width, names), no_wrap=True)


def _runs(position: BattlebotsPosition, width: int, names: Sequence[str]) -> Iterator[Run]:
    players = call_players(position, names, in_terminal=True)
    chart = Chart(position, width)
    yield from chart.runs()
    yield "\n", ""
    for seat in range(position.seats):
        yield from _player(position, seat, width, players)
    forts = [[*_fort_entry(position, number)] for number in range(len(position.field.forts))]
    yield from _table("forts:", forts, width)
    largest = sorted(position.armies, key=lambda army: (-army.soldiers, army))
    if largest:
        marches = [[*_march_entry(army, width)] for army in largest[:TOLD]]
        yield from _table("marches: (steps)", marches, width)
    if len(largest) > TOLD:
        yield f"and {len(largest) - TOLD} smaller\n", ROAD
    yield "\n", ""
    for line in wrap_cells(headline(position, players), width):
        yield f"{line}\n", "bold"


# --- the map --------------------------------------------------------------------------------------


def fort_sign(position: BattlebotsPosition, number: int) -> str:
    """The owner's letter, and the fort's number in the table."""
    return f"{_letter(position, position.field.forts[number])}{number + 1}"


def _letter(position: BattlebotsPosition, fort: Fort) -> str:
    seat = _seat(position, fort)
    return NEUTRAL_SIGN if seat is None else PLAYER_THEMES[seat].letter


def _seat(position: BattlebotsPosition, fort: Fort) -> int | None:
    return position.players.index(fort.owner) if fort.owner in position.players else None


def _style(seat: int | None) -> str:
    if seat is None:
        return "bold"
    return f"bold {PLAYER_THEMES[seat].number} on {PLAYER_THEMES[seat].light}"


class Chart:
    """The map on a grid of characters."""

    def __init__(self, position: BattlebotsPosition, width: int) -> None:
        """Draw it; what comes first stays: forts, then the largest armies, at last roads."""
        forts = position.field.forts
        signs = [fort_sign(position, number) for number in range(len(forts))]
        needed = SPARSE * sum(len(sign) + 1 for sign in signs)
        self._marks: dict[tuple[int, int], Run] = {}
        self._columns = max(min(width, WIDEST), *map(len, signs))
        self._scale([fort.place for fort in forts], needed, max(map(len, signs)))
        spots = self._find_spots(position, signs)
        for number, fort in enumerate(forts):
            column, line = spots[fort.name]
            start = column - len(signs[number]) // 2
            self._write(start, line, signs[number], _style(_seat(position, fort)))
        for army in sorted(position.armies, key=lambda army: -army.soldiers):
            self._draw_army(army, spots)
        self._draw_roads(position, spots)

    def _scale(self, places: Sequence[Place], needed: int, longest: int) -> None:
        """Characters are about twice as high as they are wide."""
        xs, ys = [x for x, _ in places], [y for _, y in places]
        across, down = max(1, max(xs) - min(xs)), max(1, max(ys) - min(ys))
        self._lines = max(3, min(HIGHEST, self._columns * down // (2 * across) + 1))
        if self._lines == HIGHEST:  # a map that is higher than wide is not drawn out
            self._columns = max(2 * HIGHEST * across // down, min(self._columns, 2 * HIGHEST))
        self._lines = max(self._lines, needed // self._columns + 1)
        self._left, self._top = min(xs), max(ys)
        self._inset = longest // 2
        self._x = (self._columns - longest - 1, across)
        self._y = (self._lines - 1, down)

    def _spot(self, x: float, y: float) -> tuple[int, int]:
        """The column and line of a place."""
        column = (x - self._left) * self._x[0] / self._x[1]
        line = (self._top - y) * self._y[0] / self._y[1]
        return self._inset + round(column), round(line)

    def _find_spots(
        self, position: BattlebotsPosition, signs: Sequence[str]
    ) -> dict[str, tuple[int, int]]:
        """Where each fort's sign has its middle."""
        taken: set[tuple[int, int]] = set()
        spots = {}
        for fort, sign in zip(position.field.forts, signs, strict=True):
            column, line = self._nearest(self._spot(fort.x, fort.y), len(sign), taken)
            start = column - len(sign) // 2
            taken.update((start + place, line) for place in range(-1, len(sign) + 1))
            spots[fort.name] = column, line
        return spots

    def _nearest(
        self, wanted: tuple[int, int], length: int, taken: set[tuple[int, int]]
    ) -> tuple[int, int]:
        """The free spot that is nearest to the wanted one; below the map if there is none."""
        first, last = length // 2, self._columns - length + length // 2
        for distance in range(self._columns + self._lines):
            for down in range(-distance, distance + 1):
                for across in {distance - abs(down), abs(down) - distance}:
                    column, line = wanted[0] + across, wanted[1] + down
                    start = column - length // 2
                    if not (first <= column <= last and 0 <= line < self._lines):
                        continue
                    if taken.isdisjoint((start + place, line) for place in range(length)):
                        return column, line
        self._lines += 1
        return first, self._lines - 1

    def _draw_roads(self, position: BattlebotsPosition, spots: dict[str, tuple[int, int]]) -> None:
        for one, other in position.field.roads:
            (x, y), (to_x, to_y) = spots[one], spots[other]
            dots = max(abs(to_x - x) // 2, abs(to_y - y), 1)
            for dot in range(1, dots):
                place = round(x + (to_x - x) * dot / dots), round(y + (to_y - y) * dot / dots)
                self._marks.setdefault(place, ("·", ROAD))

    def _draw_army(self, army: Army, spots: dict[str, tuple[int, int]]) -> None:
        """A capital letter, and an arrow before it."""
        (x, y), (to_x, to_y) = spots[army.origin], spots[army.target]
        column = round(x + (to_x - x) * army.share)
        line = round(y + (to_y - y) * army.share)
        letter, style = PLAYER_THEMES[army.seat].letter.upper(), _style(army.seat)
        if abs(to_x - x) < abs(to_y - y):  # steep, as characters are
            sign = letter + ("v" if to_y > y else "^")
        else:
            sign = f"{letter}>" if to_x > x else f"<{letter}"
        self._write(column - sign.index(letter), line, sign, style)

    def _write(self, column: int, line: int, text: str, style: str) -> None:
        """Put the text there, if all of it has room."""
        places = [(column + i, line) for i in range(len(text))]
        if 0 <= column <= self._columns - len(text) and self._marks.keys().isdisjoint(places):
            self._marks |= {at: (sign, style) for at, sign in zip(places, text, strict=True)}

    def runs(self) -> Iterator[Run]:
        """The lines from top to bottom."""
        for line in range(self._lines):
            columns = [column for column, at in self._marks if at == line]
            for column in range(max(columns, default=-1) + 1):
                yield self._marks.get((column, line), (" ", ""))
            yield "\n", ""


# --- the tables -----------------------------------------------------------------------------------


def _player(position: BattlebotsPosition, seat: int, width: int, players: Players) -> Iterator[Run]:
    """One player: whether it is asked, forts, soldiers."""
    yield (">" if seat in position.to_act else " "), MARK
    yield f" {PLAYER_THEMES[seat].letter} ", _style(seat)
    strength = measure_strength(position)[seat]
    name, count = players.name(seat), format_count(strength.soldiers)
    told = f" {fit_column(name, NAME_LENGTH)} {count:>4} soldiers, {describe_strength(strength)}"
    ending = verdict(position, seat)
    told += f"; {ending}" if ending else ""
    short = f"{fit_cells(f' {name}', max(0, width - 9))} {count}"
    yield (told if cell_width(told) + 4 <= width else short) + "\n", ""


def _fort_entry(position: BattlebotsPosition, number: int) -> Iterator[Run]:
    fort = position.field.forts[number]
    yield f"{fort_sign(position, number)}", _style(_seat(position, fort))
    yield f" {fort.name[:NAME_LENGTH]} {fort.soldiers}", ""


def _march_entry(army: Army, width: int) -> Iterator[Run]:
    yield PLAYER_THEMES[army.seat].letter.upper(), _style(army.seat)
    most = NAME_LENGTH if width > 3 * NAME_LENGTH else 4
    way = f"{army.origin[:most]}>{army.target[:most]}"
    yield f" {format_count(army.soldiers)} {way} ({army.to_go})", ""


def _table(title: str, entries: Sequence[Sequence[Run]], width: int) -> Iterator[Run]:
    """The entries in as many columns as there is room for, one below the other."""
    lengths = [sum(len(text) for text, _ in entry) for entry in entries]
    column = max(lengths) + GAP
    columns = max(1, (width + GAP) // column)
    lines = -(-len(entries) // columns)
    yield f"\n{title}\n", ROAD
    for line in range(lines):
        shown = range(line, len(entries), lines)
        for number in shown:
            yield from entries[number]
            if number != shown[-1]:
                yield " " * (column - lengths[number]), ""
        yield "\n", ""
